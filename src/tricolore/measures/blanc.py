"""What BLANC-help and BLANC-tune share: how texts are read, which words are masked, the guard.

Vasilyev, Dharnidharka, Bohannon (2020): Fill in the BLANC. Sections 2.2 to 2.4.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from tricolore.measure import Direction, ValueChoice
from tricolore.measures.blanc_counts import Counts, MaskedItem, Masking
from tricolore.measures.neural import MaskedMeasure
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.tokens import Tokens
from tricolore.score import Score, Span
from tricolore.settings import setting
from tricolore.text.normal import UnicodeForm, lower_case, normal_form
from tricolore.text.sentences import sentence_spans


@dataclass(frozen=True, kw_only=True)
class BlancMeasure(ValueChoice, MaskedMeasure, ABC):
    """A measure that counts how much better masked words are guessed with the summary."""

    bounds = (-1.0, 1.0)
    part_names = ("relative", "improve", "s00", "s01", "s10", "s11")
    # The counts follow the length of the source: only their shares can be compared.
    part_directions: ClassVar[Mapping[str, Direction]] = {"relative": "higher", "improve": "higher"}

    value: Literal["relative", "improve"] = setting("relative", "Which part is the value.")
    gap: int = setting(2, "Distance from one masked word to the next; M in the paper.")
    gap_mask: int = setting(1, "Number of words that are masked in a row (released code).")
    overlap: bool = setting(
        True,
        "With several masked in a row: whether rows begin at every word (released code), or each "
        "word is masked once (ours).",
    )
    unit: Literal["tokens", "words"] = setting(
        "tokens",
        "What is masked and judged: `tokens` one by one (released code), or whole `words`, which "
        "are right if all their tokens are.",
    )
    min_word: int = setting(
        4, "The fewest characters of a whole word that is masked; L_min in the paper."
    )
    min_lead: int = setting(
        2,
        "With `unit=tokens`: the fewest characters of the first of several tokens of a word "
        "(released code).",
    )
    min_followup: int = setting(
        100,
        "With `unit=tokens`: the fewest characters of its other tokens; 100 means never (released "
        "code).",
    )
    composite: bool = setting(False, "Whether words of several tokens are masked however short.")
    short: Literal["skip", "next"] = setting(
        "skip",
        "Where a word is too short: mask none there (`skip`), or the next that is long enough and "
        "no nearer than `gap` to the one before (`next`).",
    )
    unicode: UnicodeForm = setting(
        "nfkd", "Unicode form of the texts: `nfkd` (released code), or as they are (`none`)."
    )
    guard: Literal["none", "skip", "remove", "replace"] = setting(
        "none",
        "What is done with a sentence of the source that the summary has a copy of (section 2.4): "
        "nothing (`none`), leave that sentence out (`skip`), take the copy out of the summary "
        "(`remove`), or put another sentence in its place (`replace`).",
    )

    def __post_init__(self) -> None:
        if not 1 <= self.gap_mask <= self.gap:
            raise ValueError(
                f"gap={self.gap}, gap_mask={self.gap_mask} was given, "
                "but gap_mask is at least 1 and at most gap"
            )
        for name in ("min_word", "min_lead", "min_followup"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} was given, but it is at least 1")

    # Reading.

    def _read(self, text: str) -> list[Tokens]:
        """The sentences of a text in tokens; their spans are characters of the text as given."""
        return read_sentences(self.lm, text, self.unicode, lowercase=self.lowercase)

    # "Whenever a sentence contains its exact copy in the summary": section 2.4.

    def _guarded(
        self, summary: Sequence[Tokens], sentence: Tokens, document: Sequence[Tokens]
    ) -> Sequence[Tokens] | None:
        """The summary that a sentence is guessed with; None if the sentence is skipped."""
        if self.guard == "none" or all(part.ids != sentence.ids for part in summary):
            return summary
        if self.guard == "skip":
            return None
        is_removed = self.guard == "remove"
        other = NOTHING if is_removed else _other_sentence(summary, sentence, document)
        return [other if part.ids == sentence.ids else part for part in summary]

    # "In sentence mask each i-th word if (i − i_start) % M == 0 and if the word's length ≥ L_min":
    # fig. 2.

    def _maskings(self, tokens: Tokens) -> list[Masking]:
        """Every way to mask the sentence, none of them empty."""
        return self._evenly(*self._items(tokens))

    def _items(self, tokens: Tokens) -> tuple[list[MaskedItem], list[bool]]:
        """The words, or tokens, of a sentence, and whether they may be masked."""
        single: list[MaskedItem] = [(i,) for i in range(len(tokens))]
        items = words_of(tokens) if self.unit == "words" else single
        return items, [self._long_enough(tokens, item) for item in items]

    def _evenly(self, items: Sequence[MaskedItem], allowed: Sequence[bool]) -> list[Masking]:
        if self.short == "next":
            chosen = _next_long_enough(allowed, self.gap, self.gap_mask)
        else:
            chosen = _every(allowed, self.gap, self.gap_mask, self.overlap)
        return [tuple(items[i] for i in places) for places in chosen if places]

    def _long_enough(self, tokens: Tokens, item: MaskedItem) -> bool:
        """Whether a word, or a token, may be masked."""
        first = item[0]
        follows, leads = tokens.continues(first), tokens.leads(first)
        if self.composite and (follows or leads):
            return True
        if self.unit == "words":
            return characters(tokens, item) >= self.min_word
        length = self.lm.tokenizer.length(tokens.ids[first])
        if follows:
            return length >= self.min_followup
        return length >= (self.min_lead if leads else self.min_word)

    # The score.

    def _scored(
        self, counts: Counts, evidence: tuple[Span, ...] = (), *, has_skipped: bool
    ) -> Score:
        """The score that some counts make; a problem if nothing was counted."""
        if not counts.total:
            if has_skipped:
                return Score.missing("the summary is a copy of every sentence that could be masked")
            return Score.missing("no word of the source is long enough to be masked")
        parts = {
            "relative": counts.relative,
            "improve": counts.improve,
            "s00": float(counts.s00),
            "s01": float(counts.s01),
            "s10": float(counts.s10),
            "s11": float(counts.s11),
        }
        return Score.of_parts(parts, evidence)


NOTHING = Tokens((), (), ())
"""What stands in the place of a sentence that is removed."""


def read_sentences(
    lm: MaskedLM, text: str, unicode: UnicodeForm = "none", *, lowercase: bool = False
) -> list[Tokens]:
    """The sentences of a text in tokens; their spans are characters of the text as given.

    With `lowercase`, sentences are still those of the text as it is written, where capitals help.
    """
    normal = normal_form(text, unicode)
    read = lower_case(normal.text) if lowercase else normal.text
    sentences = []
    for start, end in sentence_spans(normal.text):
        tokens = lm.tokenize(read[start:end])
        spans = tuple(normal.back(start + s, start + e) for s, e in tokens.spans)
        sentences.append(Tokens(tokens.ids, spans, tokens.words))
    return sentences


def _other_sentence(summary: Sequence[Tokens], copy: Tokens, document: Sequence[Tokens]) -> Tokens:
    """The sentence of the document that comes nearest to a copy's length, not in the summary."""
    known = {part.ids for part in summary}
    others = [tokens for tokens in document if tokens.ids and tokens.ids not in known]
    return min(others, key=lambda tokens: abs(len(tokens) - len(copy)), default=NOTHING)


