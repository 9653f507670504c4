"""A masked language model behind a narrow interface: guess masked tokens, give hidden vectors.

Token ids go in, numpy arrays come out; measures see neither torch nor batches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tricolore.models import embedded
from tricolore.models.batching import by_length
from tricolore.models.errors import ModelNotFoundError

if TYPE_CHECKING:
    import torch

Ids = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.float32]

EMBEDDED = "embedded"
# Padding and batch size move a logit by about 1e-5. Where the two best are nearer than this,
# the sequence is run again by itself, so that the guess never depends on its company.
_NEAR_TIE = 1e-3


@dataclass(frozen=True)
class Tokens:
    """A text as the model reads it: ids, and the characters that each of them covers."""

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Query:
    """A framed sequence of ids and the positions that are asked about."""

    ids: tuple[int, ...]
    positions: tuple[int, ...]


class MaskedLM:
    """A masked language model and its tokenizer, loaded and ready on the CPU or a GPU.

    `MaskedLM.load("bert-base-uncased").guess("Paris is the capital of [MASK].")` is a first look.
    """

    def __init__(
        self, name: str, net: Any, tokenizer: Any, *, revision: str, token_budget: int = 4096
    ) -> None:
        self.name = name
        self.revision = revision
        self.token_budget = token_budget
        self.tokenizer = tokenizer
        self._net = net.eval()
        self.cls_id = _special(tokenizer, "cls")
        self.sep_id = _special(tokenizer, "sep")
        self.mask_id = _special(tokenizer, "mask")
        self.pad_id = _special(tokenizer, "pad")

    @classmethod
    def load(
        cls, name: str = EMBEDDED, *, revision: str | None = None, device: str = "cpu"
    ) -> MaskedLM:
        """Load "embedded", a local directory, or a checkpoint of the model hub by its name.

        `revision` pins a commit of the hub. Only safetensors are read, and code that comes
        with a checkpoint is never run.
        """
        try:
            import torch
            import transformers  # noqa: F401
        except ImportError as missing:
            raise ModelNotFoundError(name, f"{missing.name} is not installed") from missing
        if name == EMBEDDED:
            model = _load_embedded()
        elif Path(name).is_dir():
            model = _load_pretrained(name, revision=None)
        else:
            model = _load_pretrained(name, revision=revision)
        model._net.to(torch.device(device))
        return model

    @property
    def layers(self) -> int:
        """How many layers there are: `vectors` takes 0 (the embeddings) to this number."""
        return int(self._net.config.num_hidden_layers)

    @property
    def max_tokens(self) -> int:
        """The longest sequence, special tokens included."""
        config = self._net.config
        positions = int(config.max_position_embeddings)
        if config.model_type in ("roberta", "xlm-roberta", "camembert"):
            positions -= int(config.pad_token_id) + 1  # these count positions from the padding
        return min(positions, int(self.tokenizer.model_max_length))

    def tokenize(self, text: str) -> Tokens:
        """The tokens of a text, without special tokens and never cut."""
        encoded = self.tokenizer(
            text,
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            verbose=False,
        )
        return Tokens(tuple(encoded["input_ids"]), tuple(map(tuple, encoded["offset_mapping"])))

    def frame(self, *parts: Iterable[int]) -> tuple[int, ...]:
        """The parts one after the other, between the model's opening and closing tokens."""
        return (self.cls_id, *(token for part in parts for token in part), self.sep_id)

    def words(self, ids: Iterable[int]) -> list[str]:
        """The vocabulary entries of some ids."""
        return list(self.tokenizer.convert_ids_to_tokens([int(i) for i in ids]))

    def guess(self, text: str) -> list[str]:
        """The model's guesses for the mask tokens of a text, for a first look at a model."""
        ids = self.frame(self.tokenize(text).ids)
        masked = tuple(i for i, token in enumerate(ids) if token == self.mask_id)
        return self.words(self.predict([Query(ids, masked)])[0])

    def predict(self, queries: Sequence[Query]) -> list[Ids]:
        """The likeliest token at each asked position, one array a query.

        The same for any order, batch size and company: see `_NEAR_TIE`.
        """
        answers: list[Ids] = [np.empty(0, dtype=np.int64)] * len(queries)
        for batch in self._batches(queries):
            for index, logits in zip(batch, self._logits([queries[i] for i in batch]), strict=True):
                if len(batch) > 1 and _has_near_tie(logits):
                    logits = self._logits([queries[index]])[0]
                answers[index] = logits.argmax(-1).cpu().numpy()
        return answers

    def vectors(self, queries: Sequence[Query], layers: Sequence[int]) -> list[Vectors]:
        """The hidden vectors after some layers at each asked position.

        One array a query, of shape (layers, positions, width).
        """
        for layer in layers:
            if not 0 <= layer <= self.layers:
                raise ValueError(f"{self.name} has layers 0 to {self.layers}, not {layer}")
        shape = (len(layers), 0, int(self._net.config.hidden_size))
        answers: list[Vectors] = [np.empty(shape, dtype=np.float32)] * len(queries)
        for batch in self._batches(queries):
            states = self._hidden_states([queries[i] for i in batch])
            for row, index in enumerate(batch):
                asked = list(queries[index].positions)
                chosen = [states[layer][row, asked].float().cpu().numpy() for layer in layers]
                answers[index] = np.stack(chosen)
        return answers

    def _batches(self, queries: Sequence[Query]) -> Iterable[list[int]]:
        for query in queries:
            if len(query.ids) > self.max_tokens:
                raise ValueError(
                    f"a sequence of {len(query.ids)} tokens; "
                    f"{self.name} reads at most {self.max_tokens}"
                )
        asked = [i for i, query in enumerate(queries) if query.positions]
        for batch in by_length([len(queries[i].ids) for i in asked], self.token_budget):
            yield [asked[i] for i in batch]

    def _logits(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        """Scores of the whole vocabulary, at the asked positions only: the rest is costly."""
        import torch

        states = self._hidden_states(queries)[-1]
        asked = [states[row, list(query.positions)] for row, query in enumerate(queries)]
        with torch.inference_mode():
            scores = _head(self._net, torch.cat(asked))
        return list(torch.split(scores, [len(part) for part in asked]))

    def _hidden_states(self, queries: Sequence[Query]) -> tuple[torch.Tensor, ...]:
        import torch

        width = max(len(query.ids) for query in queries)
        inputs = torch.full((len(queries), width), self.pad_id)
        attention = torch.zeros((len(queries), width), dtype=torch.long)
        for row, query in enumerate(queries):
            inputs[row, : len(query.ids)] = torch.tensor(query.ids)
            attention[row, : len(query.ids)] = 1
        device = self._net.device
        with torch.inference_mode():
            output = self._net.base_model(
                input_ids=inputs.to(device),
                attention_mask=attention.to(device),
                output_hidden_states=True,
            )
        states: tuple[torch.Tensor, ...] = output.hidden_states
        return states


def _head(net: Any, states: torch.Tensor) -> torch.Tensor:
    """The prediction head of a net, from last hidden states to scores of the vocabulary."""
    scores: torch.Tensor
    if hasattr(net, "vocab_projector"):  # DistilBERT
        scores = net.vocab_projector(
            net.vocab_layer_norm(net.activation(net.vocab_transform(states)))
        )
    elif hasattr(net, "lm_head"):  # RoBERTa, ELECTRA-like
        scores = net.lm_head(states)
    elif hasattr(net, "predictions"):  # ALBERT
        scores = net.predictions(states)
    elif hasattr(net, "cls"):  # BERT
        scores = net.cls(states)
    else:
        raise ModelNotFoundError(
            str(net.config.model_type),
            "its prediction head is of an unknown kind; BERT, DistilBERT, ALBERT and RoBERTa work",
        )
    return scores


def _has_near_tie(logits: torch.Tensor) -> bool:
    best = logits.topk(2, dim=-1).values
    return bool((best[:, 0] - best[:, 1] < _NEAR_TIE).any())


def _special(tokenizer: Any, kind: str) -> int:
    found = getattr(tokenizer, f"{kind}_token_id")
    if found is None:
        raise ValueError(f"the tokenizer has no {kind} token: this is not a masked language model")
    return int(found)


def _load_embedded() -> MaskedLM:
    import transformers

    library: Any = transformers  # parts of it are not typed
    where = embedded.directory()
    config = library.AutoConfig.from_pretrained(where, trust_remote_code=False)
    net = library.AutoModelForMaskedLM.from_config(config, trust_remote_code=False)
    net.load_state_dict(embedded.decode(where / embedded.WEIGHTS), strict=False)
    net.tie_weights()
    tokenizer = library.PreTrainedTokenizerFast(
        tokenizer_file=str(where / "tokenizer.json"),
        model_max_length=config.max_position_embeddings,
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        pad_token="[PAD]",
        unk_token="[UNK]",
    )
    digest = hashlib.sha256((where / embedded.WEIGHTS).read_bytes()).hexdigest()
    return MaskedLM(EMBEDDED, net, tokenizer, revision=digest[:12])


def _load_pretrained(name: str, revision: str | None) -> MaskedLM:
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    pinned = {} if revision is None else {"revision": revision}
    try:
        net = AutoModelForMaskedLM.from_pretrained(
            name, use_safetensors=True, trust_remote_code=False, **pinned
        )
        tokenizer = AutoTokenizer.from_pretrained(
            name, use_fast=True, trust_remote_code=False, **pinned
        )
    except (OSError, ValueError) as problem:
        raise ModelNotFoundError(name, str(problem).splitlines()[0]) from problem
    known = revision or getattr(net.config, "_commit_hash", None) or _digest(Path(name))
    return MaskedLM(name, net, tokenizer, revision=known)


def _digest(directory: Path) -> str:
    """A local checkpoint has no commit; its weights tell it from another."""
    digest = hashlib.sha256()
    for path in sorted(directory.glob("*.safetensors")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
