from __future__ import annotations

import pytest

from tricolore.text.amounts import Amount, amount_at
from tricolore.text.numerals import TokenisedText


def read(text: str, at: int = 0) -> Amount | None:
    return amount_at(TokenisedText.of(text), at)


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit", "tokens"),
    [
        ("£8.4m scheme", "money", 8.4e6, "pound sterling", 3),
        ("$ 1.2 million", "money", 1.2e6, "dollar", 3),
        ("€95bn", "money", 95e9, "euro", 3),
        ("# 299", "money", 299, "#", 2),
        ("$400 million dollars", "money", 4e8, "dollar", 4),
        ("500 €", "money", 500, "euro", 2),
        ("3.5 million crowns", "money", 3.5e6, "crown", 3),
        ("95m euros", "money", 95e6, "euro", 3),
        ("50p", "money", 50, "pence", 2),
        ("Rs 500", "money", 500, "rupee", 2),
        ("4.5 per cent", "share", 4.5, "%", 3),
        ("20 percentage points", "share", 20, "%", 3),
        ("12 %", "share", 12, "%", 2),
        ("two-thirds of it", "share", 200 / 3, "%", 3),
        ("62 km", "measure", 62, "kilometre", 2),
        ("24 °C", "measure", 24, "°C", 3),
        ("70ft", "measure", 70, "foot", 2),
        ("6ft 2in", "measure", 6 + 2 / 12, "foot", 4),
        ("ten-month trial", "measure", 10, "month", 3),
        ("10 - year deal", "measure", 10, "year", 3),
        ("four years and six months", "measure", 4.5, "year", 5),
        ("four and a half years", "measure", 4.5, "year", 5),
        ("27 second clip", "measure", 27, "second", 2),
        ("half a second", "measure", 0.5, "second", 3),
        ("half a dozen members", "number", 6, "", 3),
        ("half a million euros", "money", 5e5, "euro", 4),
        ("five-year-old boy", "age", 5, "year", 5),
        ("five - year - old boy", "age", 5, "year", 5),
        ("five years old", "age", 5, "year", 2),
        ("18th birthday", "age", 18, "year", 2),
        ("4,200 households", "number", 4200, "", 1),
        ("95bn", "number", 95e9, "", 2),
        ("2 second goals", "number", 2, "", 1),
        ("seven won", "number", 7, "", 1),
        ("81st minute", "ordinal", 81, "", 2),
    ],
)
def test_amounts(text: str, kind: str, value: float, unit: str, tokens: int) -> None:
    found = read(text)
    assert found is not None
    assert (found.kind, found.unit, found.start, found.end) == (kind, unit, 0, tokens)
    assert found.value == pytest.approx(value)
    assert found.is_certain


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("a quarter of it", "share", 25),
        ("a third, said", "share", 100 / 3),
        ("a dozen eggs", "number", 12),
        ("a million people", "number", 1e6),
        ("a quarter of an hour", "measure", 0.25),
        ("a year and a half", "measure", 1.5),
        ("a quarter of a million dollars", "money", 250_000),
        ("minus 5 degrees", "measure", -5),
        ("-5 °C", "measure", -5),
    ],
)
def test_amounts_that_begin_with_an_article_or_a_sign(text: str, kind: str, value: float) -> None:
    found = read(text, 1)
    assert found is not None
    assert (found.kind, found.start) == (kind, 0)
    assert found.value == pytest.approx(value)
    assert found.is_certain


def test_a_third_is_an_ordinal_before_a_noun() -> None:
    found = read("a third burst main", 1)
    assert found is not None
    assert (found.kind, found.value, found.start) == ("ordinal", 3, 1)


@pytest.mark.parametrize(
    "text",
    ["one of them", "first of all", "second place", "half time", "both sides", "Five Star Movement"]
    + ["third-party cookies", "3D film", "24/7 service", "third of pupils", "hat-trick"],
)
def test_doubtful_amounts(text: str) -> None:
    found = read(text)
    assert found is not None
    assert not found.is_certain


@pytest.mark.parametrize("text", ["several hundred", "dozen", "hat stand", "miles away", "$ off"])
def test_no_amounts(text: str) -> None:
    assert read(text) is None
    assert read(text, 1) is None


def test_the_two_is_not_checked() -> None:
    definite, indefinite = read("the two sides", 1), read("for two sides", 1)
    assert definite is not None
    assert indefinite is not None
    assert (definite.is_certain, indefinite.is_certain) == (False, True)
