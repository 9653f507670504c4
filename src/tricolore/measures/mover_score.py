"""MoverScore: what it costs to move the words of the summary to those of the reference.

Wei Zhao et al. (2019), "MoverScore: Text Generation Evaluating with Contextualized Embeddings and
Earth Mover Distance", and the authors' two scripts, moverscore.py and moverscore_v2.py.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tricolore.arrays import Floats
from tricolore.measure import Direction
from tricolore.measures.pair_limit import TooManyPairsError, check_max_pairs, check_pairs
from tricolore.measures.token_measure import FramedText, TokenMeasure
from tricolore.measures.word_mover import euclidean, transport
from tricolore.models.vectors import unit_rows
from tricolore.settings import Setting, setting

Aggregation = Literal["power_means", "last"]
_LAYERS = 5
_PUNCTUATION = frozenset(string.punctuation)
MAX_PAIRS = 250_000


def mover_score(here: Floats, there: Floats, idf: tuple[Floats, Floats], n: int = 1) -> float:
    """MoverScore by its definition, from the token vectors of two texts and their idf weights.

    Arguments:
        here: A row per token of the summary.
        there: A row per token of the reference.
        idf: The weights of both.
        n: The number of tokens in an n-gram.
    """

    def ngrams(vectors: Floats, weights: Floats) -> tuple[Floats, Floats]:
        size = min(n, len(vectors))
        starts = range(len(vectors) - size + 1)
        # Eq. (1): the embedding of an n-gram is the weighted mean of those of its words.
        means = [weights[i : i + size] @ vectors[i : i + size] for i in starts]
        return unit_rows(np.array(means)), np.array([weights[i : i + size].sum() for i in starts])

    (x, f_x), (y, f_y) = ngrams(here, idf[0]), ngrams(there, idf[1])
    return 1 - transport(f_x, f_y, euclidean(x, y) ** 2)[0]


@dataclass(frozen=True, kw_only=True)
class MoverScore(TokenMeasure):
    """One minus the earth mover's distance between the words of summary and reference."""

    name = "mover-score"
    direction = "higher"
    cost: ClassVar[str] = "tens of milliseconds per summary and reference"
    meaning = "How near in meaning the words of summary and reference are, all together"
    part_names = ("mover",)
    part_directions: ClassVar[Mapping[str, Direction]] = {"mover": "higher"}
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {},
        "bigrams": {"n": 2},
        "released": {"aggregation": "last", "ground_distance": "euclidean"},
    }

    n: int = setting(1, "Number of words in an n-gram: 1 or 2 in the paper.")
    aggregation: Aggregation = setting(
        "power_means",
        "How the layers of a token become one vector: the minimum, mean and maximum over the last "
        "five layers, each of length 1 (`power_means`), or the `last` layer (released code v2).",
    )
    ground_distance: Literal["squared", "euclidean"] = setting(
        "squared",
        "Distance of two vectors of length 1: `squared` Euclidean (v1), or `euclidean` (v2).",
    )
    subwords: bool = setting(
        False, "Whether tokens that continue a word (##) count; if not, its first token does."
    )
    max_pairs: int = setting(
        MAX_PAIRS,
        "The largest product of the numbers of tokens of the summary and a reference; if it is "
        "larger, there is no value, since the work would take too long.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_max_pairs(self.max_pairs)
        if self.n < 1:
            raise ValueError(f"n must be 1 or more, not {self.n}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Two vectors of length 1 are at most 2 apart."""
        return (-3.0, 1.0) if self.ground_distance == "squared" else (-1.0, 1.0)

    def read_layers(self) -> Sequence[int]:
        if self.aggregation == "last":
            return [self.depth]
        return range(max(1, self.depth - _LAYERS + 1), self.depth + 1)

    def match(
        self, here: FramedText, there: FramedText, *, evidence: bool
    ) -> tuple[dict[str, float], list[tuple[int, int, float]]] | str:
        sides = [self._ngrams(text) for text in (here, there)]
        for which, (rows, weights, _) in zip(("summary", "reference"), sides, strict=True):
            if not len(rows) or not weights.sum() > 0:
                return f"the {which} has no word that counts"
        (x, f_x, first), (y, f_y, other) = sides
        try:
            check_pairs(len(x), len(y), self.max_pairs, ("tokens", "tokens"))
        except TooManyPairsError as error:
            return str(error)
        costs = euclidean(x, y)
        if self.ground_distance == "squared":
            costs = costs**2
        cost, flow = transport(f_x, f_y, costs)
        matched = []
        if evidence:
            to = flow.argmax(axis=1)
            matched = [
                (first[row], other[at], float(1 - costs[row, at])) for row, at in enumerate(to)
            ]
        return {"mover": min(1.0, 1 - cost)}, matched

    def _ngrams(self, text: FramedText) -> tuple[Floats, Floats, list[int]]:
        """The vectors of length 1 of the n-grams, their weights, and their first tokens."""
        kept = [at for at, entry in enumerate(text.entries) if self._counts(entry)]
        vectors = self._aggregated(text.vectors)[kept]
        weights = text.idf[kept]
        size = min(self.n, len(kept))
        starts = range(len(kept) - size + 1) if size else range(0)
        means = [weights[i : i + size] @ vectors[i : i + size] for i in starts]
        sums = np.array([weights[i : i + size].sum() for i in starts])
        rows = unit_rows(np.array(means).reshape(len(means), -1))
        return rows, sums, [kept[i] for i in starts]

    def _counts(self, entry: str) -> bool:
        return entry not in _PUNCTUATION and (self.subwords or not entry.startswith("##"))

    def _aggregated(self, vectors: np.ndarray) -> Floats:
        layers = [unit_rows(layer.astype(np.float64)) for layer in vectors]
        if self.aggregation == "last":
            return layers[-1]
        stacked = np.stack(layers)
        return np.concatenate([stacked.min(0), stacked.mean(0), stacked.max(0)], axis=-1)
