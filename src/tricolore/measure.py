"""The interface of measures: settings, a signature, and a method that gives scores."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from typing import Any, ClassVar, Literal, Self, cast, get_args, get_type_hints

from tricolore.example import Example
from tricolore.returned import checked_score, checked_scores
from tricolore.score import Score, SpanItem
from tricolore.settings import Settings, shortest_spec
from tricolore.spec import Spec
from tricolore.text.language import has_spaces, looks_english

Need = Literal["source", "references", "corpus", "units", "highlights"]
Direction = Literal["higher", "lower", "neither"]
Language = Literal["any", "spaced", "english"]
"""Texts that a measure was made for: `spaced` ones have spaces between words."""
Correlate = Literal["", "copying", "length"]
"""What a value follows more than it follows quality."""


@dataclass(frozen=True, kw_only=True)
class Measure(Settings, ABC):
    """One way to judge a summary.

    A measure is a frozen dataclass: its fields are its settings, so that repr, equality,
    signature and cache key follow from them. It says what it is by the properties below, most of
    which are plain class attributes in most measures (`direction = "lower"`), and implements
    `compute`. Its constructor only stores settings and checks that they fit each other.
    """

    cost: ClassVar[str] = ""
    """About how long a summary takes, as text."""
    page: ClassVar[str] = ""
    """Its page in Markdown, which `tricolore explain` shows; the docstring if empty."""
    extra: ClassVar[str] = ""
    """The extra of the package that installs what the measure imports."""
    revision: ClassVar[int] = 1
    """Increase this when the same settings give another value, so that no old value is reused."""
    is_remote: ClassVar[bool] = False
    """Whether it sends texts to a service, which may charge for it."""
    has_values: ClassVar[bool] = True
    """Whether scores of `compute` have a value; if not, `shown` chooses one of their parts."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in specs."""

    @property
    @abstractmethod
    def needs(self) -> frozenset[Need]:
        """What an example or a run must have for a value."""

    @property
    def reads(self) -> frozenset[Need]:
        """The texts, besides the summary, that a value depends on: the cache key covers them.

        More than `needs` where a measure uses references if there are any.
        """
        return self.needs - {"corpus"}

    @property
    def direction(self) -> Direction:
        """Whether higher or lower is better."""
        return "higher"

    @property
    def meaning(self) -> str:
        """What a value says, in a few words without a full stop, for readers of a table.

        The first line of the docstring unless the measure has its own.
        """
        return (type(self).__doc__ or "").strip().partition("\n")[0].rstrip(".")

    @property
    def follows(self) -> Correlate:
        """What the value follows more than it follows quality.

        By its definition, or by its correlations on SummEval (`tricolore study spurious`): above
        0.5 with copying or length, and above those with all human scores.
        """
        return ""

    @property
    def finds(self) -> tuple[SpanItem, ...]:
        """The items that its evidence has as faults: `check` takes measures that find some."""
        return ()

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest possible value."""
        return (0.0, 1.0)

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the parts that every score has."""
        return ()

    @property
    def part_directions(self) -> Mapping[str, Direction]:
        """Whether higher or lower is better in each part; `neither` for parts that are left out."""
        return {}

    @property
    def language(self) -> Language:
        """The texts that it was made for; scores of others get the flag `language`."""
        return "any"

    @property
    def batch_size(self) -> int:
        """Examples that are scored and written to the cache together.

        A run that is killed loses at most one batch of each measure.
        """
        return 256

    def prepare(self) -> None:
        """Open the files that settings name, and raise an error if one does not fit.

        A run calls this once before it asks for a signature. Models are loaded later, when the
        first score is computed: a run whose scores are all in the cache loads none.
        """

    def score(self, examples: Sequence[Example], *, evidence: bool = False) -> list[Score]:
        """One score per example, in order; a score without a value has a problem."""
        computed = self.computed(evidence=evidence)
        return [self.shown(score) for score in computed.compute_all(examples, evidence=evidence)]

    def compute_all(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        """The scores from `compute` for complete examples, and a problem for each of the others."""
        problems = [self.problem_of(example) for example in examples]
        sound = [e for e, problem in zip(examples, problems, strict=True) if problem is None]
        returned = self.compute(sound, evidence=evidence) if sound else []
        scores = checked_scores(self.name, sound, returned, has_values=self.has_values)
        rest = iter(self._flagged(sound, scores))
        return [next(rest) if problem is None else Score.missing(problem) for problem in problems]

    def _flagged(self, examples: Sequence[Example], scores: Sequence[Score]) -> Iterable[Score]:
        """The scores, with the flag `language` for texts that the measure was not made for."""
        if self.language == "any":
            return scores
        fits = looks_english if self.language == "english" else has_spaces
        reads_source = "source" in self.reads
        flagged = list(scores)
        for at, example in enumerate(examples):
            texts = example.source if reads_source else (example.summary,)
            if flagged[at].problem is None and not all(map(fits, texts)):
                flagged[at] = replace(flagged[at], flags=(*flagged[at].flags, "language"))
        return flagged

    @abstractmethod
    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        """Score examples that have everything that the measure needs, one score each, in order."""

    def computed(self, *, evidence: bool) -> Measure:
        """The measure that does the work: its scores have everything that `shown` needs.

        Most measures do their own work. Settings that only choose which part is shown are the
        same here for all choices, so that scores are computed and cached once.
        """
        return self

    def shown(self, score: Score) -> Score:
        """This measure's score, from one of `computed`."""
        return score

    def problem_of(self, example: Example) -> str | None:
        """What an example lacks that the measure needs."""
        needs = self.needs
        if _is_blank((example.summary,)):
            return "the summary is empty"
        if "source" in needs and _is_blank(example.source):
            return "the source is empty"
        if "references" in needs and _is_blank(example.references):
            return "there is no reference"
        if "units" in needs and not example.units:
            return "there are no content units"
        if "highlights" in needs and not example.highlights:
            return "there are no highlights of the source"
        return None

    def fit(self, sources: Iterable[str]) -> Self:
        """This measure, fitted to the sources of a run. Only some measures need it.

        `sources` may be read several times, and may have the same text more than once.
        """
        return self

    @property
    def is_pooled(self) -> bool:
        """Whether `pooled` has its own definition instead of the mean."""
        return False

    def pooled(self, sums: Mapping[str, Any]) -> Any:
        """The value of many summaries together, from the sums of their `parts` and of `value`.

        `sums` also has `count`; each entry is a number or an array of them (one per resample).
        The mean unless the measure has its own corpus-level definition.
        """
        return sums["value"] / sums["count"]

    def signature(self) -> dict[str, Any]:
        """Everything that makes a value reproducible."""
        return {
            "measure": self.name,
            "tricolore": version("tricolore"),
            "revision": self.revision,
            **self.settings,
        }

    @cached_property
    def spec(self) -> Spec:
        """The shortest spec that makes this measure again."""
        return shortest_spec(self.name, self.settings, self.defaults(), self.presets)

    @cached_property
    def label(self) -> str:
        """The spec as text: the measure's name in tables and files."""
        return str(self.spec)


@dataclass(frozen=True, kw_only=True)
class ValueChoice(Measure, ABC):
    """A measure whose setting `value` says which of its parts is the value.

    `compute` gives `Score.of_parts`, whatever the choice: all choices share one computation.
    """

    has_values: ClassVar[bool] = False

    def computed(self, *, evidence: bool) -> Measure:
        return cast(Measure, replace(self, value=self.defaults()["value"]))  # type: ignore[call-arg]

    def shown(self, score: Score) -> Score:
        if score.problem is not None:
            return score
        value = score.parts.get(self.value, math.nan)  # type: ignore[attr-defined]
        if math.isnan(value):
            return Score.missing(self.undefined(score))
        # Called for every row: `replace` would take twice as long.
        return Score(value, score.parts, score.evidence, None, score.is_final, score.flags)

    @property
    def part_directions(self) -> Mapping[str, Direction]:
        """A part that can be the value has the direction of that value."""
        choices = get_args(get_type_hints(type(self))["value"])
        return {part: replace(self, value=part).direction for part in choices}  # type: ignore[call-arg]

    def undefined(self, score: Score) -> str:
        """Why the chosen part has no value, though others may have."""
        return f"{self.settings['value']} is not defined for this summary"


@dataclass(frozen=True, kw_only=True)
class Composed(Measure, ABC):
    """A measure whose score follows from those of other measures.

    A run scores the others, each once for all that need it, and then composes.
    """

    @property
    @abstractmethod
    def terms(self) -> tuple[Measure, ...]:
        """The other measures."""

    @abstractmethod
    def compose(self, scores: Sequence[Score]) -> Score:
        """The score of an example from those of the terms, in their order."""

    def prepare(self) -> None:
        for term in self.terms:
            term.prepare()

    def from_term_scores(self, example: Example, scores: Mapping[str, Score]) -> Score:
        """The score of an example from the scores, by label, of measures that are not composed."""
        problem = self.problem_of(example)
        if problem is not None:
            return Score.missing(problem)
        found = [_score_of(term, example, scores) for term in self.terms]
        return self._composed(example, found)

    def _composed(self, example: Example, scores: Sequence[Score]) -> Score:
        """The score with the flags of the terms."""
        score = checked_score(self.name, example, self.compose(scores))
        flags = dict.fromkeys(flag for one in (score, *scores) for flag in one.flags)
        return replace(score, flags=tuple(flags)) if flags and not score.problem else score

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        columns = [term.score(examples, evidence=evidence) for term in self.terms]
        rows = zip(examples, zip(*columns, strict=True), strict=True)
        return [self._composed(example, scores) for example, scores in rows]


def _score_of(term: Measure, example: Example, scores: Mapping[str, Score]) -> Score:
    if isinstance(term, Composed):
        return term.from_term_scores(example, scores)
    return scores[term.label]


def flatten(measures: Iterable[Measure]) -> list[Measure]:
    """These measures, with composed ones replaced by their terms, each once."""
    singles: dict[str, Measure] = {}
    for measure in measures:
        terms = flatten(measure.terms) if isinstance(measure, Composed) else [measure]
        for single in terms:
            singles.setdefault(single.label, single)
    return list(singles.values())


def _is_blank(texts: tuple[str, ...]) -> bool:
    # Called for every example and measure: a plain loop is fastest.
    for text in texts:  # noqa: SIM110
        if text and not text.isspace():
            return False
    return True
