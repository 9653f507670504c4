"""What the measures that ask a model have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tricolore.errors import SpecError
from tricolore.measure import Measure
from tricolore.models.encoder import Encoder
from tricolore.models.loading import EMBEDDED, MINILM, Precision, known_config, known_revision
from tricolore.models.masked_lm import MaskedLM, shared
from tricolore.models.sentence_encoder import SentenceEncoder, shared_encoder
from tricolore.settings import ModelName, setting

_MODEL = "Model: an installed one, the path of a local directory, or a name on the model hub."


@dataclass(frozen=True, kw_only=True)
class NeuralMeasure(Measure, ABC):
    """A measure that asks a model."""

    model: ModelName
    model_revision: str = setting("", "Commit of the model on the hub; empty: the latest.")
    dtype: Precision = setting("fp32", "Numbers that the net computes with.")

    @property
    @abstractmethod
    def loaded(self) -> Encoder:
        """The model, loaded when it is first asked for and shared with other measures."""

    def signature(self) -> dict[str, Any]:
        """The settings, and which weights they ended at."""
        found = known_revision(self.model, self.model_revision) or self.loaded.revision
        return {**super().signature(), "weights": found}

    @property
    def config(self) -> Mapping[str, Any]:
        """The model's config.json; the model is loaded only if nothing else can tell."""
        known = known_config(self.model, self.model_revision)
        found: Mapping[str, Any] = known or self.loaded.net.config.to_dict()
        return found

    @property
    def depth(self) -> int:
        """How many layers the model has."""
        return int(self.config.get("num_hidden_layers") or self.config["n_layers"])

    def counted_layer(self, layer: str) -> int:
        """A layer counted from the bottom; a negative number counts from the top."""
        counted = int(layer) if int(layer) >= 0 else self.depth + 1 + int(layer)
        if not 0 <= counted <= self.depth:
            raise SpecError(f"{self.name}: {self.model} has layers 0 to {self.depth}, not {layer}")
        return counted


@dataclass(frozen=True, kw_only=True)
class MaskedMeasure(NeuralMeasure, ABC):
    """A measure that asks a masked language model."""

    extra: ClassVar[str] = "embedded"
    batch_size = 16

    model: ModelName = setting(EMBEDDED, _MODEL)

    @property
    def lm(self) -> MaskedLM:
        """The masked language model."""
        return shared(self.model, self.model_revision, self.dtype)

    @property
    def loaded(self) -> MaskedLM:
        """The masked language model, under the name that all models have."""
        return self.lm


@dataclass(frozen=True, kw_only=True)
class EncoderMeasure(NeuralMeasure, ABC):
    """A measure that asks a sentence encoder."""

    extra: ClassVar[str] = "encoder"
    batch_size = 64

    model: ModelName = setting(MINILM, _MODEL)

    @property
    def encoder(self) -> SentenceEncoder:
        """The sentence encoder."""
        return shared_encoder(self.model, self.model_revision, self.dtype)

    @property
    def loaded(self) -> SentenceEncoder:
        """The sentence encoder, under the name that all models have."""
        return self.encoder

    def check_max_tokens(self, given: int) -> None:
        """Say so if no encoder can read so few tokens at a time."""
        if given and given < 3:
            raise ValueError(f"max_tokens must be 3 or more, or 0 for the model's own, not {given}")

    def check_room(self, given: int) -> None:
        """Say so before the first row if this encoder can't read so many tokens at a time."""
        if given and given > self.encoder.max_tokens:
            raise SpecError(
                f"{self.name}: {self.model} reads at most {self.encoder.max_tokens} tokens at a "
                f"time, not {given}"
            )


def whole(name: str, given: str) -> None:
    """Say so if a layer is not a whole number."""
    try:
        int(given)
    except ValueError:
        raise ValueError(f"{name} must be of whole numbers, not '{given}'") from None
