"""Jensen-Shannon divergence of summary and source words (Louis & Nenkova 2009)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log2
from typing import Any, ClassVar, Literal

from tricolore.example import Example
from tricolore.measure import Direction, Language, Measure, Need
from tricolore.memo import remembered
from tricolore.score import Score, Span, Where
from tricolore.settings import setting
from tricolore.text.spacy_words import spacy_version
from tricolore.text.stem import stem
from tricolore.text.stop import stop_words
from tricolore.text.words import ANY_TOKENIZER_HELP, AnyTokenizer, word_spans, words

DELTA = 0.0005
"""The count that smoothing adds to every word."""
OUTCOMES = 1.5
"""Smoothing assumes this many possible words per word of the source's vocabulary."""
SHOWN = 10
"""The most words that the evidence names on each side."""


@dataclass(frozen=True, kw_only=True)
class JensenShannon(Measure):
    """How far the word frequencies of the summary are from those of the source.

    >>> example = Example(source="cats sleep", summary="cats eat")
    >>> JensenShannon().score([example])[0].value
    0.5
    """

    name = "jensen-shannon"
    stem: bool = setting(True, "Whether words are cut to their Porter stems.")
    stop_words: Literal["none", "smart"] = setting(
        "none", "Which stop words are left out: `none`, or those of ROUGE-1.5.5 (`smart`)."
    )
    smoothing: Literal["none", "lidstone"] = setting(
        "none", "How probabilities are smoothed: `none`, or by the paper's eq. 2 (`lidstone`)."
    )
    tokenizer: AnyTokenizer = setting("unicode", ANY_TOKENIZER_HELP)
    lowercase: bool = setting(True, "Whether upper and lower case are treated as the same.")

    needs: ClassVar[frozenset[Need]] = frozenset({"source"})
    direction = "lower"
    follows = "length"  # ρ with compression -0.78, with length 0.63, with human scores at most 0.33
    cost: ClassVar[str] = "microseconds"
    part_names = ("summary", "source")
    part_directions: ClassVar[Mapping[str, Direction]] = {"summary": "lower", "source": "lower"}

    def __post_init__(self) -> None:
        if self.stem and not self.lowercase:
            raise ValueError("the stemmer makes words lower case: lowercase=false needs stem=false")

    @property
    def language(self) -> Language:
        """Stems and stop words are those of English."""
        return "english" if self.stem or self.stop_words != "none" else "spaced"

    def signature(self) -> dict[str, Any]:
        """The settings, and the version of spaCy where it cuts the words."""
        other = {"spacy": spacy_version()} if self.tokenizer == "spacy" else {}
        return {**super().signature(), **other}

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            p, q = self._distributions(example)
            if not p or not q:
                yield Score.missing(self._no_words(example, "source" if p else "summary"))
                continue
            from_summary, from_source = divergences(p, q)
            yield Score(
                (from_summary + from_source) / 2,  # eq. (3)
                {"summary": from_summary, "source": from_source},
                self._spans(example, p, q) if evidence else (),
            )

    def _distributions(self, example: Example) -> tuple[dict[str, float], dict[str, float]]:
        """The probabilities of the words in summary and source; none where no word is left."""
        settings = self.tokenizer, self.lowercase, self.stem, self.stop_words != "none"
        if self.smoothing == "none":
            return _shares(*settings, example.summary), _shares(*settings, *example.source)
        summary, source = _counts(*settings, example.summary), _counts(*settings, *example.source)
        if not summary or not source:
            return dict.fromkeys(summary, 1.0), dict.fromkeys(source, 1.0)
        # eq. (2), for the words of both; B is 1.5 |V|, where V is the source's vocabulary
        outcomes = OUTCOMES * len(source)
        both = [*source, *(word for word in summary if word not in source)]

        def smoothed(counts: Counter[str]) -> dict[str, float]:
            total = counts.total() + DELTA * outcomes
            return {word: (counts[word] + DELTA) / total for word in both}

        return smoothed(summary), smoothed(source)

    def _no_words(self, example: Example, which: Literal["summary", "source"]) -> str:
        texts = (example.summary,) if which == "summary" else example.source
        if any(words(text, self.tokenizer, self.lowercase) for text in texts):
            return f"no word of the {which} is left when stop words are taken out"
        return f"there is no word in the {which}"

    # ---- evidence

    def _spans(
        self, example: Example, p: dict[str, float], q: dict[str, float]
    ) -> tuple[Span, ...]:
        """The words that add most to the divergence, and where they first occur."""
        shares = {word: _contribution(p.get(word, 0.0), q.get(word, 0.0)) for word in {**p, **q}}
        ranked = sorted(shares, key=lambda word: (-shares[word], word))
        more = [word for word in ranked if p.get(word, 0.0) > q.get(word, 0.0)]
        less = [word for word in ranked if p.get(word, 0.0) < q.get(word, 0.0)]
        return (
            *self._first(more, shares, "summary", (example.summary,), "extra"),
            *self._first(less, shares, "source", example.source, "missing"),
        )

    def _first(
        self,
        ranked: list[str],
        shares: dict[str, float],
        where: Where,
        texts: Sequence[str],
        kind: Literal["extra", "missing"],
    ) -> Iterator[Span]:
        label = "more than in the source" if kind == "extra" else "less in the summary"
        wanted = set(ranked[:SHOWN])
        form = _form(self.stem, self.stop_words != "none")
        first: dict[str, Span] = {}
        for document, text in enumerate(texts):
            cut = words(text, self.tokenizer, self.lowercase)
            places = word_spans(text, self.tokenizer, self.lowercase)
            for word, (start, end) in zip(map(form, cut), places, strict=True):
                if word in wanted and word not in first:
                    place = where, start, end
                    first[word] = Span(*place, shares[word], label, document, kind=kind)
        return (first[word] for word in ranked[:SHOWN] if word in first)


