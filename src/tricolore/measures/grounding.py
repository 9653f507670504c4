"""Grounding: which sentences, names and numbers of a summary does the source not support?

A measure of our own, made for rewritten (abstractive) summaries. It needs a sentence encoder only
and is not trained on human scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

import numpy as np

from tricolore.example import Example
from tricolore.measure import Direction, Language
from tricolore.measures.grounding_items import GroundingItem, checked_items
from tricolore.measures.grounding_support import EncodedSource, Support, encoded_sentences
from tricolore.measures.name_swaps import SwapTest, swap_test, swapped_names
from tricolore.measures.neural import EncoderMeasure
from tricolore.measures.novelty import Novelty
from tricolore.measures.supert_tokens import SentenceReader, SentenceTokens
from tricolore.models.batching import packed_groups
from tricolore.models.encoder import Vectors
from tricolore.models.sentence_encoder import SentenceEncoder
from tricolore.models.vectors import unit_rows
from tricolore.score import Score, Span
from tricolore.settings import setting
from tricolore.text.content_words import ContentWord
from tricolore.text.sentences import sentences
from tricolore.text.synonyms import wordnet_version


def sentence_support(encoder: SentenceEncoder, summary: str, document: str) -> list[float]:
    """The support of each sentence of a summary by its definition.

    `Grounding` gives the mean of these numbers as `support`; its value halves the support of a
    sentence once for every name or number in it that the source does not support.
    """

    def tokens(text: str) -> Vectors:
        return unit_rows(encoder.token_vectors([text])[0].vectors)

    def mean(vectors: Sequence[Vectors]) -> Vectors:
        """The mean vector of the tokens, with length 1."""
        found: Vectors = unit_rows(np.concatenate(vectors).mean(axis=0, keepdims=True))[0]
        return found

    source = [tokens(sentence) for sentence in sentences(document)]
    passages = [
        mean(source[at : at + length])
        for length in (1, 2, 3)
        for at in range(len(source) - length + 1)
    ]
    support = []
    for sentence in sentences(summary):
        words = tokens(sentence)
        cosine = max(float(mean([words]) @ passage) for passage in passages)
        precision = float((words @ np.concatenate(source).T).max(axis=1).mean())
        support.append(max(0.0, (cosine + precision) / 2))
    return support


_CHARACTERS = 200_000  # of sources and summaries whose vectors are held at a time
_NOVELTY = Novelty(n=3)


_CLOSE = 0.35
"""The cosine from which a word of the source is close enough to support another word.

