"""An encoder that reads two texts as one sequence: what classifiers and regressors share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tricolore.models.encoder import Encoder
from tricolore.models.errors import BrokenModelError
from tricolore.models.queries import PairQuery
from tricolore.models.tokens import PairFrame

TextPair = tuple[str, str]
"""Two texts, such as a premise and a hypothesis."""


@dataclass(frozen=True)
class FramedPair:
    """A pair as the net reads it, and whether something of it was cut."""

    query: PairQuery
    is_cut: bool


class PairEncoder(Encoder):
    """A net with an output for pairs of texts, joined as its tokenizer joins them."""

    auto_class: ClassVar[str] = "AutoModelForSequenceClassification"
    _frame: PairFrame

    def try_out(self) -> None:
        """Read how two texts are joined."""
        frame = self.tokenizer.pair_frame
        if frame is None:
            raise BrokenModelError(
                self.name,
                "its tokenizer does not say how two texts are joined",
                "save the tokenizer again with its post-processor, or name another model",
            )
        self._frame = frame

    def cut(self, pairs: Sequence[TextPair], *, max_tokens: int = 0) -> list[bool]:
        """Whether one of the two texts is longer than what the net reads of it."""
        return [framed.is_cut for framed in self.framed(pairs, max_tokens)]

    def pair_logits(self, batch: Sequence[PairQuery]) -> list[npt.NDArray[np.float64]]:
        """The outputs of the net for one batch."""
        return list(self.net.logits(batch).double().cpu().numpy())

    def framed(self, pairs: Sequence[TextPair], max_tokens: int) -> list[FramedPair]:
        """Pairs as the net reads them, cut to `max_tokens` (0: all that the net reads)."""
        room = (max_tokens or self.max_tokens) - len(self._frame)
        if room < 2 or max_tokens > self.max_tokens:
            least = len(self._frame) + 2
            raise ValueError(
                f"{self.name} reads {least} to {self.max_tokens} tokens at a time, not {max_tokens}"
            )
        ids: dict[str, tuple[int, ...]] = {}
        for text in (text for pair in pairs for text in pair):
            if text not in ids:
                ids[text] = self.tokenize(text).ids
        return [self._framed_pair(ids[first], ids[second], room) for first, second in pairs]

    def _framed_pair(
        self, first: tuple[int, ...], second: tuple[int, ...], room: int
    ) -> FramedPair:
        if len(first) + len(second) <= room:
            return FramedPair(self._frame(first, second), is_cut=False)
        second = second[: room - min(len(first), room // 2)]
        return FramedPair(self._frame(first[: room - len(second)], second), is_cut=True)
