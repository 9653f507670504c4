"""The kinds of damage by the name that users type."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from tricolore.errors import PerturbError, did_you_mean
from tricolore.perturb.perturbation import Perturbation
from tricolore.settings import OPEN_POLICY, Policy, read_settings
from tricolore.spec import NoNames, Spec, parse_specs, shown

_HOMES = {
    "subtle-errors": "subtle_errors:SubtleErrors",
    "entity-swap": "swaps:EntitySwap",
    "number-swap": "swaps:NumberSwap",
    "negation-swap": "swaps:NegationSwap",
    "sentence-shuffle": "shuffles:SentenceShuffle",
    "truncation": "shuffles:Truncation",
    "random-words": "random_summaries:RandomWords",
    "random-sentences": "random_summaries:RandomSentences",
    "spoiled-sentences": "spoiled:SpoiledSentences",
}
KINDS = tuple(_HOMES)


def find_perturbation(name: str) -> type[Perturbation]:
    """The class of a kind of damage, or an error that suggests the nearest name."""
    if name not in _HOMES:
        hint = did_you_mean(name, KINDS, f"there are {', '.join(KINDS)}")
        raise PerturbError(f"there is no kind of damage {shown(name)}{hint}")
    module, _, cls = _HOMES[name].partition(":")
    return cast(type[Perturbation], getattr(import_module(f"tricolore.perturb.{module}"), cls))


def get_perturbation(
    spec: str | Spec, *, seed: int = 0, copy: int = 0, policy: Policy = OPEN_POLICY
) -> Perturbation:
    """The kind of damage that a spec names, with its settings.

    >>> get_perturbation("subtle-errors:pos=noun+verb,only=entities", seed=1).label
    'subtle-errors:pos=noun+verb,only=entities'
    """
    parsed = Spec.parse(spec, NoNames()) if isinstance(spec, str) else spec
    if parsed.terms:
        raise PerturbError(f"'{spec}' is a sum; separate kinds of damage by commas")
    cls = find_perturbation(parsed.name)
    settings = read_settings(parsed.name, cls, parsed.settings, policy=policy)
    return cls(**{"seed": seed, "copy": copy, **settings})


def get_perturbations(
    specs: str, *, seed: int = 0, copies: int = 1, policy: Policy = OPEN_POLICY
) -> list[Perturbation]:
    """The kinds of damage that a list of specs names, each in `copies` versions.

    >>> [made.label for made in get_perturbations("truncation,negation-swap", copies=2)]
    ['truncation', 'truncation', 'negation-swap', 'negation-swap']
    """
    parsed = parse_specs(specs, NoNames())
    if not parsed:
        raise PerturbError("no kind of damage is named", f"there are {', '.join(KINDS)}")
    made = [
        get_perturbation(spec, seed=seed, copy=copy, policy=policy)
        for spec in parsed
        for copy in range(copies)
    ]
    return list({(one.label, one.seed, one.copy): one for one in made}.values())
