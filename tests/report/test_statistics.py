"""The tables of `meta` and `compare`, cell by cell."""

import json
import math

import pytest
from rich.console import Console

from tricolore.data.score_table import ScoreTable
from tricolore.meta.agreements import agreements
from tricolore.meta.comparison import Comparison, Place
from tricolore.meta.pairwise import Contest
from tricolore.report.statistics import (
    MeanFigure,
    PValue,
    Ranked,
    difference_sheet,
    fits,
    level_sheets,
    long_sheet,
    matrix_sheet,
    ranking_sheets,
    statistic_sheets,
    write,
)

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
    assert MeanFigure(0.5, 0.1, 0.9, sem=0.02).words == "0.500 ± 0.020 [0.100, 0.900]"
    assert MeanFigure(0.5, 0.1, 0.9).words == "0.500 [0.100, 0.900]"
    assert Ranked(0.5, rank=3).words == "0.500 (3)"


def test_levels_beside_one_another(entries):
    [(title, sheet)] = level_sheets(entries, "spearman")
    assert title == "people: ρ"
    assert sheet.headers == ["measure", "summary ρ", "p", "document ρ", "p", "system ρ", "p"]
    # a: ranks 2 5 2 5 2 5 against 1.5 6 4 4 1.5 4: 10.5 / sqrt(13.5 * 15) = 0.738
    # b, negated, the same without row 5: 5 / sqrt(7.5 * 8) = 0.645
    assert [row[0] for row in sheet.rows] == ["a", "b", "none"]  # no value: last
    assert [row[1].words.split()[0] for row in sheet.rows] == ["0.738", "0.645", "–"]
    assert [row[3].words.split()[0] for row in sheet.rows] == ["1.000", "1.000", "–"]
    notes = "\n".join(sheet.notes)
    assert "Negated, as lower is better: b." in notes
    assert "1 documents without a value (document level): a." in notes
    assert "2 documents without a value (document level): b." in notes
    assert "1 rows left out, without both values (summary level): b." in notes


def test_statistics_beside_one_another(entries):
    sheets = statistic_sheets(entries, "spearman")
    assert [title for title, _ in sheets] == [
        f"people, {w} level" for w in ("summary", "document", "system")
    ]
    assert sheets[0][1].headers == ["measure", "ρ", "p", "τ-b", "p", "n"]
    assert [row[-1] for row in sheets[0][1].rows] == [6, 5, 0]


def test_for_a_program(entries):
    _, sheet = long_sheet(entries)
    rows = json.loads(sheet.json())
    assert len(rows) == 3 * 2 * 3
    assert rows[1]["negated"] is True
    assert rows[2]["value"] is None


def test_a_narrow_terminal_is_known(entries):
    [(_, sheet)] = level_sheets(entries, "spearman")
    assert fits(Console(width=200), sheet)
    assert not fits(Console(width=60), sheet)


def test_matrix_shows_the_better_one_of_the_row():
    contests = [Contest("a", "b", 0.2, 0.01, 0.02), Contest("a", "c", -0.2, 0.5, 0.6)]
    _, sheet = matrix_sheet("t", contests, "n")
    cells = {row[0]: [c if c == "" else c.words for c in row[1:]] for row in sheet.rows}
    assert cells == {"a": ["", "0.020", ""], "b": ["", "", ""], "c": ["0.600", "", ""]}


def compared(measure, difference, corrected):
    return Comparison(measure, "x", "y", 1.0, 1 - difference, difference, 0, 0, 0.01, 9, corrected)


def test_who_is_better():
    found = [compared("up", 0.5, 0.01), compared("down", 0.5, 0.01), compared("even", 0.5, 0.01)]
    _, sheet = difference_sheet([*found, compared("up", 0.5, 0.2)], {"down"}, {"even"}, 0.05)
    assert [row[-2] for row in sheet.rows] == ["x", "y", "more: x", "–"]
    assert sheet.rows[1][0] == "down ↓"


def test_rankings_of_many_measures_are_cut():
    places = {f"m{i}": [Place("x", 1, 0.5), Place("", 2, 0.4)] for i in range(5)}
    made = ranking_sheets(places, set(), 0.05)
    assert [len(sheet.headers) for _, sheet in made] == [5, 2]
    assert made[0][1].rows[1][0] == "(none)"
    assert made[1][1].notes


def test_titles(capsys, entries):
    sheets = level_sheets(entries, "spearman")
    for form, begins in [
        ("table", "people: ρ\n"),
        ("markdown", "### people: ρ\n\n|"),
        ("latex", "% people"),
    ]:
        write(Console(width=1000), sheets, form)
        assert capsys.readouterr().out.startswith(begins)
