"""Koh et al. in small files with the fields that their README names."""

import csv

import pytest

from tests.data.published_files import lines, read
from tricolore.errors import ReadError

NAME = "robust_long_abstractive_human_annotation_dataset"
ROWS = [
    {
        "dataset": "arXiv",
        "dataset_id": "1705.1",
        "model_type": "BART 1K",
        "model_summary": "Cats.",
        "relevance": 0.25,
        "factual consistency": 1.0,
    },
    {
        "dataset": "GovReport",
        "dataset_id": "GAO-1",
        "model_type": "PEGASUS 4K",
        "model_summary": "Roads.",
        "relevance": 0.5,
        "factual consistency": 0.75,
    },
]


def test_scores_without_the_sources(tmp_path):
    arxiv, report = read("koh", lines(tmp_path / f"{NAME}.jsonl", ROWS))
    assert (arxiv.example.doc_id, arxiv.example.system) == ("arxiv:1705.1", "BART 1K")
    assert arxiv.example.human == {"relevance": 0.25, "factual_consistency": 1.0}
    assert (report.example.summary, report.example.source) == ("Roads.", ())


def test_sources_by_id(tmp_path):
    lines(tmp_path / f"{NAME}.jsonl", ROWS)
    # The rows of armancohan/long-summarization, and of a copy of GovReport on the hub.
    text = {"article_text": ["cats sit .", "they sleep ."], "abstract_text": ["<S> cats . </S>"]}
    lines(tmp_path / "arxiv.jsonl", [{"article_id": "1705.1", **text}])
    lines(tmp_path / "govreport.jsonl", [{"id": "GAO-1", "report": "Long.", "summary": "Short."}])
    arxiv, report = read("koh", tmp_path)
    assert arxiv.example.source == ("cats sit .\nthey sleep .",)
    assert arxiv.example.references == ("cats .",)
    assert (report.example.source, report.example.references) == (("Long.",), ("Short.",))


@pytest.mark.parametrize("number", ["article_id", "id", "dataset_id"])
@pytest.mark.parametrize("source", ["article_text", "article", "report", "document"])
@pytest.mark.parametrize("reference", ["abstract_text", "abstract", "summary"])
def test_names_of_the_fields_of_sources(tmp_path, number, source, reference):
    lines(tmp_path / f"{NAME}.jsonl", ROWS[:1])
    lines(tmp_path / "arxiv.jsonl", [{number: "1705.1", source: "Long.", reference: "Short."}])
    [row] = read("koh", tmp_path)
    assert (row.example.source, row.example.references) == (("Long.",), ("Short.",))


def test_csv(tmp_path):
    with (tmp_path / f"{NAME}.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    assert [row.example.human["relevance"] for row in read("koh", tmp_path)] == [0.25, 0.5]


def test_other_files(tmp_path):
    with pytest.raises(ReadError, match=f"has no '{NAME}.jsonl'"):
        read("koh", tmp_path)
    path = lines(tmp_path / f"{NAME}.jsonl", [{**ROWS[0], "relevance": "high"}])
    with pytest.raises(ReadError, match="does not have the form in which 'koh' is published"):
        read("koh", path)
    lines(tmp_path / f"{NAME}.jsonl", ROWS)
    lines(tmp_path / "arxiv.jsonl", [{"article_text": "a"}])
    with pytest.raises(ReadError, match="has no 'article_id' in a row"):
        read("koh", tmp_path)
