"""Whether sources have the names of a summary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.name_match import check_names, summary_names
from tricolore.text.names import names

SOURCE = (
    "The Northfield Water Authority (NWA) will replace pipes. Helen Astbury, its chief engineer, "
    "met Councillor Dev Marlowe on Tanner Street near the Corn Exchange. A Danish firm, Kestrel "
    "Optics, and Jürgen Müller of the National Weather Office joined George W. Bush in the United "
    "States. The river Lorne rose. Valdoria's parliament met. Al-Qaeda and Wal-Mart were named. "
    "Lawmakers passed a bill. Democrats and the Marlby Crown Court agreed. Zoë O'Brien left."
)


def judged(summary: str, *sources: str) -> dict[str, str]:
    found = check_names(summary, sources or (SOURCE,))
    return {summary[f.start : f.end]: f.status for f in found}


@pytest.mark.parametrize(
    "name",
    [
        "Northfield Water Authority", "NWA", "N.W.A.", "Northfield", "Northfield Authority",
        "Helen Astbury", "Astbury", "Helen", "Dev Marlowe", "Marlowe", "Marlowes",
        "Kestrel", "Kestrel Optics Ltd", "Danish", "Denmark", "Danes", "Dane",
        "Jürgen Müller", "Jurgen Mueller", "Muller", "J. Müller", "NWO",
        "George Bush", "George W. Bush", "G. W. Bush", "Bush",
        "US", "U.S.", "USA", "American", "Americans", "United States", "America",
        "Lorne River", "Lorne", "Valdoria", "Valdorian", "Valdoria Parliament",
        "Al Qaeda", "Walmart", "Wal Mart", "Democrat", "Democratic", "Marlby Court",
        "Zoe OBrien", "Zoë O’Brien", "CORN EXCHANGE", "Corn-Exchange",
        "Helen Astbury of Northfield Water Authority",
    ],
)  # fmt: skip
def test_supported(name: str) -> None:
    found = judged(f"Then we saw {name} there.")
    assert found
    assert set(found.values()) == {"supported"}


@pytest.mark.parametrize(
    "name",
    [
        "Helen Marlowe",  # parts of two names
        "Dev Astbury",
        "Karin Holt",
        "Helen Holt",
        "Tanner Exchange",
        "Helen Astburry",  # misspelt
        "Finnish",
        "Norwegian",
        "Tanner Road",
        "Northfield Gas Authority",
        "NGA",
        "Bill",  # the source has a bill, but no such man
        "Lake Lorne",
    ],
)
def test_absent(name: str) -> None:
    assert judged(f"Then we saw {name} there.") == {name: "absent"}


def test_a_full_name_in_a_source_with_acronyms_only() -> None:
    assert judged("The Northfield Water Authority met.", "The NWA met.") == {
        "Northfield Water Authority": "supported"
    }


def test_names_side_by_side_are_not_a_mixture() -> None:
    source = "In Oslo they met Anna Bell, who likes Chelsea."
    assert set(judged("The Oslo Anna Bell met left Chelsea.", source).values()) == {"supported"}


def test_sentences_are_not_joined() -> None:
    source = "They saw Helen. Marlowe left."
    assert judged("We saw Helen Marlowe.", source) == {"Helen Marlowe": "absent"}


def test_where_the_source_has_it() -> None:
    summary = "Noor Hamdan met the NWA."
    sources = ["Nothing here.", "Noor Haddad left the Northfield Water Authority."]
    absent, supported = check_names(summary, sources)
    assert (absent.status, absent.document) == ("absent", 1)
    assert sources[1][absent.source_start : absent.source_end] == "Noor Haddad"
    assert sources[1][supported.source_start : supported.source_end] == "Northfield Water Authority"


def test_the_nearest_spelling() -> None:
    [found] = check_names("We saw Kravachenko.", ["He met Mikhail Kravchenko and Anna Bell."])
    assert (found.status, found.source_start, found.source_end) == ("absent", 7, 25)


def test_nothing_near() -> None:
    [found] = check_names("We saw Qwerty.", [SOURCE])
    assert (found.status, found.document, found.source_start) == ("absent", None, None)
    assert check_names("We saw Qwerty.", [])[0].status == "absent"
    assert check_names("", [SOURCE]) == []


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("astbury and the northfield water authority met in the united states .",
         ["astbury", "northfield water authority", "united states"]),
        ("the corn exchange of karin holt", ["corn exchange"]),  # what no source names is no name
        ("helen marlowe left .", ["helen marlowe"]),
        ("nwo staff left", ["nwo"]),
    ],
)  # fmt: skip
def test_summaries_without_capitals(summary: str, expected: list[str]) -> None:
    found = summary_names(summary, [SOURCE])
    assert [summary[name.start : name.end] for name in found] == expected


def test_a_mixture_without_capitals_is_absent() -> None:
    assert judged("helen marlowe and dev marlowe left .") == {
        "helen marlowe": "absent",
        "dev marlowe": "supported",
    }


SENTENCES = st.lists(
    st.sampled_from(
        [
            "Helen Astbury met the NWA.",
            "The price of Tom Price rose in Rome.",
            "Then Dev Marlowe of the Bank of England left the U.S. in May.",
            "Marlowe's aide, Anna Bell, saw Rome and New York.",
            "The Danish firm Kestrel Optics hired 340 people.",
            "Police said that Lake Murandi and the A320 were safe.",
            "Kestrel and the Danes agreed with President Obama.",
        ]
    ),
    min_size=1,
    max_size=5,
).map(" ".join)


@given(SENTENCES)
def test_a_source_supports_its_own_names(text: str) -> None:
    assert {f.status for f in check_names(text, [text])} <= {"supported"}
    for name in names(text):
        [found] = check_names(f"We saw {text[name.start : name.end]}.", [text])
        assert found.status == "supported"


@given(SENTENCES, SENTENCES)
def test_small_letters_raise_no_alarm(summary: str, source: str) -> None:
    assert {f.status for f in check_names(summary.lower(), [source])} <= {"supported"}


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text(summary: str, source: str) -> None:
    end = 0
    for found in check_names(summary, [source]):
        assert end <= found.start < found.end <= len(summary)
        end = found.end
        if found.source_start is not None and found.source_end is not None:
            assert 0 <= found.source_start < found.source_end <= len(source)


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["A ", "a", "A", "Aa Bb ", "U.S. ", "zork Zork "])
def test_long_texts(piece: str) -> None:
    text = "then " + piece * (200_000 // len(piece))
    check_names(text, [text])
    check_names(text.lower(), [text])
    check_names(text, ["Aa and Bb left. " * 10_000])


@pytest.mark.slow
def test_many_different_names() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    made = [f"Z{a}{b}{c}k" for a in letters for b in letters for c in letters]
    found = check_names("we saw " + ", ".join(made), ["We saw " + ", ".join(made[::2]) + "."])
    assert sum(f.status == "supported" for f in found) >= len(made) / 2
