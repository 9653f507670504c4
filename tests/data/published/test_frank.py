"""FRANK in small files of its published format."""

import json

import pytest

from tests.data.published_files import read
from tricolore.errors import ReadError

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
