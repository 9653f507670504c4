from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.quantities import quantities
from tricolore.text.quantity_match import accepted_values, check_quantities

CASES = Path(__file__).parents[2] / "examples" / "faithfulness.jsonl"


def statuses(summary: str, *sources: str) -> list[str]:
    return [found.status for found in check_quantities(summary, sources)]


@pytest.mark.parametrize(
    ("summary", "source"),
    [
        ("420 people", "four hundred and twenty households"),
        ("4,200,000 people", "4.2 million people"),
        ("62 km", "62,000 metres"),
        ("two weeks", "14 days"),
        ("11.8 days", "6.9 rainy days, compared with 11.8 in winter"),
        ("90 minutes", "1.5 hours"),
        ("a year and a half", "eighteen months"),
        ("four and a half years", "four years and six months"),
        ("39 miles", "62 km"),  # 38.5 miles
        ("£8.4m", "8.4 million pounds"),
        ("50p", "£0.50"),
        ("95 million euros", "€95m"),
        ("80%", "four-fifths"),
        ("a third of it", "33%"),
        ("almost 25%", "nearly a quarter"),
        ("almost half of them", "48 per cent"),
        ("more than 400", "420"),
        ("over 80 mm", "84 mm"),
        ("nearly 500", "480"),
        ("around 8 million", "8.4 million"),
        ("8 million", "8.4 million"),
        ("14 points", "13.8 points"),
        ("18,000 people", "18,406 people"),
        ("some 400", "420"),
        ("nearly 1,250", "1,248"),
        ("3-1", "three goals to one"),
        ("1-3", "3-1"),
        ("1898 to 1911", "between 1898 and 1911"),
        ("5% to 8%", "between 5% and 8%"),
        ("92-71", "92 in favour and 71 against"),
        ("two goals", "he scored twice"),
        ("half a dozen members", "six members"),
        ("3 June 2024", "on 3 June, he said in 2024"),
        ("3 June", "2024-06-03"),
        ("3 June", "06/03/2024"),
        ("in October", "on 6 October"),
        ("the 1970s", "in 1974"),
        ("Monday", "on Monday evening"),
        ("five in the morning", "5 a.m."),
        ("11:30", "11.30 p.m."),
        ("58-year-old", "Crane, 58, said"),
        ("more than six years", "between April 2015 and August 2021"),
        ("act three", "the third act"),
        ("it cost 46 million.", "a fee of £46m"),
        ("4.2m people", "4.2 million people"),
        ("-5 °C", "23 °F"),
        ("# 299", "£299"),
    ],
)
def test_supported(summary: str, source: str) -> None:
    assert statuses(summary, f"He said {source} there.") == ["supported"]


@pytest.mark.parametrize(
    ("summary", "source"),
    [
        ("4,200 people", "420 people"),
        ("€95bn", "€95m"),
        ("420 pounds", "420 households"),
        ("£8.4 million", "8.4 million people"),
        ("8.4 million people", "£8.4 million"),
        ("$3,500", "£3,500"),
        ("62 miles", "62 km"),
        ("14 %", "14 °C"),
        ("10", "14"),
        ("about 1,200", "1,100"),
        ("more than 400", "380"),
        ("more than 400", "820"),
        ("nearly 500", "510"),
        ("three-quarters", "two-thirds"),
        ("3-1", "3-2 and 1-1"),
        ("4-2", "3-2"),
        ("5% to 8%", "between 5% and 9%"),
        ("19 September", "9 September"),
        ("3 June 2023", "3 June 2024"),
        ("May 2015", "April 2015 and May 2021"),
        ("Sunday", "on Saturday"),
        ("1813", "1831"),
        ("in 1974", "the 1970s"),
        ("5 p.m.", "5 a.m."),
        ("ninth", "fifth"),
        ("ninth", "nine months"),
        ("ninth place", "9 people"),
        ("the 1980s", "1974"),
        ("24 °C", "14 °C"),
        ("about 20 °C", "14 °C"),
        ("30 people", "29 people"),
        ("about 20 people", "19-year-old"),
        ("up to 601 people", "600 people"),
        ("£500,001", "£500,000"),
        ("more than 1.6 million", "1.7 million"),
        ("20-year-old", "19-year-old"),
    ],
)
def test_unsupported(summary: str, source: str) -> None:
    assert statuses(summary, f"He said {source} there.") != ["supported"]


