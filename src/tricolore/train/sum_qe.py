"""SUM-QE: an encoder and a linear regression on [CLS] (Xenouleas et al. 2019; thesis, 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from tricolore.example import Example
from tricolore.measure import Need
from tricolore.models.learning import Descent
from tricolore.models.loading import EMBEDDED
from tricolore.models.queries import Query
from tricolore.settings import ModelName, setting
from tricolore.text.sentences import sentences
from tricolore.train.directory import Tensors, tensor
from tricolore.train.estimator import Estimator, Targets, TrainingSet, Unusable
from tricolore.train.on_encoder import (
    MODEL_HELP,
    EncoderEstimator,
    EncoderTrained,
    diverging,
    fit_linear,
    joined,
    linear,
)

if TYPE_CHECKING:
    from tricolore.models.encoder import Encoder


@dataclass(frozen=True, kw_only=True)
class SumQeEstimator(EncoderEstimator):
    """Quality from the summary alone."""

    kind: ClassVar[str] = "sum-qe"
    needs = frozenset[Need]()
    presets = {  # noqa: RUF012
        "frozen": {},
        "tuned": {
            "tune": True,
            "pooling": "cls",
            "learning_rate": 2e-5,
            "batch": 8,
            "epochs": 10,
            "patience": 1,
        },
        "released": {
            "model": "google-bert/bert-base-uncased",
            "tune": True,
            "pooling": "cls",
            "learning_rate": 2e-5,
            "batch": 8,
            "epochs": 10,
            "patience": 1,
            "keep": "last",
            "start": "random",
        },
    }

    model: ModelName = setting(EMBEDDED, MODEL_HELP)
    learning_rate: float = setting(1e-3, "Step size of Adam.")
    tune: bool = setting(
        False,
        "Whether the encoder learns as well; choose `preset=tuned`, which has the steps for it.",
    )
    pooling: Literal["cls", "mean"] = setting(
        "mean",
        "What h is: the vector of [CLS], as in the paper (`cls`), or the mean of all tokens, "
        "which is better if the encoder does not learn (`mean`, ours).",
    )
    dropout: float = setting(
        0.1, "The share of the numbers of h that the linear layer is not shown in training."
    )
    max_tokens: int = setting(
        512,
        "Number of tokens of a summary that are read, special tokens included, if the encoder "
        "can read as many.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be a share from 0 to less than 1, not {self.dropout:g}")
        if self.max_tokens < 3:
            raise ValueError(f"max_tokens must be 3 or more, not {self.max_tokens}")

    def descent(self, seed: int) -> Descent:
        """The settings of the training."""
        return replace(super().descent(seed), dropout=self.dropout)

    def features(self, examples: Sequence[Example]) -> list[Any]:
        """The vector of each summary; or its tokens, if the encoder is trained too."""
        encoder = self.loaded
        asked = [self._query(encoder, example.summary) for example in examples]
        if self.tune:
            return list(asked)
        from tricolore.models.quality_net import vectors

        known = [query for query in asked if isinstance(query, Query)]
        found = iter(vectors(encoder, known, None))
        return [next(found) if isinstance(one, Query) else one for one in asked]

    def is_cut(self, example: Example) -> bool:
        """Whether the encoder reads only the beginning of the summary."""
        ids = _framed(self.loaded, example.summary)
        return len(ids) > min(self.max_tokens, self.loaded.max_tokens)

    def _query(self, encoder: Encoder, summary: str) -> Query | Unusable:
        """[CLS] the first sentence [SEP] the second [SEP] …, cut at the end."""
        ids = _framed(encoder, summary)
        if len(ids) == 1:
            return Unusable("the encoder finds nothing to read in the summary")
        ids = ids[: min(self.max_tokens, encoder.max_tokens)]
        return Query(tuple(ids), (0,) if self.pooling == "cls" else tuple(range(len(ids))))

    def fit(self, training_set: TrainingSet, *, seed: int) -> Tensors:
        """Learn the linear layers and, if the encoder is trained too, an encoder for each task."""
        how = self.descent(seed)
        if not self.tune:
            return fit_linear(self, training_set, how)
        from tricolore.models.quality_net import fine_tune

        held_out = self.held_out(training_set, seed)
        found = []
        tensors: Tensors = {}
        for task, some in enumerate(self.tasks(training_set.targets)):
            with diverging():
                layer, weights = fine_tune(
                    self.loaded, training_set.features, training_set.targets[:, some], held_out, how
                )
            found.append(layer)
            tensors |= {f"encoder.{task}.{name}": value for name, value in weights.items()}
        return {**tensors, **joined(found)}

    def predict(self, tensors: Tensors, features: Sequence[Any], targets: int) -> Targets:
        """Apply the linear layers to the vectors of the encoder, or of each task's own encoder."""
        if not self.tune:
            return linear(tensors, features, targets, relu=False)
        from tricolore.models.quality_net import shapes, vectors

        scores = np.empty((len(features), targets))
        for task, some in enumerate(self.tasks(scores)):
            weights = {
                name: tensor(tensors, f"encoder.{task}.{name}", shape)
                for name, shape in shapes(self.loaded).items()
            }
            shown = vectors(self.loaded, features, weights)
            scores[:, some] = linear(tensors, list(shown), targets, relu=False)[:, some]
        return scores


def _framed(encoder: Encoder, summary: str) -> list[int]:
    tokenizer = encoder.tokenizer
    ids = [tokenizer.cls_id]
    for sentence in sentences(summary):
        if tokens := tokenizer(sentence).ids:
            ids += [*tokens, tokenizer.sep_id]
    return ids


@dataclass(frozen=True, kw_only=True)
class SumQe(EncoderTrained):
    """What a trained SUM-QE predicts for a summary."""

    name = "sum-qe"
    kind: ClassVar[type[Estimator]] = SumQeEstimator
    cost: ClassVar[str] = "one pass over the summary"
