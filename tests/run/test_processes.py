"""Several processes: the same scores, and what happens when one dies."""

import pytest
from odd_measures import Deadly

from tricolore import Example, Run
from tricolore.run.processes import Processes


@pytest.mark.parametrize("how", ["kill", "abort"])
def test_a_row_that_kills_its_process_gets_a_problem_and_the_others_a_score(how):
    rows = [Example(summary="die" if n == 5 else "x" * n or "-") for n in range(12)]
    run = Run([Deadly(how=how), "length"], engine=Processes(2))
    results = list(run.score(rows))
    label = Deadly(how=how).label
    problems = [result.scores[label].problem for result in results]
    assert [n for n, problem in enumerate(problems) if problem] == [5]
    assert "killed or crashed" in problems[5]
    assert not results[5].scores[label].is_final
    assert results[5].scores["length"].value == 1, "the other measure of the row is scored"
    assert [r.scores[label].value for r in results[6:]] == list(range(6, 12))


LEXICAL = ["rouge", "coverage", "density", "novelty", "jensen-shannon", "chrf", "importance"]


def test_several_processes_give_the_same_in_the_same_order(summeval_examples, monkeypatch):
    monkeypatch.setattr("tricolore.run.run.BATCH", 16)
    some = summeval_examples[:60]
    alone, shared = Run(LEXICAL), Run(LEXICAL, engine=Processes(2))
    for run in (alone, shared):
        run.fit([row.source[0] for row in some])
    assert list(alone.score(some)) == list(shared.score(some))
