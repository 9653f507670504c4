"""Comparing the quantities of a summary with those of its sources, by value and unit."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

from tricolore.memo import remembered
from tricolore.text.numerals import ONES, ORDINALS, TENS, TokenisedText
from tricolore.text.quantities import Quantity, QuantityBound, all_quantities, quantities
from tricolore.text.sentences import sentence_spans
from tricolore.text.stop import stop_words
from tricolore.text.units import UNIT_WORDS, unit_readings

QuantityStatus = Literal["supported", "contradicted", "absent"]
"""What the sources say about a quantity.

supported     they have it, or it follows from what they have
contradicted  they have another value in the same context
absent        they have nothing like it there
"""
_EXACT = 1e-6
"""How much equal values may differ, relative to the value: conversions are not exact."""
_BARE, _ABOUT = 0.05, 0.1
"""How much rounding may change a value, without and with a word such as "about"."""
_WINDOW = 8
"""How many words on each side of a quantity are its context."""
_MOST_PLACES = 30
"""How many places of a word in the source are looked at for a quantity in its context."""
_ANY = "any"
"""In place of a dimension: numbers as written, whatever their unit."""
_SAME_CONTEXT = 1.75
"""How much context two quantities must share to be two values of the same thing."""
_YEAR = unit_readings("year")[0].factor


@dataclass(frozen=True, slots=True)
class QuantityFinding:
    """A quantity of a summary and what the sources say about it.

    Attributes:
        quantity: The quantity of the summary.
        status: Whether the sources support it.
        nearest: What supports it, or the quantity of a source that is most like it.
        document: Which source `nearest` is in.
    """

    quantity: Quantity
    status: QuantityStatus
    nearest: Quantity | None = None
    document: int = 0


def check_quantities(summary: str, sources: Sequence[str]) -> list[QuantityFinding]:
    """Compare every quantity of a summary with those of its sources.

    >>> [found] = check_quantities("It cut 4,200 jobs.", ["The firm will cut 420 jobs."])
    >>> found.status, found.nearest.values
    ('contradicted', (420.0,))
    """
    indexes = [_indexed(source) for source in sources]
    context = _Context(summary)
    return [
        _support(quantity, context, indexes) or _nearest(quantity, context, indexes)
        for quantity in quantities(summary)
    ]


def accepted_values(value: float, step: float, bound: QuantityBound) -> tuple[float, float]:
    """The lowest and the highest exact value for which one may write a rounded one.

    >>> accepted_values(400, 100, "more")
    (400, 500)
    >>> accepted_values(8.0, 1.0, "")  # 8 million for 8.4 million
    (7.6, 8.4)
    """
    size = abs(value)
    if bound == "more":
        return value, value + max(step, _ABOUT * size)
    if bound == "less":
        return value - max(step / 2, _ABOUT * size), value
    most = (_ABOUT if bound else _BARE) * size
    half = min(max(step / 2, 0.02 * size) if bound else step / 2, most)
    return value - half, value + half


class _Context:
    """The words around the quantities of a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def tokens(self) -> TokenisedText:
        return TokenisedText.of(self.text)

    def words(self, quantity: Quantity) -> dict[str, int]:
        """Content words near a quantity in its sentence, with their distance from it."""
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
    return (
        word[0].isdecimal()
        or len(word) > 2
        and word.isalpha()
        and word not in stop_words("nltk")
        and word not in _NO_CONTEXT
    )


_NO_CONTEXT = frozenset(
    {*ONES, *TENS, *ORDINALS, *UNIT_WORDS, "million", "billion", "hundred", "per"}
    | {"thousand", "nearly", "almost", "around", "least", "said", "says", "also", "would", "many"}
)


