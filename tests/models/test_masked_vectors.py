"""Windows by hand, and the vectors of every unit."""

from __future__ import annotations

import numpy as np
import pytest

from tricolore.models.masked_lm import MaskedLM
from tricolore.models.masked_vectors import MaskableText, MaskedVectors, Unit, Windows
from tricolore.models.queries import Query

STORY = "the old king met the queen in Paris . the dog slept in London and a cat ate the fish ."


def text_of(*lengths: int) -> MaskableText:
    """Units of so many tokens each."""
    starts = [sum(lengths[:at]) for at in range(len(lengths))]
    units = tuple(
        Unit(start, start + length, at)
        for at, (start, length) in enumerate(zip(starts, lengths, strict=True))
    )
    return MaskableText(tuple(range(100, 100 + sum(lengths))), units)


def windows(rule: Windows, *lengths: int) -> list[tuple[int, int, list[int]]]:
    return [(w.start, w.end, list(w.units)) for w in rule.of(text_of(*lengths))]


def test_units_masked_together_are_far_apart():
    found = windows(Windows(distance=3), *[1] * 10)
    assert found == [(0, 10, [0, 3, 6, 9]), (0, 10, [1, 4, 7]), (0, 10, [2, 5, 8])]


def test_the_paper_keeps_off_the_edges_of_windows_but_not_of_the_text():
    # First window: 0-9, 8 and 9 are within 2 of its end. The next begins 2 before 8: 6-15, masks
    # 8-13. The next begins 2 before 14 and reaches the end of the text: masks 14-19.
    found = windows(Windows(distance=1, margin=2, size=10), *[1] * 20)
    assert [(start, end) for start, end, _ in found] == [(0, 10), (6, 16), (12, 20)]
    assert [units for *_, units in found] == [
        [*range(8)],
        [*range(8, 14)],
        [*range(14, 20)],
    ]
    assert windows(Windows(distance=1, margin=2, size=10), *[1] * 10) == [(0, 10, [*range(10)])]


def test_the_released_code_masks_one_more_and_stops_before_the_end():
    rule = Windows(distance=1, margin=2, size=10, edge="window")
    assert [units for *_, units in windows(rule, *[1] * 20)] == [
        [*range(9)],
        [*range(9, 16)],
        [*range(16, 20)],
    ]
    # A second window for the last token, though the first reaches the end.
    assert windows(rule, *[1] * 10) == [(0, 10, [*range(9)]), (7, 10, [9])]


@pytest.mark.parametrize("edge", ["text", "window"])
def test_a_word_longer_than_the_window(edge):
    # The original loops for ever. Tokens: 3 of one each, 30 of the long word, 1.
    rule = Windows(distance=1, margin=2, size=10, edge=edge)
    assert windows(rule, 1, 1, 1, 30, 1) == [
        (0, 10, [0, 1, 2]),
        (1, 11, [3]),
        (31, 34, [4]),
    ]


def test_a_short_model_has_short_windows_and_margins():
    assert Windows().within(90) == Windows(margin=10, size=90)
    assert Windows().within(510) == Windows()


def test_every_unit_is_masked_once_and_only_with_others_of_its_window():
    lm = MaskedLM.load("embedded")
    ids = lm.tokenize(STORY).ids
    text = MaskableText(ids, tuple(Unit(at, at + 1, at) for at in range(len(ids))))
    rule = Windows(distance=4, margin=1, size=7)
    masked = [unit for window in rule.of(text) for unit in window.units]
    assert sorted(masked) == list(range(len(ids)))
    for window in rule.of(text):
        assert window.end - window.start <= 7
        assert (np.diff(window.units) >= 4).all()
    found = MaskedVectors(lm, [text, text], rule, [2])
    first, second = found.vectors
    assert first.shape == (1, len(ids), lm.width)
    assert np.array_equal(first, second)
    # By hand: the third token (its window begins one token before it) with the mask in its place.
    window = next(w for w in rule.of(text) if 2 in w.units)
    asked = [lm.mask_id if at in window.units else t for at, t in enumerate(ids)]
    query = Query(lm.frame(asked[window.start : window.end]), (1 + 2 - window.start,))
    [expected] = lm.vectors([query], [2])
    assert first[0, 2] == pytest.approx(expected[0, 0], abs=1e-5)
    exact = found.exact([{2}, set()])
    assert list(exact[0]) == [2]
    assert exact[0][2].dtype == np.float64
    assert exact[0][2][0] == pytest.approx(first[0, 2], abs=1e-5)
    assert exact[1] == {}
