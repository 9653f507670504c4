"""The kinds of damage by the name that people type."""

from __future__ import annotations

import dataclasses
import difflib
from importlib import import_module

from tricolore.errors import PerturbError
from tricolore.perturb.perturbation import Perturbation

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


def plain_name(kind: str) -> str:
    """A kind as we write it, however it was typed."""
    return kind.strip().lower().replace("_", "-")


def get_perturbation(
    kind: str, *, seed: int = 0, copy: int = 0, **settings: object
) -> Perturbation:
    """A kind of damage with its settings.

    >>> get_perturbation("truncation", seed=1)
    Truncation(seed=1, copy=0)
    """
    name = plain_name(kind)
    if name not in _HOMES:
        near = difflib.get_close_matches(name, KINDS, n=1, cutoff=0.5)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(KINDS)}"
        raise PerturbError(f"there is no kind of damage '{kind}'; {hint}")
    module, _, cls = _HOMES[name].partition(":")
    made: type[Perturbation] = getattr(import_module(f"tricolore.perturb.{module}"), cls)
    known = {field.name for field in dataclasses.fields(made)}
    for setting in settings:
        if setting not in known:
            raise PerturbError(f"{name} has no setting '{setting}'")
    return made(seed=seed, copy=copy, **settings)
