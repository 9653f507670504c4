"""Finding numbers, dates, sums of money, measured amounts, times and scores in English text.

We wrote our own because dates, scores, ordinals and amounts must be found together, with exact
positions. According to its documentation, quantulum3 gives positions of amounts, but needs
scikit-learn for ambiguous units; no package was run for comparison. This module makes one pass over
the tokens, and looks back and ahead over a few of them only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tricolore.memo import remembered
from tricolore.text.amounts import MULTIPLES, Amount, AmountKind, amount_at
from tricolore.text.dates import CLOCK_WORDS, DATE_WORDS, DateRead, clock_at, date_at, year_at
from tricolore.text.numerals import (
    DASHES,
    DENOMINATORS,
    ONES,
    ORDINALS,
    SCALES,
    SHORT_SCALES,
    TENS,
    TENTHS,
    VULGAR,
    TokenisedText,
    is_fraction_at,
    numeral_at,
)
from tricolore.text.units import CURRENCY_CODES, SIGNS, UNIT_WORDS, unit_at

QuantityKind = AmountKind | Literal["date", "time"]
"""What a quantity is.

number   a count or any other number without a unit
ordinal  third, 21st
share    a percentage or a fraction; the value is in per cent
money    a sum of money
measure  an amount with a unit of measurement or time
age      the age of a person or thing in years
score    two numbers that belong together: the score of a match, the votes for and against
date     a date or a part of one; `unit` names the parts that `values` has: "month day"
time     a time of day in minutes; the unit is "24h", or "12h" if it may be a.m. or p.m.
"""
QuantityBound = Literal["", "about", "more", "less"]
"""What the words beside a number say: about 400, more than 400, nearly 400."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity and its position.

    Attributes:
        start: The first character.
        end: The character after the last one.
        kind: What it is.
        values: Its value, in `unit`; a range and a score have two, a date one for each part.
        unit: The unit: "kilometre", "euro", "%"; empty for plain numbers.
        bound: What the words beside it say about the value.
        step: The size of the last significant digit: 100 for "400", 100,000 for "8.4 million".
        is_certain: Whether it surely is a quantity. "One", "first", "a year" or "half" often are
            not; they can support quantities of another text, but should not be checked.
        is_open: Whether no word follows that it may count: "it cost 46 million."
    """

    start: int
    end: int
    kind: QuantityKind
    values: tuple[float, ...]
    unit: str = ""
    bound: QuantityBound = ""
    step: float = 1.0
    is_certain: bool = True
    is_open: bool = False


_STARTS = (
    frozenset(
        {*ONES, *TENS, *TENTHS, *ORDINALS, *SCALES, *VULGAR, *SIGNS, *DATE_WORDS, *CLOCK_WORDS}
        | {*DENOMINATORS, *MULTIPLES, *UNIT_WORDS, *CURRENCY_CODES, "dozen", "hat"}
    )
    - SHORT_SCALES.keys()
)
"""Words and signs that a quantity may begin with, or that follow its article."""
_BOUNDS: dict[str, QuantityBound] = {
    **dict.fromkeys("about around roughly approximately approx some circa ~".split(), "about"),
    "estimated": "about",
    **dict.fromkeys("over above exceeding exceeds exceeded >".split(), "more"),
    **dict.fromkeys("nearly almost under below <".split(), "less"),
    "close to": "about",
    **dict.fromkeys(["more than", "at least", "upwards of", "excess of", "well over"], "more"),
    **dict.fromkeys(["fewer than", "less than", "at most", "up to", "short of"], "less"),
    **dict.fromkeys(["many as", "much as"], "less"),
}  # fmt: skip
_SIDES = frozenset("votes goals points sets games seats runs tries frames matches".split())
_FUNCTION_WORDS = frozenset(
    "a after an and are as at because before but by during each for from had has have if in is "
    "more of on or over per since so than that the then this to under until was were when where "
    "which while who will with".split()
)
_ROUND_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100, 1000})
_PREFIXES = frozenset("mid pre post early late under".split())
_SINGLE_QUOTES = frozenset("'’‘")
_FoundItems = tuple[list[Quantity], int]


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text that can be checked, in order.

    >>> text = "It cost £8.4m in 2024, 4.5% more."
    >>> [text[q.start : q.end] for q in quantities(text)]
    ['£8.4m', '2024', '4.5%']
    """
    return tuple(quantity for quantity in all_quantities(text) if quantity.is_certain)