class _Index:
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
                meanings = [(dimension, scaled) for dimension, scaled, _ in readings(quantity)]
                if quantity.unit:
                    meanings.append((_ANY, quantity.values))
                for dimension, scaled in meanings:
                    values[dimension] += [(value, place) for value in scaled]
                    if len(scaled) == 2:
                        self.pairs[dimension, _key(min(scaled)), _key(max(scaled))] = place
        self.values = {dimension: sorted(listed) for dimension, listed in values.items()}
        self.keys = {d: [value for value, _ in listed] for d, listed in self.values.items()}

    def _add_date(self, quantity: Quantity, place: int) -> None:
        for parts in _date_parts(quantity):
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

    def closest(self, dimension: str, value: float) -> int | None:
        """The quantity whose value is closest."""
        listed = self.values.get(dimension)
        if not listed:
            return None
        at = bisect_left(self.keys[dimension], value)
        around = listed[max(0, at - 1) : at + 1]
        return min(around, key=lambda pair: abs(pair[0] - value))[1]

    @cached_property
    def context(self) -> _Context:
        return _Context(self.text)

    @cached_property
    def by_word(self) -> dict[str, list[int]]:
        """The quantities in whose context a word is."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, quantity in enumerate(self.found):
            for word in self.context.words(quantity):
                if len(found[word]) < _MOST_PLACES:
                    found[word].append(place)
        return found

    @cached_property
    def sentence_starts(self) -> list[int]:
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
                for parts in _date_parts(quantity):
                    if "year" in parts:
                        when = parts["year"] + (parts.get("month", 1) - 1) / 12
                        by_sentence[self.sentence(place)].append(when)
        found = set()
        for years in by_sentence.values():
            for first, last in zip(years, years[1:], strict=False):
                found.add(abs(last - first) * _YEAR)
        return sorted(found)


@remembered
def _indexed(source: str) -> _Index:
    return _Index(source)


def readings(quantity: Quantity) -> Iterator[tuple[str, tuple[float, ...], float]]:
    """What a quantity may mean: dimension, values and step in the base unit of the dimension."""
    if quantity.kind == "ordinal":
        yield "ordinal", quantity.values, 0.0
        return
    for dimension, factor, offset in unit_readings(quantity.unit):
        scaled = tuple(value * factor + offset for value in quantity.values)
        yield dimension, scaled, quantity.step * abs(factor)
    if quantity.kind == "age":
        yield "count", quantity.values, 0.0


def _key(value: float) -> float:
    return float(f"{value:.6g}")


def _date_parts(quantity: Quantity) -> Iterator[dict[str, int]]:
    """The dates that a quantity means: two for a range of years or days."""
    parts = dict(zip(quantity.unit.split(), map(int, quantity.values), strict=True))
    yield parts
    if "until_year" in parts:
        yield {"year": parts["until_year"]}
    for day in range(parts.get("day", 0) + 1, parts.get("until", 0) + 1):
        yield parts | {"day": day}
    if "swapped" in parts:
        yield parts | {"day": parts["month"], "month": parts["day"]}


def _support(
    quantity: Quantity, context: _Context, indexes: Sequence[_Index]
) -> QuantityFinding | None:
    """What supports a quantity, in any of the sources."""
    for document, index in enumerate(indexes):
        if quantity.kind == "date":
            place = _date_support(quantity, index, indexes)
        elif quantity.kind == "time":
            place = _clock_support(quantity, index)
        elif len(quantity.values) == 2:
            place = _pair_support(quantity, index)
        else:
            place = _value_support(quantity, index)
            if place is None and quantity.kind in {"number", "ordinal"}:
                place = _other_kind(quantity, context, index)
        if place is not None:
            nearest = index.found[place] if place >= 0 else None
            return QuantityFinding(quantity, "supported", nearest, document)
    return None


_DERIVED = -1
"""In place of a position: the value follows from several quantities."""


def _value_support(quantity: Quantity, index: _Index) -> int | None:
    exact = rounded = None
    for dimension, (value,), step in readings(quantity):
        tolerance = _EXACT * abs(value)
        exact = next(index.between(dimension, value - tolerance, value + tolerance), None)
        if exact is not None:
            return exact
        if quantity.kind != "ordinal" and rounded is None:
            low, high = accepted_values(value, step, quantity.bound)
            if dimension == "temperature" and not quantity.bound:
                continue  # differences of temperatures do not grow with the value in kelvin
            slack = _EXACT * abs(value)
            rounded = next(index.between(dimension, low - slack, high + slack), None)
            if rounded is None and dimension == "duration":
                spans = index.spans_of_time
                at = bisect_left(spans, low - slack)
                if at < len(spans) and spans[at] <= high + slack:
                    rounded = _DERIVED
    if rounded is not None:
        return rounded
    value = quantity.values[0]
    if quantity.kind == "number" and quantity.is_open and (value >= 13 or value != int(value)):
        place = next(index.between(_ANY, value, value), None)
        if place is not None:  # 4.41 per cent, up from 4.40; it cost 46 million
            return place
    if quantity.kind in {"number", "age"}:
        return index.dates[("year",)].get((int(value),))
    if quantity.kind == "ordinal":
        for (_, day), place in index.dates["month", "day"].items():
            if day == quantity.values[0]:
                return place
    return None


def _other_kind(quantity: Quantity, context: _Context, index: _Index) -> int | None:
    """An ordinal for a number or the reverse, in the same context: act three, the third act."""
    dimension = "ordinal" if quantity.kind == "number" else "count"
    value = quantity.values[0]
    words = None
    for place in islice(index.between(dimension, value, value), _MOST_PLACES):
        words = words or context.words(quantity).keys()
        if words & index.context.words(index.found[place]).keys():
            return place
    return None


def _pair_support(quantity: Quantity, index: _Index) -> int | None:
    """A range or score: the source has both values, as a pair or in one sentence."""
    meanings = [(dimension, scaled) for dimension, scaled, _ in readings(quantity)]
    if not quantity.unit and quantity.kind == "number" and quantity.is_open:
        meanings.append((_ANY, quantity.values))
    for dimension, (first, second) in meanings:
        low, high = min(first, second), max(first, second)
        place = index.pairs.get((dimension, _key(low), _key(high)))
        if place is not None:
            return place
        ends = [
            {
                index.sentence(place): place
                for place in index.between(dimension, v - _EXACT * abs(v), v + _EXACT * abs(v))
                if index.found[place].kind != "score"
            }
            for v in (low, high)
        ]
        if shared := ends[0].keys() & ends[1].keys():
            return ends[0][min(shared)]
    return None


def _clock_support(quantity: Quantity, index: _Index) -> int | None:
    minutes = int(quantity.values[0])
    for place in index.clocks.get(minutes % 720, ()):
        other = index.found[place]
        if "12h" in (quantity.unit, other.unit) or int(other.values[0]) == minutes:
            return place
    return None


def _date_support(quantity: Quantity, index: _Index, indexes: Sequence[_Index]) -> int | None:
    """All parts of a date: day and month together, the weekday and the year anywhere."""
    places = [_parts_support(parts, index, indexes) for parts in _date_parts(quantity)]
    if "swapped" in quantity.unit.split():
        return next((place for place in places if place is not None), None)
    return None if None in places else places[0]


def _parts_support(
    parts: dict[str, int], index: _Index, indexes: Sequence[_Index]
) -> int | None:
    dates = index.dates
    found: list[int | None] = []
    if "day" in parts:
        found.append(dates["month", "day"].get((parts["month"], parts["day"])))
    elif "month" in parts:
        place = dates[("month",)].get((parts["month"],))
        if "year" in parts and place is not None:
            place = dates["month", "year"].get((parts["month"], parts["year"]))
            if place is None:
                place = dates["month", "no year"].get((parts["month"],))
        found.append(place)
    if "year" in parts:
        found.append(_year_support(parts["year"], index, indexes))
    for name in ("decade", "weekday"):
        if name in parts:
            found.append(dates[(name,)].get((parts[name],)))
    return None if None in found else found[0]


def _year_support(year: int, index: _Index, indexes: Sequence[_Index]) -> int | None:
    place = index.dates[("year",)].get((year,))
    for dimension in ("count", _ANY):
        if place is None:
            place = next(index.between(dimension, year, year), None)
    if place is None and any((year,) in other.dates[("year",)] for other in indexes):
        return _DERIVED
    return place


def _nearest(
    quantity: Quantity, context: _Context, indexes: Sequence[_Index]
) -> QuantityFinding:
    """The quantity of the sources that is most like an unsupported one."""
    words = context.words(quantity)
    best: tuple[float, float, int, int] | None = None
    for document, index in enumerate(indexes):
        places = {place for word in words for place in index.by_word.get(word, ())}
        places |= _alike(quantity, index)
        for place in places:
            other = index.found[place]
            if not _is_comparable(quantity, other):
                continue
            shared = words.keys() & index.context.words(other).keys()
            weight = sum(1 / (words[word] + 1) for word in shared) + len(shared)
            weight += _resemblance(quantity, other)
            key = weight, -_difference(quantity, other), -document, -place
            if best is None or key > best:
                best = key
    if best is None:
        return QuantityFinding(quantity, "absent")
    weight, _, document, place = best
    status: QuantityStatus = "contradicted" if weight >= _SAME_CONTEXT else "absent"
    return QuantityFinding(quantity, status, indexes[-document].found[-place], -document)


def _alike(quantity: Quantity, index: _Index) -> set[int]:
    """Quantities of the same dimension with the closest value."""
    if quantity.kind in {"date", "time"}:
        return set()
    value = quantity.values[0]
    found = [index.closest(dimension, scaled[0]) for dimension, scaled, _ in readings(quantity)]
    found += [next(index.between(dimension, value, value), None) for dimension in ("count", _ANY)]
    return {place for place in found if place is not None}


def _is_comparable(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities could be two values of the same thing."""
    if "date" in (one.kind, other.kind):
        return one.kind == other.kind and bool({*one.unit.split()} & {*other.unit.split()})
    if "time" in (one.kind, other.kind) or "score" in (one.kind, other.kind):
        return one.kind == other.kind
    if one.values == other.values or one.kind == other.kind == "money":
        return True  # another unit or currency
    return not _dimensions(one).isdisjoint(_dimensions(other))


