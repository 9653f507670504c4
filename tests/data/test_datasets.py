"""Public sets in small files of their published formats, and where we have the sets themselves."""

import csv
import hashlib
import json
import shutil

import pytest

from tricolore.data.annotations import read_annotators
from tricolore.data.datasets import DATASETS, find_dataset
from tricolore.data.download import download
from tricolore.data.examples import ExampleFile
from tricolore.data.judged_file import write_judged
from tricolore.data.records import ReadError


def read(name, path):
    return list(find_dataset(name).read(path))


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


SUMMEVAL = {
    "id": "dm-test-1",
    "decoded": "a cat sat .",
    "expert_annotations": [
        {"coherence": 2, "consistency": 1, "fluency": 4, "relevance": 2},
        {"coherence": 1, "consistency": 1, "fluency": 2, "relevance": 1},
        {"coherence": 1, "consistency": 1, "fluency": 3, "relevance": 2},
    ],
    "turker_annotations": [{"coherence": 5, "consistency": 5, "fluency": 5, "relevance": 5}],
    "references": ["Cat sits.", "A cat is sitting."],
    "model_id": "M11",
    "filepath": "cnndm/dailymail/stories/1.story",
    "text": "A cat sat on a mat.",
}


def test_summeval(tmp_path):
    [row] = read("summeval", lines(tmp_path / "model_annotations.aligned.paired.jsonl", [SUMMEVAL]))
    # (2 + 1 + 1) / 3 by the experts; the crowd's 5 is not in it
    assert row.example.human == pytest.approx(
        {"coherence": 4 / 3, "consistency": 1, "fluency": 3, "relevance": 5 / 3}
    )
    assert row.annotations["fluency"] == [("1", 4), ("2", 2), ("3", 3)]
    assert row.example.source == ("A cat sat on a mat.",)
    assert (row.example.doc_id, row.example.system) == ("dm-test-1", "M11")
    assert row.example.references == ("Cat sits.", "A cat is sitting.")


def test_summeval_with_story_files(tmp_path):
    hosted = {key: value for key, value in SUMMEVAL.items() if key != "text"}
    lines(tmp_path / "model_annotations.aligned.jsonl", [hosted])
    with pytest.raises(ReadError, match="put the story files"):
        read("summeval", tmp_path)
    story = tmp_path / SUMMEVAL["filepath"]
    story.parent.mkdir(parents=True)
    story.write_text("A cat sat\n\non a mat.\n\n@highlight\n\nCat sits.\n")
    [row] = read("summeval", tmp_path)
    assert row.example.source == ("A cat sat on a mat.",)


def newsroom_csv(path, rows):
    head = "ArticleID System ArticleText SystemSummary ArticleTitle".split()
    head += [f"{q}Rating" for q in "Coherence Fluency Informativeness Relevance".split()]
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerows([head, *rows])
    return path


def test_newsroom(tmp_path):
    texts = ["<p>Bread &amp; butter.</p><p>Tea.</p>", "Bread &amp; tea.", "Food"]
    path = newsroom_csv(
        tmp_path / "newsroom-human-eval.csv",
        [
            ["7", "lede3", *texts, 5, 4, 3, 2],
            ["7", "textrank", *texts, 1, 1, 1, 1],
            ["7", "lede3", *texts, 2, 4, 4, 3],
        ],
    )
    first, second = read("newsroom", path)
    assert first.example.source == ("Bread & butter.\nTea.",)
    assert first.example.summary == "Bread & tea."
    assert first.example.human == {
        "coherence": 3.5,
        "fluency": 4,
        "informativeness": 3.5,
        "relevance": 2.5,
    }
    assert (second.example.system, second.example.human["fluency"]) == ("textrank", 1)


def test_blanc(tmp_path):
    one = {"annotators_ids": [5, 10, 12], "scores": [1, 1, 4], "summary": "Cat.", "text": "A cat."}
    (tmp_path / "DailyNews_300.json").write_text(json.dumps([one]))
    [row] = read("blanc-daily", tmp_path)
    assert row.example.human == {"overall": 2}
    assert row.annotations == {"overall": [("5", 1), ("10", 1), ("12", 4)]}
    aspects = {
        "map_quality_scores": {
            "Fluent": {"annotators_ids": [4, 5], "scores": [2, 3]},
            "Overall": {"annotators_ids": [4, 5, 5], "scores": [0, 1, 2]},
        },
        "summary": "Cat.",
        "text": "A cat.",
    }
    (tmp_path / "DailyNews_300_aspects.json").write_text(json.dumps([aspects]))
    [row] = read("blanc-aspects", tmp_path)
    assert row.example.human == {"fluent": 2.5, "overall": 1}


