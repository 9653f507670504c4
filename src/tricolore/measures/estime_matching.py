"""ESTIME's equations: the vectors of a summary's tokens against those of its source.

Rounding moves similarities by about 1e-6 of the vectors' lengths, with
batch size, padding and threads. Where that could decide anything, exact vectors are asked for.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tricolore.arrays import Flags, Floats, Ints
from tricolore.measures.estime_tokens import Token, TokenText
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.masked_vectors import MaskedVectors, Windows
from tricolore.models.vectors import unit_rows

Similarity = Literal["product", "cosine"]

NOISE = 5e-6
"""Closer similarities, as a share of the vectors' lengths, are compared in fp64."""
EQUAL = 1e-10
"""Similarities closer than this count as equal."""
_CELLS = 1 << 22  # similarities held at a time


@dataclass(frozen=True)
class TokenMatch:
    """How one token of a summary compares with the tokens of the source."""

    is_checked: bool
    """The token occurs in the source."""
    best: int
    """The most similar position in the source."""
    is_same: bool
    """The same token stands there."""
    winners: int
    """How many positions with another token beat all with the same one: its share of N_w."""
    lead: float
    """By how much the best position beats the best one with the same token, as a share."""

    @property
    def is_alarm(self) -> bool:
        """Whether the token counts in eq. (1)."""
        return self.winners > 0


@dataclass(frozen=True)
class Pairs:
    """Some tokens of the summary, each with a position in the source."""

    tokens: Ints
    places: Ints


