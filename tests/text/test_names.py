"""Names by capitals and rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.names import (
    MOST_WORDS,
    capitalised,
    is_lowercase,
    names,
    tokens,
    uncapitalised,
)


def found(text: str, *others: str) -> list[str]:
    return [text[name.start : name.end] for name in names(text, others)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # people, with particles, initials and titles
        ("Then Karin Holt met Robin van Persie.", ["Karin Holt", "Robin van Persie"]),
        ("He met George W. Bush and M. J. Ollerton.", ["George W. Bush", "M. J. Ollerton"]),
        ("He met Ursula von der Leyen.", ["Ursula von der Leyen"]),
        ("He saw Mr Holt, Dr. Rao and Sir Alex Hay.", ["Holt", "Rao", "Alex Hay"]),
        ("He saw Councillor Dev Marlowe.", ["Dev Marlowe"]),
        ("It was Prime Minister David Cameron.", ["David Cameron"]),
        ("It was US President Barack Obama.", ["US", "Barack Obama"]),
        ("It was London Mayor Boris Johnson.", ["London", "Boris Johnson"]),
        ("He and Theresa May met in May.", ["Theresa May"]),
        # bodies, places, things
        ("It was the Bank of England.", ["Bank of England"]),
        ("It was the Church of the Nativity.", ["Church of the Nativity"]),
        ("He works for Marks & Spencer and AT&T.", ["Marks & Spencer", "AT&T"]),
        ("He works for General Motors.", ["General Motors"]),
        ("She sang in The Salt Road.", ["The Salt Road"]),
        ("It is near St. Louis, on Lake Murandi.", ["St. Louis", "Lake Murandi"]),
        ("The A320, the G20, COVID-19 and my iPhone.", ["A320", "G20", "COVID-19", "iPhone"]),
        ("Then the National Farmers' Party won.", ["National Farmers' Party"]),
        # nationalities and hyphens
        ("The Swedish Henrik Olsson left.", ["Swedish", "Henrik Olsson"]),
        ("He flew with British Airways.", ["British Airways"]),
        ("The US-led and pro-Russian forces.", ["US", "Russian"]),
        ("Then Jean-Luc Picard left.", ["Jean-Luc Picard"]),
        # a possessive is no part of a name and separates two
        ("We saw Aldwick's coach and Ravensport’s Gwen Tarrant.",
         ["Aldwick", "Ravensport", "Gwen Tarrant"]),
        # the first word of a sentence
        ("Takeovers are planned. Without them, shares fell.", []),
        ("Chemist Ilse Varga and striker Tom Hay.", ["Ilse Varga", "Tom Hay"]),
        ("Karsk is far. Civic Alliance won.", ["Karsk", "Civic Alliance"]),
        ("Grace Kelly sang. Mark Price wrote.", ["Grace Kelly", "Mark Price"]),
        ("Police left. Then police came.", []),
        ('He said: "Patching is over." We left.', []),
        # dates, units, words
        ("On Monday, 3 June, in Feb. at 5 PM, 120 MB at 24 C.", []),
        ("The CEO told MPs on TV that I'm late; We've left.", []),
        ("He left the U.S. and the U. N. quickly.", ["U.S.", "U. N."]),
        # letters that mean nothing
        ("Police Arrest Three Men After Long Chase Near Aldwick", ["Aldwick"]),
        ("POLICE ARREST THREE MEN IN ALDWICK AFTER LONG CHASE", ["ALDWICK"]),
        ("UPDATE: the road is open.", []),
        ("-LRB- yes -RRB- he said [UNK] or <UNK>", []),
        ("", []),
        ("😀 🎉 42 ...", []),
    ],
)  # fmt: skip
def test_names(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_other_texts_show_what_is_a_name() -> None:
    assert found("Velsartide works. Holder left.") == ["Velsartide"]
    source = "The drug velsartide works, said Eric Holder."
    assert found("Velsartide works. Holder left.", source) == ["Holder"]


def test_what_a_text_shows() -> None:
    text = "The mayor of Rome left. She went."
    assert capitalised(text) == {"rome"}
    assert {"mayor", "of", "left", "went"} == uncapitalised(text)


def test_a_name_has_its_words_without_particles() -> None:
    [name] = names("It was the Bank of England.")
    assert name.words == ("Bank", "England")


def test_long_runs_are_cut() -> None:
    text = "then " + " ".join(["Zork"] * 25)
    assert [len(name.words) for name in names(text)] == [MOST_WORDS, MOST_WORDS, 5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("anna bell left rome .", True),
        ("Anna left.", False),
        ("[UNK] left rome", True),
        ("", False),
        ("42", False),
    ],
)
def test_lowercase(text: str, expected: bool) -> None:
    assert is_lowercase(text) == expected


WORDS = st.sampled_from(
    "The the of de Rome Anna Bell said A. W. U.S. 's ' - & . , ( Mr President May 3 COVID-19 İ ǅ ŉ "
    "van I'm NWA [UNK] iPhone \n 東京 é".split(" ")
)


@given(st.lists(WORDS, max_size=40).map(" ".join) | st.text(max_size=60))
def test_spans_are_in_order_and_inside(text: str) -> None:
    end = 0
    for name in names(text):
        assert end <= name.start < name.end <= len(text)
        assert name.words
        assert all(word in text[name.start : name.end] for word in name.words)
        end = name.end
    for token in tokens(text):
        assert text[token.start : token.end] == token.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["A ", "a", "A", "A.", "Aa Bb ", "Aa of ", "Mr ", "'s ", "-", "U. ", "[", "King Zork "]
)
def test_long_texts(piece: str) -> None:
    """Quadratic time would take minutes here."""
    text = piece * (200_000 // len(piece))
    assert len(names(text)) < 100_000
