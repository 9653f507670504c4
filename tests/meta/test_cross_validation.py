"""How well predictions fit human scores of unseen documents, by hand."""

import numpy as np
import pytest

from tricolore.meta.cross_validation import prediction_quality


def test_by_hand():
    targets = np.array([[0.0], [0.5], [1.0], [0.2], [0.4]])
    predicted = {
        # In the first document the order is right, in the second it is reversed.
        "ours": np.array([[0.1], [0.5], [0.9], [0.4], [0.2]]),
        "mean": np.full((5, 1), 0.5),
    }
    found = prediction_quality(["q"], targets, predicted, ["1", "1", "1", "2", "2"])["q"]
    # (0.1 + 0 + 0.1 + 0.2 + 0.2) / 5
    assert found["ours"]["mae"] == pytest.approx(0.12)
    # The mean of 1 and -1, and its standard error: the deviation √2 over √2.
    assert found["ours"]["spearman"] == {"value": 0.0, "sem": pytest.approx(1.0), "documents": 2}
    # A constant orders nothing: JSON has null for it.
    assert found["mean"]["mae"] == pytest.approx((0.5 + 0 + 0.5 + 0.3 + 0.1) / 5)
    assert found["mean"]["kendall-b"] == {"value": None, "sem": None, "documents": 0}
