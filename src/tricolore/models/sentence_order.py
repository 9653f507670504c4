"""A model that says whether two sentences are in order, behind a narrow interface.

ALBERT's head for sentence-order prediction (Lan et al. 2020), or BERT's for the next sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tricolore.models.batching import answers
from tricolore.models.encoder import Encoder
from tricolore.models.errors import BrokenModelError
from tricolore.models.queries import PairQuery
from tricolore.models.tokens import PairFrame


class SentenceOrder(Encoder):
    """A pretrained ALBERT or BERT with its head for pairs of sentences."""

    kind: ClassVar[str] = "model of sentence order"
    default: ClassVar[str] = "albert/albert-base-v2"
    advice: ClassVar[str] = """\
There are two ways to get a model of sentence order:
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "albert/albert-base-v2", where there is a network."""
    auto_class: ClassVar[str] = "AutoModelForPreTraining"
    _frame: PairFrame

    def try_out(self) -> None:
        """Look for the head, and judge a tiny pair."""
        frame = self.tokenizer.pair_frame
        if frame is None:
            raise BrokenModelError(self.name, "its tokenizer does not say how two texts are joined")
        self._frame = frame
        if self.net.config.model_type not in ("albert", "bert"):
            raise BrokenModelError(
                self.name,
                f"a model of the kind {self.net.config.model_type} has no head for sentence order",
                "name an ALBERT, or a BERT with its head for the next sentence",
            )
        self.losses([("a", "a")])

    def losses(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
        """-log of the probability that each second sentence follows the first."""
        queries = [self._query(*pair) for pair in pairs]
        found = dict(answers(queries, len, self.budget, self._batch_losses))
        return np.array([found[query] for query in queries], dtype=np.float64)

    def _batch_losses(self, batch: Sequence[PairQuery]) -> list[float]:
        logits: Any = self.net.order_logits(batch).double()
        return [float(loss) for loss in -logits.log_softmax(-1)[:, 0].cpu().numpy()]

    def _query(self, first: str, second: str) -> PairQuery:
        room = self.max_tokens - len(self._frame)
        one, two = self.tokenize(first).ids, self.tokenize(second).ids
        two = two[: room - min(len(one), room // 2)]
        return self._frame(one[: room - len(two)], two)
