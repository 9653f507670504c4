"""The quantities of a source, arranged so that those of a summary are looked up in them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from tricolore.memo import remembered
from tricolore.text.numerals import ONES, ORDINALS, TENS, TokenisedText
from tricolore.text.quantities import Quantity, all_quantities
from tricolore.text.sentences import sentence_spans
from tricolore.text.stop import stop_words
from tricolore.text.units import UNIT_WORDS, unit_readings

EXACT = 1e-9
"""How much equal values may differ, relative to the value: conversions are not exact."""
ANY_UNIT = "any"
"""In place of a dimension: numbers as written, whatever their unit."""
_MOST_PLACES = 30
"""How many places of a word in the source are looked at for a quantity in its context."""
_WINDOW = 8
"""How many words on each side of a quantity are its context."""
_YEAR = unit_readings("year")[0].factor


def readings(quantity: Quantity) -> Iterator[tuple[str, tuple[float, ...]]]:
    """What a quantity may mean: a dimension, and values in the base unit of the dimension."""
    if quantity.kind == "ordinal":
        yield "ordinal", quantity.values
        return
    for dimension, factor, offset in unit_readings(quantity.unit):
        yield dimension, tuple(value * factor + offset for value in quantity.values)
    if quantity.kind == "age":
        yield "count", quantity.values


def pair_key(value: float) -> float:
    """A value without rounding errors of conversions, to look up a pair."""
    return float(f"{value:.9g}")


def date_parts(quantity: Quantity) -> Iterator[dict[str, int]]:
    """The dates that a quantity means: two for a range of years or days."""
    parts = dict(zip(quantity.unit.split(), map(int, quantity.values), strict=True))
    yield parts
    if "until_year" in parts:
        yield {"year": parts["until_year"]}
    for day in range(parts.get("day", 0) + 1, parts.get("until", 0) + 1):
        yield parts | {"day": day}
    if "swapped" in parts:
        yield parts | {"day": parts["month"], "month": parts["day"]}


class QuantityContext:
    """The words around the quantities of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words: dict[int, dict[str, int]] = {}

    @cached_property
    def tokens(self) -> TokenisedText:
        """The text with its tokens."""
        return TokenisedText.of(self.text)

    def words(self, quantity: Quantity) -> dict[str, int]:
        """Content words near a quantity in its sentence, with their distance from it."""
        if quantity.start not in self._words:
            self._words[quantity.start] = self.find_words(quantity)
        return self._words[quantity.start]

    def find_words(self, quantity: Quantity) -> dict[str, int]:
        """The same, computed anew: keeping those of all quantities would take much memory."""
        tokens = self.tokens
        first = bisect_left(tokens.starts, quantity.start)
        last = bisect_left(tokens.starts, quantity.end)
        found: dict[str, int] = {}
        for places in (range(last, last + _WINDOW), range(first - 1, first - 1 - _WINDOW, -1)):
            for distance, place in enumerate(places, start=1):
                low = tokens.low(place)
                if not low or (low in ".!?" and not tokens.is_glued(place + 1)):
                    break
                if _is_content(low):
                    found.setdefault(low[:5], distance)
        return found


def _is_content(word: str) -> bool:
    if word[0].isdecimal():
        return True
    is_word = len(word) > 2 and word.isalpha()
    return is_word and word not in stop_words("nltk") and word not in _NO_CONTEXT


_NO_CONTEXT = frozenset(
    {*ONES, *TENS, *ORDINALS, *UNIT_WORDS, "million", "billion", "hundred", "per"}
    | {"thousand", "nearly", "almost", "around", "least", "said", "says", "also", "would", "many"}
)


