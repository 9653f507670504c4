"""ESTIME's first half: a text as units to be masked, and the windows they are masked in.

§2 of the paper: mask a token, run the model on what surrounds it, take the vector at the mask.
Units that are far enough apart are masked in one run.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tricolore.models.masked_lm import MaskedLM
from tricolore.models.queries import Query
from tricolore.text.normal import Normal, nfkd
from tricolore.text.pos import tags
from tricolore.text.treebank import treebank_words

UnitKind = Literal["tokens", "words"]
Form = Literal["none", "nfkd"]
Rules = Literal["paper", "released"]


class Unit(NamedTuple):
    """A token, or a word of several tokens, that is masked and looked at."""

    first: int
    """Its first token; the vector is taken there."""
    end: int
    number: int
    """Its place among all units of the text, those left out counted too."""
    key: str
    """Units with equal keys are the same token: t_i and t'_α of eq. (1)."""
    overlap: str
    """A unit is checked if this occurs in the other text."""
    start: int
    """Where it stands in the text, in characters, up to `stop`."""
    stop: int
    tag: str
    """Its part of speech, where a filter asks for it."""


class Window(NamedTuple):
    """One run of the model: tokens `start` to `end` of a text, with some units masked."""

    start: int
    end: int
    units: tuple[int, ...]


@dataclass(frozen=True)
class Reading:
    """A text as ESTIME reads it."""

    ids: tuple[int, ...]
    units: tuple[Unit, ...]

    def only(self, wanted: frozenset[str], unwanted: frozenset[str]) -> Reading:
        """Without the units whose part of speech is not asked for (appendix E)."""
        left = (u for u in self.units if u.tag not in unwanted and (not wanted or u.tag in wanted))
        return Reading(self.ids, tuple(left))

    def query(self, lm: MaskedLM, window: Window, asked: Sequence[int]) -> Query:
        """The run of a window, asking about some of its units."""
        ids = list(self.ids[window.start : window.end])
        for at in window.units:
            unit = self.units[at]
            for place in range(unit.first, min(unit.end, window.end)):
                ids[place - window.start] = lm.mask_id
        # One opening token stands before the window.
        places = tuple(1 + self.units[at].first - window.start for at in asked)
        return Query(lm.frame(ids), places)


