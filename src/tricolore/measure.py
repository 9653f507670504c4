"""What every measure has: settings, a signature, and one way to be asked for scores."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any, ClassVar, Literal, Self, cast

from tricolore.example import Example
from tricolore.score import Score

Need = Literal["source", "references", "corpus", "training"]
Direction = Literal["higher", "lower", "neither"]
Setting = str | int | float | bool


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """One way to judge a summary.

    A measure is a frozen dataclass: its fields are its settings, so that repr, equality,
    signature and cache key follow from them. It says what it is in class variables and
    implements `_score`. Fields whose name begins with an underscore are not settings.
    """

    direction: ClassVar[Direction] = "higher"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    cost: ClassVar[str] = ""
    extra: ClassVar[str] = ""
    part_names: ClassVar[tuple[str, ...]] = ()
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {}
    """Named groups of settings. The defaults of the fields are the first preset."""
    piece: ClassVar[int] = 256
    """How many examples are scored, and kept, at a time: what a killed run may lose."""
    revision: ClassVar[int] = 1
    """Raised when the same settings give another value, so that no old value is reused."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The word that people type; a plain class attribute in most measures."""

    @property
    @abstractmethod
    def needs(self) -> frozenset[Need]:
        """What an example or a run must have; a plain class attribute in most measures."""

    def score(self, examples: Sequence[Example], *, evidence: bool = False) -> list[Score]:
        """One score an example, in order; a problem instead of a value where there is none."""
        problems = [self._problem(example) for example in examples]
        sound = [e for e, problem in zip(examples, problems, strict=True) if problem is None]
        scores = list(self._score(sound, evidence=evidence)) if sound else []
        if len(scores) != len(sound):
            raise ValueError(f"{self.name} gave {len(scores)} scores for {len(sound)} examples")
        given = iter(scores)
        return [next(given) if problem is None else Score.none(problem) for problem in problems]

    @abstractmethod
    def _score(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        """Score examples that have all that the measure needs."""

    def _problem(self, example: Example) -> str | None:
        needs = self.needs
        if _blank((example.summary,)):
            return "the summary is empty"
        if "source" in needs and _blank(example.source):
            return "the source is empty"
        if "references" in needs and _blank(example.references):
            return "there is no reference"
        return None

    def fit(self, sources: Iterable[str]) -> Self:
        """This measure, made ready for a run over these sources. Only some need it.

        `sources` may be gone through several times, and may hold the same text more than once.
        """
        return self

    def pooled(self, sums: Mapping[str, Any]) -> Any:
        """The value of many summaries together, from the sums of their `parts` and of `value`.

        `sums` also has `count`; each entry is a number or an array of them (one a resample).
        The mean unless the measure has a corpus-level definition of its own.
        """
        return sums["value"] / sums["count"]

    @property
    def settings(self) -> dict[str, Setting]:
        """The settings by name."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if not field.name.startswith("_")
        }

    def signature(self) -> dict[str, Any]:
        """All that makes a value reproducible."""
        return {
            "measure": self.name,
            "tricolore": version("tricolore"),
            "revision": self.revision,
            **self.settings,
        }

    @cached_property
    def label(self) -> str:
        """The shortest spec that makes this measure again: its name in tables and files."""
        return _spec(self.name, self.settings, self._defaults(), self.presets)

    def _defaults(self) -> dict[str, Setting]:
        return {
            field.name: cast(Setting, field.default)
            for field in dataclasses.fields(self)
            if not field.name.startswith("_")
        }


@dataclass(frozen=True, kw_only=True)
class Composed(Measure, ABC):
    """A measure whose score follows from those of other measures.

    A run scores and keeps the others, each once for all that ask for it, and then composes.
    """

    @property
    @abstractmethod
    def terms(self) -> tuple[Measure, ...]:
        """The other measures."""

    @abstractmethod
    def compose(self, scores: Sequence[Score]) -> Score:
        """The score of an example from those of the terms, in their order."""

    def of_terms(self, example: Example, scores: Mapping[str, Score]) -> Score:
        """The score of an example from the scores, by label, of measures that are not composed."""
        problem = self._problem(example)
        if problem is not None:
            return Score.none(problem)
        return self.compose(
            [
                term.of_terms(example, scores) if isinstance(term, Composed) else scores[term.label]
                for term in self.terms
            ]
        )

    def _score(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        columns = [term.score(examples, evidence=evidence) for term in self.terms]
        return [self.compose(row) for row in zip(*columns, strict=True)]


def single_measures(measures: Iterable[Measure]) -> list[Measure]:
    """These measures, and in place of composed ones those that they are composed of, each once."""
    found: dict[str, Measure] = {}
    for measure in measures:
        singles = single_measures(measure.terms) if isinstance(measure, Composed) else [measure]
        for single in singles:
            found.setdefault(single.label, single)
    return list(found.values())


def _blank(texts: tuple[str, ...]) -> bool:
    # Asked of every example by every measure: a plain loop is quickest.
    for text in texts:  # noqa: SIM110
        if text and not text.isspace():
            return False
    return True


def write_setting(value: Setting) -> str:
    """A setting as it is written in a spec.

    >>> write_setting(True)
    'true'
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def _spec(
    name: str,
    settings: Mapping[str, Setting],
    defaults: Mapping[str, Setting],
    presets: Mapping[str, Mapping[str, Setting]],
) -> str:
    candidates = []
    for preset, changed in {"": {}, **presets}.items():
        base = {**defaults, **changed}
        words = [f"preset={preset}"] if preset else []
        words += [f"{k}={write_setting(v)}" for k, v in settings.items() if v != base[k]]
        candidates.append(words)
    shortest = min(candidates, key=len)
    return f"{name}:{','.join(shortest)}" if shortest else name
