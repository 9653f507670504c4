"""Human scores to learn."""

from __future__ import annotations

import numpy as np
import pytest

from tricolore import Example
from tricolore.errors import TrainingError
from tricolore.train.estimator import Unusable
from tricolore.train.targets import digest, labelled_examples


def test_human_scores_are_brought_to_0_to_1() -> None:
    rows = [Example(summary="x", doc_id=str(n), human={"q": 1.0 + n}) for n in range(5)]
    known = labelled_examples([*rows, Example(summary="y")], ["q"], (1, 5))
    assert known.targets.tolist() == [[0], [0.25], [0.5], [0.75], [1]]
    assert known.left_out == 1


@pytest.mark.parametrize(
    ("scores", "names", "words"),
    [
        ([{"a": 2}, {"a": 3}], ["b"], "no row has the human score 'b'; there is: a"),
        ([{}, {}], ["b"], "the rows have no human scores"),
        ([{"a": 2}, {"b": 3}], ["a", "b"], "no row has all of the human scores a, b"),
        ([{"a": 3}, {"a": 3}], ["a"], "'a' is 3 in every row: there is nothing to learn"),
        ([{"a": 0}, {"a": 4}], ["a"], "'a' goes from 0 to 4, but the human scale .* 1 to 5"),
        ([{"a": 2}, {"a": 3}], [], "no target is named"),
    ],
)
def test_what_cannot_be_learnt(
    scores: list[dict[str, float]], names: list[str], words: str
) -> None:
    rows = [Example(summary="x", human=human) for human in scores]
    with pytest.raises(TrainingError, match=words):
        labelled_examples(rows, names, (1, 5))


def test_rows_without_features_are_left_out() -> None:
    rows = [Example(summary="x", doc_id=str(n), human={"q": 1.0 + n}) for n in range(3)]
    known = labelled_examples(rows, ["q"], (1, 5))
    training_set, used, unusable = known.training_set([np.ones(1), Unusable("why"), np.zeros(1)])
    assert used == [rows[0], rows[2]]
    assert training_set.documents == ["0", "2"]
    assert unusable == [Unusable("why")]
    with pytest.raises(TrainingError, match="no row can be used; the first: why"):
        known.training_set([Unusable("why")] * 3)
    with pytest.raises(TrainingError, match="the 1 rows that can be used all the same score"):
        known.training_set([np.ones(1), Unusable("why"), Unusable("why")])


def test_the_digest_is_of_texts_and_scores(judged: list[Example]) -> None:
    targets = labelled_examples(judged, ["liked"], (1, 5)).targets
    whole = digest(judged, targets)
    assert whole == digest(list(judged), targets.copy())
    assert whole != digest(judged, targets + 1e-9)
    assert whole != digest(judged[::-1], targets)
