"""`atlas` from Python."""

import json

import pytest
from pyarrow import parquet

import tricolore
from tests.robustness.commands import judged_rows
from tricolore.api.atlas import FILES
from tricolore.errors import TricoloreError, WriteError

QUICK = {"kinds": "truncation", "resamples": 50}


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "sets"
    place.mkdir()
    rows = judged_rows(documents=6)
    (place / "one.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for row in rows:
        del row["references"]
    (place / "two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


def test_all_figures(folder, tmp_path):
    result = tricolore.atlas(folder, "coverage,rouge-1,length", output=tmp_path / "out", **QUICK)
    figures = result.figures
    assert [facts.name for facts in figures.sets] == ["one", "two"]
    assert (figures.sets[0].rows, figures.sets[0].documents, figures.sets[0].systems) == (18, 6, 3)
    assert ("two", "rouge-1", "the set has no references") in figures.left_out
    # The same as the use cases that it is made of.
    scores = tricolore.evaluate(folder / "one.jsonl", "coverage,rouge-1,novelty:n=3,length")
    [mine] = [
        a
        for a in figures.agreements
        if (a.dataset, a.measure, a.level) == ("one", "rouge-1", "summary")
    ]
    assert mine.value == tricolore.agreement(scores, resamples=0).value("rouge-1", level="summary")
    held = tricolore.agreement(scores, control="novelty:n=3,length", resamples=0)
    assert mine.partial == held.value("rouge-1", level="summary")
    assert {s.kind for s in figures.sensitivities} == {"truncation"}
    assert all(cost.seconds > 0 and cost.scored_rows == 18 for cost in figures.costs)

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(FILES)
    rows = json.loads((tmp_path / "out" / "atlas.json").read_text())
    assert len(rows) == parquet.read_table(tmp_path / "out" / "atlas.parquet").num_rows
    assert len(rows) == len((tmp_path / "out" / "atlas.csv").read_text().splitlines()) - 1
    assert "<table>" in result._repr_html_()


def test_a_second_run_computes_nothing(folder, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    first = tricolore.atlas(folder, "coverage", cache=cache, **QUICK)
    runs = []
    whole = tricolore.Run.__post_init__
    monkeypatch.setattr(
        tricolore.Run, "__post_init__", lambda self: (runs.append(self), whole(self))[1]
    )
    again = tricolore.atlas(folder, "coverage", cache=cache, **QUICK)
    assert sum(run.scored for run in runs if run.cache) == 0
    assert sum(run.reused for run in runs if run.cache) > 36
    assert again.figures.agreements == first.figures.agreements
    assert again.figures.sensitivities == first.figures.sensitivities


def test_all_measures_that_run_here(folder, monkeypatch):
    from tricolore.api import atlas as module

    monkeypatch.setattr(module, "entries", lambda: ("length", "coverage", "nli"))
    monkeypatch.setattr(module, "missing_for", lambda name: f"the model {name}")
    result = tricolore.atlas(folder, **QUICK)
    assert list(result.figures.directions) == ["length", "coverage"]
    [(where, _, why)] = [out for out in result.figures.left_out if out[1] == "nli"]
    assert where == "all sets"
    assert "is not here" in why


def test_outputs(folder, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    with pytest.raises(WriteError, match="not part of an atlas: thesis"):
        tricolore.atlas(folder, "length", output=tmp_path / "mine")
    with pytest.raises(WriteError, match="lies in"):
        tricolore.atlas(folder, "length", output=folder / "out")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "precious"


def test_no_texts_are_sent_to_a_service(folder):
    with pytest.raises(TricoloreError, match="sends every text to a service"):
        tricolore.atlas(folder, "coverage+judge:model=x", **QUICK)
