"""Forms of the same word."""

import pytest

from tricolore.text.inflections import irregular_base, is_inflection


@pytest.mark.parametrize(
    ("word", "base"),
    [("ran", "run"), ("mice", "mouse"), ("went", "go"), ("voted", "voted"), ("thought", "think")],
)
def test_irregular_base(word: str, base: str) -> None:
    assert irregular_base(word) == base


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("votes", "Voted", True),
        ("went", "go", True),
        ("better", "good", True),
        ("go", "come", False),
        ("xyz", "zyx", False),
    ],
)
def test_is_inflection(one: str, other: str, expected: bool) -> None:
    assert is_inflection(one, other) is expected
    assert is_inflection(other, one) is expected
