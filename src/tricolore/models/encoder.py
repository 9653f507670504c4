"""A text encoder: texts become tokens, tokens become vectors, in batches that nobody else sees.

What the masked language model and the sentence encoder have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt

from tricolore.models import loading
from tricolore.models.batching import by_length
from tricolore.models.errors import Kind, ModelNotFoundError
from tricolore.models.loading import Precision
from tricolore.models.queries import Query
from tricolore.models.tokens import TextTokenizer, Tokens

if TYPE_CHECKING:
    from tricolore.models.net import Net

Vectors = npt.NDArray[np.float32]
Answer = TypeVar("Answer")

_TOKEN_BUDGET = 2048


class Encoder:
    """A net and its tokenizer, loaded and ready on the CPU or a GPU."""

    kind: ClassVar[Kind] = "encoder"

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
        # In int8 the scale of the activations is that of the batch: each sequence is one.
        self.token_budget = 1 if precision == "int8" else _TOKEN_BUDGET
        self.tokenizer = tokenizer
        self.net = net

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """Load a model that is installed, a local directory, or a name on the model hub.

        It runs where `TRICOLORE_DEVICE` says: "cpu", "cuda", "mps".
        """
        name = name or loading.DEFAULTS[cls.kind]
        found = loading.load(name, cls.kind, revision=revision, precision=precision)
        from tricolore.models.net import Net

        tokenizer = TextTokenizer(found.tokenizer)
        place = "cpu" if precision == "int8" else loading.device()
        try:
            net = Net(found.module.to(place), tokenizer.pad_id)
        except (RuntimeError, AssertionError) as problem:
            reason = str(problem).splitlines()[0]
            raise ModelNotFoundError(
                name, f"it cannot run on {place!r} ({reason})", cls.kind
            ) from problem
        return cls(name, net, tokenizer, revision=found.revision, precision=precision)

    @property
    def layers(self) -> int:
        """How many layers there are: `vectors` takes 0 (the embeddings) to this number."""
        return self.net.depth

    @property
    def width(self) -> int:
        """How many numbers a hidden vector has."""
        return int(self.net.config.hidden_size)

    @property
    def max_tokens(self) -> int:
        """The longest sequence, special tokens included."""
        config = self.net.config
        positions = int(config.max_position_embeddings)
        if config.model_type in ("roberta", "xlm-roberta", "camembert", "mpnet"):
            positions -= int(config.pad_token_id) + 1  # these count positions from the padding
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

        One array a query, of shape (layers, positions, width); in fp64 if `double`, which is
        slow and free of rounding noise.
        """
        for layer in layers:
            if not 0 <= layer <= self.layers:
                raise ValueError(f"{self.name} has layers 0 to {self.layers}, not {layer}")

        def ask(batch: Sequence[Query]) -> list[Any]:
            return self.net.vectors(batch, layers)

        if double:
            with self.net.in_double():
                answers = {q: v.cpu().numpy() for q, v in self._run(queries, ask)}
        else:
            answers = {q: v.float().cpu().numpy() for q, v in self._run(queries, ask)}
        nothing = np.empty((len(layers), 0, self.width), dtype=np.float32)
        return [answers.get(query, nothing) for query in queries]

    def _run(
        self, queries: Iterable[Query], ask: Callable[[Sequence[Query]], list[Answer]]
    ) -> Iterator[tuple[Query, Answer]]:
        """Every different query with its answer, in batches of like length."""
        different = list(dict.fromkeys(query for query in queries if query.positions))
        for query in different:
            if len(query.ids) > self.max_tokens:
                raise ValueError(
                    f"a sequence of {len(query.ids)} tokens; "
                    f"{self.name} reads at most {self.max_tokens}"
                )
        for batch in by_length([len(query.ids) for query in different], self.token_budget):
            yield from self._batch([different[i] for i in batch], ask)

    def _batch(
        self, batch: list[Query], ask: Callable[[Sequence[Query]], list[Answer]]
    ) -> Iterator[tuple[Query, Answer]]:
        """One batch; where the memory does not hold it, its halves, and smaller ones from now."""
        try:
            yield from zip(batch, ask(batch), strict=True)
            return
        except (MemoryError, RuntimeError) as problem:
            if len(batch) == 1 or not _out_of_memory(problem):
                raise
        from tricolore.models.net import free_memory

        free_memory()
        self.token_budget = max(1, self.token_budget // 2)
        half = len(batch) // 2
        yield from self._batch(batch[:half], ask)
        yield from self._batch(batch[half:], ask)


def _out_of_memory(problem: Exception) -> bool:
    words = str(problem).lower()
    return isinstance(problem, MemoryError) or "out of memory" in words or "allocate" in words
