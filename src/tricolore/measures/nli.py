"""Entailment: is each sentence of the summary entailed by a passage of the source?

Philippe Laban, Tobias Schnabel, Paul N. Bennett and Marti A. Hearst (2022), "SummaC: Re-Visiting
NLI-based Models for Inconsistency Detection in Summarization", model SummaC-ZS; windows of whole
sentences as passages are those of AlignScore (Zha et al. 2023) and MiniCheck (Tang et al. 2024).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from tricolore.arrays import Floats
from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measure import Direction, ValueChoice
from tricolore.measures.neural import LocalNetMeasure
from tricolore.measures.pair_limit import TooManyPairsError, check_max_pairs, check_pairs
from tricolore.measures.passages import Granularity, Passage, TextSpan, passages
from tricolore.models.batching import packed
from tricolore.models.entailment import Entailment, Probabilities
from tricolore.models.model import Model
from tricolore.models.pair_encoder import TextPair
from tricolore.score import Score, Span
from tricolore.settings import ModelName, Setting, setting
from tricolore.text.sentences import sentence_spans, sentences


def summac_zs(model: Entailment, summary: str, document: str) -> float:
    """SummaC-ZS by its definition (section 3.2): one value for a summary of a document.

    `Nli` gives the same number, for many summaries at once and with other passages.
    """
    document_blocks, summary_blocks = sentences(document), sentences(summary)
    # The NLI pair matrix X, of shape (document blocks, summary blocks); only the probability of
    # entailment is used.
    x = [
        [model.probabilities([(block, other)])[0, 0] for other in summary_blocks]
        for block in document_blocks
    ]
    # The strongest support of each block of the summary, then their mean.
    return float(np.mean(np.max(x, axis=0)))


NliValue = Literal[
    "entailment",
    "lowest_entailment",
    "difference",
    "lowest_difference",
    "entailed",
    "contradicted",
]
_PARTS = (*get_args(NliValue), "sentences")
_DIFFERENCES = ("difference", "lowest_difference")
_NO_CONTRADICTION = "the model has no label for contradiction; choose another value"
_TIE = 1e-5  # closer probabilities are ties, which the earlier passage wins
_HELD = 1 << 14  # pairs that go to the model at a time, unless one example has more
MAX_PAIRS = 50_000


@dataclass(frozen=True)
class _NliExample:
    """The passages of a source and the sentences of a summary, all of which are compared."""

    number: int
    example: Example
    passages: list[Passage]
    sentences: list[TextSpan]
    is_cut: bool

    @property
    def size(self) -> int:
        return len(self.passages) * len(self.sentences)

    def pairs(self) -> list[TextPair]:
        """Premise and hypothesis, passage by passage."""
        summary = self.example.summary
        premises = [self.example.source[p.document][p.start : p.end] for p in self.passages]
        hypotheses = [summary[start:end] for start, end in self.sentences]
        return [(premise, hypothesis) for premise in premises for hypothesis in hypotheses]


@dataclass(frozen=True, kw_only=True)
class Nli(ValueChoice, LocalNetMeasure[Entailment]):
    """How likely the source is to entail each sentence of the summary."""

    name = "nli"
    needs = frozenset({"source"})
    extra: ClassVar[str] = "neural"
    model_class: ClassVar[type[Model]] = Entailment
    batch_size = 16
    cost: ClassVar[str] = "seconds to minutes per summary: each sentence with each passage"
    part_names = _PARTS
    finds = ("sentence",)
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "summac-zs": {},
        "summac-zs-released": {
            "model": "tals/albert-xlarge-vitaminc-mnli",
            "value": "difference",
            "min_characters": 11,
            "max_passages": 100,
            "max_tokens": 500,
        },
    }

    model: ModelName = setting(
        Entailment.default,
        "Model: the path of a local directory, or a name on the model hub; its config.json must "
        "name its labels.",
    )
    value: NliValue = setting("entailment", "Which part is the value.")
    granularity: Granularity = setting(
        "sentence",
        "Passages of the source: each `sentence`, each sentence with the next (`two_sentences`), "
        "each `paragraph`, as many sentences as fit into a `window`, or the whole `document`.",
    )
    window: int = setting(350, "Number of tokens of a passage with `granularity=window`.")
    min_characters: int = setting(
        0, "Sentences and passages of fewer characters are left out; released code: 11."
    )
    max_passages: int = setting(
        0, "Number of passages from the start of the source that are read; 0: all."
    )
    max_tokens: int = setting(
        0,
        "Number of tokens of passage and sentence that are read together, special tokens included; "
        "0: all that the model can read.",
    )
    max_pairs: int = setting(
        MAX_PAIRS,
        "The largest product of the numbers of sentences and passages; if it is larger, there is "
        "no value, since the work would take too long.",
    )

    def __post_init__(self) -> None:
        check_max_pairs(self.max_pairs)
        if self.window < 1:
            raise ValueError(f"window must be 1 or more, not {self.window}")
        for name in ("min_characters", "max_passages", "max_tokens"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must be 0 or more, not {getattr(self, name)}")

    @property
    def direction(self) -> Direction:
        """Contradictions are bad, all else is good."""
        return "lower" if self.value == "contradicted" else "higher"

    @property
    def bounds(self) -> tuple[float, float]:
        """Probabilities and shares, or differences of probabilities."""
        return (-1.0, 1.0) if self.value in _DIFFERENCES else (0.0, 1.0)

    def signature(self) -> dict[str, Any]:
        """The settings and the weights."""
        if self.max_tokens > 0 and self.max_tokens > self.loaded.max_tokens:
            raise SpecError(
                f"nli: {self.model} reads at most {self.loaded.max_tokens} tokens at a time, not "
                f"{self.max_tokens}"
            )
        return super().signature()

    def undefined(self, score: Score) -> str:
        return _NO_CONTRADICTION

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        scores: dict[int, Score] = {}
        compared: list[_NliExample] = []
        for number, example in enumerate(examples):
            read = self._read(number, example)
            if isinstance(read, Score):
                scores[number] = read
            else:
                compared.append(read)
        for pack in packed(compared, lambda one: one.size, _HELD):
            pairs = [pair for one in pack for pair in one.pairs()]
            found = self.loaded.probabilities(pairs, max_tokens=self.max_tokens)
            cut = self.loaded.cut(pairs, max_tokens=self.max_tokens)
            at = 0
            for one in pack:
                own = slice(at, at + one.size)
                at += one.size
                shape = len(one.passages), len(one.sentences), -1
                table = _Judgements(found[own].reshape(shape), self.loaded.labels)
                is_cut = one.is_cut or any(cut[own])
                scores[one.number] = _score(one, table, is_cut=is_cut, evidence=evidence)
        return [scores[number] for number in range(len(examples))]

    def _read(self, number: int, example: Example) -> _NliExample | Score:
        found = [
            Passage(document, start, end)
            for document, text in enumerate(example.source)
            for start, end in self._sound(
                text, passages(text, self.granularity, self._size, self.window)
            )
        ]
        hypotheses = self._sound(example.summary, sentence_spans(example.summary))
        least = f" of {self.min_characters} characters or more" if self.min_characters else ""
        if not hypotheses:
            return Score.missing(f"the summary has no sentence{least} that the model can read")
        if not found:
            return Score.missing(f"the source has no passage{least} that the model can read")
        is_cut = 0 < self.max_passages < len(found)
        kept = found[: self.max_passages] if is_cut else found
        try:
            check_pairs(len(hypotheses), len(kept), self.max_pairs, ("sentences", "passages"))
        except TooManyPairsError as error:
            return Score.missing(str(error))
        return _NliExample(number, example, kept, hypotheses, is_cut)

    def _sound(self, text: str, spans: Sequence[TextSpan]) -> list[TextSpan]:
        """The spans that are long enough and have a word that the model can read."""
        return [
            (start, end)
            for start, end in spans
            if end - start >= self.min_characters and self._size(text[start:end])
        ]

    def _size(self, text: str) -> int:
        return len(self.loaded.tokenize(text))


class _Judgements:
    """What the model says of every passage and sentence of an example, sentence by sentence."""

    def __init__(self, probabilities: Probabilities, labels: Sequence[str]) -> None:
        self._entailment = probabilities[:, :, labels.index("entailment")]
        likeliest = probabilities.argmax(axis=2)
        self.is_entailed = (likeliest == labels.index("entailment")).any(axis=0)
        self.entailment: Floats = self._entailment.max(axis=0)
        self.has_contradiction = "contradiction" in labels
        if self.has_contradiction:
            at = labels.index("contradiction")
            self._contradiction = probabilities[:, :, at]
            self.is_contradicted = ~self.is_entailed & (likeliest == at).any(axis=0)
            self.contradiction: Floats = self._contradiction.max(axis=0)

    def parts(self) -> dict[str, float]:
        """The parts of the score."""
        count = len(self.entailment)
        found = {
            "entailment": float(self.entailment.mean()),
            "lowest_entailment": float(self.entailment.min()),
            "difference": math.nan,
            "lowest_difference": math.nan,
            "entailed": float(self.is_entailed.mean()),
            "contradicted": math.nan,
            "sentences": float(count),
        }
        if self.has_contradiction:
            # The released code: each maximum may come from another passage.
            difference = self.entailment - self.contradiction
            found["difference"] = float(difference.mean())
            found["lowest_difference"] = float(difference.min())
            found["contradicted"] = float(self.is_contradicted.mean())
        return found

    def verdict(self, sentence: int) -> tuple[str, float, int]:
        """What is said of a sentence, how likely that is, and the deciding passage."""
        if self.has_contradiction and self.is_contradicted[sentence]:
            at = _first_best(self._contradiction[:, sentence])
            probability = float(self.contradiction[sentence])
            return f"contradicted with probability {probability:.2f}", probability, at
        at = _first_best(self._entailment[:, sentence])
        probability = float(self.entailment[sentence])
        if self.is_entailed[sentence]:
            return f"entailed with probability {probability:.2f}", probability, at
        label = f"not entailed: the highest probability is {probability:.2f}"
        return label, 1 - probability, at


def _first_best(values: Floats) -> int:
    return int(np.flatnonzero(values >= values.max() - _TIE)[0])


def _score(one: _NliExample, table: _Judgements, *, is_cut: bool, evidence: bool) -> Score:
    spans = _evidence(one, table) if evidence else ()
    found = Score.of_parts(table.parts(), spans)
    return replace(found, flags=("truncated",) if is_cut else ())


def _evidence(one: _NliExample, table: _Judgements) -> Iterator[Span]:
    """Every sentence with its verdict and the passage that decided it."""
    for at, (start, end) in enumerate(one.sentences):
        label, weight, deciding = table.verdict(at)
        there = one.passages[deciding]
        yield Span(
            "summary",
            start,
            end,
            weight=round(weight, 4),
            label=label,
            match=Span("source", there.start, there.end, document=there.document),
            kind="similar" if table.is_entailed[at] else "fault",
            item="sentence",
        )
