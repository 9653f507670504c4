"""The sections of the HTML report."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tricolore.data.score_table import ScoreTable
from tricolore.meta.agreements import agreements
from tricolore.meta.system_tests import SystemRank
from tricolore.meta.system_values import system_estimates
from tricolore.report.sections import (
    DistanceNumber,
    HeatNumber,
    agreement_section,
    correlates_section,
    distribution_section,
    header,
    measures_section,
    system_table,
    systems_chart,
)

TABLE = ScoreTable.of(
    [str(n // 3) for n in range(12)],
    ["a", "b", "c"] * 4,
    {
        "chrf": [10, 20, 30] * 3 + [10, 20, math.nan],
        "estime": [3, 2, 1] * 4,
        "length": [5, 9, 7] * 4,
    },
    {"q": [1, 2, 3] * 4, "r": [3, 1, 2] * 4},
    is_empty=[False] * 11 + [True],
)
ESTIMATES = {column: system_estimates(TABLE, column) for column in ("chrf", "estime")}
RANKINGS = {
    "chrf": [SystemRank("c", 1, 30.0), SystemRank("b", 2, 20.0), SystemRank("a", 3, 10.0)],
    "estime": [SystemRank("c", 1, 1.0), SystemRank("b", 1, 2.0), SystemRank("a", 1, 3.0)],
}


def test_systems_are_sorted_by_their_mean_rank() -> None:
    made = system_table(TABLE, ESTIMATES, RANKINGS, ["on ranks"])
    assert made.headers == ["system", "chrf ↑", "estime ↓", "rows", "empty"]
    assert [row[0] for row in made.rows] == ["c", "b", "a"]
    chrf = made.rows[0][1]
    assert (chrf.value, chrf.rank, chrf.missing) == (30.0, 1, 1)
    assert chrf.is_marked
    assert not made.rows[1][1].is_marked
    assert not made.rows[0][2].is_marked  # all share the first rank
    assert made.rows[0][3:] == [4, 1]
    longest = {"length": [SystemRank("b", 1, 9.0), SystemRank("a", 2, 5.0)]}
    lengths = {"length": system_estimates(TABLE, "length")}
    assert not any(row[1].is_marked for row in system_table(TABLE, lengths, longest, []).rows)
    assert made.notes[0].startswith("Mean [95 % interval, bootstrap over documents]. Only 3")
    assert made.notes[1:] == ["on ranks"]


def test_without_ranks_systems_stay_in_their_order() -> None:
    made = system_table(TABLE, ESTIMATES, {}, [])
    assert [row[0] for row in made.rows] == ["a", "b", "c"]
    assert made.rows[0][1].rank is None


def test_the_chart_of_systems_has_the_numbers_of_the_table() -> None:
    chart = systems_chart(TABLE, ESTIMATES, ["c", "b", "a"])
    assert [drawing.title for drawing in chart.drawings] == ["chrf ↑", "estime ↓"]
    assert [row[:2] for row in chart.table.rows[:3]] == [["chrf", name] for name in "cba"]
    assert [row[2].value for row in chart.table.rows[:3]] == [30.0, 20.0, 10.0]


def test_quantiles_of_distributions() -> None:
    [chart] = distribution_section(TABLE, ["length", "chrf"]).charts
    first = chart.table.rows[0]
    assert first[:2] == ["length", "a"]
    assert [cell.value for cell in first[2:8]] == [5.0] * 6
    assert chart.table.rows[5][8] == 3  # c has no fourth value of chrf


def test_measures_are_correlated_so_that_higher_is_better() -> None:
    section = measures_section(TABLE, ["chrf", "estime", "length"])
    (_, correlations), (_, distances) = section.tables
    # estime is exactly the reverse of chrf, and lower is better in it.
    assert correlations.rows[0][2].value == pytest.approx(1.0)
    assert distances.rows[0][2].value == pytest.approx(0.0)
    # By chrf (10, 20, 30) and length (5, 9, 7), one of three pairs is in reverse in three
    # documents; the fourth has only a and b, in the same order: (3 · 1/3 + 0) / 4.
    assert distances.rows[0][3].value == pytest.approx(0.25)


def test_one_system_has_no_complementarity() -> None:
    table = ScoreTable.of(["1", "2", "3"], ["a"] * 3, {"chrf": [1, 2, 3], "length": [3, 2, 1]})
    [(title, correlations)] = measures_section(table, ["chrf", "length"]).tables
    assert title.startswith("Spearman")
    assert correlations.rows[0][2].value == pytest.approx(-1.0)


def test_agreement_with_partial_correlations() -> None:
    entries = agreements(TABLE, ["chrf", "estime"], ["q", "r"], resamples=50)
    partial = agreements(
        TABLE, ["estime"], ["q", "r"], levels=["summary"], controls=["length"], resamples=0
    )
    section = agreement_section(entries, partial)
    [chart] = section.charts
    assert [drawing.title for drawing in chart.drawings] == ["human q", "human r"]
    assert chart.table.headers == ["human score", "measure", "correlation", "without length"]
    assert [row[:2] for row in chart.table.rows[:2]] == [["q", "chrf"], ["q", "estime"]]
    assert chart.table.rows[1][2].value == pytest.approx(1.0)
    assert math.isnan(chart.table.rows[0][3].value)  # chrf has no partial correlation here
    assert set(chart.legend) == {"first", "second"}
    assert len(section.more) == 4
    assert set(agreement_section(entries, ()).charts[0].legend) == {"first"}


def test_errors_and_partial_correlations_are_called_so_and_sorted() -> None:
    from tricolore import agreement

    errors = agreement(TABLE, "q", measures="chrf,estime", statistics="mae", level="summary")
    chart = agreement_section(errors.entries, ()).charts[0]
    assert chart.table.headers[2] == "mean absolute error"
    values = [row[2].value for row in chart.table.rows]
    assert values == sorted(values)  # the smallest error first
    partial = agreement(TABLE, "q", measures="estime", control="length", level="summary")
    chart = agreement_section(partial.entries, ()).charts[0]
    assert chart.legend["first"].startswith("partial correlation without length")


def test_length_and_copying_beside_every_measure() -> None:
    section = correlates_section(TABLE, ["chrf", "length"], {"length": "words"}, ["a note"])
    (_, means), (_, followed) = section.tables
    assert [row[1].value for row in means.rows] == [5.0, 9.0, 7.0]
    assert [row[0] for row in followed.rows] == ["chrf"]  # not length itself
    assert "length: words." in section.lead
    assert section.notes == ["a note"]
    only = correlates_section(TABLE, ["length"], {"length": ""}, [])
    assert len(only.tables) == 1


def test_colours_of_correlations_and_distances() -> None:
    assert HeatNumber(0.99).heat == "plus heat-4"
    assert HeatNumber(-0.3).heat == "minus heat-2"
    assert DistanceNumber(0.1).heat == "apart heat-1"
    assert [HeatNumber(value).heat for value in (0.01, math.nan)] == ["", ""]
    assert HeatNumber(float(np.nextafter(1.0, 2.0))).heat == "plus heat-4"


def test_headers_have_arrows() -> None:
    assert [header(TABLE, c) for c in TABLE.measures] == ["chrf ↑", "estime ↓", "length"]