def test_frank(tmp_path):
    def text(model, split):
        return {
            "hash": "b71b",
            "model_name": model,
            "article": "A cat.",
            "summary": f"Cat by {model}.",
            "reference": "The cat.",
            "split": split,
        }

    def score(model, split, value):
        return {
            "hash": "b71b",
            "model_name": model,
            "dataset": "cnndm",
            "Factuality": value,
            "RelE": 1.0,
            "Flip_RelE": 0.0,
            "split": split,
        }

    texts = [text("bart", "test"), text("pgn", "valid")]
    (tmp_path / "benchmark_data.json").write_text(json.dumps(texts))
    scores = [score("pgn", "valid", 0.5), score("bart", "test", 1.0)]
    (tmp_path / "human_annotations.json").write_text(json.dumps(scores))
    bart, pgn = read("frank", tmp_path)
    assert bart.example.human == {"factuality": 1.0, "rele": 1.0}
    assert (pgn.example.summary, pgn.example.human["factuality"]) == ("Cat by pgn.", 0.5)
    assert [row.example.system for row in read("frank-test", tmp_path)] == ["bart"]
    assert [row.example.system for row in read("frank-valid", tmp_path)] == ["pgn"]
    (tmp_path / "human_annotations.json").write_text(json.dumps(scores[:1]))
    with pytest.raises(ReadError, match="nothing about b71b by bart"):
        read("frank", tmp_path)


def test_rose(tmp_path):
    row = {
        "source": "A cat.",
        "reference": "The cat.",
        "reference_acus": ["There is a cat.", "It is one."],
        "count_id": 0,
        "example_id": "cnndm-1",
        "system_outputs": {"bart": "Cat.", "brio": "Cats.", "gone": None},
        "annotations": {
            "bart": {"acu": 0.5, "normalized_acu": 0.4, "acu_labels": [1, 0]},
            "brio": {"acu": 1.0, "prior": [2, 4], "acu_labels": [1, 1]},
            "gone": None,
        },
    }
    bart, brio = read("rose", lines(tmp_path / "cnndm_test.jsonl", [row]))
    assert bart.example.human == {"acu": 0.5, "normalized_acu": 0.4}
    assert brio.example.human == {"acu": 1.0, "prior": 3.0}
    assert brio.annotations == {"prior": [("1", 2.0), ("2", 4.0)]}
    assert (brio.example.doc_id, brio.example.references) == ("cnndm-1", ("The cat.",))


