from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example, get_measure
from tricolore.measures.scaling import bounds, learn, min_max, out_of_fold, z_centred, z_score
from tricolore.train.folds import folds


def test_eq_4_1_by_hand() -> None:
    # μ = 4, σ = sqrt((4 + 4) / 2) = 2, so 3σ = 6: (7 - 4) / 6 = 0.5; below the mean is 0.
    scaled = z_score(np.array([2.0, 6.0]))(np.array([7.0, 4.0, 1.0, 10.0, 99.0]))
    assert scaled.tolist() == [0.5, 0.0, 0.0, 1.0, 1.0]


def test_centred_by_hand() -> None:
    # μ = 4, 3σ = 6: from -2 … 10 to 0 … 1, and 4 is in the middle.
    scaled = z_centred(np.array([2.0, 6.0]))(np.array([-2.0, 1.0, 4.0, 7.0, 11.0]))
    assert scaled.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_table_4_1_of_the_thesis(newsroom_examples: list[Example]) -> None:
    """Its MAE of density is met by the centred form only; eq. (4.1) as printed is far off."""
    rows = newsroom_examples
    density = np.array([score.value for score in get_measure("density").score(rows)])
    documents = [row.doc_id for row in rows]
    for target, published in (("coherence", 0.155), ("fluency", 0.166)):
        human = bounds(1, 5)(np.array([row.human[target] for row in rows]))
        centred, printed = (
            np.abs(out_of_fold(density, documents, method) - human).mean()
            for method in ("z-centred", "z")
        )
        assert centred == pytest.approx(published, abs=0.004)
        assert printed > 0.49


def test_min_max_and_given_bounds_by_hand() -> None:
    assert min_max(np.array([2.0, 6.0]))(np.array([1.0, 3.0, 9.0])).tolist() == [0, 0.25, 1]
    # The five-point scale of people.
    human = bounds(1, 5)(np.array([1.0, 3.0, 5.0]))
    assert human.tolist() == [0, 0.5, 1]
    assert bounds(1, 5).back(human).tolist() == [1, 3, 5]
    # Lower is better: the best end is named second.
    assert bounds(10, 0)(np.array([10.0, 2.0, 0.0])).tolist() == [0, 0.8, 1]
    with pytest.raises(ValueError, match="are the same"):
        bounds(3, 3)


@pytest.mark.parametrize(("method", "wanted"), [("z", 0), ("z-centred", 0.5), ("min-max", 0)])
def test_values_without_spread_are_no_division_by_zero(method: str, wanted: float) -> None:
    assert learn(method, np.array([2.0, 2.0]))(np.array([2.0])).tolist() == [wanted]  # type: ignore[arg-type]


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=20, max_size=20),
    st.integers(0, 4),
    st.floats(-1e6, 1e6),
    st.sampled_from(["z", "z-centred", "min-max"]),
)
def test_scaling_never_sees_the_fold_it_scales(
    drawn: list[float], chosen: int, other: float, method: str
) -> None:
    """Whatever a fold's other rows are, a row of it is scaled to the same value."""
    values = np.array(drawn)
    documents = [str(at // 2) for at in range(20)]
    fold = folds(documents, 5, seed=1)[chosen]
    changed = values.copy()
    changed[fold[1:]] = other
    before, after = (
        out_of_fold(some, documents, method, folds=5, seed=1)  # type: ignore[arg-type]
        for some in (values, changed)
    )
    assert before[fold[0]] == after[fold[0]]
    # And it is scaled by what all the others say.
    rest = np.setdiff1d(np.arange(20), fold)
    assert np.array_equal(before[fold], learn(method, values[rest])(values[fold]))  # type: ignore[arg-type]
