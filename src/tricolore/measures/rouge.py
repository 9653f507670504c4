"""ROUGE: how much of the references' words, in runs or in order, a summary has (Lin 2004)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, ClassVar, Literal

from tricolore.example import Example
from tricolore.measure import Language, Measure, Need, ValueChoice
from tricolore.measures.pair_limit import (
    MAX_PAIRS,
    MAX_PAIRS_HELP,
    TooManyPairsError,
    check_max_pairs,
    check_pairs,
)
from tricolore.measures.precision_recall import DIRECTIONS, PrecisionRecallPart
from tricolore.measures.rouge_words import (
    COMPARED,
    PlacedWord,
    by_sentence,
    compared_words,
    line_spans,
    placed_words,
)
from tricolore.score import Score, Span, Where
from tricolore.settings import setting, shortest_spec
from tricolore.spec import Spec
from tricolore.text.lcs import (
    LcsFunction,
    lcs_length,
    lcs_places,
    union_lcs,
    weighted_lcs,
    weighted_lcs_places,
)
from tricolore.text.ngrams import Bag, Ngrams, matched, skip_bigrams, skip_places
from tricolore.text.sentences import sentence_spans
from tricolore.text.words import TOKENIZER_HELP, Tokenizer, WordTuple, words

Variant = Literal["1", "2", "3", "4", "l", "lsum", "w", "s4", "su4"]
References = Literal["max", "mean", "jackknife", "pooled"]

GAP = 4
"""The most words between the two words of a skip-bigram in S4 and SU4."""


Read = tuple[Any, float]
"""A text as a variant sees it (None where no word is left), and how much there is to match."""
PreparedReference = tuple[Callable[[Any], float], float, int]
"""A function that counts what a summary shares with a reference, the reference's size, and how many
words are compared with each word of the summary: 0 if that takes no more time than reading."""
MatchCounts = tuple[float, float, float, int]
"""What is shared; how much there is in the summary, and in the reference; which reference."""
Parts = tuple[float, float, float]
"""Precision, recall and F1."""
MatchedStretches = tuple[tuple[int, int], tuple[int, int], float]
"""First and last index in the summary, the same in the reference, and the weight."""


@dataclass(frozen=True, kw_only=True)
class Rouge(ValueChoice):
    """The share of n-grams, skip-bigrams or subsequences that summary and reference have in common.

    >>> example = Example(summary="police kill the gunman", references="police killed the gunman")
    >>> [Rouge(variant=v).score([example])[0].value for v in ("1", "2", "l")]
    [0.75, 0.3333333333333333, 0.75]
    """

    variant: Variant = setting("1", "Which ROUGE; it is part of the name, as in `rouge-su4`.")
    stem: bool = setting(
        False, "Whether stems are compared; words of three letters or fewer stay as they are."
    )
    stop_words: Literal["none", "smart"] = setting(
        "none", "Which stop words are left out: `none`, or the 596 of ROUGE-1.5.5 (`smart`)."
    )
    value: PrecisionRecallPart = setting("f1", "Which part is the value.")
    references: References = setting(
        "max",
        "How several references are used: the best one (`max`), the mean of all (`mean`), the "
        "mean of the best with each left out in turn (`jackknife`, §2.1 of the paper), or with "
        "their counts summed first (`pooled`, released code).",
    )
    tokenizer: Tokenizer = setting("google", TOKENIZER_HELP)
    sentences: Literal["newline", "rule"] = setting(
        "newline", "For rouge-lsum: a sentence is a line (`newline`) or is found by rule (`rule`)."
    )
    weight: float = setting(1.2, "For rouge-w: the power of the length of a run, 1 or more.")
    rules: Literal["paper", "1.5.5"] = setting(
        "paper", "Whether the paper is followed, or the Perl script ROUGE-1.5.5 (released code)."
    )
    against: Literal["references", "source"] = setting(
        "references",
        "What a summary is compared with; `source` takes each source document for a reference.",
    )
    max_pairs: int = setting(MAX_PAIRS, "For rouge-w and rouge-lsum. " + MAX_PAIRS_HELP)

    cost: ClassVar[str] = "microseconds"
    part_names = ("precision", "recall", "f1")
    part_directions = DIRECTIONS
    presets = {"paper": {}, "released": {"rules": "1.5.5", "references": "pooled"}}  # noqa: RUF012

    def __post_init__(self) -> None:
        if self.weight < 1:
            raise ValueError(f"weight must be 1 or more, not {self.weight} (1 makes W like L)")
        check_max_pairs(self.max_pairs)

    @property
    def name(self) -> str:
        """The variant is in the name: `rouge-su4`."""
        return f"rouge-{self.variant}"

    @property
    def meaning(self) -> str:
        """What is compared with what."""
        other = "reference" if self.against == "references" else "source"
        return f"The share of {COMPARED[self.variant]} that summary and {other} have in common"

    @cached_property
    def needs(self) -> frozenset[Need]:
        """What the measure compares with."""
        return frozenset({self.against})

    @property
    def language(self) -> Language:
        """Stems and stop words are those of English."""
        return "english" if self.stem or self._leaves_out else "spaced"

    @property
    def _leaves_out(self) -> bool:
        return self.stop_words != "none"

    @property
    def _other(self) -> Where:
        return "source" if self.against == "source" else "reference"

    def _others(self, example: Example) -> tuple[str, ...]:
        """The texts that a summary is compared with."""
        return example.source if self.against == "source" else example.references

    @cached_property
    def spec(self) -> Spec:
        """The variant is in the name, and so not among the settings that are written out."""
        defaults = {**self.defaults(), "variant": self.variant}
        return shortest_spec(self.name, self.settings, defaults, self.presets)

    def computed(self, *, evidence: bool) -> Measure:
        # The best reference depends on which part is the value.
        is_chosen = self.references in ("max", "jackknife")
        return self if is_chosen else super().computed(evidence=evidence)

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        read = self._reader()
        # References are shared by the summaries of a document: what was read is kept for a while.
        prepare = lru_cache(maxsize=512)(partial(self._reference, read))
        for example in examples:
            units, length = read(example.summary)
            if units is None:
                yield Score.missing(self._no_words("summary", [example.summary]))
                continue
            tallies = []
            others = self._others(example)
            compared = 0
            try:
                for document, text in enumerate(others):
                    shared_with, size, words = prepare(text)
                    if words:
                        compared += words
                        check_pairs(self._word_count(units), compared, self.max_pairs)
                    if size:
                        tallies.append((shared_with(units), length, size, document))
            except TooManyPairsError as error:
                yield Score.missing(str(error))
                continue
            if not tallies:
                yield Score.missing(self._no_references(others))
                continue
            precision, recall, f1 = self._together(tallies)
            parts = {"precision": precision, "recall": recall, "f1": f1}
            spans = self._evidence(example, tallies) if evidence else ()
            yield Score.of_parts(parts, spans)

    # ---- what each variant counts

    def _reader(self) -> Callable[[str], Read]:
        """How this variant reads a text."""
        if self._by_sentence:
            return self._read_sentences
        tokenizer, stemmer, stop = self.tokenizer, self._stemmer, self._leaves_out
        units, power = self._units(), self.weight if self.variant == "w" else 1

        def read(text: str) -> Read:
            found = compared_words(text, tokenizer, stemmer, stop)
            if not found:
                return None, 0
            items = units(found)
            return items, len(items) ** power

        return read

    def _units(self) -> Callable[[WordTuple], Collection[Any]]:
        if self.variant in ("2", "3", "4"):
            return partial(Ngrams, n=int(self.variant))
        if self.variant in ("s4", "su4"):
            return self._skip_units
        return tuple

    def _skip_units(self, found: WordTuple) -> list[Any]:
        pairs: list[Any] = list(skip_bigrams(found, GAP))
        if self.variant == "su4":
            # §5.2: unigrams are pairs with a mark before the text. The script forgets the last.
            pairs += found[:-1] if self.rules == "1.5.5" else found
        return pairs

    def _read_sentences(self, text: str) -> Read:
        cut = [
            compared_words(text[start:end], self.tokenizer, self._stemmer, self._leaves_out)
            for start, end in self._sentence_spans(text)
        ]
        size = sum(map(len, cut))
        return (cut, size**self.weight if self.variant == "w" else size) if size else (None, 0)

    def _reference(self, read: Callable[[str], Read], text: str) -> PreparedReference:
        """How this variant counts what a summary shares with a reference."""
        units, size = read(text)
        if units is None:
            return _nothing, 0, 0
        if self._by_sentence:
            if self.variant == "w":
                # The script applies the weight twice: to each sentence, and then to their sum.
                size = sum(len(sentence) ** self.weight for sentence in units) ** self.weight
            return partial(self._union_hits, units), size, self._word_count(units)
        if self.variant == "l":
            return partial(lcs_length, units), size, 0  # eqs. (2)-(4)
        if self.variant == "w":
            return partial(self._weighted_hits, units), size, self._word_count(units)
        return Bag(units).shared, size, 0  # eq. (1)

    def _word_count(self, units: Sequence[Any]) -> int:
        return sum(map(len, units)) if self._by_sentence else len(units)

    def _weighted_hits(self, reference: WordTuple, summary: WordTuple) -> float:
        """§4: runs of words count more than words apart."""
        return weighted_lcs(reference, summary, self.weight)

    def _union_hits(self, reference: Sequence[WordTuple], summary: Sequence[WordTuple]) -> float:
        """§3.2: every sentence of the reference against all sentences of the summary."""
        found = union_lcs(summary, reference, self._places)
        if self.variant == "w":
            return sum(_runs(marked, counted, self.weight) for marked, counted in found)
        return sum(len(counted) for _, counted in found)

    @property
    def _by_sentence(self) -> bool:
        return self.variant == "lsum" or (self.rules == "1.5.5" and self.variant in ("l", "w"))

    @property
    def _places(self) -> LcsFunction:
        return (
            partial(weighted_lcs_places, power=self.weight) if self.variant == "w" else lcs_places
        )

    @property
    def _stemmer(self) -> str:
        return self.rules if self.stem else ""

    # ---- from counts to values

    def _parts(self, tally: MatchCounts) -> Parts:
        hits, summary, reference, _ = tally
        precision = hits / summary if summary else 0.0
        recall = hits / reference
        if self.variant == "w":  # §4: the inverse of the weight
            precision = min(1.0, precision ** (1 / self.weight))
            recall = min(1.0, recall ** (1 / self.weight))
        both = precision + recall
        return precision, recall, 2 * precision * recall / both if both else 0.0

    def _together(self, tallies: list[MatchCounts]) -> Parts:
        """Several references made into one comparison."""
        if len(tallies) == 1:
            return self._parts(tallies[0])
        if self.references == "pooled":
            hits, summary, reference, _ = map(sum, zip(*tallies, strict=True))
            return self._parts((hits, summary, reference, 0))
        ranked = sorted((self._parts(tally) for tally in tallies), key=self._rank, reverse=True)
        if self.references == "max":
            return ranked[0]
        if self.references == "jackknife":
            # §2.1: leave each out in turn and take the best of the rest, which is the best of all
            # except for the one time when it is itself left out.
            ranked = [*ranked[:1] * (len(ranked) - 1), ranked[1]]
        precision, recall, f1 = (sum(part) / len(ranked) for part in zip(*ranked, strict=True))
        return precision, recall, f1

    def _rank(self, parts: Parts) -> tuple[float, ...]:
        # The rest of the key breaks ties independently of the references' order.
        return (parts[self.part_names.index(self.value)], parts[2], *parts)

    # ---- summaries without a value

    def _no_words(self, which: str, texts: Sequence[str]) -> str:
        plain = [w for text in texts for w in words(text, self.tokenizer)]
        if plain and self._leaves_out:
            return f"no word of the {which} is left when stop words are taken out"
        problem = f"there is no word in the {which}"
        if self.tokenizer == "google" and any(c.isalnum() for text in texts for c in text):
            problem += ": only a-z and 0-9 are seen; use tokenizer=unicode for other scripts"
        return problem

    def _no_references(self, references: Sequence[str]) -> str:
        read = self._reader()
        if all(read(text)[0] is None for text in references):
            return self._no_words(self._other, references)
        return f"the {self._other} has too few words for {self.name}"

    # ---- evidence

    def _evidence(self, example: Example, tallies: list[MatchCounts]) -> tuple[Span, ...]:
        """What the summary shares with its best reference."""
        *_, best = max(tallies, key=lambda tally: self._rank(self._parts(tally)))
        summary = self._placed(example.summary)
        reference = self._placed(self._others(example)[best])
        spans = []
        for (s, e), (other_s, other_e), weight in self._pairs(summary, reference):
            start, end = reference[other_s].start, reference[other_e].end
            match = Span(self._other, start, end, document=best)
            label = " ".join(placed.word for placed in summary[s : e + 1])
            place = summary[s].start, summary[e].end
            spans.append(Span("summary", *place, weight, label, match=match, kind="match"))
        return tuple(spans)

    def _pairs(
        self, summary: list[PlacedWord], reference: list[PlacedWord]
    ) -> list[MatchedStretches]:
        if self._by_sentence:
            return sorted(self._union_pairs(summary, reference))
        ours, theirs = (tuple(p.word for p in placed) for placed in (summary, reference))
        if self.variant in ("l", "w"):
            if len(ours) * len(theirs) > self.max_pairs:
                return []  # rouge-l has a value, but finding the positions takes much memory
            return [((i, i), (j, j), 1.0) for j, i in self._places(theirs, ours)]
        if self.variant in ("s4", "su4"):
            return self._skip_pairs(ours, theirs)
        n = int(self.variant)
        shared = matched(Ngrams(ours, n), Ngrams(theirs, n))
        return [((i, i + n - 1), (j, j + n - 1), 1.0) for i, j in shared]

    def _skip_pairs(self, ours: WordTuple, theirs: WordTuple) -> list[MatchedStretches]:
        """The words that take part in shared pairs, weighed by how many they take part in."""
        at = [(*skip_places(len(w), GAP), *((i, i) for i in range(len(w)))) for w in (ours, theirs)]
        weights: Counter[int] = Counter()
        partner: dict[int, int] = {}
        for i, j in matched(self._skip_units(ours), self._skip_units(theirs)):
            for place, other in dict(zip(at[0][i], at[1][j], strict=True)).items():
                weights[place] += 1
                partner.setdefault(place, other)
        return [((i, i), (j, j), float(weights[i])) for i, j in sorted(partner.items())]

    def _union_pairs(
        self, summary: list[PlacedWord], reference: list[PlacedWord]
    ) -> Iterator[MatchedStretches]:
        ours, theirs = by_sentence(summary), by_sentence(reference)
        our_words, their_words = (
            [tuple(placed[i].word for i in places) for places in cut]
            for placed, cut in ((summary, ours), (reference, theirs))
        )
        found = union_lcs(our_words, their_words, self._places)
        for places, (_, counted) in zip(theirs, found, strict=True):
            for place, (sentence, i) in counted.items():
                yield (ours[sentence][i],) * 2, (places[place],) * 2, 1.0

    def _placed(self, text: str) -> list[PlacedWord]:
        """The words that are compared, with their positions in the text."""
        cut = self._sentence_spans(text) if self._by_sentence else [(0, len(text))]
        return placed_words(text, cut, self.tokenizer, self._stemmer, self._leaves_out)

    def _sentence_spans(self, text: str) -> Iterable[tuple[int, int]]:
        return sentence_spans(text) if self.sentences == "rule" else line_spans(text)


def _nothing(units: Any) -> float:
    return 0.0


def _runs(marked: set[int], counted: Iterable[int], weight: float) -> float:
    """The weights of runs of words, as the script adds them up.

    A run ends at a word after which nothing is marked; if that word does not count itself, the
    script lets the run go on in the next one.
    """
    total, run = 0.0, 0
    for place in counted:
        run += 1
        if place + 1 not in marked:
            total += run**weight
            run = 0
    return total