def realsumm(root, *, answers):
    folder = root / "human_annotations/SCUs_and_annotations/SCU_rating_results_ext_systems"
    folder.mkdir(parents=True)
    head = ["Input.eventId", "Input.summaryId", "Input.qIdList", "Input.summary_text"]
    head += [f"Input.statement_{n}" for n in range(1, 5)]
    head += [f"Answer.S{n}Answer" for n in range(1, 5)]
    with (folder / "bart_out.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(head)
        for given in answers:
            units = ["A cat.", "It sat.", "On a mat.", "BLANK"]
            writer.writerow(["cnndm19", "bart_out", "[]", "Cat sat .", *units, *given])
    texts = root / "selected_docs_for_human_eval"
    (texts / "abs/ptr_generator").mkdir(parents=True)
    (texts / "selected_documents.md").write_text("# Aligned\n```\n[1017, 19]\n```\n")
    (texts / "abs/ptr_generator/src.txt").write_text("other\n<t> a cat </t> <t> sat . </t>\n")
    (texts / "abs/ptr_generator/ref.txt").write_text("<t> x </t>\n<t> the cat . </t>\n")


def test_realsumm(tmp_path):
    # unit 1: 2 of 2 workers; unit 2: 1 of 2, a tie, so no; unit 3: none; the blank is not asked
    realsumm(tmp_path, answers=["ppnp", "pnnp"])
    [row] = read("realsumm", tmp_path)
    assert row.example.human == {"litepyramid_recall": pytest.approx(1 / 3)}
    assert [score for _, score in row.annotations["litepyramid_recall"]] == [2 / 3, 1 / 3]
    assert (row.example.doc_id, row.example.system) == ("cnndm19", "bart_out.ext")
    assert row.example.source == ("a cat sat .",)
    assert row.example.references == ("the cat .",)
    with pytest.raises(ReadError, match="no copy of the REALSumm repository"):
        read("realsumm", tmp_path / "human_annotations")


@pytest.mark.parametrize("name", sorted(set(DATASETS) - {"realsumm"}))
def test_a_file_that_is_something_else(name, tmp_path):
    folder = tmp_path / "x"
    folder.mkdir()
    path = folder / ("human_annotations.json" if "frank" in name else "a.json")
    path.write_text('[{"a": 1}]' if "blanc" in name or "frank" in name else '{"a": 1}\n')
    if name == "newsroom":
        path = path.with_suffix(".csv")
        path.write_text("a,b\n1,2\n")
    with pytest.raises(ReadError, match=r"has no '|cannot be read"):
        read(name, path)


def test_written_and_read_again(tmp_path):
    one = {"annotators_ids": [5, 10], "scores": [1, 4], "summary": "Cat.", "text": "A cat."}
    (tmp_path / "DailyNews_300.json").write_text(json.dumps([one, {**one, "text": "Two cats."}]))
    target = tmp_path / "daily.jsonl"
    said = write_judged(find_dataset("blanc-daily").read(tmp_path), target)
    assert said == "2 summaries of 2 documents; human: overall"
    first, second = ExampleFile(str(target))
    assert (first.human, second.source) == ({"overall": 2.5}, ("Two cats.",))
    table = read_annotators(str(target), "overall")
    assert (table.people, table.scores.tolist()) == (["5", "10"], [[1, 4], [1, 4]])


def test_a_failure_leaves_nothing(tmp_path):
    target = lines(tmp_path / "x.jsonl", [{"old": 1}])
    rows = find_dataset("rose").read(lines(tmp_path / "bad.jsonl", [{"annotations": {}}]))
    with pytest.raises(ReadError):
        write_judged(rows, target)
    assert target.read_text() == '{"old": 1}\n'
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.jsonl", "x.jsonl"]


def published_cnndm555(rows):
    return json.dumps(
        [
            {
                "annotators_ids": [said["annotator"] for said in row["annotations"]["overall"]],
                "scores": [said["score"] for said in row["annotations"]["overall"]],
                "summary": row["summary"],
                "text": row["source"],
            }
            for row in rows
        ]
    )


def test_the_blanc_set_itself(tmp_path, cnndm555):
    # The file as published has 2,779,006 characters; made again from the rows at hand it is
    # that file, whose SHA-256 the download is checked by.
    path = tmp_path / "CNN_DailyMail_555.json"
    path.write_text(published_cnndm555(cnndm555))
    assert path.stat().st_size == 2_779_006
    [file] = find_dataset("blanc-cnndm").files
    assert download(find_dataset("blanc-cnndm"), tmp_path) == {file.name: file.sha256}
    rows = read("blanc-cnndm", path)
    means = [row.example.human["overall"] for row in rows]
    assert means == pytest.approx([row["human"]["overall"] for row in cnndm555])


def test_the_other_sets_themselves(tmp_path, summeval, newsroom):
    """Our rows turned back into the published formats, and read again."""
    published = [
        {
            "id": row["doc_id"],
            "decoded": row["summary"],
            "text": row["source"],
            "references": row["references"],
            "model_id": row["system"],
            "expert_annotations": [
                dict(zip(row["annotations"], said, strict=True))
                for said in zip(*row["annotations"].values(), strict=True)
            ],
        }
        for row in summeval
    ]
    found = read("summeval", lines(tmp_path / "model_annotations.aligned.paired.jsonl", published))
    assert [dict(row.example.human) for row in found] == [
        pytest.approx(row["human"]) for row in summeval
    ]
    path = newsroom_csv(
        tmp_path / "n.csv",
        [
            [row["doc_id"], row["system"], row["source"], row["summary"], row["title"]]
            + [row["annotations"][q][at] for q in sorted(row["annotations"])]
            for row in newsroom
            for at in range(3)
        ],
    )
    found = read("newsroom", path)
    assert [dict(row.example.human) for row in found] == [
        pytest.approx(row["human"]) for row in newsroom
    ]


def test_a_download_is_checked(tmp_path):
    dataset = find_dataset("blanc-cnndm")
    (tmp_path / "CNN_DailyMail_555.json").write_text("[]")
    # SHA-256 of "[]"
    assert hashlib.sha256(b"[]").hexdigest().startswith("4f53cda18c2baa0c")
    with pytest.raises(ReadError, match="is not the published file: its SHA-256 is 4f53cda18c2b"):
        download(dataset, tmp_path)


def test_no_network(tmp_path, monkeypatch):
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")  # nothing listens there
    with pytest.raises(ReadError, match=r"cannot be fetched .* name it with --from"):
        download(find_dataset("newsroom"), tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ReadError, match="not fetched by this command"):
        download(find_dataset("realsumm"), tmp_path)


def test_a_download(tmp_path, monkeypatch):
    """From a place that is always there: a file of this machine."""
    import dataclasses

    there = tmp_path / "there.csv"
    newsroom_csv(there, [["7", "lede3", "A.", "B.", "C", 5, 4, 3, 2]])
    dataset = find_dataset("newsroom")
    [file] = dataset.files
    here = dataclasses.replace(
        dataset, files=(dataclasses.replace(file, url=there.as_uri(), sha256=""),)
    )
    folder = tmp_path / "cache"
    [digest] = download(here, folder).values()
    assert digest == hashlib.sha256(there.read_bytes()).hexdigest()
    assert len(list(here.read(folder))) == 1
    shutil.rmtree(folder)


def test_a_name_that_is_nearly_right():
    with pytest.raises(ReadError, match="did you mean 'summeval'"):
        find_dataset("sumeval")
