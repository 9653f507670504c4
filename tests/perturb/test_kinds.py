"""Kinds of damage by their names."""

import pytest

from tests.perturb.ferry_texts import EXAMPLE
from tricolore.errors import PerturbError, SpecError
from tricolore.perturb.kinds import get_perturbation, get_perturbations
from tricolore.perturb.subtle_errors import SubtleErrors
from tricolore.settings import Policy


def test_kinds_and_settings_that_there_are_not():
    with pytest.raises(PerturbError, match="did you mean 'truncation'"):
        get_perturbation("truncate")
    with pytest.raises(SpecError, match="truncation has no setting 'pos'"):
        get_perturbation("truncation:pos=NN")
    with pytest.raises(SpecError, match="together=x was given, but together must be a whole"):
        get_perturbation("subtle-errors:together=x")
    with pytest.raises(PerturbError, match="separate kinds of damage by commas"):
        get_perturbation("truncation+negation-swap")
    with pytest.raises(PerturbError, match="no kind of damage is named"):
        get_perturbations(" , ")
    with pytest.raises(PerturbError, match="at least one error"):
        get_perturbation("negation-swap").damage([EXAMPLE], 0)


def test_a_kind_is_a_spec():
    made = get_perturbation("Subtle_Errors: pos=noun+VBD, only=entities", seed=3, copy=1)
    assert made == SubtleErrors(pos="noun+VBD", only="entities", seed=3, copy=1)
    assert made.label == "subtle-errors:pos=noun+VBD,only=entities"
    assert get_perturbation(made.label, seed=3, copy=1) == made
    several = get_perturbations("negation-swap,truncation,negation-swap", seed=2, copies=2)
    assert [(one.label, one.seed, one.copy) for one in several] == [
        ("negation-swap", 2, 0),
        ("negation-swap", 2, 1),
        ("truncation", 2, 0),
        ("truncation", 2, 1),
    ]


def test_a_policy_is_asked_of_damage_too():
    policy = Policy(files=False, models=frozenset({"embedded"}))
    assert get_perturbation("subtle-errors", policy=policy) == SubtleErrors()
    with pytest.raises(SpecError, match="subtle-errors: model=bert is not allowed here"):
        get_perturbation("subtle-errors:model=bert", policy=policy)
