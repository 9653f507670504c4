"""The study of robustness to bad references from Python."""

import json

import pytest

import tricolore
from tricolore.api import studies


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
    study = studies.robustness(rows, shares=[0], resamples=9)
    assert "Only 3 systems: a correlation over systems says little." in study.table.notes
    whole = study.data["rouge-1"]
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


def test_the_same_as_the_command(same_as_command, judged, rows):
    same_as_command(
        "robustness --human coherence -m rouge-1,chrf --with importance --keep-references 1 "
        "--resamples 20",
        lambda given: studies.robustness(
            given,
            "coherence",
            measures="rouge-1,chrf",
            partners="importance",
            keep_references=1,
            resamples=20,
        ),
        judged,
        rows,
        (row for row in rows),
    )
