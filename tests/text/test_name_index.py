"""Looking up names in a source."""

import pytest

from tricolore.text.name_index import forms, same, source_names

SOURCE = "In Oslo, Helen Astbury (NWA) met Tom Price and the Bank of England. The price rose."


def place(text: str) -> tuple[int, int]:
    return SOURCE.index(text), SOURCE.index(text) + len(text)


def test_words_in_order() -> None:
    index = source_names(SOURCE)
    assert index.words_in_order(["helen", "astbury"]) == place("Helen Astbury")
    assert index.words_in_order(["bank", "england"]) == place("Bank of England")
    assert index.words_in_order(["astbury", "nwa"]) is None  # a bracket is between
    assert index.words_in_order(["oslo", "helen"]) is None


def test_parts_and_wholes() -> None:
    index = source_names(SOURCE)
    assert index.part_of_name(["h", "astbury"]) == place("Helen Astbury")
    assert index.part_of_name(["astbury", "helen"]) is None
    assert index.whole_name(["oslo"]) == place("Oslo")
    assert index.whole_name(["astbury"]) is None
    assert index.is_mixture("helen", "price")
    assert not index.is_mixture("helen", "astbury")
    assert index.has_pair("tom", "price")


def test_words_and_acronyms() -> None:
    index = source_names(SOURCE)
    assert index.is_small("price")
    assert not index.is_small("oslo")
    assert index.name_word("price") == place("Tom Price")
    assert index.acronyms["nwa"] == place("NWA")
    assert index.initials["be"] == place("Bank of England")


def test_the_nearest_name() -> None:
    index = source_names(SOURCE)
    near = index.nearest(["Helen", "Holt"], spelling=True)
    assert near is not None
    assert near[1] == place("Helen Astbury")
    assert index.nearest(["Astberry"], spelling=True) is not None
    assert index.nearest(["Astberry"], spelling=False) is None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("rover", "rovers", True),
        ("rovers", "rover", True),
        ("democracies", "democracy", True),
        ("us", "u", False),
        ("bell", "belle", False),
    ],
)
def test_singular_and_plural(one: str, other: str, expected: bool) -> None:
    assert same(one, other) is expected
    assert one in forms(one)
