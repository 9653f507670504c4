from __future__ import annotations

from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tricolore.text.dates import clock_at, date_at
from tricolore.text.numerals import TokenisedText

FORMS = [
    "{0.day} {0:%B} {0.year}",
    "{0:%B} {0.day}, {0.year}",
    "{0:%A}, {0:%B} {0.day}, {0.year}",
    "{0.year}-{0:%m}-{0:%d}",
    "the {0.day}{1} of {0:%B} {0.year}",
    "{0:%b}. {0.day}, {0.year}",
]


def suffix(day: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in (11, 12, 13) else 0, "th")


@given(
    st.dates(date(1100, 1, 1), date(2100, 12, 31)),
    st.sampled_from(FORMS),
    st.booleans(),
)
def test_dates_in_all_orders_are_read_back(day: date, form: str, lower: bool) -> None:
    assume(day.month != 5 or "%b" not in form)  # nobody writes "May."
    written = form.format(day, suffix(day.day))
    tokens = TokenisedText.of(written.lower() if lower else written)
    found = date_at(tokens, 1 if form.startswith("the") else 0)
    assert found is not None
    assert found.end == len(tokens.lows)
    parts = found.parts
    assert (parts["year"], parts["month"], parts["day"]) == (day.year, day.month, day.day)
    assert parts.get("weekday", day.isoweekday()) == day.isoweekday()


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("3 June", {"month": 6, "day": 3}),
        ("June 3rd", {"month": 6, "day": 3}),
        ("Fourth of July", {"month": 7, "day": 4}),
        ("5–7 June", {"month": 6, "day": 5, "until": 7}),
        ("April 2015", {"month": 4, "year": 2015}),
        ("March of 2015", {"month": 3, "year": 2015}),
        ("03/06/2024", {"month": 6, "day": 3, "year": 2024, "swapped": 1}),
        ("25/06/2024", {"month": 6, "day": 25, "year": 2024}),
        ("1970s", {"decade": 1970}),
        ("1970 's", {"decade": 1970}),
        ("October", {"month": 10}),
        ("sunday", {"weekday": 7}),
    ],
)
def test_parts_of_dates(written: str, parts: dict[str, int]) -> None:
    found = date_at(TokenisedText.of(written), 0)
    assert found is not None
    assert found.parts == parts
    assert found.is_certain


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("it may be", 1),
        ("this may be", 1),
        ("they march on", 1),
        ("a mar on it", 1),
        ("sun and sea", 0),
        ("40 June", 0),
        ("2024-13-45", 0),
        ("99999-1-1", 0),
    ],
)
def test_words_that_are_no_dates(text: str, at: int) -> None:
    assert date_at(TokenisedText.of(text), at) is None


@pytest.mark.parametrize("text", ["in May", "since march", "last August"])
def test_months_that_are_words_too(text: str) -> None:
    found = date_at(TokenisedText.of(text), 1)
    assert found is not None
    assert found.is_certain


@given(st.integers(0, 23), st.integers(0, 59))
def test_times_of_day_are_read_back(hour: int, minute: int) -> None:
    half = "p.m." if hour >= 12 else "a.m."
    for written in (
        f"{hour % 12 or 12}.{minute:02} {half}",
        f"{hour % 12 or 12}:{minute:02}{half.replace('.', '')}",
    ):
        tokens = TokenisedText.of(written)
        found = clock_at(tokens, 0)
        assert found == (60 * hour + minute, True, len(tokens.lows))


@pytest.mark.parametrize(
    ("written", "minutes", "has_half"),
    [
        ("noon", 720, True),
        ("midnight", 0, True),
        ("5 a.m.", 300, True),
        ("3pm", 900, True),
        ("12 a.m.", 0, True),
        ("11:30", 690, False),
        ("23:15", 1395, True),
        ("half past eleven in the morning", 690, True),
        ("half past eleven", 690, False),
        ("quarter to six", 345, False),
        ("five in the morning", 300, True),
        ("ten at night", 1320, True),
        ("8 o'clock", 480, False),
    ],
)
def test_times_of_day(written: str, minutes: int, has_half: bool) -> None:
    tokens = TokenisedText.of(written)
    assert clock_at(tokens, 0) == (minutes, has_half, len(tokens.lows))


@pytest.mark.parametrize("written", ["11.30", "13 p.m.", "five people", "2:11.4", "25:10", "3:7"])
def test_no_times_of_day(written: str) -> None:
    assert clock_at(TokenisedText.of(written), 0) is None
