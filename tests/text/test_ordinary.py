"""Ordinary words and their forms."""

import pytest

from tricolore.text.ordinary import is_ordinary


@pytest.mark.parametrize(
    "word",
    "police Takeovers winds stopped stopping ran mice organiser organising colours unlocked cities "
    "happier quickly without website musicologist the kindness".split(),
)
def test_ordinary(word: str) -> None:
    assert is_ordinary(word)


@pytest.mark.parametrize(
    "word",
    ["Marlowe", "Aldwick", "Nkemelu", "Valdoria", "a320", "", "东京", "x" * 100_000, "Obama", "zz"],
)
def test_not_ordinary(word: str) -> None:
    assert not is_ordinary(word)