class QuantityIndex:
    """The quantities of a source, by what they are compared with."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found = all_quantities(text)
        values: dict[str, list[tuple[float, int]]] = defaultdict(list)
        self.pairs: dict[tuple[str, float, float], int] = {}
        self.dates: dict[tuple[str, ...], dict[tuple[int, ...], int]] = defaultdict(dict)
        self.clocks: dict[int, list[int]] = defaultdict(list)
        for place, quantity in enumerate(self.found):
            if quantity.kind == "date":
                self._add_date(quantity, place)
            elif quantity.kind == "time":
                self.clocks[int(quantity.values[0]) % 720].append(place)
            else:
                meanings = list(readings(quantity))
                if quantity.unit:
                    meanings.append((ANY_UNIT, quantity.values))
                for dimension, scaled in meanings:
                    values[dimension] += [(value, place) for value in scaled]
                    if len(scaled) == 2:
                        self.pairs[dimension, pair_key(min(scaled)), pair_key(max(scaled))] = place
        self.values = {dimension: sorted(listed) for dimension, listed in values.items()}
        self.keys = {d: [value for value, _ in listed] for d, listed in self.values.items()}

    def _add_date(self, quantity: Quantity, place: int) -> None:
        for parts in date_parts(quantity):
            for names in (("month", "day"), ("month", "year"), ("month",), ("weekday",)):
                if all(name in parts for name in names):
                    key = tuple(parts[name] for name in names)
                    self.dates[names].setdefault(key, place)
            if "month" in parts and "year" not in parts:
                self.dates["month", "no year"].setdefault((parts["month"],), place)
            if "year" in parts:
                self.dates[("year",)].setdefault((parts["year"],), place)
                self.dates[("decade",)].setdefault((parts["year"] // 10 * 10,), place)
            if "decade" in parts:
                self.dates[("decade",)].setdefault((parts["decade"],), place)

    def between(self, dimension: str, low: float, high: float) -> Iterator[int]:
        """The quantities with a value in an interval."""
        listed = self.values.get(dimension)
        if listed:
            first = bisect_left(self.keys[dimension], low)
            last = bisect_right(self.keys[dimension], high)
            for at in range(first, last):
                yield listed[at][1]

    def equal(self, dimension: str, value: float) -> Iterator[int]:
        """The quantities with a value, up to rounding errors of conversions."""
        tolerance = EXACT * abs(value)
        return self.between(dimension, value - tolerance, value + tolerance)

    def closest(self, dimension: str, value: float) -> int | None:
        """The quantity whose value is closest."""
        listed = self.values.get(dimension)
        if not listed:
            return None
        at = bisect_left(self.keys[dimension], value)
        around = listed[max(0, at - 1) : at + 1]
        return min(around, key=lambda pair: abs(pair[0] - value))[1]

    @cached_property
    def context(self) -> QuantityContext:
        """The words around each quantity."""
        return QuantityContext(self.text)

    @cached_property
    def by_word(self) -> dict[str, list[int]]:
        """The quantities in whose context a word is."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, quantity in enumerate(self.found):
            for word in self.context.find_words(quantity):
                if len(found[word]) < _MOST_PLACES:
                    found[word].append(place)
        return found

    @cached_property
    def sentence_starts(self) -> list[int]:
        """Where the sentences begin."""
        return [start for start, _ in sentence_spans(self.text)]

    def sentence(self, place: int) -> int:
        """The number of the sentence that a quantity is in."""
        return bisect_right(self.sentence_starts, self.found[place].start)

    @cached_property
    def spans_of_time(self) -> list[float]:
        """Times between two dates of a sentence, in seconds: "from 2015 to 2021" is six years."""
        by_sentence: dict[int, list[float]] = defaultdict(list)
        for place, quantity in enumerate(self.found):
            if quantity.kind == "date":
                for parts in date_parts(quantity):
                    if "year" in parts:
                        when = parts["year"] + (parts.get("month", 1) - 1) / 12
                        by_sentence[self.sentence(place)].append(when)
        found = set()
        for years in by_sentence.values():
            for first, last in pairwise(years):
                found.add(abs(last - first) * _YEAR)
        return sorted(found)


@remembered
def indexed_quantities(source: str) -> QuantityIndex:
    """The index of a source; it is kept for the next summary."""
    return QuantityIndex(source)
