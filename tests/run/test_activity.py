"""What a run is doing now."""

import pytest

from tricolore import Example, Run
from tricolore.run.activity import Activity
from tricolore.run.processes import Processes


def test_the_measure_that_began_last():
    activity = Activity()
    assert activity.words() == ""
    activity.begin("grounding")
    assert activity.words() == "grounding"


@pytest.mark.parametrize("processes", [0, 1])
def test_a_run_knows_its_measure(processes):
    engine = {"engine": Processes(processes)} if processes else {}
    run = Run(["coverage", "length"], **engine)
    assert len(list(run.score([Example(source="a b", summary="a")]))) == 1
    assert run.activity.words() == "length"
