"""What the estimators that use a neural encoder have in common."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from tricolore.errors import ModelDirectoryError, TrainingError
from tricolore.example import Example
from tricolore.measure import Language
from tricolore.models.learning import Descent
from tricolore.models.model import shared, shared_revision
from tricolore.models.sentence_encoder import SentenceEncoder
from tricolore.score import Score
from tricolore.settings import ModelName, ModelRevision, setting
from tricolore.train.directory import Tensors, tensor
from tricolore.train.estimator import Estimator, Targets, TrainingSet
from tricolore.train.folds import folds
from tricolore.train.trained_measure import TrainedMeasure

if TYPE_CHECKING:
    from tricolore.models.regression import Linear

MODEL_HELP = "Encoder: an installed one, the path of a local directory, or a name on the model hub."
Task = Literal["single", "multi"]
KeptWeights = Literal["best", "last"]
Start = Literal["mean", "random"]


@dataclass(frozen=True, kw_only=True)
class EncoderEstimator(Estimator, ABC):
    """A linear layer on the vectors of an encoder, learnt by gradient with early stopping."""

    model: ModelName = setting(SentenceEncoder.default, MODEL_HELP)
    model_revision: ModelRevision = setting(
        "", "Commit of the model on the hub; empty: the one on this machine, else the latest."
    )
    task: Task = setting(
        "multi", "Whether every target is learnt by itself (`single`) or all together (`multi`)."
    )
    learning_rate: float = setting(1e-2, "Step size of Adam.")
    batch: int = setting(32, "Number of rows per step.")
    epochs: int = setting(200, "The largest number of passes over the data.")
    patience: int = setting(
        10, "Training stops after this many epochs without a lower error on held-out documents."
    )
    validation: float = setting(
        0.1, "The share of the documents that is held out for that; 0: all epochs are run."
    )
    keep: KeptWeights = setting(
        "best", "Whether the weights of the best epoch are kept, or the last."
    )
    start: Start = setting(
        "mean", "Whether training starts from the mean of the targets or from random weights."
    )

    def __post_init__(self) -> None:
        for name in ("batch", "epochs", "patience"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if not 0 < self.learning_rate < np.inf:
            raise ValueError(f"learning_rate must be more than 0, not {self.learning_rate:g}")
        if not 0 <= self.validation <= 0.5:
            raise ValueError(f"validation must be a share from 0 to 0.5, not {self.validation:g}")

    @property
    def loaded(self) -> SentenceEncoder:
        """The encoder, loaded when it is first asked for and shared with the measures."""
        return shared(SentenceEncoder, self.model, self.model_revision)

    @property
    def revision(self) -> str:
        """The revision of the encoder, which is loaded only if necessary."""
        return shared_revision(SentenceEncoder, self.model, self.model_revision)

    def made_with(self) -> dict[str, Any]:
        """The encoder and its revision."""
        return {"model": self.model, "revision": self.revision}

    def descent(self, seed: int) -> Descent:
        """The settings of the training."""
        return Descent(
            epochs=self.epochs,
            batch=self.batch,
            learning_rate=self.learning_rate,
            patience=self.patience,
            best=self.keep == "best",
            start=self.start,
            seed=seed,
        )

    def held_out(self, training_set: TrainingSet, seed: int) -> list[int]:
        """The held-out rows for early stopping: whole documents, different ones for every seed."""
        if not self.validation:
            return []
        documents = len(set(training_set.documents))
        if documents < 2:
            raise TrainingError(
                "there is only one document, so that none can be held out to stop by: "
                "set validation=0"
            )
        parts = min(documents, round(1 / self.validation))
        return [int(row) for row in folds(training_set.documents, parts, seed=seed)[0]]

    def is_cut(self, example: Example) -> bool:
        """Whether the encoder reads only the beginning of the summary or of the source."""
        return False

    def tasks(self, targets: Targets) -> Iterator[slice]:
        """The groups of targets that are learnt together."""
        each = 1 if self.task == "single" else targets.shape[1]
        for start in range(0, targets.shape[1], each):
            yield slice(start, start + each)


@dataclass(frozen=True, kw_only=True)
class EncoderTrained(TrainedMeasure, ABC):
    """The measure of such an estimator, which only works with the encoder it was trained on."""

    extra: ClassVar[str] = "encoder"

    def prepare(self) -> None:
        super().prepare()
        estimator = self._on_encoder
        self._check(SentenceEncoder.known_revision(estimator.model, estimator.model_revision))

    @property
    def _on_encoder(self) -> EncoderEstimator:
        estimator = self.estimator
        assert isinstance(estimator, EncoderEstimator)
        return estimator

    def _check(self, revision: str | None) -> None:
        wanted = self.model_directory.card.made_with.get("revision")
        if revision is not None and revision != wanted:
            raise ModelDirectoryError(
                f"{self.model_directory.path} was trained on revision {wanted} of the encoder "
                f"{self._on_encoder.model}, but {revision} is here: train it again"
            )

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        estimator = self._on_encoder
        self._check(estimator.loaded.revision)
        scores = super().compute(examples, evidence=evidence)
        for example, score in zip(examples, scores, strict=True):
            is_cut = score.problem is None and estimator.is_cut(example)
            yield replace(score, flags=("truncated",)) if is_cut else score

    @property
    def language(self) -> Language:
        """The encoders that come with this package are English."""
        return "english" if self._on_encoder.model == SentenceEncoder.default else "any"


def fit_linear(estimator: EncoderEstimator, training_set: TrainingSet, how: Descent) -> Tensors:
    """Linear layers on fixed vectors, one row of weights per target."""
    from tricolore.models.regression import fit

    vectors = np.stack(training_set.features)
    held_out = estimator.held_out(training_set, how.seed)
    with diverging():
        found = [
            fit(vectors, training_set.targets[:, some], held_out, how)
            for some in estimator.tasks(training_set.targets)
        ]
    return joined(found)


def joined(found: Sequence[Linear]) -> Tensors:
    """The linear layers of all tasks as two tensors."""
    return {
        "weight": np.concatenate([linear.weight for linear in found]),
        "bias": np.concatenate([linear.bias for linear in found]),
    }


def linear(tensors: Tensors, vectors: Sequence[Any], targets: int, *, relu: bool) -> Targets:
    """The scores of some vectors, rows × targets."""
    width = len(vectors[0])
    weight = tensor(tensors, "weight", (targets, width))
    bias = tensor(tensors, "bias", (targets,))
    given = np.stack(vectors).astype(np.float64)
    # Not a matrix product, whose last bits depend on the number of rows.
    scores: Targets = np.stack([(given * row).sum(axis=1) for row in weight], axis=1) + bias
    return np.maximum(scores, 0.0) if relu else scores


@contextmanager
def diverging() -> Iterator[None]:
    """Raise errors of the nets as errors of the training."""
    from tricolore.models.regression import DivergedError

    try:
        yield
    except DivergedError as error:
        raise TrainingError(str(error)) from error
