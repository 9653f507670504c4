"""The studies from Python: the tables of the commands, figures, and data."""

import json
import re
from pathlib import Path

import pytest

import tricolore
from tricolore.api import studies
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError, TricoloreError

REPO = Path(__file__).parents[2]

OF_SCORES = {
    "complementarity -m rouge-1,chrf --rank system": lambda given: studies.complementarity(
        given, measures="rouge-1,chrf", rank="system"
    ),
    "mixes --human coherence -m rouge-1,chrf,length --level summary --resamples 20": lambda given: (
        studies.mixes(
            given, "coherence", measures="rouge-1,chrf,length", level="summary", resamples=20
        )
    ),
    "ranges -m coverage": lambda given: studies.ranges(given, measures="coverage"),
    "scaling --human coherence -m rouge-1 --sizes 1,3 --human-means same --resamples 20": (
        lambda given: studies.scaling(
            given,
            "coherence",
            measures="rouge-1",
            sizes=[1, 3],
            human_means="same",
            resamples=20,
        )
    ),
    "spurious --human coherence,fluency --coefficient pearson": lambda given: studies.spurious(
        given, ["coherence", "fluency"], coefficient="pearson"
    ),
}
OF_EXAMPLES = {
    "robustness --human coherence -m rouge-1,chrf --with importance --keep-references 1 "
    "--resamples 20": lambda given: studies.robustness(
        given,
        "coherence",
        measures="rouge-1,chrf",
        partners="importance",
        keep_references=1,
        resamples=20,
    ),
    "annotators --human overall -m rouge-1,length": lambda given: studies.annotators(
        given, "overall", measures="rouge-1,length"
    ),
    "annotators --human overall --group 2": lambda given: studies.annotators(
        given, "overall", group=2
    ),
}


def line(words, file):
    name, _, options = words.partition(" ")
    return f"study {name} {file} {options}"


@pytest.mark.parametrize("words", OF_SCORES)
def test_studies_of_scores(words, scores, evaluation, command, same, tmp_path):
    study = OF_SCORES[words](scores)
    assert json.loads(json.dumps(study.to_json())) == command(line(words, scores))
    same(OF_SCORES[words](evaluation).to_json(), study.to_json())
    assert study.table.html() in study._repr_html_()
    study.save_figure(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize("words", OF_EXAMPLES)
def test_studies_of_examples(words, judged, command, tmp_path):
    study = OF_EXAMPLES[words](judged)
    printed = command(line(words, judged))
    assert json.loads(json.dumps(study.to_json())) == printed
    rows = [json.loads(row) for row in judged.read_text().splitlines()]
    assert OF_EXAMPLES[words](rows).to_json() == study.to_json()
    assert OF_EXAMPLES[words](row for row in rows).to_json() == study.to_json()
    study.save_figure(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes()[1:4] == b"PNG"


def test_data(scores, judged):
    mixes = studies.mixes(scores, "coherence", measures="rouge-1,chrf", top=1, resamples=9)
    assert len(mixes.data) == 4  # two measures, their sum and their difference
    assert len(mixes.table.rows) == 3  # of the mixes the better one alone
    ranges = studies.ranges(scores)
    assert {one.kind for one in ranges.data["chrf"]} == {"lead", "rewrite", "careless"}
    scaling = studies.scaling(scores, "coherence", measures="chrf", resamples=9)
    assert scaling.data["chrf"].x == [1, 2, 3, 4]
    annotators = studies.annotators(judged, "overall", measures="chrf")
    assert [one.name for one in annotators.data] == ["1", "2", "3", "4", "5", "chrf"]


def test_a_human_score_in_a_column_of_its_own(judged):
    rows = [json.loads(row) for row in judged.read_text().splitlines()]
    wanted = studies.robustness(rows, "coherence", resamples=9).to_json()
    for row in rows:
        row["grade"] = row.pop("human")["coherence"]
    assert studies.robustness(rows, "grade", resamples=9).to_json() == wanted


def test_only_the_first_references_are_kept():
    """The first reference is like b, the second like a, which has the highest human score."""
    rows = [
        {
            "source": "One. Two.",
            "summary": summary,
            "system": system,
            "doc_id": doc,
            "references": ["x", "y z"],
            "human": {"q": grade},
        }
        for doc in "12"
        for system, summary, grade in [("a", "y z", 5), ("b", "x", 4), ("c", "no", 3)]
    ]
    whole = studies.robustness(rows, shares=[0], resamples=9).data["rouge-1"]
    first = studies.robustness(rows, keep_references=1, shares=[0], resamples=9).data["rouge-1"]
    # The best of both references gives 1, 1, 0: the ranks 2.5, 2.5, 1 against 3, 2, 1.
    assert whole.mean == [pytest.approx(0.75**0.5)]
    # The first gives 0, 1, 0: the ranks 1.5, 3, 1.5 against 3, 2, 1.
    assert first.mean == [pytest.approx(0)]


def test_scores_are_kept_in_a_cache(judged, tmp_path):
    for _ in range(2):
        studies.robustness(judged, "coherence", resamples=9, cache=tmp_path / "kept")
    again = tricolore.evaluate(judged, "rouge-1", cache=tmp_path / "kept")
    assert again.summary.reused == len(again)


def test_warnings_are_below_the_table():
    table = ScoreTable.of(["1", "2", "2"], ["a", "a", "a"], {"chrf": [1, 2, 3]})
    study = studies.ranges(table)
    [warning] = study.warnings
    assert "1 row has the same document and system" in warning
    assert study.table.notes[-1] == warning


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda given: studies.mixes(given), "several human scores: coherence"),
        (lambda given: studies.mixes(given, "nope"), "no human score 'nope'"),
        (lambda given: studies.scaling(given, "coherence", sizes=[9]), "so 9 of them cannot"),
        (lambda given: studies.spurious(given, correlates="nope"), "no measure 'nope'"),
        (lambda given: studies.ranges(given).figure(), "a figure shows one measure, not"),
    ],
)
def test_what_a_caller_can_mend(call, problem, scores):
    with pytest.raises(TricoloreError, match=problem) as found:
        call(scores)
    assert "--" not in str(found.value)


def test_examples_without_annotations():
    with pytest.raises(ReadError, match="the data has no single judgements of 'q'"):
        studies.annotators([{"source": "a", "summary": "b"}], "q")


README = {
    "compare scores.parquet": lambda scores: tricolore.compare(scores),
    "meta scores.parquet --human coherence,fluency": lambda scores: tricolore.agreement(
        scores, ["coherence", "fluency"]
    ),
    "study spurious scores.parquet --human coherence": lambda scores: studies.spurious(
        scores, "coherence"
    ),
}


def test_the_commands_of_the_readme_in_both_ways(scores, command):
    text = (REPO / "README.md").read_text()
    found = re.findall(r"^tricolore ((?:compare|meta|study) [^#\n]*)", text, re.MULTILINE)
    assert {words.strip() for words in found} == set(README)
    for words, call in README.items():
        assert json.loads(json.dumps(call(scores).to_json())) == command(words)
