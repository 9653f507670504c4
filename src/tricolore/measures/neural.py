"""What the measures that ask a model have in common."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar, cast

from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measure import Language, Measure
from tricolore.models.encoder import Encoder
from tricolore.models.loading import known_config
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.model import M, Model, Precision, shared, shared_revision
from tricolore.models.sentence_encoder import SentenceEncoder
from tricolore.score import Score
from tricolore.settings import ModelName, ModelRevision, setting
from tricolore.spec import shown

E = TypeVar("E", bound=Encoder)

_MODEL = "Model: an installed one, the path of a local directory, or a name on the model hub."


@dataclass(frozen=True, kw_only=True)
class NeuralMeasure(Measure, Generic[M], ABC):
    """A measure that asks a model of any kind, such as a remote service.

    A subclass names the class of its model, and asks the model by `self.loaded`.
    """

    model_class: ClassVar[type[Model]]

    model: ModelName = setting("", "Name of the model; empty: the default of its kind.")

    @property
    def language(self) -> Language:
        """The default models are English; others are the user's choice."""
        return "english" if self.model == self.model_class.default else "any"

    @property
    def loaded(self) -> M:
        """The model, loaded when it is first asked for and shared with other measures."""
        return cast(M, shared(self.model_class, self.model))

    def signature(self) -> dict[str, Any]:
        """The settings, and the weights that they stand for."""
        return {**super().signature(), "weights": shared_revision(self.model_class, self.model)}


@dataclass(frozen=True, kw_only=True)
class LocalNetMeasure(NeuralMeasure[E], ABC):
    """A measure that asks a net which runs on this machine."""

    model: ModelName = setting("", _MODEL)
    model_revision: ModelRevision = setting(
        "", "Commit of the model on the hub; empty: the one on this machine, else the latest."
    )
    dtype: Precision = setting("fp32", "Numbers that the net computes with.")

    @property
    def loaded(self) -> E:
        """The model, loaded when it is first asked for and shared with other measures."""
        found = shared(self.model_class, self.model, self.model_revision, self.dtype)
        return cast(E, found)

    def signature(self) -> dict[str, Any]:
        """The settings, and the weights that they stand for."""
        weights = shared_revision(self.model_class, self.model, self.model_revision, self.dtype)
        return {**Measure.signature(self), "weights": weights}

    @property
    def config(self) -> Mapping[str, Any]:
        """The model's config.json; the model is loaded only if necessary."""
        known = known_config(self.model, self.model_revision)
        found: Mapping[str, Any] = known or self.loaded.net.config.to_dict()
        return found

    @property
    def depth(self) -> int:
        """The number of layers of the model."""
        found = self.config.get("num_hidden_layers", self.config.get("n_layers"))
        return found if isinstance(found, int) else self.loaded.layers

    def layer_number(self, layer: str, default: int) -> int:
        """A setting `layer` as a number from the bottom: `default`, or a whole number.

        Negative numbers count from the top: -1 is the last layer.
        """
        if layer == "default":
            return default
        number = int(layer) if int(layer) >= 0 else self.depth + 1 + int(layer)
        if not 0 <= number <= self.depth:
            raise SpecError(f"{self.name}: {self.model} has layers 0 to {self.depth}, not {layer}")
        return number


@dataclass(frozen=True, kw_only=True)
class MaskedMeasure(LocalNetMeasure[MaskedLM], ABC):
    """A measure that asks a masked language model."""

    extra: ClassVar[str] = "embedded"
    model_class: ClassVar[type[Model]] = MaskedLM
    batch_size = 16

    model: ModelName = setting(MaskedLM.default, _MODEL)
    lowercase: bool = setting(
        False, "Whether the model reads both texts in lower case (ours); for lower-cased summaries."
    )

    @property
    def lm(self) -> MaskedLM:
        """The masked language model."""
        return self.loaded

    def _flagged(self, examples: Sequence[Example], scores: Sequence[Score]) -> Iterable[Score]:
        """Also the flag `case` where only the summary is lower-cased, and the model is cased."""
        flagged = list(super()._flagged(examples, scores))
        found = (
            [] if self.lowercase else [at for at, e in enumerate(examples) if _lacks_capitals(e)]
        )
        if found and self.lm.tokenize("A").ids != self.lm.tokenize("a").ids:
            for at in found:
                if flagged[at].problem is None:
                    flagged[at] = replace(flagged[at], flags=(*flagged[at].flags, "case"))
        return flagged


def _lacks_capitals(example: Example) -> bool:
    """Whether a summary has letters but no capital, and its source has one."""
    summary = example.summary
    is_lower = summary == summary.lower() and summary != summary.upper()
    return is_lower and any(text != text.lower() for text in example.source)


@dataclass(frozen=True, kw_only=True)
class EncoderMeasure(LocalNetMeasure[SentenceEncoder], ABC):
    """A measure that asks a sentence encoder."""

    extra: ClassVar[str] = "encoder"
    model_class: ClassVar[type[Model]] = SentenceEncoder
    batch_size = 64

    model: ModelName = setting(SentenceEncoder.default, _MODEL)

    @property
    def encoder(self) -> SentenceEncoder:
        """The sentence encoder."""
        return self.loaded

    def is_cut(self, text: str, room: int) -> bool:
        """Whether a text has more tokens than are read of it."""
        return len(self.encoder.tokenize(text)) > room

    def check_max_tokens(self, given: int) -> None:
        """Raise an error if no encoder can read so few tokens at a time."""
        if given and given < 3:
            raise ValueError(f"max_tokens must be 3 or more, or 0 for the model's own, not {given}")

    def check_room(self, given: int) -> None:
        """Raise an error before the first row if this encoder can't read that many tokens."""
        if given and given > self.encoder.max_tokens:
            raise SpecError(
                f"{self.name}: {self.model} reads at most {self.encoder.max_tokens} tokens at a "
                f"time, not {given}"
            )


def layer_text(setting: str, given: str | int) -> str:
    """The words of a setting that names a layer: `default` or a whole number."""
    words = str(given)
    if words != "default":
        try:
            int(words)
        except ValueError:
            raise ValueError(f"{setting} must be of whole numbers, not {shown(words)}") from None
    return words
