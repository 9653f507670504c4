"""Names and numbers of a text."""

import pytest

from tricolore.perturb.entities import names, numbers

SOURCE = (
    "Police in Rome arrested Anna Bell on Friday. Tom Price of the Bank of England saw 12 men. "
    "In 1984 there were 3.5 million; Rome had nine. On Monday Bell left the U.S. for Oslo."
)


def test_names():
    """Police, In and On are ordinary words at the head of a sentence; Tom is a given name."""
    assert [(e.text, e.kind) for e in names(SOURCE)] == [
        ("Rome", "name"),
        ("Anna Bell", "name"),
        ("Friday", "date"),
        ("Tom Price", "name"),
        ("Bank of England", "name"),
        ("Rome", "name"),
        ("Monday", "date"),
        ("Bell", "name"),
        ("U.S.", "name"),
        ("Oslo", "name"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Police left. Then police came.", []),  # a capital at the head says nothing
        ("Rome slept, for Rome was tired.", ["Rome", "Rome"]),  # but one inside does
        ("He met Anna Bell's aunt in St Mary's.", ["Anna Bell", "St Mary"]),
        ("I know that I am.", []),
        ("the U.S. economy", ["U.S."]),
        ("😀 🎉", []),
    ],
)
def test_names_at_the_head_of_a_sentence(text, expected):
    assert [e.text for e in names(text)] == expected


def test_numbers_and_their_forms():
    found = [(e.text, e.form) for e in numbers("12 men, 1984, 3.5%, 1,200 of COVID-19 and nine.")]
    assert found == [
        ("12", "digits"),
        ("1984", "year"),
        ("3.5", "fraction"),
        ("1,200", "digits"),
        ("nine", "word"),
    ]
