"""Published sets by name, written and read again, and the sets themselves where we have them."""

import json

import pytest

from tests.data.published_files import lines, newsroom_csv, read
from tricolore.data.annotations import read_annotators, write_judged
from tricolore.data.datasets import DATASETS, find_dataset
from tricolore.data.download import download
from tricolore.data.examples import ExampleFile
from tricolore.errors import ReadError


@pytest.mark.parametrize("name", sorted(set(DATASETS) - {"realsumm", "duc"}))
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
            [row["doc_id"], row["title"], row["system"], row["source"], row["summary"]]
            + [row["annotations"][q][at] for q in sorted(row["annotations"])]
            for row in newsroom
            for at in range(3)
        ],
    )
    found = read("newsroom", path)
    assert [dict(row.example.human) for row in found] == [
        pytest.approx(row["human"]) for row in newsroom
    ]


def test_a_name_that_is_nearly_right():
    with pytest.raises(ReadError, match="did you mean 'summeval'"):
        find_dataset("sumeval")


NOT_AS_PUBLISHED = {
    "summeval": {"id": 1, "model_id": 1, "decoded": 5, "text": "a", "expert_annotations": 7},
    "rose": {"annotations": {"a": 1}, "system_outputs": [1], "source": "a", "example_id": 1},
    "blanc-daily": {"text": None, "summary": [], "annotators_ids": 3, "scores": 4},
    "blanc-aspects": {"map_quality_scores": [1], "text": "a", "summary": "b"},
}


@pytest.mark.parametrize("name", NOT_AS_PUBLISHED)
def test_fields_of_other_types(name, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps([NOT_AS_PUBLISHED[name]]))
    words = f"x.json does not have the form in which '{name}' is published: "
    with pytest.raises(ReadError, match=words):
        read(name, path)