def divergences(p: dict[str, float], q: dict[str, float]) -> tuple[float, float]:
    """D(P‖A) and D(Q‖A) in bits, where A = (P + Q) / 2 is the mean of the two.

    >>> divergences({"a": 1.0}, {"a": 0.5, "b": 0.5}) == (log2(4 / 3), log2(2 / 3) / 2 + 0.5)
    True
    """
    # A word that only one of them has is twice its mean: exactly one bit.
    shared = p.keys() & q.keys()
    of_p = [p[word] * log2(2 * p[word] / (p[word] + q[word])) for word in shared]
    of_q = [q[word] * log2(2 * q[word] / (p[word] + q[word])) for word in shared]
    of_p += [share for word, share in p.items() if word not in q]
    of_q += [share for word, share in q.items() if word not in p]
    # `fsum` does not depend on the order, and a set has none.
    return fsum(of_p), fsum(of_q)


def _contribution(p: float, q: float) -> float:
    """What one word adds to the divergence."""
    return (sum(x * log2(2 * x / (p + q)) for x in (p, q) if x)) / 2


def _form(stemmed: bool, stop: bool) -> Callable[[str], str]:
    """What a word is counted as; nothing for a stop word."""
    left_out = stop_words("smart") if stop else frozenset[str]()

    def form(word: str) -> str:
        if word.lower() in left_out:
            return ""
        return stem(word) if stemmed else word

    return form


@remembered
def _counts(
    tokenizer: AnyTokenizer, lower: bool, stemmed: bool, stop: bool, *texts: str
) -> Counter[str]:
    """How often each word occurs in the texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(words(text, tokenizer, lower))
    if not (stemmed or stop):
        return counts
    form = _form(stemmed, stop)
    merged: Counter[str] = Counter()
    for word, count in counts.items():
        merged[form(word)] += count
    del merged[""]
    return merged


@remembered
def _shares(
    tokenizer: AnyTokenizer, lower: bool, stemmed: bool, stop: bool, *texts: str
) -> dict[str, float]:
    """The share that each word has of the texts: its most likely probability."""
    counts = _counts(tokenizer, lower, stemmed, stop, *texts)
    total = counts.total()
    return {word: count / total for word, count in counts.items()}
