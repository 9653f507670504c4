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
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measure import Measure, Need, ValueChoice
from tricolore.measures.bert_score_idf import Against, Idf, digest, read_texts
from tricolore.measures.bert_score_layers import default_layer
from tricolore.measures.greedy_matching import GreedyMatching, TokenWeights
from tricolore.measures.neural import EncoderMeasure, layer_text
from tricolore.measures.precision_recall import DIRECTIONS, harmonic_mean
from tricolore.models.batching import packed_groups
from tricolore.models.encoder import Vectors
from tricolore.models.queries import Query
from tricolore.models.sentence_encoder import Long, SentenceEncoder
from tricolore.models.tokens import Tokens
from tricolore.models.vectors import unit_rows
from tricolore.score import Score, Span, Where
from tricolore.settings import FilePath, Opens, Setting, setting


def bert_score(
    encoder: SentenceEncoder, summary: str, reference: str, layer: int
) -> tuple[float, float, float]:
    """BERTScore by its definition, eq. (1): P, R and F of a summary (x̂) and a reference (x).

    As in the authors' package, the special tokens at both ends may be matched, but are not summed
    over. `BertScore` gives the same numbers for texts that the model can read whole.
    """

    def embeddings(text: str) -> Vectors:
        ids = encoder.frame(encoder.tokenize(text).ids)
        return unit_rows(encoder.vectors([Query(ids, tuple(range(len(ids))))], [layer])[0][0])

    cosines = embeddings(reference) @ embeddings(summary).T  # x_i · x̂_j
    recall = float(cosines.max(axis=1)[1:-1].mean())
    precision = float(cosines.max(axis=0)[1:-1].mean())
    return precision, recall, harmonic_mean(precision, recall)


Value = Literal["f1", "precision", "recall"]
_CHARACTERS = 64_000  # held as vectors at a time; more only if one summary has longer references


@dataclass(frozen=True, eq=False)
class _EncodedText:
    """The tokens of a text, and the vectors of these and of the special tokens around them."""

    tokens: Tokens
    offset: int
    """Number of characters before the first that was tokenized."""
    vectors: Vectors
    weights: TokenWeights
    """One per vector: 0 for special tokens, which may be a match but are not summed over."""
    places: NDArray[np.intp]
    """The index of each vector's token; -1 for special tokens."""

    def span(self, at: int) -> tuple[int, int]:
        """The characters of a token in the text as it was given."""
        start, end = self.tokens.spans[at]
        return self.offset + start, self.offset + end

    def word(self, at: int) -> tuple[int, int]:
        """The characters of the word that a token belongs to."""
        words = self.tokens.words
        first = last = at
        while first and words[first - 1] == words[at]:
            first -= 1
        while last + 1 < len(words) and words[last + 1] == words[at]:
            last += 1
        return self.span(first)[0], self.span(last)[1]


