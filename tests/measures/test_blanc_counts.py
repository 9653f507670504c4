"""How BLANC counts guesses and draws them."""

from __future__ import annotations

import pytest

from tricolore.measures.blanc_counts import Counts, heat_map


def test_the_counts_of_section_2_2():
    counts = Counts()
    counts.add([(False, False), (False, True), (False, True), (True, False), (True, True)])
    assert (counts.s00, counts.s01, counts.s10, counts.s11) == (1, 2, 1, 1)
    assert counts.total == 5
    assert counts.relative == (2 - 1) / 5
    assert counts.improve == 2 / 4  # S01 / (S00 + S11 + S01)


def test_a_summary_that_spoils_every_guess():
    counts = Counts(s10=3)
    assert (counts.relative, counts.improve) == (-1, 0)


@pytest.mark.parametrize(
    ("outcomes", "weight", "label", "kind"),
    [
        ([(False, True), (True, True)], 0.5, "helped", "helped"),
        ([(True, False)], -1, "hurt", "hurt"),
        ([(True, False), (False, True)], 0, "helped and hurt", "unchanged"),
        ([(True, True)], 0, "right either way", "unchanged"),
        ([(False, False)], 0, "wrong either way", "unchanged"),
    ],
)
def test_a_word_of_the_heat_map(outcomes, weight, label, kind):
    [span] = heat_map({(2, 5, 9): outcomes})
    assert (span.document, span.start, span.end) == (2, 5, 9)
    assert (span.weight, span.label, span.kind) == (weight, label, kind)
