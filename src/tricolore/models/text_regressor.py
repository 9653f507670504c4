"""A net with one output for a pair of texts, such as BLEURT, behind a narrow interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tricolore.models.batching import answers
from tricolore.models.errors import BrokenModelError
from tricolore.models.model import Precision
from tricolore.models.pair_encoder import PairEncoder, TextPair


class TextRegressor(PairEncoder):
    """Any checkpoint for sequence classification with one output: a directory, or a hub's name."""

    kind: ClassVar[str] = "regressor of pairs of texts"
    default: ClassVar[str] = "Elron/bleurt-base-512"
    advice: ClassVar[str] = """\
There are two ways to get a regressor:
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give the name of a checkpoint with one output on the model hub, where there is a network."""

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """Load a local directory, or a checkpoint of the model hub."""
        made = super().load(name, revision=revision, precision=precision)
        made.values([("a", "a")])
        return made

    def try_out(self) -> None:
        """Read how two texts are joined, and whether there is one output."""
        super().try_out()
        outputs = int(self.net.config.num_labels)
        if outputs != 1:
            raise BrokenModelError(
                self.name,
                f"it has {outputs} outputs, not the one of a regressor",
                "name a checkpoint that was trained to predict a score (num_labels is 1)",
            )

    def values(self, pairs: Sequence[TextPair], *, max_tokens: int = 0) -> npt.NDArray[np.float64]:
        """The output for each pair; equal pairs are run once.

        Arguments:
            pairs: Two texts each.
            max_tokens: The longest sequence, special tokens included; 0: all that the net reads. A
                first text that is too long is cut at its end (`cut` says which), and so is a
                second that would leave it less than half of that.
        """
        queries = [framed.query for framed in self.framed(pairs, max_tokens)]
        found = dict(answers(queries, len, self.budget, self.pair_logits))
        return np.array([float(found[query][0]) for query in queries], dtype=np.float64)
