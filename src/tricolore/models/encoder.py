"""A text encoder: texts become tokens, tokens become vectors, in batches that callers do not see.

This is what the masked language model and the sentence encoder have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt

from tricolore.models import loading
from tricolore.models.batching import Budget, answers
from tricolore.models.errors import ModelNotFoundError, one_line
from tricolore.models.model import Model, Precision
from tricolore.models.queries import Query
from tricolore.models.tokens import TextTokenizer, Tokens

if TYPE_CHECKING:
    from tricolore.models.net import Net

Vectors = npt.NDArray[np.float32]
AnswerT = TypeVar("AnswerT")

_TOKEN_BUDGET = 2048


class Encoder(Model):
    """A net and its tokenizer, loaded and ready on the CPU or a GPU."""

    auto_class: ClassVar[str] = "AutoModel"
    """The class of `transformers` that makes the net."""

    def __init__(
        self,
        name: str,
        net: Net,
        tokenizer: TextTokenizer,
        *,
        revision: str,
        precision: Precision = "fp32",
    ) -> None:
        self.name = name
        self.revision = revision
        self.precision = precision
        # In int8 the activations of a batch share a scale, so each sequence is its own batch.
        self.budget = Budget(1 if precision == "int8" else _TOKEN_BUDGET)
        self.tokenizer = tokenizer
        self.net = net

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """Load a model that is installed, a local directory, or a name on the model hub.

        It runs on the device of the current placement (`tricolore.models.placement`).
        """
        name = name or cls.default
        found = loading.load(
            name, cls.auto_class, revision=revision, precision=precision, advice=cls.advice
        )
        from tricolore.models.net import Net

        device = "cpu" if precision == "int8" else loading.device()
        try:
            module = found.module.to(device)
        except (RuntimeError, AssertionError) as problem:
            reason = f"it cannot run on {device!r} ({one_line(problem)})"
            raise ModelNotFoundError(name, reason, cls.advice, argument="device") from problem
        with loading.one_error(name):
            tokenizer = TextTokenizer(found.tokenizer)
            net = Net(module, tokenizer.pad_id)
            made = cls(name, net, tokenizer, revision=found.revision, precision=precision)
            made.try_out()
        return made

    def try_out(self) -> None:
        """Run a tiny input, so that files that do not fit each other are found at once."""
        self.vectors([Query(self.frame(), (0,))], [self.layers])

    @classmethod
    def known_revision(cls, name: str, revision: str = "") -> str | None:
        """A digest of local weights, or the commit of a model of the hub that is on the disk."""
        return loading.known_revision(name or cls.default, revision)

    @property
    def layers(self) -> int:
        """The number of layers: `vectors` takes 0 (the embeddings) to this number."""
        return self.net.depth

    @property
    def width(self) -> int:
        """The width of a hidden vector."""
        return int(self.net.config.hidden_size)

    @property
    def max_tokens(self) -> int:
        """The longest sequence, special tokens included."""
        config = self.net.config
        positions = int(config.max_position_embeddings)
        if config.model_type in ("roberta", "xlm-roberta", "camembert", "mpnet"):
            positions -= int(config.pad_token_id) + 1  # these count positions from the padding id
        return min(positions, self.tokenizer.max_tokens)

    def tokenize(self, text: str) -> Tokens:
        """The tokens of a text, without special tokens and never cut."""
        return self.tokenizer(text)

    def frame(self, *parts: Iterable[int]) -> tuple[int, ...]:
        """The parts one after the other, between the model's opening and closing tokens."""
        middle = (token for part in parts for token in part)
        return (self.tokenizer.cls_id, *middle, self.tokenizer.sep_id)

    def entries(self, ids: Iterable[int]) -> list[str]:
        """The vocabulary entries of some ids."""
        return [self.tokenizer.entry(token) for token in ids]

    def vectors(
        self, queries: Sequence[Query], layers: Sequence[int], *, double: bool = False
    ) -> list[npt.NDArray[Any]]:
        """The hidden vectors after some layers at each asked position.

        One array per query, of shape (layers, positions, width); in fp64 if `double`, which is
        slow and free of rounding noise.
        """
        for layer in layers:
            if not 0 <= layer <= self.layers:
                raise ValueError(f"{self.name} has layers 0 to {self.layers}, not {layer}")

        def ask(batch: Sequence[Query]) -> list[Any]:
            return self.net.vectors(batch, layers)

        if double:
            with self.net.in_fp64():
                found = {q: v.cpu().numpy() for q, v in self._answers(queries, ask)}
        else:
            found = {q: v.float().cpu().numpy() for q, v in self._answers(queries, ask)}
        nothing = np.empty((len(layers), 0, self.width), dtype=np.float32)
        return [found.get(query, nothing) for query in queries]

    def _answers(
        self, queries: Iterable[Query], ask: Callable[[Sequence[Query]], list[AnswerT]]
    ) -> Iterator[tuple[Query, AnswerT]]:
        """Every distinct query that asks something, with its answer."""
        asking = [query for query in queries if query.positions]
        for query in asking:
            if len(query) > self.max_tokens:
                raise ValueError(
                    f"a sequence of {len(query)} tokens; "
                    f"{self.name} reads at most {self.max_tokens}"
                )
        return answers(asking, len, self.budget, ask)
