"""SUPERT: the tokens of a summary against those of a pseudo-reference, by a sentence encoder.

Yang Gao, Wei Zhao and Steffen Eger (2020), "SUPERT: Towards New Frontiers in Unsupervised
Evaluation Metrics for Multi-Document Summarization", and the alternatives of the thesis (section
5.2, figure 5.3, appendix A.2.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import ClassVar, Literal

import numpy as np

from tricolore.example import Example
from tricolore.measure import Need, ValueChoice
from tricolore.measures.neural import EncoderMeasure
from tricolore.measures.precision_recall import DIRECTIONS
from tricolore.measures.pseudo_reference import ReferenceFrom, Rule, Sentence, choose, read
from tricolore.measures.soft_alignment import Alignment, Match, Place, Summaries, Words
from tricolore.measures.unit_vectors import unit_vectors
from tricolore.models.sentence_encoder import TokenVectors
from tricolore.models.tokens import Tokens
from tricolore.score import Score, Span, Where
from tricolore.settings import Setting, setting
from tricolore.text.stop import StopList, stop_words

Per = Literal["source", "document", "released"]
_GIVEN = ("ref", "snip")
_MANY = 15  # sentences from which the released code makes one pseudo-reference a document
_HELD = 200_000  # characters whose vectors are held at a time, of summaries and of references
_MARKS = "Ġ▁"  # what BPE and SentencePiece write for the space before a word

Texts = tuple[str, ...]


@dataclass
class _Group:
    """Summaries that are compared with the same pseudo-references."""

    documents: Texts
    numbers: list[int]
    chosen: list[list[Sentence]]
    """The sentences of each pseudo-reference."""


@dataclass(frozen=True, kw_only=True)
class Supert(ValueChoice, EncoderMeasure):
    """How well the words of a summary and of the source's salient sentences match in meaning."""

    name = "supert"
    revision = 2  # F1 has a value where precision or recall is not positive
    bounds = (-1.0, 1.0)
    cost: ClassVar[str] = "a tenth of a second a document, less for each further summary of it"
    part_names = ("precision", "recall", "f1")
    part_directions = DIRECTIONS
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {"max_sentences": 10, "per": "source", "stop_words": "none", "max_tokens": 0},
        "released": {
            "max_sentences": 15,
            "per": "released",
            "stop_words": "nltk",
            "max_tokens": 130,
        },
    }

    value: Literal["precision", "recall", "f1"] = setting("f1", "Which part is the value.")
    reference_from: ReferenceFrom = setting(
        "mech",
        "What the pseudo-reference is made from, by the abbreviations of the thesis, which "
        "the page of this measure explains.",
    )
    max_sentences: int = setting(
        10,
        "Number of sentences that are taken of each document (`mech`, `slr_i`, `sps_i`, `tc`); N "
        "or K in the thesis.",
    )
    pool: int = setting(
        90,
        "Number of sentences that are taken of all documents together (`slr_g`, `sps_g`); M in "
        "the thesis.",
    )
    similar: float = setting(
        0.75, "The cosine from which sentences are highly similar (`tc`, `simmax`)."
    )
    per: Per = setting(
        "source",
        "Whether there is one pseudo-reference per `source`, one per `document`, or, as in the "
        "released code, one per document if 15 sentences or more were chosen (`released`).",
    )
    stop_words: Literal["none", StopList] = setting(
        "none", "Which stop words are left out: `none`, `nltk` (179 words) or `smart` (596)."
    )
    max_tokens: int = setting(
        0,
        "Number of tokens of a sentence that are read, special tokens included; 0: what the "
        "encoder was made for.",
    )

    def __post_init__(self) -> None:
        for name in ("max_sentences", "pool"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        self.check_max_tokens(self.max_tokens)
        if not -1 <= self.similar <= 1:
            raise ValueError(f"similar is a cosine, between -1 and 1, not {self.similar}")

    @property
    def needs(self) -> frozenset[Need]:
        """References where they, or snippets in their place, are what counts."""
        return frozenset({"references" if self.reference_from in _GIVEN else "source"})

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        scores: dict[int, Score] = {}
        for groups in self._batches(examples):
            self._compare(groups, examples, scores, evidence)
        return [scores[number] for number in sorted(scores)]

    # What is compared with what.

    def _batches(self, examples: Sequence[Example]) -> Iterator[list[_Group]]:
        """Groups whose summaries are held together."""
        rule = Rule(self.reference_from, self.max_sentences, self.pool, self.similar)
        by_documents: dict[Texts, list[int]] = {}
        for number, example in enumerate(examples):
            by_documents.setdefault(self._documents(example), []).append(number)
        chosen = choose(rule, list(by_documents), lambda: self.encoder)
        batch: list[_Group] = []
        size = 0
        for (documents, numbers), sentences in zip(by_documents.items(), chosen, strict=True):
            references = self._pseudo_references(sentences)
            batch.append(_Group(documents, [], references))
            for number in numbers:
                length = len(examples[number].summary)
                if size and size + length > _HELD:
                    yield [group for group in batch if group.numbers]
                    batch, size = [_Group(documents, [], references)], 0
                batch[-1].numbers.append(number)
                size += length
        yield batch

    def _documents(self, example: Example) -> Texts:
        return example.references if self.reference_from in _GIVEN else example.source

    def _pseudo_references(self, sentences: list[Sentence]) -> list[list[Sentence]]:
        """The sentences as one pseudo-reference, or one a document.

        People's references are not parts of a whole: each stands by itself, unless the released
        code would join them.
        """
        together = self.per == "source" and self.reference_from != "ref"
        if together or (self.per == "released" and len(sentences) < _MANY):
            return [sentences]
        split: dict[int, list[Sentence]] = {}
        for sentence in sentences:
            split.setdefault(sentence.document, []).append(sentence)
        return list(split.values())

    # The comparison.

    def _compare(
        self,
        groups: list[_Group],
        examples: Sequence[Example],
        scores: dict[int, Score],
        evidence: bool,
    ) -> None:
        """Read the summaries and the pseudo-references, of these a stretch at a time."""
        summaries = {n: (examples[n].summary,) for group in groups for n in group.numbers}
        sentences = {n: read(documents) for n, documents in summaries.items()}
        own = [text for n in summaries for text in _cut(summaries[n], sentences[n])]
        words: dict[int, Words] = {}
        alignments: list[list[Alignment]] = []
        for number, stretch in enumerate(_stretches(groups)):
            texts = [t for at, _, part in stretch for t in _cut(groups[at].documents, part)]
            vectors = self._vectors(texts if number else [*own, *texts])
            if not number:
                words = {n: self._words(summaries[n], sentences[n], vectors) for n in summaries}
                alignments = [_alignments(group, words, evidence) for group in groups]
            for at, reference, part in stretch:
                if alignments[at]:
                    alignments[at][reference].add(self._words(groups[at].documents, part, vectors))
        for group, made in zip(groups, alignments, strict=True):
            scores.update(zip(group.numbers, self._verdicts(group, made, words), strict=True))

    def _vectors(self, texts: Sequence[str]) -> dict[str, TokenVectors]:
        return unit_vectors(self.encoder, texts, max_tokens=self._most_tokens)

    @property
    def _most_tokens(self) -> int:
        """Tokens of a sentence that are read, with the two special ones."""
        return min(self.max_tokens or self.encoder.usual_tokens, self.encoder.max_tokens)

    def _words(
        self, documents: Texts, sentences: Sequence[Sentence], vectors: Mapping[str, TokenVectors]
    ) -> Words:
        """The tokens of some sentences, one after the other, without stop words."""
        rows = [np.empty((0, self.encoder.width), dtype=np.float32)]
        places: list[Place] = []
        room = self._most_tokens - 2  # without [CLS] and [SEP]
        is_cut = False
        for sentence, text in zip(sentences, _cut(documents, sentences), strict=True):
            found = vectors[text]
            is_cut |= len(found.tokens) >= room and self.is_cut(text, room)
            left = self._left(found.tokens)
            rows.append(found.vectors[left])
            for at in left:
                start, end = found.tokens.spans[at]
                places.append((sentence.document, sentence.start + start, sentence.start + end))
        return Words(np.concatenate(rows), places, is_cut)

    def _left(self, tokens: Tokens) -> list[int]:
        """The tokens that are not stop words; a piece within a word is none."""
        if self.stop_words == "none":
            return [*range(len(tokens))]
        listed = stop_words(self.stop_words)
        return [
            at
            for at, entry in enumerate(self.encoder.entries(tokens.ids))
            if tokens.continues(at) or entry.lstrip(_MARKS).lower() not in listed
        ]

    # The verdict.

    def _verdicts(
        self, group: _Group, alignments: Sequence[Alignment], words: Mapping[int, Words]
    ) -> Iterator[Score]:
        found = [alignment.matches() for alignment in alignments if alignment.tokens]
        heard = iter(zip(*found, strict=True))  # one a summary that has words
        for number in group.numbers:
            if not words[number]:
                yield self._wordless("summary")
            elif not found:
                yield self._wordless(self._where)
            else:
                score = self._judged(words[number].places, next(heard), group.documents)
                is_cut = words[number].is_cut or any(one.is_cut for one in alignments)
                yield replace(score, flags=("truncated",)) if is_cut else score

    def _judged(self, places: Sequence[Place], matches: Sequence[Match], documents: Texts) -> Score:
        """The mean over the pseudo-references that have words."""
        parts = {name: fmean(getattr(m, name) for m in matches) for name in self.part_names}
        spans = tuple(self._evidence(places, matches, documents)) if matches[0].where else ()
        return Score.of_parts(parts, spans)

    @property
    def _where(self) -> Where:
        return "reference" if self.reference_from in _GIVEN else "source"

    def _wordless(self, where: Where) -> Score:
        rest = "that the model can read" if self.stop_words == "none" else "but stop words"
        return Score.missing(f"the {where} has no word {rest}")

    def _evidence(
        self, places: Sequence[Place], matches: Sequence[Match], documents: Texts
    ) -> Iterator[Span]:
        """The best match of every token of the summary."""
        nearest = np.stack([match.best for match in matches]).argmax(axis=0)
        for at, ((_, start, end), which) in enumerate(zip(places, nearest, strict=True)):
            document, left, right = matches[which].where[at]
            word = " ".join(documents[document][left:right].split())
            of = f"the {self._where}" if len(documents) == 1 else f"{self._where} {document + 1}"
            yield Span(
                "summary",
                start,
                end,
                weight=round(float(matches[which].best[at]), 4),
                label=f"most like “{word}” in {of}",
                match=Span(self._where, left, right, document=document),
                kind="similar",
            )


def _cut(documents: Texts, sentences: Sequence[Sentence]) -> list[str]:
    return [documents[s.document][s.start : s.end] for s in sentences]


def _alignments(group: _Group, words: Mapping[int, Words], evidence: bool) -> list[Alignment]:
    """One a pseudo-reference; none if no summary has words."""
    heard = [words[n] for n in group.numbers if words[n]]
    if not heard:
        return []
    summaries = Summaries(heard)
    return [Alignment(summaries, evidence=evidence) for _ in group.chosen]


def _stretches(groups: Sequence[_Group]) -> Iterator[list[tuple[int, int, list[Sentence]]]]:
    """The pseudo-references in order, as (group, pseudo-reference, sentences); at least one."""
    stretch: list[tuple[int, int, list[Sentence]]] = []
    size = 0
    for at, group in enumerate(groups):
        for reference, sentences in enumerate(group.chosen):
            part: list[Sentence] = []
            for sentence in sentences:
                length = sentence.end - sentence.start
                if size and size + length > _HELD:
                    yield [*stretch, (at, reference, part)]
                    stretch, part, size = [], [], 0
                part.append(sentence)
                size += length
            stretch.append((at, reference, part))
    yield stretch
