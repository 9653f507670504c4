from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.numerals import Numeral, TokenisedText, last_digit, numeral_at

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen".split()
)
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int) -> str:
    """A whole number below 10¹² in words, as a person writes it."""
    for size, name in [(10**9, "billion"), (10**6, "million"), (1000, "thousand")]:
        if number >= size:
            rest = number % size
            joint = " and " if 0 < rest < 100 else " "
            return f"{in_words(number // size)} {name}" + (joint + in_words(rest) if rest else "")
    if number >= 100:
        rest = number % 100
        return f"{ONES[number // 100]} hundred" + (f" and {in_words(rest)}" if rest else "")
    if number >= 20:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    return ONES[number]


def read(text: str) -> Numeral:
    tokens = TokenisedText.of(text)
    number = numeral_at(tokens, 0)
    assert number is not None
    return number


@given(st.integers(0, 10**12 - 1), st.sampled_from(["", " people", " and so on", ", said"]))
def test_numbers_in_words_are_read_back(number: int, after: str) -> None:
    written = in_words(number)
    found = read(written + after)
    assert found.value == number
    assert found.end == len(TokenisedText.of(written).lows)


@given(st.integers(0, 10**15 - 1), st.sampled_from(["{}", "{:,}"]))
def test_numbers_in_digits_are_read_back(number: int, form: str) -> None:
    assert read(form.format(number) + " people").value == number


@given(st.integers(1, 999), st.integers(0, 9))
def test_decimals_and_scales(whole: int, tenth: int) -> None:
    found = read(f"{whole}.{tenth} million euros")
    assert found.value == pytest.approx((whole + tenth / 10) * 1e6)
    assert found.step == pytest.approx(1e5)
    assert found.end == 2


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("a", None),
        ("hundreds", None),
        ("007", None),
        ("9" * 16, None),
        ("2 1/2", 2.5),
        ("8½", 8.5),
        ("two and a half million", 2.5e6),
        ("forty-two point five million", 42.5e6),
        ("1\u202f234\u202f567", 1_234_567),
        ("5 hundred million", 5e8),
        (".5", 0.5),
        ("twenty twenty", 20),
        ("zero eight", 0),
    ],
)
def test_forms_of_numbers(written: str, value: float | None) -> None:
    found = numeral_at(TokenisedText.of(written), 0)
    assert (None if found is None else found.value) == value


@pytest.mark.parametrize(
    ("written", "value"),
    [("third", 3), ("21st", 21), ("twenty-first", 21), ("ninetieth", 90), ("103rd", 103)]
    + [("seven hundred and fifty-third", 753), ("hundredth", 100)],
)
def test_ordinals(written: str, value: int) -> None:
    found = read(written)
    assert found.is_ordinal
    assert found.value == value
    assert found.end == len(TokenisedText.of(written).lows)


@pytest.mark.parametrize(
    ("written", "value"),
    [("two-thirds", 2 / 3), ("four fifths", 0.8), ("one-third", 1 / 3), ("one - third", 1 / 3)]
    + [("three quarters", 0.75), ("½", 0.5)],
)
def test_fractions(written: str, value: float) -> None:
    found = read(written)
    assert found.is_fraction
    assert found.value == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("60, 000 lives", ["60, 000", "lives"]),
        ("4 , 200 people", ["4 , 200", "people"]),
        ("at $ 6. 5 million", ["at", "$", "6. 5", "million"]),
        ("on June 3, 200 people", ["on", "june", "3", ",", "200", "people"]),
        ("1,200 of the 12, 300 of us", ["1,200", "of", "the", "12", ",", "300", "of", "us"]),
        ("up 12. 5 people", ["up", "12", ".", "5", "people"]),
        ("in 2004, 300 people", ["in", "2004", ",", "300", "people"]),
    ],
)
def test_numbers_with_spaces_in_them(text: str, tokens: list[str]) -> None:
    assert TokenisedText.of(text).lows == tokens


def test_last_digit_that_is_not_zero() -> None:
    assert [last_digit(n) for n in (1, 10, 420, 4000, 0)] == [1, 10, 10, 1000, 1]
