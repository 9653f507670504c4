"""The result of a measure for an example."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Where = Literal["summary", "source", "reference"]
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


@dataclass(frozen=True, slots=True)
class Span:
    """A span of text that a score is based on.

    `start` and `end` count characters of the text named by `where`; `document` says which of
    several sources or references. `match` is the span of the other text that it was matched with.
    """

    where: Where
    start: int
    end: int
    weight: float = 1.0
    label: str = ""
    document: int = 0
    match: Span | None = None
    kind: SpanKind = ""

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
        """The inverse of `to_json`."""
        value = plain["value"]
        return Score(
            value=math.nan if value is None else value,
            parts={
                name: math.nan if part is None else part
                for name, part in plain.get("parts", {}).items()
            },
            evidence=tuple(Span.from_json(span) for span in plain.get("evidence", ())),
            problem=plain.get("problem"),
            is_final=plain.get("is_final", True),
            flags=tuple(plain.get("flags", ())),
        )
