"""ESTIME's windows, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tricolore.measures.estime_reading import Masking, Reader, Reading, Shelf, Unit
from tricolore.models.masked_lm import shared

STORY = "the old king met the queen in Paris . the dog slept in London and a cat ate the fish ."


def text_of(*lengths: int) -> Reading:
    """Units of so many tokens each."""
    starts = [sum(lengths[:at]) for at in range(len(lengths))]
    units = tuple(
        Unit(start, start + length, at, "x", "x", 0, 0, "")
        for at, (start, length) in enumerate(zip(starts, lengths, strict=True))
    )
    return Reading(tuple(range(100, 100 + sum(lengths))), units)


def windows(masking: Masking, *lengths: int) -> list[tuple[int, int, list[int]]]:
    return [(w.start, w.end, list(w.units)) for w in masking.windows(text_of(*lengths))]


def test_units_masked_together_are_far_apart():
    found = windows(Masking(distance=3), *[1] * 10)
    assert found == [(0, 10, [0, 3, 6, 9]), (0, 10, [1, 4, 7]), (0, 10, [2, 5, 8])]


def test_the_paper_keeps_off_the_edges_of_windows_but_not_of_the_text():
    # First window: 0-9, 8 and 9 are within 2 of its end. The next begins 2 before 8: 6-15, masks
    # 8-13. The next begins 2 before 14 and reaches the end of the text: masks 14-19.
    found = windows(Masking(distance=1, margin=2, window=10), *[1] * 20)
    assert [(start, end) for start, end, _ in found] == [(0, 10), (6, 16), (12, 20)]
    assert [units for *_, units in found] == [
        [*range(8)],
        [*range(8, 14)],
        [*range(14, 20)],
    ]
    assert windows(Masking(distance=1, margin=2, window=10), *[1] * 10) == [(0, 10, [*range(10)])]


def test_the_released_code_masks_one_more_and_stops_before_the_end():
    masking = Masking(distance=1, margin=2, window=10, rules="released")
    assert [units for *_, units in windows(masking, *[1] * 20)] == [
        [*range(9)],
        [*range(9, 16)],
        [*range(16, 20)],
    ]
    # A second window for the last token, though the first reaches the end.
    assert windows(masking, *[1] * 10) == [(0, 10, [*range(9)]), (7, 10, [9])]


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_a_word_longer_than_the_window(rules):
    # The original loops for ever. Tokens: 3 of one each, 30 of the long word, 1.
    masking = Masking(distance=1, margin=2, window=10, rules=rules)
    assert windows(masking, 1, 1, 1, 30, 1) == [
        (0, 10, [0, 1, 2]),
        (1, 11, [3]),
        (31, 34, [4]),
    ]


def test_a_short_model_has_short_windows_and_margins():
    assert Masking().within(90) == Masking(margin=10, window=90)
    assert Masking().within(510) == Masking()


def test_every_unit_is_masked_once_and_only_with_others_of_its_window(tiny):
    lm = shared(tiny)
    reading = Reader(lm, "tokens", False, "none", False)(STORY)
    shelf = Shelf([reading, reading], Masking(distance=4, margin=1, window=7))
    seen: list[int] = []
    for run in shelf.runs(lm):
        seen += run.numbers.tolist()
        masked = [at for at, token in enumerate(run.query.ids) if token == lm.mask_id]
        assert masked == list(run.query.positions)
        assert len(run.query.ids) <= 7 + 2
        gaps = np.diff(masked)
        assert (gaps >= 4).all()
    assert sorted(seen) == list(range(2 * len(reading.units)))
