"""What BLANC-tune learns from: figure 4 by hand, chance by counting."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measures.bridge_texts import SUMMARY
from tricolore.measures.blanc_tune import BlancTune


def test_every_word_is_masked_once_a_pass(small_bert):
    measure = BlancTune(model=small_bert, **BlancTune.presets["paper"], p_replace=0.0, p_keep=0.0)
    # 13 words and a full stop, so N_mask = int(14 · 0.15) = 2; eight words of four letters or
    # more, so each of the ten passes makes four samples.
    long_enough = ["bridge", "closed", "after", "engineers", "warned", "danger", "must", "rebuilt"]
    tokens = measure.lm.tokenize(SUMMARY)
    words = [SUMMARY[start:end] for start, end in tokens.spans]
    samples = list(measure.samples(SUMMARY))
    assert [len(sample.targets) for sample in samples] == [2] * 40
    orders = set()
    for first in range(0, 40, 4):
        masked = [at - 1 for s in samples[first : first + 4] for at in s.query.positions]
        assert sorted(words[at] for at in masked) == sorted(long_enough)
        orders.add(tuple(masked))
    assert len(orders) == 10
    for sample in samples:
        shown = list(sample.query.ids)
        for at, target in zip(sample.query.positions, sample.targets, strict=True):
            assert shown[at] == measure.lm.mask_id
            shown[at] = target
        assert tuple(shown) == measure.lm.frame(tokens.ids)


def test_every_second_word_is_masked_once(small_bert):
    measure = BlancTune(model=small_bert, p_replace=0.0, p_keep=0.0)
    words = [SUMMARY[start:end] for start, end in measure.lm.tokenize(SUMMARY).spans]
    masked = [[words[at - 1] for at in s.query.positions] for s in measure.samples(SUMMARY)]
    # The old bridge is | closed after engineers warned | of danger and must | be rebuilt .
    assert masked == [
        ["bridge", "closed", "engineers"],
        ["after", "warned", "danger", "must", "rebuilt"],
    ]


def test_80_10_10(small_bert):
    """Many draws: a share p of n is within four times sqrt(n·p·(1 − p)) of n·p."""
    measure = BlancTune(model=small_bert, **{**BlancTune.presets["paper"], "passes": 500})
    found: Counter[str] = Counter()
    strangers: Counter[int] = Counter()
    for sample in measure.samples(SUMMARY):
        for at, target in zip(sample.query.positions, sample.targets, strict=True):
            shown = sample.query.ids[at]
            if shown == measure.lm.mask_id:
                found["masked"] += 1
            elif shown == target:
                found["kept"] += 1
            else:
                found["replaced"] += 1
                strangers[shown] += 1
    total = 500 * 8
    assert found.total() == total
    for kind, share in (("masked", 0.8), ("replaced", 0.1), ("kept", 0.1)):
        assert abs(found[kind] - total * share) < 4 * sqrt(total * share * (1 - share))
    assert 5 <= min(strangers) < 100  # the first five are special
    assert 1000 < max(strangers) < 1100


def test_random_tokens_of_the_package(small_bert):
    """Ids 1000 to 29999; this model has 1100."""
    assert BlancTune(model=small_bert)._replacements() == range(1000, 1100)
    assert set(BlancTune(model=small_bert, replacement="vocabulary")._replacements()) == {
        *range(5, 1100)
    }
    measure = BlancTune(model=small_bert, p_replace=1.0, p_keep=0.0)
    [shown, *_] = [[s.query.ids[at] for at in s.query.positions] for s in measure.samples(SUMMARY)]
    assert all(1000 <= token < 1100 for token in shown)


@pytest.mark.parametrize(
    ("length", "settings", "expected"),
    [
        (0, {}, []),
        (30, {}, [(0, 30)]),
        # Starts 0 and 32; the first 32 tokens are in one chunk only, so they are one more.
        (50, {}, [(0, 50), (32, 50), (0, 32)]),
        (100, {}, [(0, 64), (32, 96), (0, 32), (64, 100), (96, 100)]),
        (100, {"top": False}, [(0, 64), (32, 96), (64, 100), (96, 100)]),
        (100, {"chunk": 0, "stride": 0, "top": False}, [(0, 100)]),
        (700, {"chunk": 0, "stride": 0, "top": False}, [(0, 510), (255, 700), (510, 700)]),
    ],
)
def test_chunks(length, settings, expected):
    assert list(BlancTune(**settings)._chunks(length, room=510)) == expected


@given(
    length=st.integers(0, 300),
    chunk=st.integers(0, 80),
    stride=st.integers(0, 80),
    top=st.booleans(),
    room=st.integers(2, 60),
)
def test_chunks_leave_nothing_out(length, chunk, stride, top, room):
    found = list(BlancTune(chunk=chunk, stride=stride, top=top)._chunks(length, room))
    assert {at for start, end in found for at in range(start, end)} == set(range(length))
    assert all(0 < end - start <= room for start, end in found)


def test_a_piece_at_the_head_of_a_chunk_follows(small_bert):
    """`re ##build ##ing`, cut before `##build`: follow-up pieces are not masked by default."""
    measure = BlancTune(model=small_bert, chunk=1, stride=1, min_lead=2, p_replace=0.0, p_keep=0.0)
    tokens = measure.lm.tokenize("rebuilding bridge")
    assert measure.lm.entries(tokens.ids) == ["re", "##build", "##ing", "bridge"]
    targets = [measure.lm.entries(s.targets) for s in measure.samples("rebuilding bridge")]
    # `re` leads no longer once the chunk ends after it: two letters are too few for a word.
    assert targets == [["bridge"]]
    by_words = BlancTune(model=small_bert, chunk=2, stride=2, top=False, unit="words", gap=1)
    plain = BlancTune(**{**by_words.settings, "p_replace": 0.0, "p_keep": 0.0})
    targets = [plain.lm.entries(s.targets) for s in plain.samples("rebuilding bridge")]
    assert targets == [["re", "##build"], ["##ing", "bridge"]]


def test_settings_of_the_summary_are_its_own(small_bert):
    measure = BlancTune(model=small_bert, gap_tune=1, min_word_tune=9, p_replace=0.0, p_keep=0.0)
    [sample] = measure.samples(SUMMARY)
    assert measure.lm.entries(sample.targets) == ["engineers"]
    source = measure._read("The old bridge warned of danger.")
    assert [len(ask.masking) for ask in measure._asks(source)] == [1, 2]
