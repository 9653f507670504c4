"""The names at the top of the package."""

import subprocess
import sys

import pytest

import tricolore


def test_every_name_is_there():
    for name in tricolore.__all__:
        assert getattr(tricolore, name) is not None
    assert set(tricolore.__all__) <= set(dir(tricolore))
    assert set(tricolore.__all__) - {"__version__"} == set(tricolore._HOMES)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tricolore.nothing
    assert tricolore.__version__[0].isdigit()


def test_functions_are_not_replaced_by_modules_of_the_same_name():
    program = """
import tricolore
import tricolore.train.kinds, tricolore.perturb.kinds, tricolore.report.highlights, tricolore.score
from tricolore import train, perturb, report, score
from tricolore.report import highlights
for found in (train, perturb, report, score):
    assert callable(found), found
for found in (tricolore.train, tricolore.perturb, tricolore.report, tricolore.score):
    assert callable(found), found
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_importing_is_light():
    program = "import tricolore, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"torch", "numpy", "pyarrow", "rich", "tricolore.run.run"}


def test_a_score_is_a_number():
    scores = tricolore.score("a b c", "a b", measures="coverage")
    assert float(scores["coverage"]) == 1.0
    assert sum(map(float, scores.values())) == 1.0