def test_contradicted_or_absent() -> None:
    source = "The strike left 420 households without water. Repairs took nineteen hours."
    [wrong] = check_quantities("It left 4,200 households dry.", [source])
    assert wrong.status == "contradicted"
    assert wrong.nearest is not None
    assert source[wrong.nearest.start : wrong.nearest.end] == "420"
    [invented] = check_quantities("A concert will cost £14,000.", [source])
    assert (invented.status, invented.nearest) == ("absent", None)
    [far] = check_quantities("A choir of 33 sang.", [source])
    assert far.status == "absent"
    assert far.nearest is not None  # the only plain number of the source


def test_the_same_number_in_another_currency_is_the_nearest() -> None:
    source = "They got £20 and up to £3,500."
    [found] = check_quantities("It paid $3,500.", [source])
    assert found.nearest is not None
    assert source[found.nearest.start : found.nearest.end] == "£3,500"


def test_several_sources() -> None:
    sources = ["Nothing.", "It cost 420 euros in 2019."]
    found = check_quantities("It cost 420 euros in 2020.", sources)
    assert [(f.status, f.document) for f in found] == [("supported", 1), ("contradicted", 1)]
    assert statuses("June 3, 2020", "on June 3", "in 2020") == ["supported"]


@pytest.mark.parametrize(
    ("value", "step", "bound", "expected"),
    [
        (8.0, 1.0, "", (7.6, 8.4)),  # 5 %, less than half a step
        (1250.0, 10.0, "", (1245.0, 1255.0)),  # half a step
        (400.0, 100.0, "about", (360.0, 440.0)),  # 10 %
        (400.0, 100.0, "more", (400.0, 500.0)),  # a step
        (500.0, 100.0, "less", (450.0, 500.0)),  # half a step
    ],
)
def test_rounding(value: float, step: float, bound: str, expected: tuple[float, float]) -> None:
    assert accepted_values(value, step, bound) == pytest.approx(expected)  # type: ignore[arg-type]


def test_no_sources_and_no_quantities() -> None:
    assert statuses("It cost 5 euros.") == ["absent"]
    assert statuses("", "5") == []


AMOUNTS = st.one_of(
    st.integers(0, 10**7).map("{:,} people".format),
    st.integers(1, 999).map("£{}m".format),
    st.integers(1, 100).map("{} per cent".format),
    st.integers(2, 99).map("{}-year-old".format),
    st.integers(1, 28).map("{} June 2024".format),
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map("{0[0]}-{0[1]}".format),
    st.integers(1, 12).map("{} p.m.".format),
    st.integers(3, 99).map("{}th".format),
    st.integers(1900, 2030).map("in {}".format),
    st.sampled_from(["two-thirds of it", "a year and a half", "noon", "Monday", "the 1990s"]),
    st.sampled_from(["5 to 8 km", "between 1898 and 1911", "5-7 June", "seven votes to two"]),
)


@given(st.lists(AMOUNTS, min_size=1, max_size=6).map(" and then ".join))
def test_a_text_supports_itself(text: str) -> None:
    assert quantities(text)
    assert set(statuses(text, text)) == {"supported"}


@given(st.text(max_size=60))
def test_any_text_supports_itself(text: str) -> None:
    assert set(statuses(text, text)) <= {"supported"}


def test_cases_of_the_seen_half() -> None:
    """Every planted number is found at its place, and nothing else is flagged.

    A wrong number contradicts the source; that of an invented detail is absent.
    """
    rows = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["half"] == "seen" and row["kind"] != "off-topic"]
    planted, flagged = set(), {}
    for row in rows:
        case = row["doc_id"], row["kind"]
        errors = [error for error in row["errors"] if error["type"] == "number"]
        planted |= {(*case, error["start"], error["end"]) for error in errors}
        for found in check_quantities(row["summary"], [row["source"]]):
            if found.status != "supported":
                flagged[*case, found.quantity.start, found.quantity.end] = found.status
    assert len(planted) == 13
    assert flagged.keys() == planted
    for (_, kind, *_), status in flagged.items():
        assert status == {"number": "contradicted", "detail": "absent"}[kind]


@pytest.mark.slow
@pytest.mark.parametrize("summary", ["1 2 " * 2_000, "3-1 " * 2_000, "on 3 June " * 2_000])
def test_many_quantities(summary: str) -> None:
    source = "2 3 2-2 on 4 June " * 2_000
    assert len(check_quantities(summary, [source])) == len(quantities(summary))