def _dimensions(quantity: Quantity) -> set[str]:
    return {dimension for dimension, _, _ in readings(quantity)}


def _difference(one: Quantity, other: Quantity) -> float:
    """How far two comparable quantities are apart: 0 if equal, at most 1 for each value."""
    if one.kind in {"date", "time"}:
        return float(len({*zip(one.unit.split(), one.values, strict=False)}
                         ^ {*zip(other.unit.split(), other.values, strict=False)}))  # fmt: skip
    for dimension, values, _ in readings(one):
        for same, others, _ in readings(other):
            if same == dimension:
                return _apart(values, others)
    return 1.0


def _resemblance(one: Quantity, other: Quantity) -> float:
    """How much two numbers look alike: the same digits at another power of ten, one other digit."""
    first, second = (f"{quantity.values[0]:e}"[:8].strip("0.") for quantity in (one, other))
    if one.kind in {"date", "time"} or len(first) < 2:
        return 0.0
    if first == second:
        return 1.5
    is_near = len(first) == len(second) and sum(map(str.__ne__, first, second)) == 1
    return 0.75 if is_near else 0.0


def _apart(values: Iterable[float], others: Iterable[float]) -> float:
    return sum(
        abs(a - b) / max(abs(a), abs(b), _EXACT) for a, b in zip(values, others, strict=False)
    )
