"""Public sets in small files of their published formats."""

import csv
import json

import pytest

from tests.data.published_files import lines, newsroom_csv, read
from tricolore.errors import ReadError

# The paired file: Yale-LILY/SummEval's data_processing/pair_data.py adds `text` to the hosted rows,
# which have these keys (3 experts, 5 workers, 11 references).
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
    story.write_text("A cat\u2028sat\n\non a mat.\n\n@highlight\n\nCat sits.\n")
    [row] = read("summeval", tmp_path)
    # pair_data.py cuts at "\n" alone, so that another line separator stays in its sentence
    assert row.example.source == ("A cat\u2028sat on a mat.",)


def test_newsroom(tmp_path):
    texts = ["<p>Bread &amp; butter.</p><p>Tea.</p>", "Bread &amp; tea."]
    path = newsroom_csv(
        tmp_path / "newsroom-human-eval.csv",
        [
            ["7", "Food", "lede3", *texts, 5, 4, 3, 2],
            ["7", "Food", "textrank", *texts, 1, 1, 1, 1],
            ["7", "Food", "lede3", *texts, 2, 4, 4, 3],
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
    # PrimerAI/blanc: data/DailyNews_300.json and data/DailyNews_300_aspects.json
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


KINDS = "Semantic_Frame_Errors Discourse_Errors Content_Verifiability_Errors".split()
KINDS += "RelE EntE CircE OutE GramE CorefE LinkE Other".split()


def frank_text(model, document="b71b", split="test"):
    # benchmark_data.json could not be had; artidoro/frank's README.md tells what it holds, and
    # has other words for the split than human_annotations.json.
    return {
        "hash": document,
        "model_name": model,
        "article": "A cat.",
        "summary": f"Cat by {model}.",
        "reference": "The cat.",
        "split": split,
    }


def frank_score(model, split, factuality, document="b71b", dataset="cnndm", **wrong):
    # The record of artidoro/frank's data/human_annotations.json, all of its keys.
    kinds = {kind: wrong.get(kind, 1.0) for kind in KINDS}
    return {
        "hash": document,
        "model_name": model,
        "dataset": dataset,
        "Factuality": factuality,
        **kinds,
        **{f"Flip_{kind}": 1 - value for kind, value in kinds.items()},
        "split": split,
    }


def test_frank(tmp_path):
    texts = [frank_text("bart"), frank_text("pgn")]
    texts += [frank_text("BERTS2S", "35761017", "validation")]
    (tmp_path / "benchmark_data.json").write_text(json.dumps(texts))
    scores = [
        frank_score("pgn", "test", 0.5, EntE=0.5, Semantic_Frame_Errors=0.5),
        frank_score("bart", "test", 1.0),
        frank_score("BERTS2S", "valid", 0.0, "35761017", "bbc", **dict.fromkeys(KINDS, 0.0)),
    ]
    (tmp_path / "human_annotations.json").write_text(json.dumps(scores))
    bart, pgn, other = read("frank", tmp_path)
    none_wrong = {"factuality": 1.0, **{kind.lower(): 1.0 for kind in KINDS}}
    assert bart.example.human == none_wrong
    wrong = {"factuality": 0.5, "ente": 0.5, "semantic_frame_errors": 0.5}
    assert pgn.example.human == {**none_wrong, **wrong}
    assert (pgn.example.summary, pgn.example.references) == ("Cat by pgn.", ("The cat.",))
    assert set(other.example.human.values()) == {0.0}
    assert [row.example.system for row in read("frank-test", tmp_path)] == ["bart", "pgn"]
    assert [row.example.system for row in read("frank-valid", tmp_path)] == ["BERTS2S"]
    (tmp_path / "human_annotations.json").write_text(json.dumps(scores[:1]))
    with pytest.raises(ReadError, match="nothing about b71b by bart"):
        read("frank", tmp_path)


def rose_row(annotations):
    """A row as Yale-LILY/ROSE's demo.ipynb prints it: of cnndm_test, and of the protocols."""
    return {
        "source": "A cat.",
        "reference": "The cat.\nIt sat.",
        "reference_acus": ["There is a cat.", "It sat."],
        "count_id": 53,
        "example_id": "012acd39",
        "annotations": annotations,
        "system_outputs": {"bart": "Cat.", "brio-ext": "Cats."},
    }


ACU = {"acu_labels": [1, 0], "acu": 0.5, "normalized_acu": 0.4}


def test_rose(tmp_path):
    row = rose_row({"brio-ext": {**ACU, "acu": 1.0}, "bart": ACU})
    bart, brio = read("rose", lines(tmp_path / "cnndm.test.acus.aggregated.jsonl", [row]))
    assert bart.example.human == {"acu": 0.5, "normalized_acu": 0.4}
    assert brio.example.human["acu"] == 1.0
    assert (brio.example.system, brio.example.summary) == ("brio-ext", "Cats.")
    assert (brio.example.doc_id, brio.example.references) == ("012acd39", ("The cat.\nIt sat.",))
    with pytest.raises(ReadError, match=r"name one file .*cnndm.test.acus"):
        read("rose", tmp_path)
    del row["source"]
    with pytest.raises(ReadError, match=r"has no 'source' .* that Salesforce/rose holds now"):
        read("rose", lines(tmp_path / "early.jsonl", [row]))


def test_rose_protocols(tmp_path):
    # docs/_data/protocol-comparison-llm.json of Yale-LILY/ROSE: means of three people, and the
    # reference judged as well, with lists where it was not asked; it has no output
    said = {"prior": 11 / 3, "ref_based": 3.0, "ref_free": 5.0, **ACU}
    reference = {"prior": 8 / 3, "ref_based": [], "acu": [[]], "ref_free": 3.0}
    row = rose_row({"bart": said, "brio-ext": said, "reference": reference})
    rows = read("rose", lines(tmp_path / "cnndm.test.protocols-gpt3.aggregated.jsonl", [row]))
    assert [judged.example.system for judged in rows] == ["bart", "brio-ext"]
    scores = {"prior": 11 / 3, "ref_based": 3, "ref_free": 5, "acu": 0.5, "normalized_acu": 0.4}
    assert rows[0].example.human == scores
    assert rows[0].annotations == {}


def test_rose_as_parquet(tmp_path):
    # As the hub's loader rose.py types it: float32, and -1 where the reference was not judged.
    import pyarrow as pa
    import pyarrow.parquet as pq

    said = {"prior": 3.5, "ref_based": 3.0, "ref_free": 5.0, **ACU}
    reference = {**said, "ref_based": -1, "acu_labels": [], "acu": -1, "normalized_acu": -1}
    number, labels = pa.float32(), pa.list_(pa.int64())
    scores = pa.struct([(name, labels if "labels" in name else number) for name in said])
    systems = ("bart", "brio-ext", "reference")
    outputs = pa.struct([(name, pa.string()) for name in systems[:2]])
    schema = pa.schema(
        [(name, pa.string()) for name in ("source", "reference", "example_id")]
        + [("reference_acus", pa.list_(pa.string())), ("count_id", pa.int64())]
        + [("annotations", pa.struct([(name, scores) for name in systems]))]
        + [("system_outputs", outputs)]
    )
    row = rose_row({"bart": said, "brio-ext": said, "reference": reference})
    pq.write_table(pa.Table.from_pylist([row], schema), tmp_path / "0000.parquet")
    bart, _ = read("rose", tmp_path / "0000.parquet")
    assert bart.example.human == pytest.approx({k: said[k] for k in said if k != "acu_labels"})


def answers_csv(folder, name, rows, *, comma=False):
    """The columns of neulab/REALSumm's SCU_rating_results_*/*.csv.

    16 statements, answers in the order of their names as words; some files of the abstractive
    systems have a comma too many at the end of each line.
    """
    folder.mkdir(parents=True, exist_ok=True)
    head = ["Input.eventId", "Input.summaryId", "Input.qIdList", "Input.summary_text"]
    head += [f"Input.statement_{n}" for n in range(1, 17)]
    order = [*range(10, 17), *range(1, 10)]
    head += [f"Answer.S{n}Answer" for n in order]
    with (folder / name).open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*head, *[""] * comma])
        for event, system, units, given in rows:
            units, given = units + ["BLANK"] * (16 - len(units)), given.ljust(16, "n")
            answers = [given[n - 1] for n in order]
            cells = [event, system, "['0', '1']", "Cat sat .", *units, *answers]
            writer.writerow([*cells, *[""] * comma])


