"""The unit of evaluation: one summary, with its source, references and what people marked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, TypeVar


def encodable(text: str) -> str:
    """The text with the replacement character for each half of a surrogate pair.

    Such a half can be in a Python string, but in no file. What examples hold can always be written.

    >>> encodable("A cat \\ud83d sat.") == "A cat \\ufffd sat."
    True
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _text(given: str, name: str) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{name} is a text, not {type(given).__name__}")
    return encodable(given)


def _texts(given: str | Sequence[str], name: str) -> tuple[str, ...]:
    made = (given,) if isinstance(given, str) else tuple(given)
    for text in made:
        if not isinstance(text, str):
            raise TypeError(f"{name} is a text or a list of texts, not {type(text).__name__}")
    return tuple(map(encodable, made))


@dataclass(frozen=True, slots=True)
class ContentUnit:
    """A fact that a summary should have: a unit of a pyramid (SCU), or an atomic one (ACU).

    `weight` says how important it is: in a pyramid, how many references have it. `present` is what
    people say about this summary: whether it has the unit. None if nobody was asked.

    >>> ContentUnit("The bridge is closed.", weight=3, present=True).to_json()
    {'text': 'The bridge is closed.', 'weight': 3.0, 'present': True}
    """

    text: str
    weight: float = 1.0
    present: bool | None = None

    def __post_init__(self) -> None:
        keep = object.__setattr__
        keep(self, "text", _text(self.text, "the text of a content unit"))
        if not self.text.strip():
            raise ValueError("the text of a content unit is empty")
        weight = self.weight
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise TypeError(f"the weight of a content unit is {type(weight).__name__}, not number")
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"the weight of a content unit is {weight}, but must be 0 or more")
        keep(self, "weight", float(weight))
        if self.present in (0, 1):
            keep(self, "present", bool(self.present))  # labels in files are often 0 and 1
        elif self.present is not None:
            raise ValueError("whether a content unit is present must be true, false or null")

    def to_json(self) -> dict[str, Any]:
        """The unit as plain values, without those that are the default."""
        plain: dict[str, Any] = {"text": self.text}
        if self.weight != 1:
            plain["weight"] = self.weight
        if self.present is not None:
            plain["present"] = self.present
        return plain


@dataclass(frozen=True, slots=True)
class SourceHighlight:
    """A part of the source that an annotator marked as important.

    Either a snippet of the source (`text`), or the characters from `start` to `end` of a
    `document`. Highlights without an `annotator` are those of one person.
    """

    text: str = ""
    start: int = 0
    end: int = 0
    document: int = 0
    annotator: str = ""

    def __post_init__(self) -> None:
        keep = object.__setattr__
        keep(self, "text", _text(self.text, "the text of a highlight"))
        keep(self, "annotator", encodable(str(self.annotator)))
        for name in ("start", "end", "document"):
            number = getattr(self, name)
            if type(number) is not int:
                raise TypeError(f"{name} of a highlight is {type(number).__name__}, not int")
        if self.text.strip() and self.end:
            raise ValueError("a highlight is a text, or a start and an end, but not both")
        if not self.text.strip() and not 0 <= self.start < self.end:
            raise ValueError("a highlight needs a text, or a start and an end after it")
        if self.document < 0:
            raise ValueError(
                f"the document of a highlight is {self.document}, but must be 0 or more"
            )

    def to_json(self) -> dict[str, Any]:
        """The highlight as plain values, without empty ones."""
        place = {"text": self.text} if self.text else {"start": self.start, "end": self.end}
        plain: dict[str, Any] = dict(place)
        if self.document:
            plain["document"] = self.document
        if self.annotator:
            plain["annotator"] = self.annotator
        return plain


UnitLike = ContentUnit | str | Mapping[str, Any]
HighlightLike = SourceHighlight | str | Mapping[str, Any]


def _units(given: Iterable[UnitLike]) -> tuple[ContentUnit, ...]:
    if isinstance(given, str):
        raise TypeError("units is a list of content units, not str")
    return tuple(_made(ContentUnit, one, "a content unit") for one in given)


def _highlights(given: Iterable[HighlightLike]) -> tuple[SourceHighlight, ...]:
    if isinstance(given, str):
        raise TypeError("highlights is a list of snippets or spans, not str")
    return tuple(_made(SourceHighlight, one, "a highlight") for one in given)


MarkT = TypeVar("MarkT", ContentUnit, SourceHighlight)


