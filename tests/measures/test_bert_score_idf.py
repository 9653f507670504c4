"""Weights of tokens from a file of texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tricolore import Example, get_measure
from tricolore.errors import SpecError
from tricolore.measures.bert_score import BertScore
from tricolore.measures.bert_score_idf import read_texts

BRIDGE = "The council voted on Monday to close the old bridge. Engineers had warned of danger."
SUMMARY = "The old bridge will be closed."


def one(references: Any, summary: str = SUMMARY, *, evidence: bool = False, **chosen: Any) -> Any:
    kind = chosen.get("against", "references")
    example = Example(summary=summary, **{kind: references})
    [score] = BertScore(**chosen).score([example], evidence=evidence)
    return score


def test_idf_comes_from_a_file(tmp_path):
    lines = ["the bridge", "the cat", "the old council"]
    text = tmp_path / "texts.txt"
    text.write_text("\n".join(lines) + "\n\n")
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        "\n".join(json.dumps({"summary": "x", "references": [a], "source": "s"}) for a in lines)
    )
    assert [*read_texts(str(rows), "references")] == lines
    assert [*read_texts(str(rows), "source")] == ["s"] * 3
    weighed = one(BRIDGE, idf=str(text))
    assert weighed.parts == pytest.approx(one(BRIDGE, idf=str(rows)).parts, abs=1e-9)
    assert abs(weighed.value - one(BRIDGE).value) > 1e-3
    # "the" is in all three texts, so that it counts for nothing.
    assert "every word of the summary is in every text" in one(BRIDGE, "the", idf=str(text)).problem
    assert "every word of the reference is in" in one("the the", idf=str(text)).problem
    before = BertScore(idf=str(text)).signature()
    text.write_text("the bridge\n")
    assert BertScore(idf=str(text)).signature()["idf"] != before["idf"]
    assert abs(one(BRIDGE, idf=str(text)).value - weighed.value) > 1e-3
    text.write_text("\n")
    with pytest.raises(SpecError, match="has no references to count in"):
        one(BRIDGE, idf=str(text))
    with pytest.raises(SpecError, match="neither `none` nor a file"):
        get_measure("bert-score:idf=nowhere.txt")
