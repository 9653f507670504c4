"""The keys of the score cache: digests of the texts and of all else that a score rests on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from tricolore.example import Example
from tricolore.measure import Measure, Need

_FORMAT = 3
"""Increase this when the stored form of a score changes, so that no old entry is reused."""
_TEXT_BYTES, _MEASURE_BYTES = 12, 8


@dataclass(frozen=True)
class MeasureKey:
    """What the cache needs to know of a measure; the same for all examples of a run."""

    digest: bytes
    reads: frozenset[Need]
    part_names: tuple[str, ...]

    @staticmethod
    def of(measure: Measure, *, evidence: bool) -> MeasureKey:
        """The key of a measure, from its signature."""
        plain = [_FORMAT, measure.signature(), measure.part_names, evidence]
        text = json.dumps(plain, sort_keys=True, ensure_ascii=False)
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_MEASURE_BYTES)
        return MeasureKey(digest.digest(), measure.reads, measure.part_names)


class TextKeys:
    """The keys of the texts of some examples; every text is read only once.

    A key begins with a digest of the source and the references, so that the scores of all
    summaries of a document are neighbours in the file, and ends with one of the summary.
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples
        self._summaries = [_digest((example.summary,)) for example in examples]
        self._digests: dict[tuple[str, ...], bytes] = {}
        self._known: dict[frozenset[Need], list[bytes]] = {}

    def of(self, reads: frozenset[Need]) -> list[bytes]:
        """The key of each example, for measures that read these texts besides the summary."""
        if reads not in self._known:
            self._known[reads] = [
                self._with_marks(self._context(example, reads), example, reads) + summary
                for example, summary in zip(self._examples, self._summaries, strict=True)
            ]
        return self._known[reads]

    def _context(self, example: Example, reads: frozenset[Need]) -> bytes:
        source = self._of(example.source) if "source" in reads else b""
        references = self._of(example.references) if "references" in reads else b""
        # One of them alone is told from the other by its first byte, which is taken from it.
        if not references:
            return b"s" + source[1:] if source else b"-" * _TEXT_BYTES
        if not source:
            return b"r" + references[1:]
        both = blake2b(source + references, digest_size=_TEXT_BYTES).digest()
        return b"b" + both[1:]

    def _with_marks(self, context: bytes, example: Example, reads: frozenset[Need]) -> bytes:
        """The key of the context if the value also depends on content units or highlights."""
        plain: dict[str, object] = {}
        if "units" in reads:
            plain["units"] = [unit.to_json() for unit in example.units]
        if "highlights" in reads:
            plain["highlights"] = [one.to_json() for one in example.highlights]
        if not plain:
            return context
        marks = json.dumps(plain, sort_keys=True, ensure_ascii=False).encode()
        return b"m" + blake2b(context + marks, digest_size=_TEXT_BYTES).digest()[1:]

    def _of(self, texts: tuple[str, ...]) -> bytes:
        found = self._digests.get(texts)
        if found is None:
            found = self._digests[texts] = _digest(texts)
        return found


def _digest(texts: tuple[str, ...]) -> bytes:
    digest = blake2b(digest_size=_TEXT_BYTES)
    for text in texts:
        raw = text.encode()
        digest.update(b"%d " % len(raw) + raw)
    return digest.digest()