class LayerComparison:
    """The tokens of one summary against the positions in its source, at one layer."""

    def __init__(
        self,
        summary: npt.NDArray[Any],
        source: npt.NDArray[Any],
        summary_keys: Ints,
        source_keys: Ints,
        is_checked: Flags,
        similarity: Similarity = "product",
    ) -> None:
        self._summary = self._scaled(summary, similarity)
        self._source = source
        self._keys = summary_keys, source_keys
        self._is_checked = is_checked
        self._similarity: Similarity = similarity
        self._exact: tuple[Pairs, Floats] | None = None

    def near_ties(self, *, count_exactly: bool = False) -> Pairs:
        """The pairs that rounding could decide: those where several positions are nearly best.

        With `count_exactly` also those that decide the number of winners, which are in doubt ten
        times as often.
        """
        found = [np.empty((2, 0), dtype=np.int64)]
        for start, block in self._blocks():
            tokens, places = np.nonzero(block.near_ties(count_exactly=count_exactly))
            found.append(np.stack([tokens + start, places]))
        return Pairs(*np.concatenate(found, axis=1))

    def settle(self, pairs: Pairs, summary: Floats, source: Floats) -> None:
        """Decide some pairs by exact vectors, given one after the other for each pair."""
        left, right = (self._scaled(each, self._similarity) for each in (summary, source))
        self._exact = pairs, np.einsum("ij,ij->i", left, right)

    def matches(self) -> list[TokenMatch]:
        """One match per token of the summary."""
        return [match for _, block in self._blocks() for match in block.matches()]

    def _blocks(self) -> Iterator[tuple[int, _Block]]:
        """Some tokens at a time against all positions, so that memory stays bounded."""
        source = self._scaled(self._source, self._similarity)
        longest = float(np.linalg.norm(source, axis=1).max())
        step = max(1, _CELLS // len(source))
        for start in range(0, len(self._summary), step):
            some = slice(start, start + step)
            values = self._summary[some] @ source.T
            if self._exact is not None:
                pairs, exact = self._exact
                here = (pairs.tokens >= start) & (pairs.tokens < start + step)
                values[pairs.tokens[here] - start, pairs.places[here]] = exact[here]
            is_equal = self._keys[0][some, None] == self._keys[1][None, :]
            scale = longest * np.linalg.norm(self._summary[some], axis=1)
            yield start, _Block(values, is_equal, self._is_checked[some], scale)

    @staticmethod
    def _scaled(vectors: npt.NDArray[Any], similarity: Similarity) -> Floats:
        """Vectors in fp64, so that products add no noise; of length 1 for the cosine (app. C)."""
        exact: Floats = np.asarray(vectors, dtype=np.float64)
        if similarity == "product":
            return exact
        return unit_rows(exact)


class _Block:
    """Some tokens (rows) against all positions (columns)."""

    def __init__(self, values: Floats, is_equal: Flags, is_checked: Flags, scale: Floats) -> None:
        self._values = values
        self._is_equal = is_equal
        self._is_checked = is_checked
        self._scale = scale[:, None]
        self._top = values.max(axis=1, keepdims=True)
        self._same = np.where(is_equal, values, -np.inf).max(axis=1, keepdims=True)  # eq. (2)

    def near_ties(self, *, count_exactly: bool) -> Flags:
        noise = NOISE * self._scale
        near_top = self._values >= self._top - noise
        found: Flags = near_top & (near_top.sum(axis=1, keepdims=True) > 1)
        if count_exactly:
            with np.errstate(invalid="ignore"):  # a token that is not in the source: -inf
                near_same = (np.abs(self._values - self._same) <= noise) & self._is_checked[:, None]
            has_rival = (near_same & ~self._is_equal).any(axis=1, keepdims=True)
            found |= near_same & has_rival
        return found

    def matches(self) -> Iterator[TokenMatch]:
        """Ties are broken in favour of the same token, then of the first position."""
        margin = EQUAL * self._scale
        is_best = self._values >= self._top - margin
        best_equal = is_best & self._is_equal
        best = np.where(best_equal.any(axis=1), best_equal.argmax(axis=1), is_best.argmax(axis=1))
        # eq. (3); where there is a winner, eq. (1) counts the token.
        is_winner = (self._values > self._same + margin) & ~self._is_equal
        winners = np.where(self._is_checked, is_winner.sum(axis=1), 0)
        for row, place in enumerate(best):
            top, same = float(self._top[row, 0]), float(self._same[row, 0])
            lead = (top - same) / abs(top) if winners[row] and top else 0.0
            is_same = bool(self._is_equal[row, place])
            is_checked = bool(self._is_checked[row])
            yield TokenMatch(is_checked, int(place), is_same, int(winners[row]), lead)


@dataclass(frozen=True)
class SourceGroup:
    """A source and its summaries in one call, by the number of the example."""

    documents: list[TokenText]
    summaries: dict[int, TokenText]

    @property
    def texts(self) -> list[TokenText]:
        """All texts, the documents first."""
        return [*self.documents, *self.summaries.values()]

    @property
    def size(self) -> int:
        """The number of vectors that are held for it."""
        return sum(len(text.tokens) for text in self.texts)

    def comparisons(
        self, first: int, vectors: Sequence[npt.NDArray[Any]], similarity: Similarity
    ) -> Iterator[SummaryComparison]:
        """One comparison per summary; `first` is the index of the group's first text."""
        count = len(self.documents)
        source = np.concatenate(vectors[first : first + count], axis=1)
        places = [
            (first + document, unit)
            for document, text in enumerate(self.documents)
            for unit in range(len(text.tokens))
        ]
        tokens = [token for text in self.documents for token in text.tokens]
        overlaps = {token.overlap for token in tokens}
        numbers: dict[str, int] = {}
        source_keys = np.array([numbers.setdefault(t.key, len(numbers)) for t in tokens])
        for at, (number, summary) in enumerate(self.summaries.items(), first + count):
            keys = [numbers.setdefault(t.key, len(numbers)) for t in summary.tokens]
            is_checked = [token.overlap in overlaps for token in summary.tokens]
            layers = [
                LayerComparison(
                    own, others, np.array(keys), source_keys, np.array(is_checked), similarity
                )
                for own, others in zip(vectors[at], source, strict=True)
            ]
            yield SummaryComparison(number, at, summary, self.documents, first, places, layers)


@dataclass(frozen=True)
class SummaryComparison:
    """A summary beside its source, with one comparison of vectors per layer."""

    number: int
    """The number of the example."""
    text: int
    """The index of the summary among all texts of a pack."""
    summary: TokenText
    documents: Sequence[TokenText]
    first_document: int
    """The index of the first document among all texts of a pack."""
    places: Sequence[tuple[int, int]]
    """For each position in the source, its text and its token."""
    layers: Sequence[LayerComparison]

    def source_token(self, place: int) -> tuple[int, Token]:
        """The document and the token at a position in the source."""
        text, unit = self.places[place]
        document = text - self.first_document
        return document, self.documents[document].tokens[unit]

    def source_id(self, place: int) -> int:
        """The token id at a position in the source."""
        text, unit = self.places[place]
        return self.documents[text - self.first_document].first_id(unit)


def compare(
    groups: Sequence[SourceGroup],
    lm: MaskedLM,
    windows: Windows,
    layers: Sequence[int],
    similarity: Similarity = "product",
    *,
    is_exact: bool = True,
    count_exactly: bool = False,
) -> list[SummaryComparison]:
    """Every summary beside its source; each source goes through the model once.

    Args:
        groups: Sources with their summaries.
        lm: The model that gives the hidden vectors at masked tokens.
        windows: Which tokens are masked together.
        layers: The layers whose vectors are compared.
        similarity: Scalar product, or cosine (appendix C).
        is_exact: Whether near ties are decided by vectors in fp64.
        count_exactly: Whether the number of winners is exact, too.
    """
    texts = [text for group in groups for text in group.texts]
    masked = MaskedVectors(lm, [text.maskable for text in texts], windows, layers)
    comparisons: list[SummaryComparison] = []
    first = 0
    for group in groups:
        comparisons += group.comparisons(first, masked.vectors, similarity)
        first += len(group.texts)
    if is_exact:
        _settle(comparisons, masked, len(texts), count_exactly=count_exactly)
    return comparisons


def _settle(
    comparisons: Sequence[SummaryComparison],
    masked: MaskedVectors,
    texts: int,
    *,
    count_exactly: bool,
) -> None:
    """Decide the near ties of all summaries together, by vectors in fp64."""
    ties = [
        [layer.near_ties(count_exactly=count_exactly) for layer in comparison.layers]
        for comparison in comparisons
    ]
    wanted: list[set[int]] = [set() for _ in range(texts)]
    for comparison, by_layer in zip(comparisons, ties, strict=True):
        for pairs in by_layer:
            wanted[comparison.text].update(pairs.tokens.tolist())
            for place in pairs.places.tolist():
                text, unit = comparison.places[place]
                wanted[text].add(unit)
    exact = masked.exact(wanted)
    for comparison, by_layer in zip(comparisons, ties, strict=True):
        for at, (layer, pairs) in enumerate(zip(comparison.layers, by_layer, strict=True)):
            if len(pairs.tokens):
                tokens = [exact[comparison.text][token][at] for token in pairs.tokens.tolist()]
                found = (comparison.places[place] for place in pairs.places.tolist())
                places = [exact[text][unit][at] for text, unit in found]
                layer.settle(pairs, np.stack(tokens), np.stack(places))


def mean_cosine(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> float:
    """The mean cosine of vectors in pairs: soft ESTIME. That of a vector of zeros is 0.

    >>> mean_cosine(np.array([[1.0, 0.0], [3.0, 4.0]]), np.array([[2.0, 0.0], [4.0, 3.0]]))
    0.98
    """
    one, other = left.astype(np.float64), right.astype(np.float64)
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    products = np.einsum("ij,ij->i", one, other)
    return float((products / np.where(lengths > 0, lengths, 1.0)).mean())


def tau_c(places: Sequence[int]) -> float:
    """Kendall's τ-c of the order of a sequence with 0, 1, 2…; NaN where there is no order.

    >>> tau_c([3, 5, 9]), tau_c([9, 5, 3])
    (1.0, -1.0)
    """
    classes = min(len(places), len(set(places)))
    if classes < 2:
        return float("nan")
    before: list[int] = []
    balance = 0
    for place in places:
        balance += bisect_left(before, place) - (len(before) - bisect_right(before, place))
        insort(before, place)
    return 2 * balance * classes / (len(places) ** 2 * (classes - 1))
