"""Several processes: the same scores, and what happens when one dies."""

import pytest
from odd_measures import Deadly

from tricolore import Example, Run
from tricolore.errors import TricoloreError
from tricolore.run.processes import PluginsApart, Processes, local_engine

ENDS = {
    "kill": "was killed by SIGKILL",
    "abort": "was killed by SIGABRT",
    "segv": "was killed by SIGSEGV",
    "exit": "ended with exit code 0",
    "interrupt": "ended with exit code 130",
}


@pytest.mark.parametrize("how", ENDS)
def test_a_row_that_ends_its_process_gets_a_problem_and_the_others_a_score(how, tmp_path):
    measure = Deadly(how=how, noted=str(tmp_path / "processes"))
    rows = [Example(summary="die" if n in (5, 6, 90) else "x" * n or "-") for n in range(300)]
    results = list(Run([measure, "length"], engine=Processes(2)).score(rows))
    problems = {n: r.scores[measure.label].problem for n, r in enumerate(results)}
    problem = f"deadly: the process that scored this row {ENDS[how]}"
    assert {n: words for n, words in problems.items() if words} == dict.fromkeys(
        (5, 6, 90), problem
    )
    assert not results[5].scores[measure.label].is_final
    assert results[5].scores["length"].value == 1, "the other measure of the row is scored"
    values = [r.scores[measure.label].value for r in results]
    assert values[7:90] + values[91:] == [*range(7, 90), *range(91, 300)]
    # Two at first; one more for each loss: the batch twice, then each of the rows.
    assert len(set((tmp_path / "processes").read_text().split())) <= 2 + 2 + 3


def test_a_row_that_takes_too_long_gets_a_problem_and_the_others_a_score():
    measure = Deadly(how="hang")
    rows = [Example(summary="die" if n == 2 else "x" * n or "-") for n in range(4)]
    results = list(Run([measure], engine=local_engine(1, timeout=1.5)).score(rows))
    scores = [result.scores[measure.label] for result in results]
    assert [score.problem for score in scores] == [
        None,
        None,
        "deadly: took longer than 1.5 s",
        None,
    ]
    assert not scores[2].is_final
    assert [scores[n].value for n in (0, 1, 3)] == [1, 1, 3]


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_a_timeout_is_a_number_of_seconds(timeout):
    with pytest.raises(TricoloreError, match="a number of seconds above 0") as caught:
        local_engine(1, timeout)
    assert caught.value.argument == "timeout"


def test_plugins_run_in_another_process_and_our_measures_here():
    rows = [Example(source="a", summary="die")]
    [result] = Run([Deadly(how="exit")], engine=PluginsApart()).score(rows)
    assert "ended with exit code 0" in result.scores["deadly:how=exit"].problem
    [result] = Run(["coverage"], engine=PluginsApart()).score(rows)
    assert result.scores["coverage"].value == 0


LEXICAL = ["rouge", "coverage", "density", "novelty", "jensen-shannon", "chrf", "importance"]


def test_several_processes_give_the_same_in_the_same_order(summeval_examples, monkeypatch):
    monkeypatch.setattr("tricolore.run.run.BATCH", 16)
    some = summeval_examples[:60]
    alone, shared = Run(LEXICAL), Run(LEXICAL, engine=Processes(2))
    for run in (alone, shared):
        run.fit([row.source[0] for row in some])
    assert list(alone.score(some)) == list(shared.score(some))
