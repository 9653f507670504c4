"""BERTScore: how alike the tokens of two texts are in their contexts, each with its best match.

Tianyi Zhang et al. (2020), "BERTScore: Evaluating Text Generation with BERT", section 3, and the
authors' package, bert-score 0.3.13.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tricolore.arrays import Floats
from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measure import Measure, Need, ValueChoice
from tricolore.measures.bert_score_idf import Against, Idf, digest, read_texts
from tricolore.measures.bert_score_layers import default_layer
from tricolore.measures.neural import EncoderMeasure, layer_text
from tricolore.measures.precision_recall import DIRECTIONS, PrecisionRecallPart, harmonic_mean
from tricolore.models.encoder import Vectors
from tricolore.models.queries import Query
from tricolore.models.sentence_encoder import Long
from tricolore.models.tokens import Tokens
from tricolore.models.vectors import unit_rows
from tricolore.score import Score, Span, Where
from tricolore.settings import FilePath, Opens, Setting, setting

_HELD = 16_384
"""Tokens whose vectors are held at a time; more only for what one summary is compared with."""
_CELLS = 4_000_000
"""Numbers in a block of a similarity matrix."""


@dataclass(frozen=True, eq=False)
class _Reading:
    """The tokens of a text and the vectors of these and of the special tokens around them.

    `weights` are 0 for special tokens: they may be a match, but nothing is asked of them.
    `places` are the places of the vectors among the tokens, -1 for special ones.
    """

    tokens: Tokens
    begins: int
    vectors: Vectors
    weights: Floats
    places: NDArray[np.intp]

    def span(self, at: int) -> tuple[int, int]:
        """The characters of a token in the text as it was given."""
        start, end = self.tokens.spans[at]
        return self.begins + start, self.begins + end

    def word(self, at: int) -> tuple[int, int]:
        """The characters of the word that a token belongs to."""
        words = self.tokens.words
        first = last = at
        while first and words[first - 1] == words[at]:
            first -= 1
        while last + 1 < len(words) and words[last + 1] == words[at]:
            last += 1
        return self.span(first)[0], self.span(last)[1]


@dataclass(frozen=True, eq=False)
class _TextMatch:
    """A summary and one of the texts that it is compared with."""

    document: int
    parts: dict[str, float]
    best: Floats
    """For each vector of the summary its highest cosine, and where that is."""
    where: NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class BertScore(ValueChoice, EncoderMeasure):
    """The mean cosine of every token and the most similar token of the other text."""

    name = "bert-score"
    direction = "higher"
    cost: ClassVar[str] = "milliseconds a summary, and the same for each different reference"
    part_names = ("precision", "recall", "f1")
    part_directions = DIRECTIONS
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {},
        "released": {"model": "roberta-large"},
    }

    value: PrecisionRecallPart = setting("f1", "Which part is the value.")
    against: Against = setting(
        "references",
        "What a summary is compared with; `source` takes each source document for a reference.",
    )
    layer: str = setting(
        "default",
        "The layer whose vectors are compared: a number, 0 for the embeddings, a negative number "
        "from the top, or `default`.",
    )
    idf: Annotated[str, Opens("file", ("none",))] = setting(
        "none",
        "Weights of the tokens by how rare they are: `none`, or a file with the texts in which "
        "tokens are counted.",
    )
    baseline: FilePath = setting(
        "",
        "What values are rescaled by: a number below 1, three joined by + for precision, recall "
        "and F1 (`0.83+0.83+0.83`), or a baseline file of the bert-score package; empty: nothing.",
    )
    long: Long = setting(
        "truncate",
        "What is done with a text that is longer than the model reads: it is cut (`truncate`), "
        "or read in pieces (`chunk`, ours).",
    )
    max_tokens: int = setting(
        0,
        "Number of tokens that are read at a time, special tokens included; 0: all that the "
        "model can read.",
    )

    def __post_init__(self) -> None:
        keep = object.__setattr__
        keep(self, "layer", layer_text("layer", self.layer))
        self.check_max_tokens(self.max_tokens)
        keep(self, "baseline", str(self.baseline))
        if self.baseline and not Path(self.baseline).is_file():
            _numbers(self.baseline)
        if self.idf != "none" and not Path(self.idf).is_file():
            raise ValueError(f"idf={self.idf} was given, but it is neither `none` nor a file")

    @property
    def bounds(self) -> tuple[float, float]:
        """A baseline has no lowest value: below it everything is possible."""
        return (-math.inf, 1.0) if self.baseline else (-1.0, 1.0)

    def computed(self, *, evidence: bool) -> Measure:
        # The evidence is that of the reference with the best value.
        return self if evidence else super().computed(evidence=evidence)

    @cached_property
    def needs(self) -> frozenset[Need]:
        """What the summary is compared with."""
        return frozenset({self.against})

    def signature(self) -> dict[str, Any]:
        """The settings, and which weights, layer, counts and baseline they ended at."""
        self.check_room(self.max_tokens)
        signed = {**super().signature(), "layer": self._layer()}
        if self.idf != "none":
            signed["idf"] = f"{Path(self.idf).name} ({digest(self.idf)})"
        if self.baseline:
            signed["baseline"] = "+".join(f"{number:g}" for number in self._baseline())
        return signed

    def _layer(self) -> int:
        return self.layer_number(self.layer, default_layer(self.model, self.depth))

    # Texts, as the model reads them.

    @property
    def _room(self) -> int:
        return (self.max_tokens or self.encoder.max_tokens) - 2

    def _tokens(self, text: str) -> Tokens:
        """The tokens that are compared; some models would read a space in front as well."""
        tokens = self.encoder.tokenize(text.strip())
        return tokens if self.long == "chunk" else tokens.part(0, self._room)

    def _idf(self) -> Idf:
        return Idf() if self.idf == "none" else _fitted(self, digest(self.idf))

    def _read(self, tokens: Mapping[str, Tokens]) -> dict[str, _Reading]:
        """The vectors of all these texts, made together."""
        idf, room = self._idf(), self._room
        pieces = {
            text: [
                self.encoder.frame(found.ids[start : start + room])
                for start in range(0, len(found), room)
            ]
            for text, found in tokens.items()
        }
        queries = [Query(p, tuple(range(len(p)))) for some in pieces.values() for p in some]
        answers = iter(self.encoder.vectors(queries, [self._layer()]))
        readings = {}
        for text, found in tokens.items():
            vectors = np.concatenate([next(answers)[0] for _ in pieces[text]])
            places = np.concatenate([_places(len(p)) for p in pieces[text]])
            places[places >= 0] = np.arange(len(found))
            weights = np.zeros(len(places))
            weights[places >= 0] = idf(found.ids)
            begins = len(text) - len(text.lstrip())
            readings[text] = _Reading(found, begins, unit_rows(vectors), weights, places)
        return readings

    # Scores.

    def _others(self, example: Example) -> tuple[str, ...]:
        return example.source if self.against == "source" else example.references

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        scores: dict[int, Score] = {}
        for numbers, tokens in self._batches(examples):
            readings = self._read(tokens)
            for number in numbers:
                scores[number] = self._one(examples[number], readings, evidence)
        return [scores[number] for number in range(len(examples))]

    def _batches(
        self, examples: Sequence[Example]
    ) -> Iterator[tuple[list[int], dict[str, Tokens]]]:
        """Examples to be scored together, and the tokens of all their texts that have any.

        Those that are compared with the same texts come one after the other.
        """
        by_others: dict[tuple[str, ...], list[int]] = {}
        for number, example in enumerate(examples):
            by_others.setdefault(self._others(example), []).append(number)
        batch: list[int] = []
        tokens: dict[str, Tokens] = {}
        held = 0
        for others, numbers in by_others.items():
            for number in numbers:
                texts = (examples[number].summary, *others)
                new = {t: self._tokens(t) for t in texts if t not in tokens}
                size = sum(map(len, new.values()))
                # What a source or reference takes is not counted again: it is there once for all.
                shared = sum(len(tokens[text]) for text in others if text in tokens)
                if batch and held + size > _HELD + shared:
                    yield batch, {t: found for t, found in tokens.items() if len(found)}
                    new = {t: self._tokens(t) for t in texts}
                    size = sum(map(len, new.values()))
                    batch, tokens, held = [], {}, 0
                batch.append(number)
                tokens |= new
                held += size
        yield batch, {t: found for t, found in tokens.items() if len(found)}

    def _one(self, example: Example, readings: Mapping[str, _Reading], evidence: bool) -> Score:
        here = readings.get(example.summary)
        problem = self._unweighted("summary", here)
        if here is None or problem:
            return Score.missing(problem)
        others = {n: readings.get(text) for n, text in enumerate(self._others(example))}
        sound = {n: o for n, o in others.items() if o is not None and o.weights.any()}
        if not sound:
            first = next((other for other in others.values() if other), None)
            return Score.missing(self._unweighted(self._where, first))
        matches = [_match(number, here, there) for number, there in sound.items()]
        # Several references: the best of each part, as the package does.
        parts = {p: max(match.parts[p] for match in matches) for p in self.part_names}
        spans: Iterable[Span] = ()
        if evidence:
            nearest = max(matches, key=lambda match: match.parts[self.value])
            there = sound[nearest.document]
            text = self._others(example)[nearest.document]
            spans = _evidence(here, there, nearest, self._where, text)
        parts = self._rescaled(parts)
        texts = (example.summary, *self._others(example))
        is_cut = any(self._is_cut(text, readings.get(text)) for text in texts)
        flags = ("truncated",) if is_cut else ()
        return replace(Score.of_parts(parts, spans), flags=flags)

    def _is_cut(self, text: str, reading: _Reading | None) -> bool:
        if self.long == "chunk" or reading is None or len(reading.tokens) < self._room:
            return False
        return self.is_cut(text.strip(), self._room)

    @property
    def _where(self) -> Where:
        return "source" if self.against == "source" else "reference"

    def _unweighted(self, which: str, reading: _Reading | None) -> str:
        """Why a text has no token that counts; empty if it has one."""
        if reading is None:
            return f"the {which} has no word that the model can read"
        return "" if reading.weights.any() else f"every word of the {which} is in every text of idf"

    def _rescaled(self, parts: dict[str, float]) -> dict[str, float]:
        if not self.baseline:
            return parts
        numbers = zip(self.part_names, self._baseline(), strict=True)
        return {part: (parts[part] - b) / (1 - b) for part, b in numbers}

    def _baseline(self) -> tuple[float, ...]:
        if Path(self.baseline).is_file():
            return _baseline_of_layer(self.baseline, self._layer())
        return _numbers(self.baseline)


def _places(length: int) -> NDArray[np.intp]:
    """Of a framed sequence: -1 for its two special tokens."""
    return np.array([-1, *[0] * (length - 2), -1], dtype=np.intp)


def _match(document: int, here: _Reading, there: _Reading) -> _TextMatch:
    """Greedy matching: R and P of eq. (1) and their idf-weighted form, and F."""
    best = np.full(len(here.vectors), -np.inf)
    where = np.zeros(len(here.vectors), dtype=np.intp)
    from_there = np.empty(len(there.vectors))
    step = max(1, _CELLS // len(here.vectors))
    for start in range(0, len(there.vectors), step):
        cosines = here.vectors @ there.vectors[start : start + step].T
        from_there[start : start + step] = cosines.max(axis=0)
        found = cosines.max(axis=1)
        better = found > best
        best[better] = found[better]
        where[better] = start + cosines.argmax(axis=1)[better]
    precision = float(here.weights @ best / here.weights.sum())
    recall = float(there.weights @ from_there / there.weights.sum())
    parts = {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}
    return _TextMatch(document, parts, best, where)


def _evidence(
    here: _Reading, there: _Reading, match: _TextMatch, where: Where, text: str
) -> Iterator[Span]:
    """Every token of the summary with its best match."""
    for row in np.flatnonzero(here.places >= 0):
        at = there.places[match.where[row]]
        start, end = here.span(int(here.places[row]))
        weight = round(float(match.best[row]), 4)
        if at < 0:  # most like a special token
            yield Span("summary", start, end, weight, "most like no word", kind="similar")
            continue
        first, last = there.word(int(at))
        matched = Span(where, *there.span(int(at)), document=match.document)
        label = f"most like “{text[first:last]}”"
        yield Span("summary", start, end, weight, label, match=matched, kind="similar")


@lru_cache(maxsize=8)
def _fitted(measure: BertScore, version: str) -> Idf:
    made = Idf.of(read_texts(measure.idf, measure.against), lambda text: measure._tokens(text).ids)
    if not made.texts:
        raise SpecError(f"bert-score: the file {measure.idf} has no {measure.against} to count in")
    return made


def _numbers(written: str) -> tuple[float, ...]:
    """One number for precision, recall and F1, or one for each."""
    try:
        numbers = [float(number) for number in written.split("+")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 3) or not all(number < 1 for number in numbers):
        raise ValueError(
            f"baseline={written} was given, but it must be a number below 1, three of them "
            "joined by + (precision, recall, F1), or a file of the bert-score package"
        )
    return tuple(numbers * 3 if len(numbers) == 1 else numbers)


def _baseline_of_layer(path: str, layer: int) -> tuple[float, ...]:
    """The row of a layer in a file with the columns LAYER, P, R, F."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row.get("LAYER") == str(layer):
                return _numbers("+".join(row[column] for column in ("P", "R", "F")))
    raise SpecError(f"bert-score: the baseline file {path} has no layer {layer}")
