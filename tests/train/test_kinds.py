"""Estimators by their names."""

import pytest

from tricolore.errors import SpecError, TrainingError
from tricolore.train.kinds import KINDS, find_estimator, get_estimator


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_there_and_knows_its_name(name):
    assert find_estimator(name).kind == name


def test_a_name_or_a_setting_that_is_not_there():
    with pytest.raises(TrainingError, match="did you mean 'sum-qe'"):
        find_estimator("sum-q")
    with pytest.raises(TrainingError, match="there is: mix, sum-qe, sbert-regression"):
        find_estimator("xyz")
    with pytest.raises(SpecError, match="sum-qe has no setting 'epoch'"):
        get_estimator("sum-qe:epoch=5")
    with pytest.raises(SpecError, match="epochs=x was given"):
        get_estimator("sum-qe:epochs=x")
