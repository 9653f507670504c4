"""Systems compared from Python: the numbers of the command, and the answer in words."""

import json

import pytest

import tricolore
from tricolore.api.compare import compare
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError


def table(**values):
    """Eight documents, two systems, or three; values are `a - b` steps apart."""
    systems = ["a", "b", "c"][: len(next(iter(values.values())))]
    docs = [str(doc) for doc in range(8) for _ in systems]
    columns = {
        name.replace("_", "-"): [value + doc / 100 for doc in range(8) for value in own]
        for name, own in values.items()
    }
    return ScoreTable.of(docs, systems * 8, columns)


@pytest.mark.parametrize("options", ["", "--systems lead,rewrite", "-m rouge-1 --empty skip"])
def test_numbers_of_the_command(scores, command, options):
    given = {
        "": {},
        "--systems lead,rewrite": {"systems": ["lead", "rewrite"]},
        "-m rouge-1 --empty skip": {"measures": ["rouge-1"], "empty": "skip"},
    }[options]
    printed = command(f"compare {scores} --resamples 200 --seed 3 {options}")
    found = tricolore.compare(scores, resamples=200, seed=3, **given)
    assert json.loads(json.dumps(found.to_json())) == printed
    assert printed


def test_a_file_a_table_and_an_evaluation_are_the_same(scores, evaluation, same):
    wanted = compare(scores, resamples=100).to_json()
    same(compare(str(scores), resamples=100).to_json(), wanted)
    same(compare(ScoreTable.read(scores), resamples=100).to_json(), wanted)
    same(compare(evaluation, resamples=100).to_json(), wanted)


def test_two_systems_in_words():
    found = compare(table(coverage=[0.9, 0.5], estime=[3, 5], length=[9, 5], chrf=[7, 7]))
    # Each pair of documents differs by the same amount, so that the interval is a point.
    assert found.answer == (
        "a is better than b by coverage, by 0.400 [0.400, 0.400]; "
        "a is better than b by estime, by 2.000 [2.000, 2.000]; "
        "a has more length than b, by 4.000 [4.000, 4.000]; "
        "no significant difference by chrf."
    )
    # Holm's correction for four measures: the smallest p of eight documents is 2 / 2^8.
    assert found.comparisons["coverage"][0].corrected == pytest.approx(4 * 2 / 2**8)
    assert found.permutations == 10_000


def test_more_systems_in_words():
    found = compare(table(coverage=[0.9, 0.5, 0.9], density=[3, 3, 3]), resamples=99)
    assert found.answer == (
        "By coverage, a and c share the first rank of 3 systems. "
        "By density, no system is significantly better than another."
    )
    # Three pairs: Holm's correction is for the pairs of each measure.
    worse = next(one for one in found.comparisons["coverage"] if one.second == "b")
    assert worse.corrected == pytest.approx(3 * worse.p)
    assert found.permutations == 150  # 50 for each of three tests, and more than the resamples


def test_tables(scores):
    found = compare(scores, resamples=50)
    assert found.table.headers[0] == "system"
    assert found.pairs.headers[:3] == ["measure", "first", "second"]
    both = found.sheets("table", pairs=True)
    assert [title for title, _ in both] == ["", "Every pair"]
    assert [title for title, _ in found.sheets("json", pairs=True)] == [""]
    two = compare(scores, systems="lead,rewrite", resamples=50)
    assert two.table.headers[0] == "measure"
    page = two._repr_html_()
    assert "<table>" in page
    assert two.answer.split()[0] in page


def test_a_name_is_text_in_a_notebook():
    made = ScoreTable.of(["1", "1"], ["<b>", "x"], {"chrf": [1, 2]})
    assert "<b>" not in compare(made, resamples=9)._repr_html_()


@pytest.mark.parametrize(
    ("systems", "problem"),
    [("a", "two systems are needed"), (["a", "z"], "no system 'z'; it has: a, b")],
)
def test_systems_that_cannot_be_compared(systems, problem):
    with pytest.raises(ReadError, match=problem):
        compare(table(coverage=[0.9, 0.5]), systems=systems)


def test_a_measure_that_the_systems_share_no_document_for_does_not_stop_the_others():
    nan = float("nan")
    # By chrf only one system has values: there is no pair to test.
    values = {"coverage": [0.9, 0.5, 0.4, 0.8, 0.6, 0.3], "chrf": [5, nan, nan, 6, nan, nan]}
    made = ScoreTable.of(["1"] * 3 + ["2"] * 3, ["a", "b", "c"] * 2, values)
    found = compare(made, resamples=9)
    assert [row[0] for row in found.table.rows] == ["a", "b", "c"]
    assert {one.documents for one in found.comparisons["chrf"]} == {0}
