from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.quantities import Quantity, all_quantities, quantities

HOSTILE = {
    "digits": "9" * 200_000,
    "words": "one hundred and " * 12_500,
    "commas": "1," * 100_000,
    "split groups": "1, 111, " * 25_000,
    "hyphens": "1-" * 100_000,
    "dots": "1." * 100_000,
    "strokes": "1/2/" * 50_000,
    "signs": "$" * 200_000,
    "years": "1990-" * 40_000,
    "articles": "a half of a " * 16_000,
    "names": "1a" * 100_000,
    "months": "June 3, " * 25_000,
}


def spans(text: str) -> list[str]:
    return [text[q.start : q.end] for q in quantities(text)]


def only(text: str) -> Quantity:
    [found] = quantities(text)
    return found


def test_a_paragraph() -> None:
    text = (
        "The NWA (founded in 1974) will replace 62 kilometres of pipe after a third burst in two "
        "months left 420 households dry on Tuesday. The board voted by seven votes to two. It will "
        "cost £8.4 million and begin on 3 June at 11.30 a.m., a quarter more than the 1990s "
        "estimate, or 4.5 per cent a year for one of the districts. One in five pipes is 1898-1911."
    )
    assert spans(text) == [
        "1974",
        "62 kilometres",
        "third",
        "two months",
        "420",
        "Tuesday",
        "seven votes to two",
        "£8.4 million",
        "3 June",
        "11.30 a.m.",
        "1990s",
        "4.5 per cent",
        "One in five",
        "1898-1911",
    ]


@pytest.mark.parametrize(
    ("text", "kind", "values", "unit", "span"),
    [
        ("won 3-1", "score", (3, 1), "", "3-1"),
        ("won 3 – 1", "score", (3, 1), "", "3 – 1"),
        ("by 92 to 71", "score", (92, 71), "", "92 to 71"),
        ("won two-nil", "score", (2, 0), "", "two-nil"),
        ("10-12 per cent", "share", (10, 12), "%", "10-12 per cent"),
        ("between 5% and 8%", "share", (5, 8), "%", "5% and 8%"),
        ("cost £5-6m", "money", (5e6, 6e6), "pound sterling", "£5-6m"),
        ("6 to 8 degrees", "measure", (6, 8), "degree", "6 to 8 degrees"),
        ("aged 45 to 79", "number", (45, 79), "", "45 to 79"),
        ("between 1898 and 1911", "date", (1898, 1911), "year until_year", "1898 and 1911"),
        ("in 1914-18", "date", (1914, 1918), "year until_year", "1914-18"),
        ("the '90s", "date", (1990,), "decade", "'90s"),
        ("the mid-1990s", "date", (1990,), "decade", "1990s"),
        ("June 3rd, 2024", "date", (6, 3, 2024), "month day year", "June 3rd, 2024"),
        ("at 11:30", "time", (690,), "12h", "11:30"),
        ("nine out of ten", "share", (90,), "%", "nine out of ten"),
        ("2000 metres", "measure", (2000,), "metre", "2000 metres"),
        ("$2000", "money", (2000,), "dollar", "$2000"),
        ("the 2016 Euro", "date", (2016,), "year", "2016"),
        ("US$5bn", "money", (5e9,), "dollar", "US$5bn"),
    ],
)
def test_one_quantity(
    text: str, kind: str, values: tuple[float, ...], unit: str, span: str
) -> None:
    found = only(text)
    assert (found.kind, found.values, found.unit) == (kind, values, unit)
    assert text[found.start : found.end] == span


def test_from_and_to_are_two_quantities_with_one_unit() -> None:
    text = "from 10 to 12 per cent"
    assert spans(text) == ["10", "12 per cent"]
    assert [q.unit for q in quantities(text)] == ["%", "%"]


@pytest.mark.parametrize(
    "text",
    ["A320", "COVID-19", "the G20", "555-123-4567", "7.2.1", "user@99", "no one", "one of us"]
    + ["at one point", "first of all", "hundreds of people", "24/7", "9/11", "call 08457 90 90 90"]
    + ["fox and hound", "", "³", "٣٤", "& # 8216 ;"],
)
def test_nothing_to_check(text: str) -> None:
    assert quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("more than 400", "more"),
        ("over £5m", "more"),
        ("at least 400", "more"),
        ("400 or more", "more"),
        ("no fewer than 400", "more"),
        ("no more than 400", "less"),
        ("nearly 500", "less"),
        ("as many as 25", "less"),
        ("almost a quarter of it", "less"),
        ("some 400", "about"),
        ("an estimated 400", "about"),
        ("400 or so", "about"),
        ("exactly 400", ""),
    ],
)
def test_bounds(text: str, bound: str) -> None:
    assert only(text).bound == bound


@pytest.mark.parametrize(
    ("text", "is_open"), [("paid 46 million to", True), ("46 million people", False), ("46", True)]
)
def test_whether_something_is_counted(text: str, is_open: bool) -> None:
    assert only(text).is_open is is_open


@given(
    st.integers(1, 10**6),
    st.sampled_from(
        [("{:,} km", "kilometre"), ("€{}", "euro"), ("{} per cent", "%"), ("{:,}kg", "kilogram")]
        + [("{} pounds", "pound"), ("{} °C", "°C"), ("{}-mile", "mile"), ("$ {:,}", "dollar")]
    ),
)
def test_amounts_are_read_back(number: int, form: tuple[str, str]) -> None:
    written = form[0].format(number)
    found = only(f"it was {written} then")
    assert (found.values, found.unit) == ((number,), form[1])
    assert (found.start, found.end) == (7, 7 + len(written))


PIECES = (
    "1 12 3.5 1,200 2024 third 3rd half a one hundred million and - – to of in June may Monday "
    "% per cent £ $ m bn km years old . , : / ' s am p.m. between from two-thirds zero point dozen "
    "ft # noon 'the #"
).split()


@given(st.lists(st.sampled_from([*PIECES, " ", " ", " "]) | st.characters(), max_size=30))
def test_spans_are_within_the_text_and_do_not_overlap(pieces: list[str]) -> None:
    text = "".join(pieces)
    end = 0
    for found in all_quantities(text):
        assert end <= found.start < found.end <= len(text)
        assert text[found.start : found.end].strip() == text[found.start : found.end]
        assert found.values
        end = found.end


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    text = HOSTILE[name]
    assert len(all_quantities(text)) <= len(text) / 2
