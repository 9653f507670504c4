"""The result of a measure for an example."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

Where = Literal["summary", "source", "reference", "unit"]
"""The text that a span is in; `unit` is a content unit, and its number is the document."""
SpanKind = Literal[
    "",
    "fault",
    "match",
    "similar",
    "missing",
    "extra",
    "novel",
    "copied",
    "repeated",
    "helped",
    "hurt",
    "unchanged",
]
"""The kind of a span, for programs that choose how to show it; `label` is text for readers.

- `fault`: words that look wrong.
- `match`: words that the other text has too, or a synonym of.
- `similar`: any word, with the most similar one of the other text; the weight is the similarity.
- `missing`: words of the source that the summary lacks or has less of; `extra`: words that the
  summary has more of than the source; `novel`: words that the source does not have at all.
- `copied`: taken verbatim. `repeated`: said before in the same summary.
- `helped`, `hurt`, `unchanged`: words of the source that are easier, harder or no easier to guess
  with the summary; of the summary, a sentence that makes them so.
"""
SpanItem = Literal["", "number", "contradicted number", "name", "word", "sentence"]
"""What a span is, where a measure knows it: programs can then count and filter.

A `contradicted number` is one for which the source has another value. The weight of a `sentence`
is how well the span that it is matched with supports it.
"""
_PLACES, _KINDS, _ITEMS = get_args(Where), get_args(SpanKind), get_args(SpanItem)
_PLAIN = int, int, float, int


@dataclass(frozen=True, slots=True)
class Span:
    """A span of text that a score is based on.

    `start` and `end` count characters of the text named by `where`; `document` says which of
    several sources, references or content units. `match` is the span of the other text that it was
    matched with.
    """

    where: Where
    start: int
    end: int
    weight: float = 1.0
    label: str = ""
    document: int = 0
    match: Span | None = None
    kind: SpanKind = ""
    item: SpanItem = ""

    def to_json(self) -> dict[str, Any]:
        """The object as plain values, without empty ones."""
        plain: dict[str, Any] = {
            "where": self.where,
            "start": self.start,
            "end": self.end,
            "weight": self.weight,
        }
        if self.kind:
            plain["kind"] = self.kind
        if self.item:
            plain["item"] = self.item
        if self.label:
            plain["label"] = self.label
        if self.document:
            plain["document"] = self.document
        if self.match is not None:
            plain["match"] = self.match.to_json()
        return plain

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Span:
        """The inverse of `to_json`."""
        match = plain.get("match")
        return Span(**{**plain, "match": Span.from_json(match) if match else None})

    def checked(self) -> Span:
        """This span with plain numbers; a ValueError says what is wrong with it."""
        if self.where not in _PLACES:
            raise ValueError(f"a span is in {_shown(self.where)}, which is no text of an example")
        if self.kind not in _KINDS:
            raise ValueError(f"a span has the kind {_shown(self.kind)}, which does not exist")
        if self.item not in _ITEMS:
            raise ValueError(f"a span is of the item {_shown(self.item)}, which does not exist")
        if not (self.match is None or isinstance(self.match, Span)):
            raise ValueError(f"the match of a span is {_shown(self.match)}, not a Span")
        match = None if self.match is None else self.match.checked()
        types = type(self.start), type(self.end), type(self.weight), type(self.document)
        if types == _PLAIN and type(self.label) is str and math.isfinite(self.weight):
            return self if match is self.match else replace(self, match=match)
        return Span(
            self.where,
            _whole(self.start, "the start of a span"),
            _whole(self.end, "the end of a span"),
            _finite(self.weight, "the weight of a span"),
            _text(self.label, "the label of a span"),
            _whole(self.document, "the document of a span"),
            match,
            self.kind,
            self.item,
        )


@dataclass(frozen=True, slots=True)
class Score:
    """A value, its parts, the evidence for it; or NaN and the problem, in plain words.

    A score that is not `final` may succeed another time, when the cause of its problem is gone (no
    memory, no answer in time): it is never kept in a cache. `flags` are warnings about a value that
    is there, such as `truncated`: the measure did not read the whole source.
    """

    value: float
    parts: Mapping[str, float] = field(default_factory=dict)
    evidence: tuple[Span, ...] = ()
    problem: str | None = None
    is_final: bool = True
    flags: tuple[str, ...] = ()

    @staticmethod
    def missing(problem: str, *, is_final: bool = True) -> Score:
        """A score without a value.

        >>> Score.missing("the summary is empty").value
        nan
        """
        return Score(math.nan, problem=problem, is_final=is_final)

    @staticmethod
    def of_parts(parts: Mapping[str, float], evidence: Iterable[Span] = ()) -> Score:
        """Parts, one of which is the value; a setting of the measure chooses it."""
        return Score(math.nan, parts, tuple(evidence))

    def __float__(self) -> float:
        """The value.

        >>> float(Score(0.5))
        0.5
        """
        return self.value

    def to_json(self) -> dict[str, Any]:
        """The object as plain values, without empty ones."""
        plain: dict[str, Any] = {"value": None if math.isnan(self.value) else self.value}
        if self.parts:
            plain["parts"] = {
                name: None if math.isnan(part) else part for name, part in self.parts.items()
            }
        if self.evidence:
            plain["evidence"] = [span.to_json() for span in self.evidence]
        if self.problem is not None:
            plain["problem"] = self.problem
        if not self.is_final:
            plain["is_final"] = False
        if self.flags:
            plain["flags"] = list(self.flags)
        return plain

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Score:
        """The inverse of `to_json`; a ValueError says what is wrong with other values."""
        try:
            value = plain["value"]
            score = Score(
                value=math.nan if value is None else _finite(value, "the value"),
                parts={
                    name: math.nan if part is None else _finite(part, "a part")
                    for name, part in plain.get("parts", {}).items()
                },
                evidence=tuple(Span.from_json(span) for span in plain.get("evidence", ())),
                problem=plain.get("problem"),
                is_final=plain.get("is_final", True),
                flags=tuple(plain.get("flags", ())),
            ).checked()
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"this is not a score: {_shown(plain)}") from error
        if math.isnan(score.value) and not score.parts and score.problem is None:
            raise ValueError("a score without a value, parts or a problem")
        return score

    def checked(self) -> Score:
        """This score with plain numbers; a ValueError says what is wrong with it.

        Values and parts may be NaN, which means that they are not defined, but not infinite.

        >>> Score(1).checked().value
        1.0
        >>> Score("good").checked()
        Traceback (most recent call last):
        ...
        ValueError: the value is 'good', not a number
        """
        if self._is_plain():
            return self
        if not isinstance(self.parts, Mapping):
            raise ValueError(f"the parts are {_shown(self.parts)}, not a dict")
        if not isinstance(self.evidence, tuple | list):
            raise ValueError(f"the evidence is {_shown(self.evidence)}, not a tuple of spans")
        for span in self.evidence:
            if not isinstance(span, Span):
                raise ValueError(f"the evidence has {_shown(span)}, not a Span")
        if not isinstance(self.flags, tuple | list):
            raise ValueError(f"the flags are {_shown(self.flags)}, not a tuple of texts")
        has_problem = self.problem not in (None, "")
        return Score(
            _number(math.nan if has_problem else self.value, "the value"),
            {
                _text(name, "the name of a part"): _number(part, "a part")
                for name, part in self.parts.items()
            },
            tuple([span.checked() for span in self.evidence]),
            _text(self.problem, "the problem") if has_problem else None,
            bool(self.is_final),
            tuple([_text(flag, "a flag") for flag in self.flags]),
        )

    def _is_plain(self) -> bool:
        """Whether there is nothing but sound numbers, as in most scores: this is quick to see."""
        if self.problem is not None or self.evidence or self.flags or type(self) is not Score:
            return False
        if type(self.value) is not float or math.isinf(self.value) or type(self.parts) is not dict:
            return False
        for name, part in self.parts.items():
            if type(name) is not str or type(part) is not float or math.isinf(part):
                return False
        return type(self.evidence) is tuple is type(self.flags) and self.is_final is True


def _number(given: Any, what: str) -> float:
    """A finite number or NaN as a plain float."""
    number = given if type(given) is float else _as_float(given, what)
    if math.isinf(number):
        raise ValueError(f"{what} is infinite")
    return number


def _as_float(given: Any, what: str) -> float:
    """A number of another type: numbers of numpy are fine, True counts as 1, and text is none."""
    try:
        if hasattr(type(given), "__float__"):
            return float(given)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{what} is {_shown(given)}, not a number")


def _finite(given: Any, what: str) -> float:
    number = _number(given, what)
    if math.isnan(number):
        raise ValueError(f"{what} is NaN")
    return number


def _whole(given: Any, what: str) -> int:
    if type(given) is int:
        return given
    try:
        return operator.index(given)
    except TypeError as error:
        raise ValueError(f"{what} is {_shown(given)}, not a whole number") from error


def _text(given: Any, what: str) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{what} is {_shown(given)}, not a text")
    return given


def _shown(given: Any) -> str:
    """What was given, for a message: short, whatever it is."""
    try:
        words = repr(given)
    except Exception:
        words = ""
    return words if 0 < len(words) <= 60 else f"a {type(given).__name__}"
