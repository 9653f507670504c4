"""The unit of evaluation: one summary, with its source and references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from typing import Any


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


@dataclass(frozen=True, init=False, slots=True)
class Example:
    """One summary to judge.

    `source` and `references` take one text or several and are kept as tuples. Without a
    `doc_id`, rows with the same source are taken to be about the same document.

    >>> Example(source="A cat sat.", summary="Cat sits.").source
    ('A cat sat.',)
    """

    source: tuple[str, ...]
    summary: str
    references: tuple[str, ...]
    doc_id: str
    system: str
    human: Mapping[str, float]

    def __init__(
        self,
        *,
        summary: str,
        source: str | Sequence[str] = (),
        references: str | Sequence[str] = (),
        doc_id: str = "",
        system: str = "",
        human: Mapping[str, float] | None = None,
    ) -> None:
        keep = object.__setattr__
        keep(self, "source", _texts(source, "source"))
        keep(self, "summary", _text(summary, "summary"))
        keep(self, "references", _texts(references, "references"))
        keep(self, "doc_id", _text(doc_id, "doc_id") or _digest(self.source))
        keep(self, "system", _text(system, "system"))
        scores = {encodable(str(name)): value for name, value in (human or {}).items()}
        keep(self, "human", MappingProxyType(scores))

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
        return {key: value for key, value in plain.items() if value or key == "summary"}

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Example:
        """An example from plain values; keys that are not fields of an example are ignored."""
        fields = ("source", "summary", "references", "doc_id", "system", "human")
        return Example(**{name: plain[name] for name in fields if name in plain})

    def __reduce__(self) -> tuple[object, ...]:
        # A mapping proxy does not pickle; the engine sends examples to other processes.
        return _rebuild, (
            self.source,
            self.summary,
            self.references,
            self.doc_id,
            self.system,
            dict(self.human),
        )


def _rebuild(
    source: tuple[str, ...],
    summary: str,
    references: tuple[str, ...],
    doc_id: str,
    system: str,
    human: dict[str, float],
) -> Example:
    return Example(
        source=source,
        summary=summary,
        references=references,
        doc_id=doc_id,
        system=system,
        human=human,
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
