"""SBERT regression: a linear layer on the vectors of source and summary (thesis, section 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from tricolore.arrays import Floats
from tricolore.example import Example
from tricolore.measure import Need
from tricolore.models.vectors import unit_rows
from tricolore.settings import setting
from tricolore.train.directory import Tensors
from tricolore.train.estimator import Estimator, Targets, TrainingSet
from tricolore.train.on_encoder import EncoderEstimator, EncoderTrained, fit_linear, linear

PoolingChoice = Literal["model", "cls", "mean", "max"]


@dataclass(frozen=True, kw_only=True)
class SbertRegressionEstimator(EncoderEstimator):
    """Figure 5.2: encode, normalise or not, combine, a linear layer, ReLU."""

    kind: ClassVar[str] = "sbert-regression"
    restarts: ClassVar[int] = 6
    needs = frozenset[Need]({"source"})
    presets = {"normalised": {}, "thesis": {"normalised": False}}  # noqa: RUF012

    normalised: bool = setting(
        True, "Whether both vectors are divided by their lengths first; NORM in the thesis."
    )
    combine: Literal["mult", "diff"] = setting(
        "mult",
        "How the two vectors are combined: by their product (`mult`) or difference (`diff`).",
    )
    pooling: PoolingChoice = setting(
        "model",
        "How the vectors of the tokens become one: as the encoder was trained (`model`), the "
        "vector of the first token (`cls`), their mean (`mean`), or the largest number in each "
        "place (`max`).",
    )
    long: Literal["truncate", "chunk"] = setting(
        "truncate",
        "What is done with a text that is longer than the encoder reads: it is cut (`truncate`), "
        "or read in pieces whose vectors are averaged (`chunk`).",
    )

    def features(self, examples: Sequence[Example]) -> list[Any]:
        """The combined vector of each example."""
        return list(self.combined(*self.encoded(examples)))

    def encoded(self, examples: Sequence[Example]) -> tuple[Floats, Floats]:
        """The vectors of the sources and of the summaries; every text is encoded once."""
        # All documents are treated as one big sentence.
        sources = [" ".join(example.source) for example in examples]
        vectors = self.loaded.embed(
            [*sources, *(example.summary for example in examples)],
            pooling=None if self.pooling == "model" else self.pooling,
            normalised=False,
            long=self.long,
        ).astype(np.float64)
        return vectors[: len(examples)], vectors[len(examples) :]

    def is_cut(self, example: Example) -> bool:
        """Whether the encoder reads only the beginning of the source or of the summary."""
        room = self.loaded.usual_tokens - 2  # without [CLS] and [SEP]
        texts = (" ".join(example.source), example.summary)
        return self.long == "truncate" and any(
            len(self.loaded.tokenize(text)) > room for text in texts
        )

    def combined(self, document: Floats, summary: Floats) -> Floats:
        """Normalisation layer and combine layer: the input of the linear layer."""
        if self.normalised:
            document, summary = unit_rows(document), unit_rows(summary)
        return document * summary if self.combine == "mult" else document - summary

    def fit(self, training_set: TrainingSet, *, seed: int) -> Tensors:
        """Learn the linear layer."""
        return fit_linear(self, training_set, replace(self.descent(seed), relu=True))

    def predict(self, tensors: Tensors, features: Sequence[Any], targets: int) -> Targets:
        """The linear layer, then ReLU."""
        return linear(tensors, features, targets, relu=True)


@dataclass(frozen=True, kw_only=True)
class SbertRegression(EncoderTrained):
    """What a trained SBERT regression predicts for a summary."""

    name = "sbert-regression"
    kind: ClassVar[type[Estimator]] = SbertRegressionEstimator
    cost: ClassVar[str] = "one pass over source and summary"
