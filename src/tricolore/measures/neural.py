"""What the measures that ask a model have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from tricolore.measure import Measure
from tricolore.models.encoder import Encoder
from tricolore.models.loading import EMBEDDED, MINILM, Precision, known_revision
from tricolore.models.masked_lm import MaskedLM, shared
from tricolore.models.sentence_encoder import SentenceEncoder, shared_encoder


@dataclass(frozen=True, kw_only=True)
class NeuralMeasure(Measure, ABC):
    """A measure that asks a model."""

    model: str
    """An installed one, the path of a local directory, or a name on the model hub."""
    model_revision: str = ""
    """A commit of the hub."""
    precision: Precision = "fp32"

    @property
    @abstractmethod
    def loaded(self) -> Encoder:
        """The model, loaded when it is first asked for and shared with other measures."""

    def signature(self) -> dict[str, Any]:
        """The settings, and which weights they ended at."""
        found = known_revision(self.model, self.model_revision) or self.loaded.revision
        return {**super().signature(), "weights": found}


@dataclass(frozen=True, kw_only=True)
class MaskedMeasure(NeuralMeasure, ABC):
    """A measure that asks a masked language model."""

    extra: ClassVar[str] = "embedded"
    piece: ClassVar[int] = 16

    model: str = EMBEDDED

    @property
    def lm(self) -> MaskedLM:
        """The masked language model."""
        return shared(self.model, self.model_revision, self.precision)

    @property
    def loaded(self) -> MaskedLM:
        """The masked language model, under the name that all models have."""
        return self.lm


@dataclass(frozen=True, kw_only=True)
class EncoderMeasure(NeuralMeasure, ABC):
    """A measure that asks a sentence encoder."""

    extra: ClassVar[str] = "encoder"
    piece: ClassVar[int] = 64

    model: str = MINILM

    @property
    def encoder(self) -> SentenceEncoder:
        """The sentence encoder."""
        return shared_encoder(self.model, self.model_revision, self.precision)

    @property
    def loaded(self) -> SentenceEncoder:
        """The sentence encoder, under the name that all models have."""
        return self.encoder
