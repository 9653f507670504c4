"""The source n-grams that a summary has or lacks, and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tricolore.example import Example
from tricolore.score import Span
from tricolore.text.tokenizer import Ids, NgramTokenizer, ngram_keys

_SHOWN, _SHOWN_MISSING = 20, 10  # n-grams that are shown, at most


@dataclass(frozen=True, eq=False)
class NgramShares:
    """The n-grams of a document, each once, and their shares of its importance."""

    keys: Ids
    """The n-grams as numbers, sorted."""
    share: NDArray[np.float64]
    """W / N of each."""
    tokens: int
    """Number of tokens of the document."""

    def find(self, grams: Ids) -> NDArray[np.bool_]:
        """Which n-grams of the document are among these."""
        at = np.minimum(np.searchsorted(self.keys, grams), len(self.keys) - 1)
        found = np.zeros(len(self.keys), dtype=np.bool_)
        found[at[self.keys[at] == grams]] = True
        return found


def evidence_of(
    example: Example, document: NgramShares, tokenizer: NgramTokenizer, n: int
) -> tuple[Span, ...]:
    """The heaviest shared n-grams, where the source has them, and the heaviest missing ones."""
    grams = ngram_keys(tokenizer.ids(example.summary), n, tokenizer.base)
    text = "\n".join(example.source)
    earned = document.find(grams)
    heaviest = np.argsort(-document.share, kind="stable")
    heaviest = heaviest[document.share[heaviest] > 0]
    matched = heaviest[earned[heaviest]][:_SHOWN]
    missing = heaviest[~earned[heaviest]][:_SHOWN_MISSING]
    in_summary, in_source = tokenizer.spans(example.summary), tokenizer.spans(text)
    source_grams = ngram_keys(tokenizer.ids(text), n, tokenizer.base)

    def place(at: int, label: Literal["missing", ""] = "missing") -> Span:
        first = int(np.argmax(source_grams == document.keys[at]))
        start, end = int(in_source[first, 0]), int(in_source[first + n - 1, 1])
        number, start, end = _in_document(example.source, start, end)
        weight = float(document.share[at])
        return Span("source", start, end, weight, label, number, kind=label)

    found = []
    for at in matched:
        first = int(np.argmax(grams == document.keys[at]))
        start, end = int(in_summary[first, 0]), int(in_summary[first + n - 1, 1])
        weight = float(document.share[at])
        match = place(at, "")
        found.append(Span("summary", start, end, weight, "matched", match=match, kind="match"))
    return (*found, *(place(at) for at in missing))


def _in_document(sources: Sequence[str], start: int, end: int) -> tuple[int, int, int]:
    """Map a span of the joined sources to the document in which it begins."""
    for number, source in enumerate(sources):
        if start < len(source) or number == len(sources) - 1:
            # It may begin with the line break that joins two documents, or end in the next.
            return number, max(start, 0), min(end, len(source))
        start, end = start - len(source) - 1, end - len(source) - 1
    raise AssertionError("an example without a source has no evidence")
