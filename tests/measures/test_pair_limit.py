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
    rows = [Example(summary=TEXT, references=[text, TEXT]) for text in (f"{TEXT} x", TEXT)]
    long, short = get_measure(f"{spec}{join}max_pairs=36").score(rows)
    assert long.problem == (
        "the texts have 6 and 7 words, whose product is more than max_pairs=36; "
        "set max_pairs higher to compare them"
    )
    assert short.problem is None
    raised = get_measure(f"{spec}{join}max_pairs=42").score(rows)
    assert raised == get_measure(spec).score(rows)


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
