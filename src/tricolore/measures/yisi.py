"""YiSi-1: how similar in meaning the words of two texts are, weighted by how rare they are.

Chi-kiu Lo (2019), "YiSi - a Unified Semantic MT Quality Evaluation and Estimation Metric for
Languages with Different Levels of Available Resources", without semantic roles, and her code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tricolore.arrays import Floats
from tricolore.measure import Direction, ValueChoice
from tricolore.measures.bert_score_layers import default_layer
from tricolore.measures.neural import layer_text
from tricolore.measures.token_measure import FramedText, TokenMeasure
from tricolore.models.vectors import unit_rows
from tricolore.settings import Setting, setting

YisiValue = Literal["yisi", "precision", "recall"]


def yisi_1(
    cosines: Floats, here: Floats, there: Floats, alpha: float = 0.5, n: int = 1
) -> tuple[float, float, float]:
    """YiSi-1 by its definition: its value, precision and recall.

    Arguments:
        cosines: Of every token of the summary (rows) with every token of the reference.
        here: The weights of the tokens of the summary.
        there: The weights of the tokens of the reference.
        alpha: The weight of recall.
        n: The number of tokens in an n-gram.

    >>> one = np.ones(2)
    >>> [round(x, 3) for x in yisi_1(np.array([[1.0, 0.2], [0.4, 0.6]]), one, one)]
    [0.8, 0.8, 0.8]
    """
    n = min(n, *cosines.shape)
    precision = _best_ngrams(cosines, here, n)
    recall = _best_ngrams(cosines.T, there, n)
    bottom = alpha * precision + (1 - alpha) * recall
    return (precision * recall / bottom if bottom > 0 else 0.0), precision, recall


def _best_ngrams(cosines: Floats, weights: Floats, n: int) -> float:
    """The weighted mean over the n-grams of the rows of their best match in the columns."""
    rows, columns = (size - n + 1 for size in cosines.shape)
    sums = np.array([weights[i : i + n].sum() for i in range(rows)])
    similar = sum(
        weights[k : k + rows, None] * cosines[k : k + rows, k : k + columns] for k in range(n)
    )
    # As in the author's code, a similarity below 0 is none.
    best = np.maximum(0.0, np.max(similar / np.where(sums > 0, sums, 1.0)[:, None], axis=1))
    return float(sums @ best / sums.sum())


@dataclass(frozen=True, kw_only=True)
class Yisi(ValueChoice, TokenMeasure):
    """The weighted similarity of every word to the most similar word of the other text."""

    name = "yisi"
    direction = "higher"
    cost: ClassVar[str] = "milliseconds per summary and reference"
    meaning = "How near in meaning the words of summary and reference are, rare ones above all"
    part_names = ("yisi", "precision", "recall")
    part_directions: ClassVar[Mapping[str, Direction]] = dict.fromkeys(part_names, "higher")
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {"released": {}}

    value: YisiValue = setting("yisi", "Which part is the value.")
    alpha: float = setting(0.5, "Weight of recall, from 0 to 1; 0.5 is the default of the code.")
    n: int = setting(1, "Number of tokens in an n-gram.")
    layer: str = setting(
        "default",
        "The layer whose vectors are compared: a number, 0 for the embeddings, a negative number "
        "from the top, or `default` (that of bert-score).",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "layer", layer_text("layer", self.layer))
        if self.n < 1:
            raise ValueError(f"n must be 1 or more, not {self.n}")
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha must be between 0 and 1, not {self.alpha}")

    def read_layers(self) -> Sequence[int]:
        return [self.layer_number(self.layer, default_layer(self.model, self.depth))]

    def match(
        self, here: FramedText, there: FramedText, *, evidence: bool
    ) -> tuple[dict[str, float], list[tuple[int, int, float]]] | str:
        x, y = (unit_rows(text.vectors[0][1:-1].astype(np.float64)) for text in (here, there))
        cosines = np.clip(x @ y.T, -1.0, 1.0)
        weights = [self._weights(text) for text in (here, there)]
        value, precision, recall = yisi_1(cosines, weights[0], weights[1], self.alpha, self.n)
        matched = []
        if evidence:
            to = cosines.argmax(axis=1)
            matched = [(row + 1, int(at) + 1, float(cosines[row, at])) for row, at in enumerate(to)]
        return {"yisi": value, "precision": precision, "recall": recall}, matched

    def _weights(self, text: FramedText) -> Floats:
        """log2(1 + (N + 1) / (count + 1)); BERTScore's idf is log((N + 1) / (count + 1))."""
        if self.idf == "none":
            return np.ones(len(text.tokens))
        weights: Floats = np.log2(1 + np.exp(text.idf[1:-1]))
        return weights
