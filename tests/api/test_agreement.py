"""The agreement with human scores from Python: the numbers of the command."""

import json
import math

import pytest

import tricolore
from tricolore.api.agreement import agreement, compare_measures
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ArgumentError, ReadError, SpecError, TricoloreError


def test_numbers_of_the_command(scores, command):
    printed = command(f"meta {scores} --human coherence --resamples 50 --seed 2")
    found = tricolore.agreement(scores, "coherence", resamples=50, seed=2)
    assert json.loads(json.dumps(found.to_json())) == printed
    assert {row["statistic"] for row in printed if row["low"] is not None} == {"spearman"}


def test_numbers_of_the_command_at_one_level(scores, command):
    printed = command(
        f"meta {scores} -m rouge-1,chrf --level document --statistics kendall-b,mae "
        "--resamples 20 --over documents --empty skip"
    )
    found = agreement(
        scores,
        measures="rouge-1,chrf",
        level="document",
        statistics=["kendall-b", "mae"],
        resamples=20,
        over="documents",
        empty="skip",
    )
    assert json.loads(json.dumps(found.to_json())) == printed


def test_an_evaluation_gives_the_same(scores, evaluation, same):
    wanted = agreement(scores, resamples=20).to_json()
    same(agreement(evaluation, resamples=20).to_json(), wanted)


CONTROLLED = ScoreTable.of(
    [str(at) for at in range(10)],
    ["a"] * 10,
    {
        "metric": [3.1, 0.4, 2.2, 5.0, 4.4, 1.7, 2.9, 0.8, 3.8, 2.0],
        "novelty:n=3": [0.2, 0.9, 0.4, 0.1, 0.3, 0.8, 0.5, 0.7, 0.2, 0.6],
        "length": [61, 40, 52, 75, 66, 38, 70, 45, 45, 58],
    },
    {"relevance": [2, 1, 3, 5, 4, 1, 2, 2, 3, 4]},
)


def test_controls_are_held_constant():
    for control in ("novelty,length", ["novelty:n=3", "length"]):
        found = agreement(CONTROLLED, control=control, statistics="all", resamples=0)
        # pingouin 0.7.0: partial_corr(…, method="spearman"), and with "pearson"
        assert found.value("metric") == pytest.approx(0.1709105189042642)
        assert found.value("metric", statistic="pearson") == pytest.approx(0.22966678328371115)
        assert found.control == ["novelty:n=3", "length"]
        assert {entry.measure for entry in found.entries} == {"metric"}
    named = agreement(CONTROLLED, measures="metric,length", control="length", resamples=0)
    assert {entry.measure for entry in named.entries} == {"metric", "length"}
    assert math.isnan(named.value("length"))
    assert "the values follow from the controls" in named._repr_html_()


def test_intervals_with_controls_come_from_the_same_resamples():
    first, again = (agreement(CONTROLLED, control="length", resamples=50) for _ in range(2))
    other = agreement(CONTROLLED, control="length", resamples=50, seed=1)
    assert first.to_json() == again.to_json()
    assert first.entries[0].low != other.entries[0].low
    assert first.entries[0].low < first.entries[0].agreement.value < first.entries[0].high


def test_controls_that_are_not_there_or_do_not_fit():
    with pytest.raises(ReadError, match="no column 'novelty:n=4'; score it too") as found:
        agreement(CONTROLLED, control="novelty:n=4")
    assert "-m novelty:n=4" in found.value.hint
    with pytest.raises(ReadError, match="did you mean 'length'"):
        agreement(CONTROLLED, control=["lenght"])
    with pytest.raises(SpecError, match="partial τ"):
        agreement(CONTROLLED, control="length", statistics="spearman,kendall-c")


THESIS = ScoreTable.of(
    ["1", "1", "2", "2"],
    ["a", "b", "a", "b"],
    {"metric": [0.2, 0.1, 0.01, 0.005], "other": [0.1, 0.2, 0.4, 0.3]},
    {"relevance": [1, 0.75, 0.5, 0.2]},
)
"""Figure 2.1 of the thesis, and a measure that ranks the other way round in document 1."""


