"""What workers do, without a worker."""

import pickle

import pytest
from slow_measures import Gated, Mortal

from tricolore import Example
from tricolore.errors import PerturbError
from tricolore.perturb.kinds import get_perturbation
from tricolore.registry import get_measure
from tricolore.run.engine import Work
from tricolore.web.tasks import Damaging, Measuring

EXAMPLES = [Example(source="a b", summary="a"), Example(source="a b", summary="")]


def test_examples_are_scored_one_by_one_in_order():
    kind = Measuring(get_measure("coverage"), True, "key")
    assert (kind.name, kind.batch_size, kind.key) == ("coverage", 256, "key")
    sent = pickle.loads(pickle.dumps(kind.assignment(EXAMPLES)))
    good, bad = sent.done(Work(()), lambda step: None)
    assert (good.value, bad.problem) == (1.0, "the summary is empty")
    assert good.evidence


def test_a_measure_that_is_not_available_is_a_problem():
    [score] = (
        Measuring(Mortal(), False, 0)
        .assignment([Example(summary="missing")])
        .done(Work(()), lambda step: None)
    )
    assert (score.problem, score.is_final) == ("no key is set", False)


def test_what_is_lost():
    score = Measuring(Gated(), False, 0).lost("took too long")
    assert (score.problem, score.is_final) == ("gated: took too long", False)
    damage = Damaging(get_perturbation("truncation"), 1).lost("took too long")
    assert damage.problem == "truncation: took too long"


def test_summaries_are_damaged():
    kind = Damaging(get_perturbation("negation-swap"), 1)
    other = Damaging(get_perturbation("negation-swap"), 1)
    assert kind.key != other.key, "each is done alone"
    sent = pickle.loads(pickle.dumps(kind.assignment([Example(summary="It is wet.")])))
    [made] = sent.done(Work(()), lambda step: None)
    assert made.example.summary == "It is not wet."


@pytest.mark.parametrize(
    ("error", "words"),
    [(PerturbError("no tagger", "get it"), "no tagger; get it"), (KeyError("secret"), "KeyError")],
)
def test_damage_that_fails(monkeypatch, error, words):
    made = get_perturbation("negation-swap")

    def fail(*_):
        raise error

    monkeypatch.setattr(type(made), "plan_changes", fail)
    [undamaged] = (
        Damaging(made, 1).assignment([Example(summary="a b")]).done(Work(()), lambda step: None)
    )
    assert undamaged.problem.endswith(words)
    assert "secret" not in undamaged.problem
