"""A masked LM of `transformers`, run only as far as needed.

Layers above the deepest one asked for are not run, that one is run only for the asked rows where
its kind is known, and the scores of the vocabulary are made block by block and at the
asked positions only. Whatever the family, its own modules do the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import Any

import torch
from torch import nn

from tricolore.models.early_exit import head_features, layer_modules, run_layers
from tricolore.models.errors import NotFiniteError
from tricolore.models.layer_parts import LayerParts, in_parts
from tricolore.models.learning import Sample, Tuning
from tricolore.models.queries import PairQuery, Query, TargetQuery
from tricolore.models.tuning import tuned

_VOCABULARY_BLOCK = 4096
_ROWS = 256  # positions whose scores of the whole vocabulary are held at a time


@dataclass(frozen=True)
class Best:
    """The most likely token at each asked position, and its lead over the next."""

    ids: torch.Tensor
    lead: torch.Tensor


@dataclass(frozen=True)
class TopTokens:
    """The most likely tokens at each asked position with log-probabilities, best first."""

    ids: torch.Tensor
    log_probabilities: torch.Tensor
    lead: torch.Tensor
    """The lead of each over the next."""


class Net:
    """Runs batches of queries through one net; safe to use from several threads."""

    def __init__(self, module: Any, pad_id: int) -> None:
        self.module = module.eval()
        self._pad_id = pad_id
        self.lock = RLock()
        """The lock for computing with the net or changing its weights."""
        self.layers = layer_modules(module)
        self._parts = [in_parts(layer) for layer in self.layers]

    @property
    def config(self) -> Any:
        """The configuration of the net."""
        return self.module.config

    @property
    def depth(self) -> int:
        """The number of layers."""
        return int(self.config.num_hidden_layers)

    def input_vectors(self, ids: Sequence[int]) -> torch.Tensor:
        """The vectors of entries of the vocabulary, before any layer and position."""
        with self.lock:
            found: torch.Tensor = self.module.get_input_embeddings().weight.detach()[ids]
        return found

    def best(self, queries: Sequence[Query]) -> list[Best]:
        """The most likely tokens of one batch."""
        with self.lock, torch.inference_mode():
            [states] = self._asked(queries, [self.depth])
            found = _top_two(head_features(self.module, states), self._projection())
            _check_finite(found.lead)
        sizes = [len(query.positions) for query in queries]
        parts = zip(torch.split(found.ids, sizes), torch.split(found.lead, sizes), strict=True)
        return [Best(ids, lead) for ids, lead in parts]

    def ranked(self, queries: Sequence[Query], count: int) -> list[TopTokens]:
        """The `count` most likely tokens of one batch."""
        with self.lock, torch.inference_mode():
            [states] = self._asked(queries, [self.depth])
            logits = self._projection()(head_features(self.module, states))
            found = _ranked(logits.log_softmax(-1), count)
            _check_finite(found.log_probabilities[:, :1])
        sizes = [len(query.positions) for query in queries]
        parts = (torch.split(part, sizes) for part in (found.ids, found.log_probabilities))
        leads = torch.split(found.lead, sizes)
        return [TopTokens(*of_query) for of_query in zip(*parts, leads, strict=True)]

    def log_probabilities(self, queries: Sequence[TargetQuery]) -> list[torch.Tensor]:
        """The log-probability of the given token at each asked position of one batch."""
        with self.lock, torch.inference_mode():
            [states] = self._asked(queries, [self.depth])
            features, projection = head_features(self.module, states), self._projection()
            targets = torch.tensor([token for query in queries for token in query.targets])
            # The scores of all positions and entries together would take hundreds of megabytes.
            targets = targets.to(states.device)
            parts = zip(torch.split(features, _ROWS), torch.split(targets, _ROWS), strict=True)
            found = torch.cat(
                [projection(f).log_softmax(-1).gather(1, t[:, None])[:, 0] for f, t in parts]
            )
            _check_finite(found)
        return list(torch.split(found, [len(query.positions) for query in queries]))

    def vectors(self, queries: Sequence[Query], layers: Sequence[int]) -> list[torch.Tensor]:
        """The hidden vectors at the asked positions: (layers, positions, width) per query."""
        with self.lock, torch.inference_mode():
            stacked = torch.stack(self._asked(queries, layers))
        return list(torch.split(stacked, [len(query.positions) for query in queries], dim=1))

    def span_scores(
        self, queries: Sequence[PairQuery], *, types: bool = True
    ) -> list[torch.Tensor]:
        """The scores of each token as the start and as the end of an answer: (2, tokens) each.

        `types` tells the net which tokens belong to which text, if it can be told.
        """
        with self.lock, torch.inference_mode():
            found = self._on_pairs(queries, types=types)
            both = torch.stack((found.start_logits, found.end_logits), dim=1)
            scores = [part[:, : len(q)] for part, q in zip(both, queries, strict=True)]
            for part in scores:
                _check_finite(part)
        return scores

    def logits(self, queries: Sequence[PairQuery]) -> torch.Tensor:
        """The scores of the classes by a net that classifies, one row per pair of texts."""
        with self.lock, torch.inference_mode():
            found: torch.Tensor = self._on_pairs(queries).logits
            _check_finite(found)
        return found

    def order_logits(self, queries: Sequence[PairQuery]) -> torch.Tensor:
        """The scores of "in order" and "not in order" by a pretrained ALBERT or BERT."""
        with self.lock, torch.inference_mode():
            output = self._on_pairs(queries)
            found: torch.Tensor = (
                output.sop_logits if "sop_logits" in output else output.seq_relationship_logits
            )
            _check_finite(found)
        return found

    def _on_pairs(self, queries: Sequence[PairQuery], *, types: bool = True) -> Any:
        """What the net makes of pairs of texts."""
        inputs, attention = self._batch(queries)
        more = {"token_type_ids": self._types(queries)} if types and self._has_types else {}
        return self.module(input_ids=inputs, attention_mask=attention, **more)

    def loss(self, queries: Sequence[Query], targets: Sequence[int]) -> torch.Tensor:
        """The mean cross-entropy of the right tokens at the asked positions, to learn from."""
        logits = self._projection()(head_features(self.module, self.states(queries)))
        return nn.functional.cross_entropy(logits, torch.tensor(targets, device=logits.device))

    @contextmanager
    def tuned(self, samples: Sequence[Sample], tuning: Tuning) -> Iterator[None]:
        """Tune the net on the samples within a block; other threads wait."""
        with self.lock, tuned(self, samples, tuning):
            yield

    def states(self, queries: Sequence[Query]) -> torch.Tensor:
        """The last hidden vectors at the asked positions, one row each, to learn from."""
        inputs, attention = self._batch(queries)
        rows, columns = _where(queries)
        output: torch.Tensor = self.module.base_model(input_ids=inputs, attention_mask=attention)[0]
        return output[rows, columns]

    @contextmanager
    def with_weights(self, weights: Mapping[str, torch.Tensor]) -> Iterator[list[nn.Parameter]]:
        """Replace some weights of the encoder within a block; other threads wait.

        Yields the parameters in the order of the weights; they can be trained.
        """
        with self.lock:
            known = dict(self.module.base_model.named_parameters())
            replaced = [known[name] for name in weights]
            own = [(p, p.data, p.requires_grad) for p in replaced]
            try:
                for parameter, value in zip(replaced, weights.values(), strict=True):
                    parameter.data = value.to(parameter.device)
                yield replaced
            finally:
                for parameter, data, requires_grad in own:
                    parameter.data = data
                    parameter.grad = None
                    parameter.requires_grad_(requires_grad)

    @contextmanager
    def in_fp64(self) -> Iterator[None]:
        """Compute in fp64 within a block, so that rounding decides nothing; other threads wait.

        On the CPU if the device has no fp64. From fp32 and back again nothing is lost.
        """
        with self.lock:
            before, device = next(self.module.parameters()).dtype, self.module.device
            elsewhere = not has_fp64(device)
            try:
                if elsewhere:
                    self.module.to("cpu")
                self.module.double()
                yield
            finally:
                self.module.to(before)
                if elsewhere:
                    self.module.to(device)

    def _asked(self, queries: Sequence[Query], layers: Sequence[int]) -> list[torch.Tensor]:
        """The hidden states after some layers at the asked positions, one row each.

        The deepest layer is run for these rows alone where its kind is known.
        """
        rows, columns = _where(queries)
        deepest = max(layers)
        parts = self._parts[deepest - 1] if deepest else None
        found: dict[int, torch.Tensor] = {}

        def keep(layer: int, states: torch.Tensor) -> None:
            if layer in layers:
                found[layer] = states[rows, columns]
            if parts is not None and layer == deepest - 1:
                found[deepest] = _at_asked(parts, states, queries)

        inputs, attention = self._batch(queries)
        stop = deepest if parts is None else deepest - 1
        run_layers(self.module, self.layers, inputs, attention, deepest=stop, keep=keep)
        asked = [found[layer] for layer in layers]
        for states in asked:
            _check_finite(states)
        return asked

    @property
    def _has_types(self) -> bool:
        """Whether the net tells the tokens of two texts apart; RoBERTa and DistilBERT do not."""
        return int(getattr(self.config, "type_vocab_size", 0) or 0) > 1

    def _types(self, queries: Sequence[PairQuery]) -> torch.Tensor:
        width = max(map(len, queries))
        rows = [(*query.types, *[0] * (width - len(query))) for query in queries]
        return torch.tensor(rows).to(self.module.device)

    def _batch(
        self, queries: Sequence[Query] | Sequence[PairQuery]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        width = max(len(query.ids) for query in queries)
        rows = [(*query.ids, *[self._pad_id] * (width - len(query.ids))) for query in queries]
        inputs = torch.tensor(rows)
        device = self.module.device
        if all(len(query.ids) == width for query in queries):
            return inputs.to(device), None
        lengths = torch.tensor([len(query.ids) for query in queries])
        attention = (torch.arange(width) < lengths[:, None]).long()
        return inputs.to(device), attention.to(device)

    def _projection(self) -> nn.Linear:
        """The last matrix of the head: from a feature to a score for each vocabulary entry."""
        projection: nn.Linear = self.module.get_output_embeddings()
        return projection


def _check_finite(found: torch.Tensor) -> None:
    """All that measures see of a net comes by here: NaN must not become a value."""
    if not bool(torch.isfinite(found).all()):
        raise NotFiniteError


def _at_asked(parts: LayerParts, states: torch.Tensor, queries: Sequence[Query]) -> torch.Tensor:
    """A layer at the asked rows, padded to a rectangle and flattened again."""
    most = max(len(query.positions) for query in queries)
    asked = torch.tensor([(*q.positions, *[0] * (most - len(q.positions))) for q in queries])
    wanted = torch.arange(most) < torch.tensor([len(q.positions) for q in queries])[:, None]
    lengths = torch.tensor([len(query.ids) for query in queries])
    keys = torch.arange(states.shape[1]) < lengths[:, None]
    padded = not bool(keys.all())
    device = states.device
    out = parts(states, asked.to(device), keys.to(device) if padded else None)
    return out[wanted.to(device)]


def _where(queries: Sequence[Query]) -> tuple[list[int], list[int]]:
    """Rows and columns of all asked positions of a batch."""
    rows = [row for row, query in enumerate(queries) for _ in query.positions]
    return rows, [position for query in queries for position in query.positions]


def _top_two(features: torch.Tensor, projection: nn.Linear) -> Best:
    """The best entry of the vocabulary and its lead over the second, block by block.

    The scores of all positions and entries together would not fit a cache, nor, with many
    positions, the memory. Ties are broken in favour of the lower id, as in `argmax`.
    """
    count = len(features)
    first = features.new_full((count,), -torch.inf)
    second = first.clone()
    ids = torch.zeros(count, dtype=torch.long, device=features.device)
    weight, bias = projection.weight, projection.bias
    for start in range(0, weight.shape[0], _VOCABULARY_BLOCK):
        stop = start + _VOCABULARY_BLOCK
        part = None if bias is None else bias[start:stop]
        scores = nn.functional.linear(features, weight[start:stop], part)
        top, place = scores.max(-1)
        scores.scatter_(1, place[:, None], -torch.inf)
        second = torch.maximum(torch.maximum(second, scores.amax(-1)), torch.minimum(first, top))
        better = top > first
        ids = torch.where(better, place + start, ids)
        first = torch.maximum(first, top)
    return Best(ids, first - second)


def _ranked(scores: torch.Tensor, count: int) -> TopTokens:
    """Sort ties by id, in fp64, where rounding does not hide them."""
    most = min(count + 1, scores.shape[-1])
    if scores.dtype == torch.float64:
        values, ids = scores.sort(dim=-1, descending=True, stable=True)
    else:
        values, ids = scores.topk(most)
    values, ids = values[:, :most], ids[:, :most]
    after = nn.functional.pad(values, (0, 1), value=-torch.inf)[:, 1:]
    return TopTokens(ids[:, :count], values[:, :count], (values - after)[:, :count])


def has_fp64(device: torch.device) -> bool:
    """Whether a device computes in double precision; Apple's GPUs (mps) do not."""
    try:
        torch.zeros(1, dtype=torch.float64, device=device)
    except (TypeError, RuntimeError):
        return False
    return True
