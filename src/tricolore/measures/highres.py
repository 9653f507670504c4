"""HighRES: n-gram overlap with the source, weighted by what people highlighted in it.

Hardy, Shashi Narayan and Andreas Vlachos (2019), "HighRES: Highlight-based Reference-less
Evaluation of Summarization", section 3.3: highlight-based ROUGE.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, ClassVar, Literal

from tricolore.example import Example, SourceHighlight
from tricolore.measure import Language, Need, ValueChoice
from tricolore.measures.importance import Importance
from tricolore.measures.precision_recall import harmonic_mean
from tricolore.score import Score, Span
from tricolore.settings import setting
from tricolore.text.words import TOKENIZER_HELP, Tokenizer, word_spans, words

_Gram = tuple[str, ...]
_SHOWN = 10  # missing stretches of the source that are shown, at most
_IMPORTANCE = Importance(corpus="background")


def highlight_weights(marked: Sequence[Sequence[bool]], max_words: int) -> list[float]:
    """NumH(w) / N of each word: the share of annotators who highlighted it.

    Arguments:
        marked: For each of the N annotators, whether each word is highlighted.
        max_words: K, the number of words that annotators may highlight: one who highlights fewer
            counts less, in proportion; 0: all count alike.

    >>> highlight_weights([[True, True, False], [False, True, False]], max_words=4)
    [0.25, 0.375, 0.0]
    """
    counts = [min(1.0, sum(own) / max_words) if max_words else 1.0 for own in marked]
    columns = zip(*marked, strict=True)
    return [
        fsum(count for count, is_marked in zip(counts, column, strict=True) if is_marked)
        / len(marked)
        for column in columns
    ]


@dataclass(frozen=True)
class _WeightedSource:
    """The words of each document, their places and their weights."""

    words: list[tuple[str, ...]]
    spans: list[list[tuple[int, int]]]
    weights: list[list[float]]

    def grams(self, n: int) -> Iterator[tuple[_Gram, int, int]]:
        """Every n-gram with its document and its first word; none goes from one to the next."""
        for document, cut in enumerate(self.words):
            for at in range(len(cut) - n + 1):
                yield cut[at : at + n], document, at

    def betas(self, n: int) -> dict[_Gram, float]:
        """β of each n-gram: the mean weight of its words, and of its occurrences (eq. 1)."""
        found: dict[_Gram, list[float]] = defaultdict(list)
        for gram, document, at in self.grams(n):
            found[gram].append(fsum(self.weights[document][at : at + n]) / n)
        return {gram: fsum(means) / len(means) for gram, means in found.items()}


@dataclass(frozen=True, kw_only=True)
class HighRes(ValueChoice):
    """How much of what people highlighted in the source the summary has.

    >>> example = Example(source="the cat sat", summary="a cat", highlights=["cat sat"])
    >>> HighRes(max_words=0).score([example])[0].value  # one of two highlighted words
    0.5
    """

    n: int = setting(1, "Number of words in an n-gram, from 1 to 4; the paper has 1 and 2.")
    value: Literal["recall", "precision", "f1"] = setting("recall", "Which part is the value.")
    weights: Literal["highlights", "importance"] = setting(
        "highlights",
        "What the words of the source are weighted by: the `highlights` of people, or, without "
        "people, the shares that the measure `importance` gives (with the background corpus).",
    )
    max_words: int = setting(
        30,
        "The number K of words that each annotator may highlight: one who highlights fewer counts "
        "less, in proportion; 0: all count alike.",
    )
    tokenizer: Tokenizer = setting("words", TOKENIZER_HELP)
    lowercase: bool = setting(True, "Whether upper and lower case are treated as the same.")

    name = "highres"
    cost: ClassVar[str] = "milliseconds"
    meaning = "How much of what people highlighted in the source the summary has"
    part_names = ("recall", "precision", "f1")

    def __post_init__(self) -> None:
        if not 1 <= self.n <= 4:
            raise ValueError(f"n must be from 1 to 4, not {self.n}")
        if self.max_words < 0:
            raise ValueError(f"max_words must be 0 or more, not {self.max_words}")

    @property
    def needs(self) -> frozenset[Need]:
        """People's highlights are not needed with the weights of importance."""
        by_people = self.weights == "highlights"
        return frozenset[Need]({"source", "highlights"} if by_people else {"source"})

    @property
    def language(self) -> Language:
        """The background corpus is English."""
        return "spaced" if self.weights == "highlights" else "english"

    def signature(self) -> dict[str, Any]:
        """The settings, and the corpus that weights words by importance."""
        corpus = {} if self.weights == "highlights" else _IMPORTANCE.signature()
        return {**super().signature(), **({"importance": corpus} if corpus else {})}

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            try:
                source = self._weighted(example)
            except _WrongHighlightError as error:
                yield Score.missing(str(error))
                continue
            summary = words(example.summary, self.tokenizer, self.lowercase)
            yield self._score(example, source, summary, evidence)

    def _score(
        self, example: Example, source: _WeightedSource, summary: Sequence[str], evidence: bool
    ) -> Score:
        n = self.n
        ours = Counter(tuple(summary[at : at + n]) for at in range(len(summary) - n + 1))
        theirs = Counter(gram for gram, _, _ in source.grams(n))
        for counts, name in ((ours, "summary"), (theirs, "source")):
            if not counts:
                return Score.missing(f"the {name} has fewer than {n} words")
        beta = source.betas(n)
        total = fsum(beta[gram] * count for gram, count in theirs.items())
        if not total:
            return Score.missing("no word of the source has a weight")
        shared = fsum(beta[gram] * min(ours[gram], theirs[gram]) for gram in ours if gram in beta)
        recall = min(1.0, shared / total)  # HR rec
        precision = shared / ours.total()  # HR pre, whose denominator has no weights
        parts = {"recall": recall, "precision": precision, "f1": harmonic_mean(precision, recall)}
        spans = tuple(self._spans(example, source, beta, ours)) if evidence else ()
        return Score.of_parts(parts, spans)

    def _weighted(self, example: Example) -> _WeightedSource:
        cut = [words(text, self.tokenizer, self.lowercase) for text in example.source]
        spans = [word_spans(text, self.tokenizer, self.lowercase) for text in example.source]
        if self.weights == "importance":
            weights = [_importances(*pair) for pair in zip(example.source, spans, strict=True)]
            return _WeightedSource(cut, spans, weights)
        places: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for number, highlight in enumerate(example.highlights, 1):
            places[highlight.annotator].append(_place(example.source, highlight, number))
        marked = [
            [
                any(document == at and start < right and left < end for at, start, end in own)
                for document, some in enumerate(spans)
                for left, right in some
            ]
            for own in places.values()
        ]
        joined = iter(highlight_weights(marked, self.max_words))
        return _WeightedSource(cut, spans, [[next(joined) for _ in some] for some in spans])

    def _spans(
        self,
        example: Example,
        source: _WeightedSource,
        beta: Mapping[_Gram, float],
        ours: Mapping[_Gram, int],
    ) -> Iterator[Span]:
        """The weighted n-grams of the summary, and stretches of the source that it lacks."""
        n = self.n
        first: dict[_Gram, Span] = {}
        lacking: list[list[Span]] = [[]]
        for gram, document, at in source.grams(n):
            start, end = source.spans[document][at][0], source.spans[document][at + n - 1][1]
            place = Span("source", start, end, document=document)
            first.setdefault(gram, place)
            weight = fsum(source.weights[document][at : at + n]) / n
            if weight and gram not in ours:
                missing = Span("source", start, end, round(weight, 4), "", document, kind="missing")
                lacking[-1].append(missing)
            elif lacking[-1]:
                lacking.append([])
        summary = words(example.summary, self.tokenizer, self.lowercase)
        places = word_spans(example.summary, self.tokenizer, self.lowercase)
        for at in range(len(summary) - n + 1):
            gram = tuple(summary[at : at + n])
            if weight := beta.get(gram, 0.0):
                span = places[at][0], places[at + n - 1][1], round(weight, 4)
                yield Span("summary", *span, match=first[gram], kind="match")
        stretches = [_merged(stretch) for run in lacking for stretch in _by_document(run)]
        stretches.sort(key=lambda span: (-span.weight, span.document, span.start))
        yield from stretches[:_SHOWN]


