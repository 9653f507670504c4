"""Comparisons as the API sends them; what they are is tested with the endpoints."""

import json

import pytest

from tricolore import Example, Run
from tricolore.run.run import MeasurePlan
from tricolore.web.comparing import check_systems_of, comparison_json
from tricolore.web.problems import ApiError
from tricolore.web.service import ScorePlan

ROWS = [
    Example(source="a b c d", summary=s, system=system, doc_id=str(n))
    for n in range(4)
    for system, s in (("x", "a b"), ("y", ""), ("z", "q"))
]


def plan_of(rows):
    run = Run(["coverage", "length"])
    results = list(run.score(rows))
    about = [{"label": measure.label} for measure in run.measures]
    plan = MeasurePlan.of(run.measures, evidence=False)
    made = ScorePlan(rows, run.measures, False, plan, (), about)
    return made, [result.scores for result in results]


def test_three_systems_one_of_which_says_nothing():
    plain = comparison_json(*plan_of(ROWS), alpha=0.05, seed=0)
    json.dumps(plain, allow_nan=False)
    assert plain["systems"] == ["x", "y", "z"]
    assert len(plain["pairs"]) == 6
    means = {r["system"]: r["mean"] for r in plain["ranks"] if r["measure"] == "coverage"}
    assert means == {"x": 1.0, "y": 0.0, "z": 0.0}, "an empty summary has the worst value"
    assert any("empty" in note for note in plain["notes"])


def test_one_document_has_no_interval():
    plain = comparison_json(*plan_of(ROWS[:3]), alpha=0.05, seed=0)
    assert {pair["low"] for pair in plain["pairs"]} == {None}


def test_numbers_of_systems():
    plan, _ = plan_of(ROWS)
    check_systems_of(plan, 3)
    with pytest.raises(ApiError, match="3 systems"):
        check_systems_of(plan, 2)
    with pytest.raises(ApiError, match="two systems"):
        check_systems_of(plan_of(ROWS[:1])[0], 3)
