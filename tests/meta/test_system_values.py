"""The value of every system: the same as in the table of `tricolore score`."""

from __future__ import annotations

import math

import pytest

from tricolore import evaluate
from tricolore.api.score_tables import settled_table
from tricolore.data.score_table import ScoreTable
from tricolore.meta.system_values import system_estimates

ROWS = [
    {
        "source": f"the cat sat on mat {doc} and slept",
        "summary": "" if (doc, system) == (3, "b") else f"the cat sat {word} {doc}",
        "references": [f"a cat sat on mat {doc}"],
        "doc_id": str(doc),
        "system": system,
    }
    for doc in range(7)
    for system, word in (("a", "on mat"), ("b", "under"))
    if (doc, system) != (5, "b")
]


@pytest.mark.parametrize("measure", ["coverage", "bleu", "length"])
def test_the_values_are_those_of_the_table_of_score(measure: str) -> None:
    evaluation = evaluate(ROWS, measure)
    found = {one.system: one for one in system_estimates(settled_table(evaluation), measure)}
    assert len(found) == 2
    for system, number, *_ in evaluation.systems.rows:
        one = found[system]
        assert (one.value, one.low, one.high) == pytest.approx(
            (number.value, number.low, number.high)
        )
    # A document that b has no summary of; and an empty summary, which has no worst length.
    assert (found["a"].missing, found["b"].missing) == (0, 2 if measure == "length" else 1)


def test_without_values_there_is_no_number() -> None:
    table = ScoreTable.of(["1", "2"], ["a", "b"], {"m": [math.nan, 1.0]})
    a, b = system_estimates(table, "m")
    assert math.isnan(a.value)
    assert a.documents == 0
    assert b.value == 1.0
    assert math.isnan(b.low)  # one document says nothing about others