class _WrongHighlightError(ValueError):
    """A highlight that is not in the source."""


def _place(sources: Sequence[str], highlight: SourceHighlight, number: int) -> tuple[int, int, int]:
    """The document, start and end of a highlight; a snippet is where it first occurs."""
    if not highlight.text:
        document = highlight.document
        if document >= len(sources) or highlight.end > len(sources[document]):
            raise _WrongHighlightError(f"highlight {number} is outside of the source")
        return document, highlight.start, highlight.end
    pattern = re.compile(r"\s+".join(map(re.escape, highlight.text.split())))
    for document in range(highlight.document, len(sources)):
        if found := pattern.search(sources[document]):
            return document, *found.span()
    raise _WrongHighlightError(f"highlight {number} is not in the source")


def _importances(text: str, spans: Sequence[tuple[int, int]]) -> list[float]:
    """The largest share of an n-gram of tokens that overlaps with each word; the largest is 1."""
    found = _IMPORTANCE.place_weights(text)
    if isinstance(found, str):
        raise _WrongHighlightError(found)
    best = [0.0] * len(spans)
    at = 0
    for start, end, share in found:  # by start
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        word = at
        while word < len(spans) and spans[word][0] < end:
            best[word] = max(best[word], share)
            word += 1
    largest = max(best, default=0.0)
    return [share / largest for share in best] if largest else best


def _by_document(run: Sequence[Span]) -> Iterator[list[Span]]:
    for document in dict.fromkeys(span.document for span in run):
        yield [span for span in run if span.document == document]


def _merged(stretch: Sequence[Span]) -> Span:
    """Neighbouring n-grams as one span, with the highest weight."""
    start, end = stretch[0].start, max(span.end for span in stretch)
    weight, document = max(span.weight for span in stretch), stretch[0].document
    return Span("source", start, end, weight, "", document, kind="missing")