@remembered
def all_quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text, also those that may not be meant as one ("one", "a year")."""
    tokens = TokenisedText.of(text)
    found: list[Quantity] = []
    at = 0
    for place, low in enumerate(tokens.lows):
        if place < at or (low not in _STARTS and not "0" <= low[-1] <= "9"):
            continue
        read = _quantity_at(tokens, place, at)
        if read is not None:
            items, at = read
            found += items
        elif tokens.is_number(place):
            at = _after_name(tokens, place)
            found += _in_name(tokens, place, at)
    return tuple(found)


def _quantity_at(tokens: TokenisedText, at: int, least: int) -> _FoundItems | None:
    """What begins at a token, or just before it, and the token after it."""
    if tokens.is_number(at):
        if _is_in_name(tokens, at, least):
            return None
        if is_fraction_at(tokens, at):
            share = 100 * float(tokens.lows[at]) / float(tokens.lows[at + 2])
            half = Amount(at, at + 3, "share", share, 2.0, "%", is_certain=False)
            return [_single(tokens, half)], half.end
    clock = clock_at(tokens, at)
    if clock is not None:
        unit = "24h" if clock.has_half else "12h"
        return [_item(tokens, at, clock.end, "time", (clock.minutes,), unit)], clock.end
    date = date_at(tokens, at)
    if date is not None:
        return [_dated(tokens, at, date)], date.end
    year = year_at(tokens, at)
    if year is not None and _is_year(tokens, at):
        return _years(tokens, at, year)
    first = amount_at(tokens, at, least)
    if first is None:
        return None
    pair = _pair(tokens, first) or _one_in(tokens, first)
    return pair or ([_single(tokens, first)], first.end)


def _is_in_name(tokens: TokenisedText, at: int, least: int) -> bool:
    """Whether digits belong to a name or an identifier: A320, COVID-19, 555-123-4567, 7.2.1."""
    if _is_identifier(tokens, at) or tokens.lows[max(0, at - 2) : at] == ["&", "#"]:
        return True
    if not tokens.is_glued(at) or at - 1 < least:
        return False
    before = tokens.low(at - 1)
    if before.isalpha() or before in {"_", "@", "/"}:
        return True
    if not tokens.is_glued(at - 1) or at - 2 < least:
        return False
    word = tokens.low(at - 2)
    return (before in DASHES or before == ":") and word.isalpha() and word not in _PREFIXES


def _is_identifier(tokens: TokenisedText, at: int) -> bool:
    """Whether groups of digits are joined that are not a date: 555-123-4567, 7.2.1."""
    sign = tokens.low(at + 1)
    if sign not in {"-", ".", "/"} or not (tokens.is_glued(at + 1) and tokens.is_glued(at + 2)):
        return False
    if not tokens.is_number(at + 2) or (sign == "." and "." in tokens.low(at)):
        return tokens.is_number(at + 2)
    return (
        tokens.low(at + 3) == sign
        and tokens.is_glued(at + 3)
        and tokens.is_glued(at + 4)
        and tokens.is_number(at + 4)
        and date_at(tokens, at) is None
    )


def _after_name(tokens: TokenisedText, at: int) -> int:
    """The token after a name or identifier that holds digits."""
    end = at + 1
    if tokens.low(at)[0] == "0":  # a telephone number: 08457 90 90 90
        while tokens.low(end).isdecimal() and len(tokens.low(end)) < 5:
            end += 1
    while end < len(tokens.lows) and tokens.is_glued(end):
        low = tokens.lows[end]
        if not (low[-1].isalnum() or (low in "-./:_" and tokens.is_glued(end + 1))):
            break
        end += 1
    return end


def _in_name(tokens: TokenisedText, at: int, end: int) -> list[Quantity]:
    """Digits after a hyphen, which another text may write without it: Su-27, last-16."""
    number = numeral_at(tokens, at)
    if tokens.low(at - 1) not in DASHES or number is None or number.end != end:
        return []
    return [_single(tokens, Amount(at, end, "number", number.value, 1, is_certain=False))]


def _item(
    tokens: TokenisedText,
    start: int,
    end: int,
    kind: QuantityKind,
    values: tuple[float, ...],
    unit: str = "",
    step: float = 1.0,
    is_certain: bool = True,
) -> Quantity:
    after = tokens.low(end)
    return Quantity(
        tokens.starts[start],
        tokens.ends[end - 1],
        kind,
        values,
        unit,
        _bound(tokens, start, end),
        step,
        is_certain,
        not after.isalpha() or after in _FUNCTION_WORDS,
    )


def _single(tokens: TokenisedText, amount: Amount) -> Quantity:
    return _item(
        tokens,
        amount.start,
        amount.end,
        amount.kind,
        (amount.value,),
        amount.unit,
        amount.step,
        amount.is_certain,
    )


def _bound(tokens: TokenisedText, start: int, end: int) -> QuantityBound:
    """What the words beside a number say: nearly, more than, or so."""
    low, after = tokens.low(end), tokens.low(end + 1)
    if low in {"+", "plus"} or (low, after) == ("or", "more"):
        return "more"
    if low == "or" and after in {"so", "less"}:
        return "about" if after == "so" else "less"
    before = start - 2 if tokens.low(start - 1) in {"a", "an", "the"} else start - 1
    word = tokens.low(before)
    if word == "than" and tokens.low(before - 2) == "no":
        return "more" if tokens.low(before - 1) in {"less", "fewer"} else "less"
    return _BOUNDS.get(f"{tokens.low(before - 1)} {word}") or _BOUNDS.get(word, "")


def _dated(tokens: TokenisedText, at: int, date: DateRead) -> Quantity:
    names = " ".join(date.parts)
    values = tuple(float(value) for value in date.parts.values())
    is_short = "decade" in date.parts and tokens.low(at - 1) in _SINGLE_QUOTES  # '90s
    start = at - 1 if is_short else at
    return _item(tokens, start, date.end, "date", values, names, 1.0, date.is_certain)


def _is_year(tokens: TokenisedText, at: int) -> bool:
    """Whether four digits are a year: nothing is counted or measured in them."""
    before, after = tokens.low(at - 1), tokens.low(at + 1)
    if before in SIGNS or before in CURRENCY_CODES or after in SIGNS:
        return False
    if after in {"%", "per", "percent", *SCALES} or (tokens.is_glued(at + 1) and after.isalpha()):
        return False
    joined = at + 2 if after in DASHES and tokens.is_glued(at + 1) else at + 1
    unit = unit_at(tokens.lows, joined)
    return unit is None or after in {"m", "try", "won", "second", "euro"}


def _years(tokens: TokenisedText, at: int, year: int) -> _FoundItems:
    """A year or a range of years: 1898 to 1911, 1914-18."""
    joint, short = tokens.low(at + 1), tokens.low(at + 2)
    is_range = joint in DASHES or joint in {"to", "until", "through"}
    if is_range or (joint == "and" and tokens.low(at - 1) == "between"):
        last = year_at(tokens, at + 2)
        if last is None and joint in DASHES and len(short) == 2 and short.isdecimal():
            last = year // 100 * 100 + int(short)
        if last is not None and last > year and _is_year(tokens, at + 2):
            item = _item(tokens, at, at + 3, "date", (year, last), "year until_year")
            return [item], at + 3
    return [_item(tokens, at, at + 1, "date", (year,), "year")], at + 1


def _pair(tokens: TokenisedText, first: Amount) -> _FoundItems | None:
    """A range, a score or votes: 10-12 per cent, 3-1, seven votes to two."""
    at = first.end
    joint, before = tokens.low(at), tokens.low(first.start - 1)
    has_sides = joint in _SIDES and tokens.low(at + 1) == "to"
    if has_sides:
        at, joint = at + 1, "to"
    is_pair = joint in DASHES or joint == "to" or (joint == "and" and before == "between")
    second = _second(tokens, at + 1) if is_pair and first.kind not in {"ordinal", "age"} else None
    if second is None:
        return None
    if joint in DASHES and tokens.low(second.end) in DASHES and tokens.is_number(second.end + 1):
        return None  # three numbers: a record, an identifier
    first, second = _shared_unit(first, second)
    if first.unit != second.unit:
        return None
    values = first.value, second.value
    is_ascending = first.value < second.value
    kind = first.kind
    if kind == "number" and (joint in DASHES or has_sides or not is_ascending):
        kind = "score"
    if (joint == "to" and before == "from") or not (kind == "score" or is_ascending):
        return [_single(tokens, first), _single(tokens, second)], second.end
    item = _item(
        tokens, first.start, second.end, kind, values, first.unit, min(first.step, second.step),
        first.is_certain or second.is_certain,
    )  # fmt: skip
    return [item], second.end


def _second(tokens: TokenisedText, at: int) -> Amount | None:
    """The second number of a pair."""
    low = tokens.low(at)
    if low == "nil":
        return Amount(at, at + 1, "number", 0, 1)
    if not (tokens.is_number(at) or low in SIGNS or low in ONES or low in TENS):
        return None
    if tokens.is_number(at) and (clock_at(tokens, at) or date_at(tokens, at)):
        return None
    found = amount_at(tokens, at, at)
    return None if found is None or found.kind in {"ordinal", "age"} else found


def _shared_unit(first: Amount, second: Amount) -> tuple[Amount, Amount]:
    """The unit or scale that only one of two numbers has holds for both: £5-6m, 10 to 12 %."""
    if second.unit == "m" and first.kind == "money":
        second = replace(second, value=second.value * 1e6, kind="money", unit=first.unit, scale=1e6)
    scale = second.scale
    if scale > first.scale == 1 and first.value < second.value / scale:
        first = replace(first, value=first.value * scale, step=first.step * scale, scale=scale)
    if not first.unit and second.unit:
        first = replace(first, unit=second.unit, kind=second.kind)
    elif not second.unit and first.kind == "money":
        second = replace(second, unit=first.unit, kind="money")
    return first, second


def _one_in(tokens: TokenisedText, first: Amount) -> _FoundItems | None:
    """One in five, nine out of ten."""
    at = first.end
    if first.kind != "number" or not 0 < first.value < 100:
        return None
    if tokens.low(at) == "in":
        at += 1
    elif tokens.lows[at : at + 2] == ["out", "of"]:
        at += 2
    else:
        return None
    second = _second(tokens, at)
    if second is None or second.kind != "number" or second.value not in _ROUND_DENOMINATORS:
        return None
    if first.value >= second.value:
        return None
    share = Amount(first.start, second.end, "share", 100 * first.value / second.value, 2.0, "%")
    return [_single(tokens, share)], share.end