def realsumm(root):
    answers = root / "human_annotations/SCUs_and_annotations"
    units = ["A cat.", "It sat.", "BLANK", "On a mat."]
    two = [("cnndm19", "bart_out", units, given) for given in ("ppnp", "pnpn")]
    other = ("cnndm1017", "bart_out", [f"Fact {n}." for n in range(1, 12)], "nnnnnnnnnpp")
    # the rows of a document need not stand together
    answers_csv(answers / "SCU_rating_results_ext_systems", "bart_out.csv", [two[0], other, two[1]])
    folder = answers / "SCU_rating_results_abs_systems"
    row = ("cnndm19", "bart_out", units, "pppp")
    answers_csv(folder, "bart_out_Batch_crowd_3.csv", [row], comma=True)
    three = [("cnndm19", "neusumm_out", units, given) for given in ("pnnn", "pnnp", "nnnp")]
    answers_csv(folder, "neusumm_out_Batch_crowd_3.csv", three, comma=True)
    texts = root / "selected_docs_for_human_eval"
    for sub in ("abs/ptr_generator", "ext/bart"):
        (texts / sub).mkdir(parents=True)
    (texts / "selected_documents.md").write_text("# Aligned\n\n```\n[1017, 19]\n```\n")
    sources = "<t> other </t>\n<t> a cat\u2028sat . </t> <t> on a mat . </t>"
    (texts / "abs/ptr_generator/src.txt").write_text(sources)
    (texts / "abs/ptr_generator/ref.txt").write_text("<t> x .y . </t>\n<t> a cat .it sat . </t>")
    (texts / "ext/bart/ref.txt").write_text(" X .   Y . \n A cat .   It sat . \n")


def test_realsumm(tmp_path):
    realsumm(tmp_path)
    rows = {(row.example.system, row.example.doc_id): row for row in read("realsumm", tmp_path)}
    recall = {key: row.example.human["litepyramid_recall"] for key, row in rows.items()}
    assert recall == {
        # unit 1: 2 of 2 workers; units 2 and 4: 1 of 2, ties, so no; the blank is not asked
        ("bart_out.ext", "cnndm19"): pytest.approx(1 / 3),
        # the tenth and the eleventh of eleven, whose answers stand before the first's
        ("bart_out.ext", "cnndm1017"): pytest.approx(2 / 11),
        ("bart_out.abs", "cnndm19"): 1,
        # 2, 0 and 2 of 3 workers; published among the abstractive systems, but it is none
        ("neusumm_out.ext", "cnndm19"): pytest.approx(2 / 3),
    }
    row = rows["bart_out.ext", "cnndm19"]
    assert [score for _, score in row.annotations["litepyramid_recall"]] == [1, 1 / 3]
    assert row.example.source == ("a cat sat . on a mat .",)
    assert row.example.references == ("A cat . It sat .",)
    with pytest.raises(ReadError, match="no copy of the REALSumm repository"):
        read("realsumm", tmp_path / "human_annotations")
