"""What the measures that ask a masked language model have in common."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any, ClassVar

from tricolore.measure import Measure
from tricolore.models.loading import EMBEDDED, Precision, known_revision
from tricolore.models.masked_lm import MaskedLM, shared


@dataclass(frozen=True, kw_only=True)
class MaskedMeasure(Measure, ABC):
    """A measure that asks a masked language model."""

    extra: ClassVar[str] = "embedded"
    piece: ClassVar[int] = 16

    model: str = EMBEDDED
    """"embedded", the path of a local directory, or a name on the model hub."""
    model_revision: str = ""
    """A commit of the hub."""
    precision: Precision = "fp32"

    @property
    def lm(self) -> MaskedLM:
        """The model, loaded when it is first asked for and shared with other measures."""
        return shared(self.model, self.model_revision, self.precision)

    def signature(self) -> dict[str, Any]:
        """The settings, and which weights they ended at."""
        found = known_revision(self.model, self.model_revision) or self.lm.revision
        return {**super().signature(), "weights": found}