@dataclass(frozen=True)
class Reader:
    """How texts are cut into units."""

    lm: MaskedLM
    unit: UnitKind
    lowercase: bool
    form: Form
    tagged: bool

    def __call__(self, text: str) -> Reading:
        """The reading of a text with all its units."""
        given = nfkd(text) if self.form == "nfkd" else Normal(text)
        return self._words(given) if self.unit == "words" else self._tokens(given)

    def _tokens(self, given: Normal) -> Reading:
        """Every token is a unit (§2)."""
        # After a space, so that byte-level tokenizers read the first word as any other.
        shift = int(not given.text[:1].isspace())
        tokens = self.lm.tokenize(" " * shift + given.text)
        entries = [self._folded(entry) for entry in self.lm.entries(tokens.ids)]
        spans = [(max(0, start - shift), max(0, end - shift)) for start, end in tokens.spans]
        named = self._token_tags(given.text, spans)
        found = (
            Unit(at, at + 1, at, entry, entry, *given.back(*span), tag)
            for at, (entry, span, tag) in enumerate(zip(entries, spans, named, strict=True))
        )
        return Reading(tokens.ids, tuple(found))

    def _words(self, given: Normal) -> Reading:
        """Every word of NLTK's is a unit, all of it masked, its first token looked at (blanc).

        The words are read one by one, as if nothing but spaces stood between them. One that the
        tokenizer makes nothing of is no unit.
        """
        cut = treebank_words(given.text)
        starts, joined = _joined(cut.words)
        tokens = self.lm.tokenize(joined)
        found: list[Unit] = []
        named = tags(*cut.words) if self.tagged else ("",) * len(cut.words)
        for first, end, number in _runs([bisect_right(starts, s) - 1 for s, _ in tokens.spans]):
            word = self._folded(cut.words[number])
            # Two spellings of a word may begin with different tokens.
            key = word if self.lowercase else self.lm.tokenizer.entry(tokens.ids[first])
            span = given.back(*cut.spans[number])
            found.append(Unit(first, end, number, key, word, *span, named[number]))
        return Reading(tokens.ids, tuple(found))

    def _folded(self, entry: str) -> str:
        return entry.lower() if self.lowercase else entry

    def _token_tags(self, text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
        """A token has the part of speech of the word that it stands in."""
        if not self.tagged:
            return [""] * len(spans)
        cut = treebank_words(text)
        named = tags(*cut.words)
        starts = [start for start, _ in cut.spans]
        return [named[max(0, bisect_right(starts, start) - 1)] for start, _ in spans]


def _joined(words: Sequence[str]) -> tuple[list[int], str]:
    """Words with a space before each, and where each begins.

    >>> _joined(["ca", "n't"])
    ([1, 4], " ca n't")
    """
    starts = [1]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    return starts[:-1], "".join(f" {word}" for word in words)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Stretches of equal numbers: first, end, number.

    >>> list(_runs([0, 0, 2]))
    [(0, 2, 0), (2, 3, 2)]
    """
    first = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[first]:
            yield first, at, numbers[first]
            first = at


@dataclass(frozen=True)
class Masking:
    """Which units are masked together: §2, last paragraph but one, and appendix F."""

    distance: int = 8
    margin: int = 50
    window: int = 450
    rules: Rules = "paper"

    def within(self, longest: int) -> Masking:
        """The same for a model that reads fewer tokens: the margin shrinks with the window."""
        if self.window <= longest:
            return self
        return Masking(self.distance, self.margin * longest // self.window, longest, self.rules)

    def windows(self, reading: Reading) -> Iterator[Window]:
        """The runs in which every unit of a text is masked once."""
        for group in self._groups([unit.number for unit in reading.units]):
            yield from self._split(reading, group)

    def _groups(self, numbers: Sequence[int]) -> Iterator[list[int]]:
        """Units at least `distance` apart, the first possible ones first."""
        left = list(range(len(numbers)))
        while left:
            taken: list[int] = []
            rest: list[int] = []
            for at in left:
                far = not taken or numbers[at] - numbers[taken[-1]] >= self.distance
                (taken if far else rest).append(at)
            yield taken
            left = rest

    def _split(self, reading: Reading, group: Sequence[int]) -> Iterator[Window]:
        """Windows that begin `margin` tokens before the first unit that is still to be masked."""
        units = reading.units
        at = 0
        while at < len(group):
            start = max(0, units[group[at]].first - self.margin)
            end = min(len(reading.ids), start + self.window)
            last = self._last(start, end, len(reading.ids))
            # A word longer than the window is masked as far as the window reaches.
            stop = at + 1
            while stop < len(group) and units[group[stop]].end - 1 <= last:
                stop += 1
            yield Window(start, end, tuple(group[at:stop]))
            at = stop

    def _last(self, start: int, end: int, length: int) -> int:
        """The last token of a window that may be masked."""
        if self.rules == "released":
            # One token nearer to the edge than on the left, and also where the text ends.
            return min(start + self.window - self.margin, end - 1)
        return length - 1 if end == length else start + self.window - self.margin - 1


class Shelf:
    """Several texts, their units numbered through, each with the window it is masked in."""

    def __init__(self, readings: Sequence[Reading], masking: Masking) -> None:
        self.units = [(at, unit) for at, reading in enumerate(readings) for unit in reading.units]
        self._readings = readings
        self._windows: list[tuple[int, Window]] = []
        self._starts: list[int] = []
        self._home = np.empty(len(self.units), dtype=np.int64)
        for at, reading in enumerate(readings):
            self._starts.append(self._starts[-1] + len(readings[at - 1].units) if at else 0)
            for window in masking.windows(reading):
                self._home[self._starts[at] + np.array(window.units)] = len(self._windows)
                self._windows.append((at, window))

    def bounds(self, at: int) -> slice:
        """The numbers of the units of a text."""
        return slice(self._starts[at], self._starts[at] + len(self._readings[at].units))

    def first_ids(self, numbers: Iterable[int]) -> list[int]:
        """The ids of the first tokens of some units."""
        found = (self.units[number] for number in numbers)
        return [self._readings[at].ids[unit.first] for at, unit in found]

    def runs(self, lm: MaskedLM) -> Iterator[Run]:
        """Every window, asking about all its units."""
        for at, window in self._windows:
            yield self._run(lm, at, window, window.units)

    def some_runs(self, lm: MaskedLM, numbers: npt.NDArray[np.int64]) -> Iterator[Run]:
        """Only the windows that some units are masked in, asking about these units."""
        homes = self._home[numbers]
        for home in np.unique(homes):
            at, window = self._windows[home]
            yield self._run(lm, at, window, (numbers[homes == home] - self._starts[at]).tolist())

    def _run(self, lm: MaskedLM, at: int, window: Window, asked: Sequence[int]) -> Run:
        query = self._readings[at].query(lm, window, asked)
        return Run(self, query, self._starts[at] + np.array(asked))


class Run(NamedTuple):
    """A run of the model, and the numbers of the units that it is asked about."""

    shelf: Shelf
    query: Query
    numbers: npt.NDArray[np.int64]
