"""Engines: the same scores from one process and several."""

import random
from dataclasses import dataclass

import pytest
from odd_measures import LikesReferences, NoKey

from tricolore import Example, Run, get_measure
from tricolore.errors import Unavailable
from tricolore.run.engine import Here, Job, JobScores, Work, do
from tricolore.run.processes import Processes

ROWS = [
    Example(source=f"story {n // 3} of the cat", summary=f"the cat {'x' * (n % 7)}", system="a")
    for n in range(40)
]


@dataclass(frozen=True)
class Backwards:
    """Answers the last job first: an engine may answer in any order."""

    def run(self, work, jobs):
        answers = [do(work, job) for job in jobs]
        random.Random(3).shuffle(answers)
        yield from answers


@pytest.mark.parametrize("engine", [Processes(2), Backwards()])
def test_every_engine_gives_the_same_results_in_the_same_order(engine, monkeypatch):
    monkeypatch.setattr("tricolore.run.run.BATCH", 8)
    expected = list(Run(["coverage", "length"], evidence=True).score(ROWS))
    assert list(Run(["coverage", "length"], evidence=True, engine=engine).score(ROWS)) == expected


def test_jobs_and_answers_survive_json():
    import json

    job = Job(3, ROWS[:2], [[0, 1], [1]])
    work = Work([get_measure("coverage"), get_measure("length")], evidence=True)
    assert Job.from_json(json.loads(json.dumps(job.to_json()))) == job
    answer = do(work, job)
    assert JobScores.from_json(json.loads(json.dumps(answer.to_json()))) == answer


def test_what_no_row_can_do_without_stops_the_run():
    for engine in (Here(), Processes(2)):
        with pytest.raises(Unavailable, match="the key is wrong; give another") as caught:
            list(Run([NoKey()], engine=engine).score(ROWS))
        assert caught.value.argument == "offline"


def test_a_measure_that_reads_references_without_needing_them_is_not_confused(tmp_path):
    from tricolore.run.cache import Cache

    with Cache(tmp_path) as cache:
        for references in ((), ("one",), ("one", "two")):
            [result] = Run([LikesReferences()], cache=cache).score(
                [Example(summary="s", references=references)]
            )
            assert result.scores["likes-references"].value == len(references)
