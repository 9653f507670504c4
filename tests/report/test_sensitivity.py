"""The table of sensitivity to damage."""

import math

from tricolore.meta.sensitivity import DamageCase, DamagedPairs
from tricolore.report.sensitivity import sensitivity_table
from tricolore.score import Score


def twins(clean, damaged, direction="higher"):
    made = DamagedPairs(direction)
    for a, b in zip(clean, damaged, strict=True):
        made.add(Score(a), Score(b))
    return made.sensitivity()


def test_where_neither_way_is_better_nothing_is_worse():
    found = twins([1.0, 2.0], [3.0, 4.0], "neither")
    assert math.isnan(found.worse)
    assert found.auc.value == 0  # damaged summaries have the higher values
    case = DamageCase("subtle-errors", 1, "novelty")
    sheet = sensitivity_table({case: found})
    assert sheet.rows[0][sheet.headers.index("worse")].words == "–"
    assert any("Neither way is better" in n and "novelty" in n for n in sheet.notes)
    even = sensitivity_table({case: twins([1.0], [3.0])})
    assert not any("Neither" in note for note in even.notes)