def _made(kind: type[MarkT], given: object, name: str) -> MarkT:
    """The object itself; or one from a text, or from plain values whose other keys are ignored."""
    if isinstance(given, kind):
        return given
    if isinstance(given, str):
        return kind(given)
    if not isinstance(given, Mapping):
        raise TypeError(f"{name} is a text or an object, not {type(given).__name__}")
    known = {field.name: given[field.name] for field in fields(kind) if field.name in given}
    if kind is ContentUnit and "text" not in known:
        raise ValueError(f"{name} has no text")
    return kind(**known)


@dataclass(frozen=True, init=False, slots=True)
class Example:
    """One summary to judge.

    `source` and `references` take one text or several and are kept as tuples. Without a
    `doc_id`, rows with the same source are taken to be about the same document. `units` are facts
    that a good summary has; `highlights` are parts of the source that people marked.

    >>> Example(source="A cat sat.", summary="Cat sits.").source
    ('A cat sat.',)
    """

    source: tuple[str, ...]
    summary: str
    references: tuple[str, ...]
    doc_id: str
    system: str
    human: Mapping[str, float]
    units: tuple[ContentUnit, ...]
    highlights: tuple[SourceHighlight, ...]

    def __init__(
        self,
        *,
        summary: str,
        source: str | Sequence[str] = (),
        references: str | Sequence[str] = (),
        doc_id: str = "",
        system: str = "",
        human: Mapping[str, float] | None = None,
        units: Iterable[UnitLike] = (),
        highlights: Iterable[HighlightLike] = (),
    ) -> None:
        keep = object.__setattr__
        keep(self, "source", _texts(source, "source"))
        keep(self, "summary", _text(summary, "summary"))
        keep(self, "references", _texts(references, "references"))
        keep(self, "doc_id", _text(doc_id, "doc_id") or _digest(self.source))
        keep(self, "system", _text(system, "system"))
        scores = {encodable(str(name)): value for name, value in (human or {}).items()}
        keep(self, "human", MappingProxyType(scores))
        keep(self, "units", _units(units))
        keep(self, "highlights", _highlights(highlights))

    def to_json(self) -> dict[str, Any]:
        """The example as plain values, without empty ones; `from_json` gives an equal example.

        >>> Example(source="A cat sat.", summary="Cat sits.", doc_id="7").to_json()
        {'doc_id': '7', 'source': 'A cat sat.', 'summary': 'Cat sits.'}
        """
        plain: dict[str, Any] = {"doc_id": self.doc_id, "system": self.system}
        # A single text that begins with [ could be taken for a list when a file is read again.
        is_single = len(self.source) == 1 and not self.source[0].startswith("[")
        plain["source"] = self.source[0] if is_single else list(self.source)
        plain["summary"] = self.summary
        plain["references"] = list(self.references)
        plain["human"] = dict(self.human)
        plain["units"] = [unit.to_json() for unit in self.units]
        plain["highlights"] = [one.to_json() for one in self.highlights]
        return {key: value for key, value in plain.items() if value or key == "summary"}

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Example:
        """An example from plain values; keys that are not fields of an example are ignored."""
        names = [field.name for field in fields(Example)]
        return Example(**{name: plain[name] for name in names if name in plain})

    def __reduce__(self) -> tuple[object, ...]:
        # A mapping proxy does not pickle; the engine sends examples to other processes.
        return _rebuild, (
            self.source,
            self.summary,
            self.references,
            self.doc_id,
            self.system,
            dict(self.human),
            self.units,
            self.highlights,
        )


def _rebuild(
    source: tuple[str, ...],
    summary: str,
    references: tuple[str, ...],
    doc_id: str,
    system: str,
    human: dict[str, float],
    units: tuple[ContentUnit, ...],
    highlights: tuple[SourceHighlight, ...],
) -> Example:
    return Example(
        source=source,
        summary=summary,
        references=references,
        doc_id=doc_id,
        system=system,
        human=human,
        units=units,
        highlights=highlights,
    )


def _digest(texts: tuple[str, ...]) -> str:
    digest = blake2b(digest_size=8)
    for text in texts:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row of the input that is not an example, and why."""

    problem: str
    doc_id: str = ""
    system: str = ""

    def __post_init__(self) -> None:
        for name in ("problem", "doc_id", "system"):
            object.__setattr__(self, name, encodable(getattr(self, name)))