@dataclass(frozen=True, kw_only=True)
class BertScore(ValueChoice, EncoderMeasure):
    """The mean cosine of every token and the most similar token of the other text."""

    name = "bert-score"
    direction = "higher"
    cost: ClassVar[str] = "milliseconds per summary, and the same per different reference"
    part_names = ("precision", "recall", "f1")
    part_directions = DIRECTIONS
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {},
        "released": {"model": "roberta-large"},
    }

    value: Value = setting("f1", "Which part is the value.")
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
    max_references: int = setting(
        1000,
        "The largest number of references of a summary; with more there is no value, since each "
        "takes a pass through the model.",
    )

    def __post_init__(self) -> None:
        keep = object.__setattr__
        if self.max_references < 1:
            raise ValueError(f"max_references must be 1 or more, not {self.max_references}")
        keep(self, "layer", layer_text("layer", self.layer))
        self.check_max_tokens(self.max_tokens)
        keep(self, "baseline", str(self.baseline))
        if self.baseline and not Path(self.baseline).is_file():
            _numbers(self.baseline)
        if self.idf != "none" and not Path(self.idf).is_file():
            raise ValueError(f"idf={self.idf} was given, but it is neither `none` nor a file")

    @property
    def meaning(self) -> str:
        """What is compared with what."""
        other = "reference" if self.against == "references" else "source"
        return f"How near in meaning the words of summary and {other} are"

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
        """The settings, and the weights, layer, counts and baseline that they stand for."""
        self.check_room(self.max_tokens)
        signed = {**super().signature(), "layer": self._layer()}
        if self.idf != "none":
            signed["idf"] = f"{Path(self.idf).name} ({digest(self.idf)})"
        if self.baseline:
            signed["baseline"] = "+".join(f"{number:g}" for number in self._baseline())
        return signed

    def _layer(self) -> int:
        return self.layer_number(self.layer, default_layer(self.model, self.depth))

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        others = [self._others(example) for example in examples]
        scores: dict[int, Score] = {}
        for number, given in enumerate(others):
            if len(given) > self.max_references:
                scores[number] = Score.missing(self._too_many(len(given)))
                others[number] = ()  # they are not read
        # Summaries of the same texts stand together, so that each text is encoded once.
        for pack in packed_groups(
            others,
            size=lambda number: len(examples[number].summary),
            limit=_CHARACTERS,
            key_size=lambda texts: sum(map(len, texts)),
        ):
            numbers = [number for _, some in pack for number in some]
            texts = [text for n in numbers for text in (examples[n].summary, *others[n])]
            encoded = self._encode(texts)
            for number in numbers:
                summary = examples[number].summary
                if number not in scores:
                    scores[number] = self._score(summary, others[number], encoded, evidence)
        return [scores[number] for number in range(len(examples))]

    def _others(self, example: Example) -> tuple[str, ...]:
        """The texts that the summary is compared with."""
        return example.source if self.against == "source" else example.references

    def _too_many(self, count: int) -> str:
        return (
            f"there are {count:,} texts to compare with, more than "
            f"max_references={self.max_references}; set max_references higher to compare them"
        )

    # Texts, as the model reads them.

    @property
    def _most_tokens(self) -> int:
        """Number of tokens that are read at a time, without the special ones."""
        return (self.max_tokens or self.encoder.max_tokens) - 2

    def _tokens(self, text: str) -> Tokens:
        """The tokens that are compared; some models would read a space in front as well."""
        tokens = self.encoder.tokenize(text.strip())
        return tokens if self.long == "chunk" else tokens.part(0, self._most_tokens)

    def _idf(self) -> Idf:
        return Idf() if self.idf == "none" else _fitted(self, digest(self.idf))

    def _encode(self, texts: Iterable[str]) -> dict[str, _EncodedText]:
        """All these texts, encoded together, except those without tokens."""
        idf, most = self._idf(), self._most_tokens
        read = {text: self._tokens(text) for text in dict.fromkeys(texts)}
        tokens = {text: found for text, found in read.items() if len(found)}
        pieces = {
            text: [
                self.encoder.frame(found.ids[start : start + most])
                for start in range(0, len(found), most)
            ]
            for text, found in tokens.items()
        }
        queries = [Query(p, tuple(range(len(p)))) for some in pieces.values() for p in some]
        answers = iter(self.encoder.vectors(queries, [self._layer()]))
        encoded = {}
        for text, found in tokens.items():
            vectors = np.concatenate([next(answers)[0] for _ in pieces[text]])
            places = np.concatenate([_places(len(p)) for p in pieces[text]])
            places[places >= 0] = np.arange(len(found))
            weights = np.zeros(len(places))
            weights[places >= 0] = idf(found.ids)
            offset = len(text) - len(text.lstrip())
            encoded[text] = _EncodedText(found, offset, unit_rows(vectors), weights, places)
        return encoded

    # Scores.

    def _score(
        self,
        summary: str,
        others: Sequence[str],
        encoded: Mapping[str, _EncodedText],
        evidence: bool,
    ) -> Score:
        here = encoded.get(summary)
        if here is None or not here.weights.any():
            return Score.missing(_no_weight("summary", here))
        known = [encoded.get(text) for text in others]
        sound = {n: o for n, o in enumerate(known) if o is not None and o.weights.any()}
        if not sound:
            first = next((other for other in known if other is not None), None)
            return Score.missing(_no_weight(self._where, first))
        matchings = {number: _match(here, there) for number, there in sound.items()}
        parts_of = {n: _parts(here, sound[n], matching) for n, matching in matchings.items()}
        # Several references: the best of each part, as the package does.
        best = {part: max(p[part] for p in parts_of.values()) for part in self.part_names}
        spans: Iterable[Span] = ()
        if evidence:
            nearest = max(parts_of, key=lambda number: parts_of[number][self.value])
            spans = self._evidence(
                here, sound[nearest], matchings[nearest], nearest, others[nearest]
            )
        is_cut = any(self._is_cut(text, encoded.get(text)) for text in (summary, *others))
        flags = ("truncated",) if is_cut else ()
        return replace(Score.of_parts(self._rescaled(best), spans), flags=flags)

    def _is_cut(self, text: str, encoded: _EncodedText | None) -> bool:
        if self.long == "chunk" or encoded is None or len(encoded.tokens) < self._most_tokens:
            return False
        return self.is_cut(text.strip(), self._most_tokens)

    def _evidence(
        self,
        here: _EncodedText,
        there: _EncodedText,
        matching: GreedyMatching,
        document: int,
        text: str,
    ) -> Iterator[Span]:
        """Every token of the summary with its best match in one of the other texts."""
        for row in np.flatnonzero(here.places >= 0):
            at = int(there.places[matching.where[row]])
            start, end = here.span(int(here.places[row]))
            weight = round(float(matching.best[row]), 4)
            if at < 0:  # most like a special token
                yield Span("summary", start, end, weight, "most like no word", kind="similar")
                continue
            first, last = there.word(at)
            matched = Span(self._where, *there.span(at), document=document)
            label = f"most like “{text[first:last]}”"
            yield Span("summary", start, end, weight, label, match=matched, kind="similar")

    @property
    def _where(self) -> Where:
        return "source" if self.against == "source" else "reference"

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
    """-1 for the two special tokens of a sequence, 0 for all others."""
    return np.array([-1, *[0] * (length - 2), -1], dtype=np.intp)


def _match(here: _EncodedText, there: _EncodedText) -> GreedyMatching:
    matching = GreedyMatching(here.vectors)
    matching.add(there.vectors)
    return matching


def _parts(here: _EncodedText, there: _EncodedText, matching: GreedyMatching) -> dict[str, float]:
    """P, R and F of eq. (1), and with weights those of the section on idf."""
    precision, recall = matching.precision(here.weights), matching.recall(there.weights)
    f1 = harmonic_mean(precision, recall)
    return {"precision": precision, "recall": recall, "f1": f1}


def _no_weight(which: str, text: _EncodedText | None) -> str:
    """Why a text has no token that counts."""
    if text is None:
        return f"the {which} has no word that the model can read"
    return f"every word of the {which} is in every text of idf"


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
