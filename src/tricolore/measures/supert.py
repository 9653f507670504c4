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
import numpy.typing as npt

from tricolore.example import Example
from tricolore.measure import Need, ValueChoice
from tricolore.measures.greedy_matching import GreedyMatching
from tricolore.measures.neural import EncoderMeasure
from tricolore.measures.precision_recall import DIRECTIONS, harmonic_mean
from tricolore.measures.pseudo_reference import ReferenceFrom, Rule, Sentence, choose
from tricolore.measures.supert_tokens import Excerpt, SentenceReader, SentenceTokens, Texts
from tricolore.models.batching import packed, packed_groups
from tricolore.models.encoder import Vectors
from tricolore.models.sentence_encoder import SentenceEncoder
from tricolore.models.vectors import unit_rows
from tricolore.score import Score, Span, Where
from tricolore.settings import Setting, setting
from tricolore.text.sentences import sentences
from tricolore.text.stop import StopList


def supert(
    encoder: SentenceEncoder, summary: str, documents: Sequence[str], max_sentences: int = 10
) -> tuple[float, float, float]:
    """SUPERT as the thesis defines it (figure 5.3): precision, recall and F1 of one summary.

    `Supert` gives the same numbers, with other pseudo-references and for many summaries at once.
    """
    pseudo_reference = [s for document in documents for s in sentences(document)[:max_sentences]]

    def token_vectors(texts: Sequence[str]) -> Vectors:
        """Sentences pass one by one through the encoder: a vector for each token."""
        found = [encoder.token_vectors([text])[0].vectors for text in texts]
        return unit_rows(np.concatenate(found))

    # The cosine-similarity matrix, with shape (#reference tokens, #summary tokens).
    cosines = token_vectors(pseudo_reference) @ token_vectors(sentences(summary)).T
    precision = float(cosines.max(axis=0).mean())
    recall = float(cosines.max(axis=1).mean())
    return precision, recall, harmonic_mean(precision, recall)


Per = Literal["source", "document", "released"]
_GIVEN = ("ref", "snip")  # pseudo-references that are given as references
_MANY = 15  # sentences from which the released code makes one pseudo-reference per document
_CHARACTERS = 200_000  # tokens whose vectors are held at a time, of summaries and of references


class _Reference:
    """A pseudo-reference, and how the summaries of a pack match it."""

    def __init__(self, excerpt: Excerpt, summaries: Mapping[int, SentenceTokens]) -> None:
        self.excerpt = excerpt
        self.matchings = {n: GreedyMatching(s.vectors) for n, s in summaries.items() if len(s)}
        self.places: list[npt.NDArray[np.int64]] = []
        self.is_cut = False

    def parts(self) -> Iterator[tuple[_Reference, Excerpt]]:
        """Its sentences, as many at a time as fit into memory."""
        for some in packed(self.excerpt.sentences, lambda s: s.end - s.start, _CHARACTERS):
            yield self, Excerpt(self.excerpt.documents, some)

    def add(self, tokens: SentenceTokens) -> None:
        """Match the tokens of one of the parts."""
        for matching in self.matchings.values():
            matching.add(tokens.vectors)
        self.places.append(tokens.places)
        self.is_cut |= tokens.is_cut

    def __len__(self) -> int:
        return sum(map(len, self.places))


