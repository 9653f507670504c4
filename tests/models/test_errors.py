"""Errors about models."""

import pickle

import pytest

from tricolore.models.errors import DeviceError, ModelNotFoundError


@pytest.mark.parametrize("error", [ModelNotFoundError("m", "gone"), DeviceError("gpu", ["cpu"])])
def test_an_error_comes_back_from_another_process(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
