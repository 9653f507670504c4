"""The figures of one judged set in an atlas."""

import json

import pytest

import tricolore
from tests.robustness.commands import judged_rows
from tricolore.api.atlas_sets import _exact_interval

QUICK = {"kinds": "truncation", "resamples": 50}


@pytest.fixture
def judged_file(tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in judged_rows(documents=6)))
    return path


def test_a_slow_measure_is_run_on_fewer_documents(judged_file, monkeypatch):
    from tricolore.api import atlas_sets as module
    from tricolore.run.cost import MeasuredCost

    # 3 summaries a document, so 30 seconds a document: 160 seconds are enough for 5 documents.
    monkeypatch.setattr(module, "measured_cost", lambda *_: MeasuredCost(10.0, 1))
    result = tricolore.atlas(judged_file, "coverage", max_seconds=160, **QUICK)
    assert {cost.scored_documents for cost in result.figures.costs} == {5}
    assert {a.rows for a in result.figures.agreements} == {15}
    none = tricolore.atlas(judged_file, "coverage", max_seconds=100, **QUICK)
    assert none.figures.left_out[0][2] == "a document takes 30 s, and the limit is 100 s"
    assert none.choices == []


def test_a_set_without_units_or_highlights(judged_file):
    figures = tricolore.atlas(judged_file, "pyramid,highres,coverage", **QUICK).figures
    assert ("one", "pyramid", "the set has no units") in figures.left_out
    assert ("one", "highres", "the set has no highlights") in figures.left_out
    assert {cost.measure for cost in figures.costs} == {"coverage"}


def test_the_facts_of_a_set(tmp_path):
    texts = ["one two three", "one two three four", "one two three four five"]  # 3, 4 and 5 words
    rows = [
        {"source": text, "summary": "one", "doc_id": str(n), "human": {"quality": n}}
        for n, text in enumerate(texts)
    ]
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "no row\n")
    [facts] = tricolore.atlas(path, "length", kinds="", resamples=20).figures.sets
    assert (facts.rows, facts.documents, facts.references, facts.unreadable) == (3, 3, 0, 1)
    # Percentiles are interpolated: 5 % lies 0.1 of a step above the lowest of three.
    assert facts.source_words == pytest.approx((4, 3.1, 4.9))
    assert facts.summary_words == (1, 1, 1)
    assert facts.human == ("quality",)


def test_the_interval_of_a_share_is_exact():
    # Clopper and Pearson: with all of n, the lower end x solves x ** n = 0.025.
    assert _exact_interval(1.0, 10) == pytest.approx((0.025 ** (1 / 10), 1))
    assert _exact_interval(0.0, 10) == pytest.approx((0, 1 - 0.025 ** (1 / 10)))
    assert str(_exact_interval(float("nan"), 3)) == "(nan, nan)"