@dataclass(frozen=True, kw_only=True)
class Supert(ValueChoice, EncoderMeasure):
    """How well the words of a summary and of the source's salient sentences match in meaning."""

    name = "supert"
    revision = 2  # F1 has a value where precision or recall is not positive
    bounds = (-1.0, 1.0)
    cost: ClassVar[str] = "a tenth of a second per document, less for each further summary of it"
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
        "Number of sentences that are taken from each document (`mech`, `slr_i`, `sps_i`, `tc`); N "
        "or K in the thesis.",
    )
    pool: int = setting(
        90,
        "Number of sentences that are taken from all documents together (`slr_g`, `sps_g`); M in "
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
        """References, if these or snippets are used as the pseudo-reference."""
        return frozenset({"references" if self.reference_from in _GIVEN else "source"})

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        documents = [self._documents(example) for example in examples]
        references = self._pseudo_references(list(dict.fromkeys(documents)))
        scores: dict[int, Score] = {}
        # Summaries of the same documents stand together, so that each reference is encoded once.
        for pack in packed_groups(
            documents,
            size=lambda number: len(examples[number].summary),
            limit=_CHARACTERS,
            key_size=lambda _: 0,  # references are encoded after the summaries
        ):
            numbers = [number for _, some in pack for number in some]
            found = self._read([Excerpt.whole(examples[number].summary) for number in numbers])
            summaries = dict(zip(numbers, found, strict=True))
            compared = {
                source: [
                    _Reference(one, {n: summaries[n] for n in some}) for one in references[source]
                ]
                for source, some in pack
            }
            self._match([one for group in compared.values() for one in group])
            for number, summary in summaries.items():
                scores[number] = self._score(number, summary, compared[documents[number]], evidence)
        return [scores[number] for number in range(len(examples))]

    # Choose: the salient sentences.

    def _documents(self, example: Example) -> Texts:
        return example.references if self.reference_from in _GIVEN else example.source

    def _pseudo_references(self, sources: Sequence[Texts]) -> dict[Texts, list[Excerpt]]:
        """The pseudo-references of each source."""
        rule = Rule(self.reference_from, self.max_sentences, self.pool, self.similar)
        chosen = choose(rule, sources, lambda: self.encoder)
        return {
            source: [Excerpt(source, some) for some in self._separate(sentences)]
            for source, sentences in zip(sources, chosen, strict=True)
        }

    def _separate(self, sentences: list[Sentence]) -> list[list[Sentence]]:
        """The sentences as one pseudo-reference, or one per document.

        References that people wrote stay separate, unless the released code would join them.
        """
        together = self.per == "source" and self.reference_from != "ref"
        if together or (self.per == "released" and len(sentences) < _MANY):
            return [sentences]
        split: dict[int, list[Sentence]] = {}
        for sentence in sentences:
            split.setdefault(sentence.document, []).append(sentence)
        return list(split.values())

    # Encode and match.

    def _read(self, excerpts: Sequence[Excerpt]) -> list[SentenceTokens]:
        most = min(self.max_tokens or self.encoder.usual_tokens, self.encoder.max_tokens)
        return SentenceReader(self.encoder, most, self.stop_words)(excerpts)

    def _match(self, references: Sequence[_Reference]) -> None:
        """Encode the pseudo-references, as many at a time as fit into memory, and match them."""
        parts = (part for reference in references for part in reference.parts())
        for some in packed(parts, lambda part: part[1].characters, _CHARACTERS):
            tokens = self._read([excerpt for _, excerpt in some])
            for (reference, _), found in zip(some, tokens, strict=True):
                reference.add(found)

    # Precision, recall and F1.

    def _score(
        self, number: int, summary: SentenceTokens, references: list[_Reference], evidence: bool
    ) -> Score:
        """The mean over the pseudo-references that have tokens."""
        sound = [reference for reference in references if len(reference)]
        if not len(summary):
            return self._no_word("summary")
        if not sound:
            return self._no_word(self._where)
        matchings = [reference.matchings[number] for reference in sound]
        pairs = [(matching.precision(), matching.recall()) for matching in matchings]
        parts = {
            "precision": fmean(precision for precision, _ in pairs),
            "recall": fmean(recall for _, recall in pairs),
            "f1": fmean(harmonic_mean(*pair) for pair in pairs),
        }
        spans = self._evidence(number, summary, sound) if evidence else ()
        is_cut = summary.is_cut or any(reference.is_cut for reference in references)
        return replace(Score.of_parts(parts, spans), flags=("truncated",) if is_cut else ())

    @property
    def _where(self) -> Where:
        return "reference" if self.reference_from in _GIVEN else "source"

    def _no_word(self, where: Where) -> Score:
        rest = "that the model can read" if self.stop_words == "none" else "but stop words"
        return Score.missing(f"the {where} has no word {rest}")

    def _evidence(
        self, number: int, summary: SentenceTokens, references: list[_Reference]
    ) -> Iterator[Span]:
        """The best match of every token of the summary."""
        matchings = [reference.matchings[number] for reference in references]
        nearest = np.stack([matching.best for matching in matchings]).argmax(axis=0)
        places = [np.concatenate(reference.places) for reference in references]
        documents = references[0].excerpt.documents
        for at, (_, start, end) in enumerate(summary.places.tolist()):
            matching = matchings[nearest[at]]
            document, left, right = places[nearest[at]][matching.where[at]].tolist()
            word = " ".join(documents[document][left:right].split())
            of = f"the {self._where}" if len(documents) == 1 else f"{self._where} {document + 1}"
            yield Span(
                "summary",
                start,
                end,
                weight=round(float(matching.best[at]), 4),
                label=f"most like “{word}” in {of}",
                match=Span(self._where, left, right, document=document),
                kind="similar",
            )