def test_single_values():
    found = agreement(THESIS, statistics="mae,spearman", resamples=0)
    # |1 - 0.2|, |0.75 - 0.1| and |0.5 - 0.01|, |0.2 - 0.005|
    assert found.value("metric", level="document") == pytest.approx((0.725 + 0.3425) / 2)
    assert found.value("metric") == pytest.approx(0.53375)  # the first level: of all summaries
    assert found.value("metric", "rel", "summary", "spearman") == 1
    # ranks 4, 3, 2, 1 against 1, 2, 4, 3: 1 - 6 * (9 + 1 + 4 + 4) / 60
    assert found.value("other", "", "summary", "spearman") == pytest.approx(-0.8)
    assert math.isnan(found.entries[0].low)
    with pytest.raises(TricoloreError, match="no such agreement"):
        agreement(THESIS, level="system", resamples=0).value("metric", level="summary")


def test_tables():
    found = agreement(THESIS, resamples=20)
    [(title, table)] = found.tables
    assert title == "relevance: ρ"
    assert table.headers[1::2] == ["summary ρ", "document ρ", "system ρ"]
    assert "<h4>relevance: ρ</h4>" in found._repr_html_()
    [(title, table)] = agreement(THESIS, level="system", resamples=0).tables
    assert title == "relevance, system level"
    assert table.headers[1::2] == ["ρ", "τ-b", "τ-c", "r", "n"]


def test_wide_tables_are_split_on_a_screen():
    from tricolore.report.terminal import SafeConsole

    found = agreement(THESIS, resamples=20)
    assert len(found.sheets(screen=SafeConsole(width=300))) == 1
    assert len(found.sheets(screen=SafeConsole(width=30))) == 3


@pytest.mark.parametrize("options", ["--pairs", "--better-than redundancy --test williams"])
def test_tests_of_the_command(scores, command, options):
    given = {
        "--pairs": {},
        "--better-than redundancy --test williams": {
            "better_than": "redundancy",
            "test": "williams",
        },
    }[options]
    printed = command(
        f"meta {scores} --human coherence -m rouge-1,chrf --level summary --permutations 99 "
        f"{options}"
    )
    found = tricolore.compare_measures(
        scores, "coherence", measures="rouge-1,chrf", level="summary", permutations=99, **given
    )
    keys = {"human": "coherence", "level": "summary"}
    assert json.loads(json.dumps(found.to_json())) == [{**keys, **row} for row in printed]


def test_a_better_measure():
    found = compare_measures(THESIS, level="summary", better_than="other", test="williams")
    [one] = found.tests["relevance", "summary"]
    assert (one.first, one.second) == ("metric", "other")
    assert one.difference == pytest.approx(1 - -0.8)
    [(title, table)] = found.tables
    assert title == "relevance, summary level, ρ"
    assert table.notes[0] == "Williams' test; Holm's correction for 1 tests."
    assert table.headers[:2] == ["measure", "than"]
    [(_, matrix)] = compare_measures(THESIS, level="summary", permutations=9).tables
    assert matrix.headers == ["better than", "metric", "other"]
    assert "better by" in compare_measures(THESIS, permutations=9)._repr_html_()


@pytest.mark.parametrize(
    ("call", "error", "problem"),
    [
        (lambda: agreement(THESIS, "fluency"), ReadError, "no human score 'fluency'"),
        (lambda: agreement(THESIS, statistics="rho"), SpecError, "'rho' is not one of spearman"),
        (
            lambda: agreement(THESIS, level="word"),
            ArgumentError,
            "level must be one of summary, document, system, all, not 'word'",
        ),
        (lambda: compare_measures(THESIS, measures="other"), ReadError, "two measures are needed"),
        (
            lambda: compare_measures(THESIS, test="williams", statistic="mae"),
            ReadError,
            "compares correlations, not errors",
        ),
    ],
)
def test_what_a_caller_can_mend(call, error, problem):
    with pytest.raises(error, match=problem):
        call()
