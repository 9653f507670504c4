"""Which words BLANC masks, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measures.first_word import FirstWord
from tricolore.measures import neural
from tricolore.measures.blanc_help import BlancHelp


def chosen(measure: BlancHelp, text: str) -> list[list[str]]:
    tokens = measure.lm.tokenize(text)
    return [
        ["+".join(text[slice(*tokens.spans[at])] for at in item) for item in masking]
        for masking in measure._maskings(tokens)
    ]


TEXT = "The bearS ate oLd honey at noon"
#       The bear S ate o Ld honey at noon: nine tokens, seven words


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        # Words of 4 letters, lead pieces of 2, no follow-ups.
        ({"gap": 1}, [["bear", "honey", "noon"]]),
        ({"gap": 1, "min_word": 3}, [["The", "bear", "ate", "honey", "noon"]]),
        ({"gap": 1, "min_lead": 1}, [["bear", "o", "honey", "noon"]]),
        ({"gap": 1, "min_followup": 2}, [["bear", "Ld", "honey", "noon"]]),
        ({"gap": 1, "composite": True}, [["bear", "S", "o", "Ld", "honey", "noon"]]),
        # Even places, then odd ones (from 0): bear is 1, honey 6, noon 8.
        ({"gap": 2}, [["honey", "noon"], ["bear"]]),
        ({"gap": 6}, [["honey"], ["bear"], ["noon"]]),
        # Rows of two of six: 0 1 6 7, 1 2 7 8, 2 3 8, 3 4, 4 5, 5 0 6.
        ({"gap": 6, "gap_mask": 2}, [["bear", "honey"], ["bear", "noon"], ["noon"], ["honey"]]),
        # Without overlap: 0 1 6 7, 2 3 8, 4 5.
        ({"gap": 6, "gap_mask": 2, "overlap": False}, [["bear", "honey"], ["noon"]]),
        # The next long enough: bear, and whatever is 2 or more further.
        ({"gap": 2, "short": "next"}, [["bear", "honey", "noon"]]),
        ({"gap": 5, "short": "next"}, [["bear", "honey"], ["noon"]]),
        ({"gap": 5, "gap_mask": 3, "short": "next"}, [["bear", "honey", "noon"]]),
        # Words: The bears ate old honey at noon. "old" has three letters.
        ({"gap": 1, "unit": "words"}, [["bear+S", "honey", "noon"]]),
        ({"gap": 1, "unit": "words", "composite": True}, [["bear+S", "o+Ld", "honey", "noon"]]),
        ({"gap": 2, "unit": "words"}, [["honey", "noon"], ["bear+S"]]),
    ],
)
def test_what_is_masked(first_word, changed, expected):
    assert chosen(BlancHelp(**changed), TEXT) == expected


def test_the_masks_of_the_paper(first_word):
    """M = 6, L_min = 4, words: figure 2. "bearS" is one word; "in" and "." are too short."""
    paper = BlancHelp(**BlancHelp.presets["paper"])
    assert (paper.gap, paper.gap_mask, paper.min_word, paper.unit) == (6, 1, 4, "words")
    assert chosen(paper, "alpha bearS in gamma delta honey noon winter.") == [
        ["alpha", "noon"],
        ["bear+S", "winter"],
        ["gamma"],
        ["delta"],
        ["honey"],
    ]
    # It leaves the text as it is: "ﬁve" has three characters, and four in NFKD.
    assert paper._read("ﬁve")[0].ids != BlancHelp()._read("ﬁve")[0].ids


def test_a_sentence_shorter_than_the_gap(first_word):
    """It has no more starts than words: of two words, rows of two mask both, twice."""
    assert chosen(BlancHelp(gap=6, gap_mask=2), "bear honey") == [["bear", "honey"]] * 2
    assert chosen(BlancHelp(gap=6), "bear honey") == [["bear"], ["honey"]]


@given(
    words=st.lists(st.sampled_from(["a", "four", "beAr", "honey"]), max_size=15),
    gap=st.integers(1, 7),
    unit=st.sampled_from(["words", "tokens"]),
    short=st.sampled_from(["skip", "next"]),
    row=st.integers(1, 3),
)
@settings(max_examples=200, deadline=None)
def test_every_word_that_may_be_is_masked_once(words, gap, unit, short, row):
    with pytest.MonkeyPatch.context() as patch:
        lm = FirstWord()
        patch.setattr(neural, "shared", lambda *_: lm)
        measure = BlancHelp(gap=gap, gap_mask=min(row, gap), unit=unit, short=short, overlap=False)
        tokens = lm.tokenize(" ".join(words))
        items = sorted(item for masking in measure._maskings(tokens) for item in masking)
        everything = BlancHelp(unit=unit, gap=1)._maskings(tokens)
    assert items == sorted(item for masking in everything for item in masking)
