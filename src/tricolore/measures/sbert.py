"""SBERT cosine similarity: is the summary, as one vector, near to its source?

Thesis, section 5.2 and figure 5.1; the sentence encoders are those of Reimers and Gurevych (2019).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from tricolore.example import Example
from tricolore.measure import Direction
from tricolore.measures.neural import EncoderMeasure
from tricolore.models.encoder import Vectors
from tricolore.models.sentence_encoder import Long
from tricolore.score import Score
from tricolore.settings import Setting, setting


@dataclass(frozen=True, kw_only=True)
class Sbert(EncoderMeasure):
    """The cosine of the embeddings of summary and source, mapped to [0, 1]."""

    name = "sbert"
    needs = frozenset({"source"})
    direction = "higher"
    bounds = (0.0, 1.0)
    cost: ClassVar[str] = "milliseconds per summary; a source is read once for all its summaries"
    part_names = ("cosine",)
    part_directions: ClassVar[Mapping[str, Direction]] = {"cosine": "higher"}
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {"paper": {}}

    pooling: Literal["model", "cls", "mean", "max"] = setting(
        "model",
        "How the vectors of the tokens become one: as the encoder was trained (`model`), the "
        "vector of the first token (`cls`), their mean (`mean`), or the largest number in each "
        "place (`max`).",
    )
    long: Long = setting(
        "truncate",
        "What is done with a text that is longer than the encoder reads: it is cut (`truncate`), "
        "or read in pieces whose vectors are averaged by their numbers of tokens (`chunk`).",
    )
    max_tokens: int = setting(
        0,
        "Number of tokens that are read at a time, special tokens included; 0: what the encoder "
        "was made for.",
    )

    def __post_init__(self) -> None:
        self.check_max_tokens(self.max_tokens)

    def signature(self) -> dict[str, Any]:
        """The settings and the weights."""
        self.check_room(self.max_tokens)
        return super().signature()

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        texts = [t for e in examples for t in (e.summary, *e.source)]
        found = self._embedded(dict.fromkeys(texts))
        cut = self._cut(found)
        return [_score(e, found, cut) for e in examples]

    def _cut(self, texts: Iterable[str]) -> set[str]:
        """The texts that are cut."""
        if self.long == "chunk":
            return set()
        room = (self.max_tokens or self.encoder.usual_tokens) - 2  # without [CLS] and [SEP]
        return {text for text in texts if self.is_cut(text, room)}

    def _embedded(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """The vectors of the texts in which the encoder finds a word, each of length 1."""
        known = [text for text in texts if len(self.encoder.tokenize(text))]
        vectors = self.encoder.embed(
            known,
            pooling=None if self.pooling == "model" else self.pooling,
            normalised=True,  # normalized for a cosine, whatever the checkpoint does
            max_tokens=self.max_tokens,
            long=self.long,
        )
        return dict(zip(known, vectors, strict=True))


def _score(example: Example, found: Mapping[str, Vectors], cut: Collection[str]) -> Score:
    if example.summary not in found:
        return Score.missing("the summary has no word that the model can read")
    sources = [found[text] for text in example.source if text in found]
    if not sources:
        return Score.missing("the source has no word that the model can read")
    here = found[example.summary].astype(np.float64)
    cosines = [float(here @ there.astype(np.float64)) for there in sources]
    # Several documents: the average of their cosines.
    cosine = min(1.0, max(-1.0, sum(cosines) / len(cosines)))
    is_cut = any(text in cut for text in (example.summary, *example.source))
    return Score((1 + cosine) / 2, {"cosine": cosine}, flags=("truncated",) if is_cut else ())