def word_maskings(sentence: Tokens, gap: int, min_word: int) -> Iterator[Masking]:
    """The inner loop of figures 2 and 4, by their words.

    "For i_start in range from 1 to M: mask each i-th word if (i - i_start) % M == 0 and if the
    word's length ≥ L_min"; `gap` is M and `min_word` is L_min.
    """
    words = words_of(sentence)
    for i_start in range(min(gap, len(words))):
        chosen = [word for i, word in enumerate(words) if (i - i_start) % gap == 0]
        masking = tuple(word for word in chosen if characters(sentence, word) >= min_word)
        if masking:
            yield masking


def characters(tokens: Tokens, word: MaskedItem) -> int:
    """How many characters a word has."""
    return tokens.spans[word[-1]][1] - tokens.spans[word[0]][0]


def words_of(tokens: Tokens) -> list[MaskedItem]:
    """The tokens of each word."""
    found: list[list[int]] = []
    for at in range(len(tokens)):
        if tokens.continues(at):
            found[-1].append(at)
        else:
            found.append([at])
    return [tuple(word) for word in found]


def _every(allowed: Sequence[bool], gap: int, row: int, overlap: bool) -> Iterator[list[int]]:
    """For every start, each gap-th position and those in a row with it, without short words.

    >>> list(_every([True, True, False, True, True], gap=2, row=1, overlap=True))
    [[0, 4], [1, 3]]
    """
    gap = min(gap, len(allowed))  # else a short sentence would have starts beyond its end
    for start in range(0, gap, 1 if overlap else row):
        within = row if overlap else min(row, gap - start)
        yield [i for i, fits in enumerate(allowed) if fits and (i - start) % gap < within]


def _next_long_enough(allowed: Sequence[bool], gap: int, row: int) -> Iterator[list[int]]:
    """Each masking takes the first position left, then the next a gap or more further, and so on.

    Every position is taken once.

    >>> list(_next_long_enough([True, True, False, True, True], gap=2, row=1))
    [[0, 3], [1, 4]]
    """
    left = [i for i, fits in enumerate(allowed) if fits]
    while left:
        taken: list[int] = []
        remaining: list[int] = []
        first = -gap
        for i in left:
            if i - first >= gap:
                first = i
            (taken if i - first < row else remaining).append(i)
        yield taken
        left = remaining


def apply_mask(ids: Sequence[int], masking: Masking, mask: int) -> list[int]:
    """The tokens of a sentence with some of them masked.

    >>> apply_mask([5, 6, 7], ((0,), (2,)), mask=103)
    [103, 6, 103]
    """
    found = list(ids)
    for item in masking:
        for at in item:
            found[at] = mask
    return found


def fit_lengths(
    sentence: int, summary: Sequence[int], room: int, least: int
) -> tuple[int, int, int]:
    """How many tokens of a sentence are kept, and from where to where those of the summary.

    `summary` has the length of each of its sentences, `room` is what both may have together. The
    sentence is cut first, at its end, but not under `least`; then whole sentences of the summary,
    from its end. If the first sentence alone is too long, its beginning is cut.

    >>> fit_lengths(sentence=60, summary=[30, 30], room=100, least=40)
    (40, 0, 60)
    >>> fit_lengths(sentence=60, summary=[30, 40], room=100, least=40)
    (40, 0, 30)
    >>> fit_lengths(sentence=60, summary=[70], room=100, least=40)
    (40, 10, 70)
    """
    least = min(least, room // 2)  # a model of few tokens shares them out equally
    total = sum(summary)
    excess = sentence + total - room
    if excess <= 0:
        return sentence, 0, total
    sentence -= max(0, min(excess, sentence - least))
    left = room - sentence
    if total <= left:
        return sentence, 0, total
    kept = 0
    for number, length in enumerate(summary):
        if kept + length > left:
            return (sentence, 0, kept) if number else (sentence, length - left, length)
        kept += length
    raise AssertionError("the whole summary does not fit")
