"""Texts that are too long for a measure get a problem that says how to raise the limit."""

from __future__ import annotations

import pytest

from tricolore import Example
from tricolore.errors import SpecError
from tricolore.registry import get_measure

TEXT = "a cat sat on the mat"
SPECS = ("rouge-w", "rouge-lsum", "rouge-w:preset=released", "rouge-l:preset=released", "meteor")


@pytest.mark.parametrize("spec", SPECS)
def test_a_row_beyond_the_limit_has_a_problem(spec: str) -> None:
    join = "," if ":" in spec else ":"
    rows = [Example(summary=TEXT, references=references) for references in (f"{TEXT} x", TEXT)]
    long, short = get_measure(f"{spec}{join}max_pairs=36").score(rows)
    assert long.problem == (
        "the summary has 6 words and what it is compared with 7 words, whose product is more than "
        "max_pairs=36; set max_pairs higher to compare them"
    )
    assert short.problem is None
    raised = get_measure(f"{spec}{join}max_pairs=42").score(rows)
    assert raised == get_measure(spec).score(rows)


@pytest.mark.parametrize("spec", SPECS)
def test_the_limit_is_for_all_references_together(spec: str) -> None:
    """6 words times 3 references of 6 words are 108 pairs."""
    join = "," if ":" in spec else ":"
    rows = [Example(summary=TEXT, references=[TEXT, TEXT.upper(), TEXT.title()])]
    [score] = get_measure(f"{spec}{join}max_pairs=107").score(rows)
    assert "and what it is compared with 18 words, whose product" in (score.problem or "")
    [score] = get_measure(f"{spec}{join}max_pairs=108").score(rows)
    assert score.problem is None


def test_bert_score_has_a_limit_of_references() -> None:
    references = [f"{TEXT} {n}" for n in range(4)]
    rows = [Example(summary=TEXT, references=references[:most]) for most in (4, 3)]
    many, few = get_measure("bert-score:max_references=3").score(rows)
    assert many.problem == (
        "there are 4 texts to compare with, more than max_references=3; "
        "set max_references higher to compare them"
    )
    assert few == get_measure("bert-score").score(rows)[1]
    with pytest.raises(SpecError, match="max_references must be 1 or more"):
        get_measure("bert-score:max_references=0")


def test_the_limit_is_part_of_the_signature() -> None:
    assert get_measure("rouge-w:max_pairs=42").signature()["max_pairs"] == 42


def test_rouge_l_has_a_value_without_evidence() -> None:
    row = [Example(summary=TEXT, references=TEXT)]
    assert get_measure("rouge-l").score(row, evidence=True)[0].evidence
    [score] = get_measure("rouge-l:max_pairs=35").score(row, evidence=True)
    assert score.value == 1.0
    assert not score.evidence


@pytest.mark.parametrize("spec", ["rouge-w:max_pairs=0", "meteor:max_pairs=-1"])
def test_a_limit_below_1_is_refused(spec: str) -> None:
    with pytest.raises(SpecError, match="max_pairs must be 1 or more"):
        get_measure(spec)