Chosen on the seen half of examples/faithfulness.jsonl.
"""


@dataclass
class _JudgedSentence:
    """A sentence of a summary, what supports it, and what in it is not supported."""

    start: int
    end: int
    support: Support
    items: list[GroundingItem]
    words: int
    """The number of content words beside names and numbers."""

    @property
    def value(self) -> float:
        """Its support, halved for every name or number that the source does not support."""
        faults = sum(item.item != "word" for item in self.items)
        return self.support.value * 0.5**faults


@dataclass(frozen=True, kw_only=True)
class Grounding(EncoderMeasure):
    """How much of a summary the source supports, with the names and numbers that it lacks."""

    name = "grounding"
    needs = frozenset({"source"})
    direction = "higher"
    bounds = (0.0, 1.0)
    meaning = "How much of the summary the source supports"
    follows = "copying"  # SummEval, 1600 summaries: ρ with new trigrams -0.86, consistency 0.45
    finds = ("number", "contradicted number", "name", "word", "sentence")
    cost: ClassVar[str] = "a twentieth of a second per summary; a source is read once for all"
    part_names = (
        "support",
        "lowest_support",
        "unsupported_words",
        "unsupported_names",
        "unsupported_numbers",
        "contradicted_numbers",
        "novel_trigrams",
    )
    part_directions: ClassVar[Mapping[str, Direction]] = {
        "support": "higher",
        "lowest_support": "higher",
        "unsupported_words": "lower",
        "unsupported_names": "lower",
        "unsupported_numbers": "lower",
        "contradicted_numbers": "lower",
        "novel_trigrams": "neither",
    }
    language: ClassVar[Language] = "english"

    swaps: bool = setting(
        True,
        "Whether names that the source has in another place are tested: a name is unsupported if "
        "another one from the same passage fits its sentence better.",
    )
    weak: float = setting(
        0.5, "The support below which a whole sentence is reported as not supported, from 0 to 1."
    )
    max_tokens: int = setting(
        0,
        "Number of tokens of a sentence that are read, special tokens included; 0: what the "
        "encoder was made for.",
    )

    def __post_init__(self) -> None:
        self.check_max_tokens(self.max_tokens)
        if not 0 <= self.weak <= 1:
            raise ValueError(f"weak must be between 0 and 1, not {self.weak}")

    def signature(self) -> dict[str, Any]:
        """The settings, the weights, and the WordNet that knows which words are synonyms."""
        self.check_room(self.max_tokens)
        return {**super().signature(), "wordnet": wordnet_version()}

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        scores: dict[int, Score] = {}
        for pack in packed_groups(
            [example.source for example in examples],
            size=lambda number: len(examples[number].summary),
            limit=_CHARACTERS,
            key_size=lambda source: sum(map(len, source)),
        ):
            numbers = [number for _, some in pack for number in some]
            summaries = [(examples[number].summary,) for number in numbers]
            reader = self._reader.read_ahead([*(source for source, _ in pack), *summaries])
            read = {source: EncodedSource(source, reader) for source, _ in pack}
            found = self._judged([examples[n] for n in numbers], read, reader)
            for number, (judged, is_cut) in zip(numbers, found, strict=True):
                scores[number] = self._score(
                    examples[number], judged, read, is_cut=is_cut, evidence=evidence
                )
        return [scores[number] for number in range(len(examples))]

    @property
    def _reader(self) -> SentenceReader:
        most = min(self.max_tokens or self.encoder.usual_tokens, self.encoder.max_tokens)
        return SentenceReader(self.encoder, most)

    def _judged(
        self,
        examples: Sequence[Example],
        read: Mapping[tuple[str, ...], EncodedSource],
        reader: SentenceReader,
    ) -> list[tuple[list[_JudgedSentence], bool]]:
        """The sentences of each summary, and whether one of them was cut."""
        judged = []
        tests: list[tuple[SwapTest, EncodedSource]] = []
        tested: list[_JudgedSentence] = []
        for example in examples:
            source = read[example.source]
            found = encoded_sentences(example.summary, reader) if source else []
            supports = source.supports([t.vectors for _, t in found]) if found else []
            places = [(sentence.start, sentence.end) for sentence, _ in found]
            items = checked_items(example.summary, example.source, places)
            made = [
                _JudgedSentence(
                    *place,
                    support,
                    some.unsupported + _far_words(some.words, tokens, support),
                    len(some.words),
                )
                for place, (_, tokens), support, some in zip(
                    places, found, supports, items, strict=True
                )
            ]
            judged.append((made, any(tokens.is_cut for _, tokens in found)))
            for sentence, some in zip(made, items, strict=True):
                for name in some.supported_names if self.swaps else ():
                    text = example.summary[sentence.start : sentence.end]
                    test = swap_test(text, sentence.start, name, sentence.support, example.source)
                    if test:
                        tests.append((test, source))
                        tested.append(sentence)
        for sentence, (test, _), better in zip(
            tested, tests, swapped_names(tests, self._encoded), strict=True
        ):
            if better is not None:
                sentence.items.append(GroundingItem.swapped(test.finding, better, test.document))
        return judged

    def _encoded(self, texts: list[str]) -> list[Vectors]:
        """The vectors of the tokens of texts, without the memory that sentences have."""
        most = min(self.max_tokens or self.encoder.usual_tokens, self.encoder.max_tokens)
        found = self.encoder.token_vectors(texts, max_tokens=most)
        return [unit_rows(one.vectors) for one in found]

    def _score(
        self,
        example: Example,
        judged: Sequence[_JudgedSentence],
        read: Mapping[tuple[str, ...], EncodedSource],
        *,
        is_cut: bool,
        evidence: bool,
    ) -> Score:
        source = read[example.source]
        if not source:
            return Score.missing("the source has no word that the model can read")
        if not judged:
            return Score.missing("the summary has no word that the model can read")
        items = [item for sentence in judged for item in sentence.items]
        parts = {
            "support": fmean(sentence.support.value for sentence in judged),
            "lowest_support": min(sentence.support.value for sentence in judged),
            "unsupported_words": sum(item.item == "word" for item in items)
            / max(1, sum(sentence.words for sentence in judged)),
            "unsupported_names": float(sum(item.item == "name" for item in items)),
            "unsupported_numbers": float(sum("number" in item.item for item in items)),
            "contradicted_numbers": float(
                sum(item.item == "contradicted number" for item in items)
            ),
            "novel_trigrams": _NOVELTY.score([example])[0].value,
        }
        value = fmean(sentence.value for sentence in judged)
        spans = tuple(self._spans(example, judged)) if evidence else ()
        flags = ("truncated",) if is_cut or source.is_cut else ()
        return Score(value, parts, spans, flags=flags)

    def _spans(self, example: Example, judged: Iterable[_JudgedSentence]) -> Iterator[Span]:
        """Every sentence with its best passage, and every item that the source does not support."""
        for sentence in judged:
            support, passage = sentence.support.value, sentence.support.passage
            is_weak = support < self.weak
            yield Span(
                "summary",
                sentence.start,
                sentence.end,
                weight=round(support, 4),
                label="hardly supported by the source" if is_weak else "most like this passage",
                match=Span("source", passage.start, passage.end, document=passage.document),
                kind="fault" if is_weak else "similar",
                item="sentence",
            )
            for item in sorted(sentence.items, key=lambda item: item.start):
                yield item.span(example.source)


def _far_words(
    words: Iterable[ContentWord], tokens: SentenceTokens, support: Support
) -> list[GroundingItem]:
    """The words that the source does not have, and has nothing close to."""
    far = []
    starts, ends = tokens.places[:, 1], tokens.places[:, 2]
    for word in words:
        if word.support is None:
            own = support.best[(starts < word.end) & (ends > word.start)]
            if len(own) and own.mean() < _CLOSE:
                far.append(GroundingItem(word.start, word.end, "word"))
    return far
