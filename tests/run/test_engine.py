"""Engines: the same scores from one process and several."""

import random
from dataclasses import dataclass

import pytest
from odd_measures import (
    ODD_SCORES,
    BadSignature,
    FailsLate,
    FailsToCompose,
    LikesReferences,
    NoKey,
    Returns,
)

from tricolore import Example, Run, Score, get_measure
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


@pytest.mark.parametrize(
    "what", ["no scores", "too few", "too many", *(what for what in ODD_SCORES if what != "zero")]
)
def test_what_is_no_score_is_a_problem_of_its_row(what):
    rows = [Example(source="s", summary="odd" if n == 3 else "x" * n or "-") for n in range(9)]
    measure = Returns(what=what)
    results = list(Run([measure, "length"], evidence=True).score(rows))
    scores = [result.scores[measure.label] for result in results]
    assert [result.example for result in results] == rows
    assert [score.value for score in scores[4:]] == [4, 5, 6, 7, 8]
    assert [n for n, score in enumerate(scores) if score.problem] == [3]
    assert scores[3].problem.startswith("returns ")
    assert not scores[3].is_final
    assert results[3].scores["length"].value == 1


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("None", "returns returned no sound score: a NoneType, not a Score"),
        ("NaN", "returns returned no sound score: neither a value nor a problem"),
        ("text", "returns returned no sound score: the value is '0.5', not a number"),
        ("infinite part", "returns returned no sound score: a part is infinite"),
        ("too few", "returns failed: ValueError: returns returned 0 scores for 1 example"),
        ("exit", "returns failed: SystemExit: 0"),
        ("unspeakable", "returns failed: Unspeakable"),
    ],
)
def test_the_problem_says_what_was_returned(what, words):
    [result] = Run([Returns(what=what)]).score([Example(summary="odd")])
    assert result.scores[Returns(what=what).label].problem == words


def test_numbers_of_other_types_are_fine():
    import numpy as np

    for number in (1, True, np.float32(1), np.int8(1), np.bool_(True), np.array(1.0)):
        score = Score(number, {"part": number}).checked()
        assert type(score.value) is float
        assert type(score.parts["part"]) is float
        assert score.value == score.parts["part"] == 1


def test_a_measure_that_cannot_be_asked_stops_the_run_with_its_name():
    with pytest.raises(Unavailable, match="bad-signature cannot be used: TypeError"):
        list(Run([BadSignature()]).score(ROWS))


@pytest.mark.parametrize("what", ["shown", "compose"])
def test_a_failure_after_the_computation_is_a_problem_of_the_row(what):
    measure = FailsLate() if what == "shown" else FailsToCompose()
    rows = [Example(summary="odd"), Example(summary="fine")]
    scores = [result.scores[measure.label] for result in Run([measure]).score(rows)]
    assert scores[0].problem == "fails-late failed: ZeroDivisionError: float division by zero"
    assert scores[1].value == 1
