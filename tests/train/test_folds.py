from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.errors import TrainingError
from tricolore.train.folds import folds, train_and_test

DOCUMENTS = st.lists(st.sampled_from("abcdefgh"), min_size=20, max_size=60).map(
    lambda drawn: [*drawn, *"abcde"]
)


@given(DOCUMENTS, st.integers(2, 5), st.integers(0, 100))
def test_no_document_is_in_train_and_test_at_once(
    documents: list[str], count: int, seed: int
) -> None:
    tested = []
    for train, test in train_and_test(documents, count, seed=seed):
        learnt_from = {documents[row] for row in train}
        predicted = {documents[row] for row in test}
        assert not learnt_from & predicted
        assert learnt_from | predicted == set(documents)
        assert sorted([*train, *test]) == list(range(len(documents)))
        tested += list(test)
    assert sorted(tested) == list(range(len(documents)))


def test_newsroom_is_cut_by_article(newsroom: list[dict[str, str]]) -> None:
    documents = [row["doc_id"] for row in newsroom]
    parts = folds(documents, 5, seed=1)
    # 60 articles × 7 systems: 12 articles a fold.
    assert [len(part) for part in parts] == [84] * 5
    assert [len({documents[row] for row in part}) for part in parts] == [12] * 5


@given(DOCUMENTS, st.randoms())
def test_the_order_of_the_rows_does_not_matter(documents: list[str], random: object) -> None:
    shuffled = list(documents)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = (
        [{rows[row] for row in part} for part in folds(rows, 4, seed=3)]
        for rows in (documents, shuffled)
    )
    assert first == second


def test_the_seed_matters() -> None:
    documents = [str(at) for at in range(30)]
    one, same, other = (folds(documents, 5, seed=seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_rows_without_an_id_are_grouped_by_their_source() -> None:
    rows = [Example(source=text, summary=f"s{at}") for at, text in enumerate("xyxyz")]
    for part in folds([row.doc_id for row in rows], 3, seed=1):
        assert len({rows[row].source for row in part}) == 1


@pytest.mark.parametrize(
    ("documents", "count", "words"),
    [
        (["a", "a", "b"], 5, "2 documents cannot be cut into 5 folds"),
        (["a", "a"], 2, "1 document cannot be cut into 2 folds"),
        (["a", "b"], 1, "1 folds were asked for, but there must be 2 or more"),
    ],
)
def test_what_cannot_be_cut(documents: list[str], count: int, words: str) -> None:
    with pytest.raises(TrainingError, match=words):
        folds(documents, count, seed=1)
