"""The tables of `compare`, and of tests between measures, cell by cell."""

import math

import pytest

from tricolore.data.score_table import ScoreTable
from tricolore.meta.agreements import agreements
from tricolore.meta.measure_tests import MeasureComparison
from tricolore.meta.system_tests import SystemComparison, SystemRank
from tricolore.report.agreement_tables import level_tables
from tricolore.report.statistics import (
    MeanNumber,
    PValue,
    RankedNumber,
    difference_table,
    fits,
    matrix_table,
    ranking_table,
    write,
)
from tricolore.report.terminal import SafeConsole

NAN = math.nan


@pytest.fixture(scope="module")
def entries():
    # Document 2 is constant for people; row 5 has no value of "b".
    table = ScoreTable.of(
        ["1", "1", "2", "2", "3", "3"],
        ["x", "y"] * 3,
        {"a": [1, 2, 1, 2, 1, 2], "b": [2, 1, 2, 1, NAN, 1], "none": [NAN] * 6},
        {"people": [1, 3, 2, 2, 1, 2]},
        {"b": "lower"},
    )
    return agreements(table, statistics=["spearman", "kendall-b"], resamples=20)


def test_words():
    assert PValue(0.0004).words == "<0.001"
    assert PValue(0.0123).words == "0.012"
    assert PValue(NAN).words == "–"
    assert MeanNumber(0.5, 0.1, 0.9, sem=0.02).words == "0.500 ± 0.020 [0.100, 0.900]"
    assert MeanNumber(0.5, 0.1, 0.9).words == "0.500 [0.100, 0.900]"
    assert RankedNumber(0.5, rank=3).words == "0.500 (3)"
    assert RankedNumber(NAN, rank=None).words == "–"


def test_a_narrow_terminal_is_known(entries):
    [(_, sheet)] = level_tables(entries, "spearman")
    assert fits(SafeConsole(width=200), sheet)
    assert not fits(SafeConsole(width=60), sheet)


def test_matrix_shows_the_better_one_of_the_row():
    contests = [
        MeasureComparison("a", "b", 0.2, 0.01, 0.02),
        MeasureComparison("a", "c", -0.2, 0.5, 0.6),
    ]
    _, sheet = matrix_table("t", contests, "n")
    cells = {row[0]: [c if c == "" else c.words for c in row[1:]] for row in sheet.rows}
    assert cells == {"a": ["", "0.020", ""], "b": ["", "", ""], "c": ["0.600", "", ""]}


def compared(measure, difference, corrected):
    return SystemComparison(
        measure, "x", "y", 1.0, 1 - difference, difference, 0, 0, 0.01, 9, corrected
    )


def test_who_is_better():
    found = [compared("up", 0.5, 0.01), compared("down", 0.5, 0.01), compared("even", 0.5, 0.01)]
    places = {
        m: [SystemRank("x", 1, 1.0), SystemRank("y", 2, 0.5, 3)] for m in ("up", "down", "even")
    }
    every = [*found, compared("up", 0.5, 0.2)]
    _, sheet = difference_table(every, places, {"down"}, {"even"}, 0.05)
    assert [row[-2] for row in sheet.rows] == ["x", "y", "more: x", "–"]
    assert sheet.rows[1][0] == "down ↓"
    assert "0.500 (3 missing)" in sheet.markdown()


def test_a_ranking_is_one_table_and_says_what_is_missing():
    places = {f"m{i}": [SystemRank("x", 1, 0.5, 4), SystemRank("", 2, 0.4)] for i in range(5)}
    _, sheet = ranking_table(places, {}, set(), set(), 0.05)
    assert len(sheet.headers) == 6
    assert sheet.rows[1][0] == "(none)"
    assert sheet.markdown().count("0.500 (1) (4 missing)") == 5


def test_it_is_said_on_how_many_documents_systems_are_compared():
    def notes(**counts):
        found = {name: of_documents(name, count, 0.001, 3) for name, count in counts.items()}
        places = {name: [SystemRank("x", 1, 0.5)] for name in counts}
        _, sheet = ranking_table(places, found, set(), set(), 0.05)
        return [note for note in sheet.notes if "every" in note and "system" in note]

    assert notes(a=9) == ["On the 9 documents that have a value of every ranked system."]
    assert notes(a=0) == ["No document has a value of every system: name fewer systems."]
    assert "On the 1 document that has a value of every ranked system (b)." in notes(a=9, b=1, c=9)


def of_documents(measure, documents, least, pairs):
    one = SystemComparison(measure, "x", "y", 1, 0, 1, 0.5, 2, 0.5, documents, least=least)
    return [one] * pairs


def test_it_is_said_where_nothing_can_be_significant():
    place = [SystemRank("x", 1, 0.5)]
    few, many = of_documents("few", 4, 1 / 8, 3), of_documents("many", 100, 1 / 10001, 3)
    said = "4 documents and 3 pairs: no corrected p can be below 0.375, so no difference can be"

    def notes(**found):
        _, sheet = ranking_table(dict.fromkeys(found, place), found, set(), set(), 0.05)
        return [note for note in sheet.notes[1:] if not note.startswith("On the ")]

    assert notes(few=few) == [f"{said} significant."]
    assert notes(few=few, again=few) == [f"{said} significant."]
    assert notes(few=few, many=many) == [f"few: {said} significant."]
    assert notes(many=many) == []
    # 28 pairs of 8 documents: 28 * 2 / 256 is more than 0.05, and 5 * 2 / 256 less.
    [text] = notes(m=of_documents("m", 8, 2 / 256, 28))
    assert "no corrected p can be below 0.219" in text
    assert notes(m=of_documents("m", 8, 2 / 256, 5)) == []
    # Documents differ, more pairs than tests: 2 to 3 documents, 3 / 4 > 1 / 2, at most 1
    mixed = [*of_documents("m", 2, 1 / 2, 1), *of_documents("m", 3, 1 / 4, 4)]
    assert notes(m=mixed) == [
        "2 to 3 documents and 5 pairs: no corrected p can be below 1, so no difference can be "
        "significant."
    ]
    places = {"few": [SystemRank("x", 1, 1.0), SystemRank("y", 2, 0.0)]}
    _, two = difference_table(few[:1], places, set(), set(), 0.05)
    assert "4 documents and 1 measure: no corrected p can be below 0.125" in two.notes[-1]
    assert "Only 4 documents: the interval says little." in two.notes


def test_who_has_more_is_not_called_better():
    place = [SystemRank("x", 1, 0.5)]

    def notes(*neither):
        places = {"rouge-1": place, "length": place}
        if "rouge-1" in neither:
            del places["rouge-1"]
        _, sheet = ranking_table(places, {}, set(), {"length"}, 0.05)
        return "\n".join(sheet.notes)

    assert "Neither way is better; the rank counts those that have more: length." in notes()
    assert "significantly better" in notes()
    alone = notes("rouge-1")
    assert "systems that have significantly more" in alone
    assert "significantly better" not in alone


def test_titles(capsys, entries):
    sheets = level_tables(entries, "spearman")
    for form, begins in [
        ("table", "people: ρ\n"),
        ("markdown", "### people: ρ\n\n|"),
        ("latex", "% people"),
    ]:
        write(SafeConsole(width=1000), sheets, form)
        assert capsys.readouterr().out.startswith(begins)
