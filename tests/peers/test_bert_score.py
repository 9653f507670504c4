"""BERTScore gives what bert-score 0.3.13 gives, on the same weights and the same layer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tricolore import Example
from tricolore.measures.bert_score import BertScore
from tricolore.measures.bert_score_layers import TUNED
from tricolore.models.loading import home

pytestmark = pytest.mark.slow
MINILM = home("all-MiniLM-L6-v2")
PARTS = ("precision", "recall", "f1")


@pytest.fixture(scope="module")
def rows(summeval_examples: list[Example]) -> list[Example]:
    """24 summaries of different systems and articles, three references each."""
    return [
        Example(source=e.source, summary=e.summary, references=e.references[:3])
        for e in summeval_examples[::67]
    ]


def theirs(rows: list[Example], others: list[Any], layer: int, **chosen: Any) -> Any:
    import bert_score

    summaries = [row.summary for row in rows]
    found = bert_score.score(
        summaries, others, model_type=MINILM, num_layers=layer, nthreads=0, **chosen
    )
    return np.stack([part.numpy() for part in found], axis=1)


def assert_same(rows: list[Example], expected: Any, **chosen: Any) -> None:
    scores = BertScore(**chosen).score(rows)
    assert [score.problem for score in scores] == [None] * len(rows)
    found = np.array([[score.parts[part] for part in PARTS] for score in scores])
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert (found.std(axis=0) > 0.01).all()  # the pairs differ


@pytest.mark.parametrize("layer", [5, 6])
def test_one_reference(rows, layer):
    rows = [Example(summary=row.summary, references=row.references[:1]) for row in rows]
    expected = theirs(rows, [row.references[0] for row in rows], layer)
    assert_same(rows, expected, layer=str(layer))


def test_several_references(rows):
    expected = theirs(rows, [list(row.references) for row in rows], 5)
    assert_same(rows, expected)  # 5 of 6 is the default layer


def test_the_source_as_far_as_the_model_reads(rows):
    assert sum(len(row.source[0].split()) > 450 for row in rows) >= 5  # 1.2 tokens a word
    assert_same(rows, theirs(rows, [row.source[0] for row in rows], 5), against="source")


def test_idf(rows, tmp_path):
    # Counted in the references of all rows, one that occurs twice counted twice.
    rows = [*rows, rows[0]]
    file = tmp_path / "rows.jsonl"
    lines = [json.dumps({"summary": r.summary, "references": r.references}) for r in rows]
    file.write_text("\n".join(lines))
    expected = theirs(rows, [list(row.references) for row in rows], 5, idf=True)
    assert_same(rows, expected, idf=str(file))
    assert abs(expected - theirs(rows, [list(row.references) for row in rows], 5)).max() > 0.01


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
def test_rescaling(rows, tmp_path):
    file = tmp_path / "baseline.tsv"
    lines = [f"{n},0.{30 + n},0.{31 + n},0.{29 + n}" for n in range(7)]
    file.write_text("LAYER,P,R,F\n" + "\n".join(lines) + "\n")
    expected = theirs(
        *(rows, [list(row.references) for row in rows], 5),
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(file),
    )
    assert_same(rows, expected, baseline=str(file))
    assert_same(rows, expected, baseline="0.35+0.36+0.34")


def test_the_tuned_layers_are_the_packages():
    from bert_score.utils import model2layers

    assert {name: model2layers[name] for name in TUNED} == TUNED


def test_a_baseline_of_the_package(rows):
    import bert_score

    file = Path(bert_score.__file__).parent / "rescale_baseline" / "en" / "bert-base-uncased.tsv"
    measure = BertScore(baseline=str(file), layer="5")
    # The line of layer 5 in that file.
    assert measure.signature()["baseline"] == "0.401823+0.401791+0.400329"
