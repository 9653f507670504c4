"""Finding numbers, dates, sums of money, measured amounts, times and scores in English text.

We wrote our own because no package fits: quantulum3 knows neither dates nor ordinals and needs a
classifier for ambiguous units, dateparser takes milliseconds per date and gives no reliable
positions, number-parser and text2num replace words by digits without positions. This module makes
one pass over the tokens, and looks back and ahead over a few of them only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tricolore.memo import remembered
from tricolore.text.dates import (
    CLOCK_WORDS,
    DATE_WORDS,
    DateRead,
    clock_at,
    date_at,
    year_at,
)
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
    Numeral,
    TokenisedText,
    is_fraction_at,
    numeral_at,
)
from tricolore.text.units import (
    AFTER_SCALE_ONLY,
    ATTACHED_ONLY,
    NOT_AFTER_NUMBER,
    SIGNS,
    UNIT_WORDS,
    is_money,
    unit_at,
)

QuantityKind = Literal[
    "number", "ordinal", "share", "money", "measure", "age", "date", "time", "score"
]
"""What a quantity is.

number   a count or any other number without a unit
ordinal  third, 21st
share    a percentage or a fraction; the value is in per cent
money    a sum of money
measure  an amount with a unit of measurement or time
age      the age of a person or thing in years
date     a date or a part of one; `unit` names the parts that `values` has: "month day"
time     a time of day in minutes; the unit is "24h", or "12h" if it may be a.m. or p.m.
score    two numbers that belong together: the score of a match, the votes for and against
"""
QuantityBound = Literal["", "about", "more", "less"]
"""What the words before a number say: about 400, more than 400, nearly 400."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity and its position.

    Attributes:
        start: The first character.
        end: The character after the last one.
        kind: What it is.
        values: Its value, in `unit`; a range and a score have two, a date one for each part.
        unit: The unit: "kilometre", "euro", "%"; empty for plain numbers.
        bound: What the words before it say about the value.
        step: The size of the last significant digit: 100 for "400", 100,000 for "8.4 million".
        is_certain: Whether it surely is a quantity. "One", "first", "a year" or "half" often are
            not; they can support quantities of another text, but should not be checked.
    """

    start: int
    end: int
    kind: QuantityKind
    values: tuple[float, ...]
    unit: str = ""
    bound: QuantityBound = ""
    step: float = 1.0
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number with its unit, by tokens."""

    start: int
    end: int
    kind: QuantityKind
    value: float
    step: float
    unit: str = ""
    is_certain: bool = True
    scale: float = 1.0


_MULTIPLES = {
    "both": 2.0,
    "couple": 2.0,
    "double": 2.0,
    "doubled": 2.0,
    "doubles": 2.0,
    "doubling": 2.0,
    "duo": 2.0,
    "once": 1.0,
    "pair": 2.0,
    "single": 1.0,
    "brace": 2.0,
    "thrice": 3.0,
    "trio": 3.0,
    "triple": 3.0,
    "tripled": 3.0,
    "treble": 3.0,
    "trebled": 3.0,
    "hat": 3.0,
    "twice": 2.0,
    "twin": 2.0,
    "twins": 2.0,
    "twofold": 2.0,
    "threefold": 3.0,
    "quartet": 4.0,
    "quadrupled": 4.0,
    "halved": 0.5,
}
_STARTS = frozenset(
    {*ONES, *TENS, *TENTHS, *ORDINALS, *SCALES, *VULGAR, *SIGNS, *DATE_WORDS, *CLOCK_WORDS}
    | {*DENOMINATORS, *_MULTIPLES, *UNIT_WORDS, "dozen"}
) - SHORT_SCALES.keys()
_BOUNDS: dict[str, QuantityBound] = {
    "about": "about",
    "around": "about",
    "roughly": "about",
    "approximately": "about",
    "approx": "about",
    "some": "about",
    "circa": "about",
    "estimated": "about",
    "~": "about",
    "nearly": "less",
    "almost": "less",
    "under": "less",
    "below": "less",
    "over": "more",
    "above": "more",
    "exceeding": "more",
    "exceeds": "more",
    "exceeded": "more",
    ">": "more",
    "<": "less",
    "more than": "more",
    "at least": "more",
    "upwards of": "more",
    "excess of": "more",
    "fewer than": "less",
    "less than": "less",
    "at most": "less",
    "up to": "less",
    "close to": "about",
    "many as": "less",
    "much as": "less",
    "just over": "more",
    "just under": "less",
    "well over": "more",
    "short of": "less",
}
_AFTER_FRACTION = frozenset(
    "of the a an its his her their our to in on at as since by and or from than for more less "
    "that this last after before over with when while if but is are was were has have had".split()
)
_SIDES = frozenset("votes goals points sets games seats runs tries frames matches".split())
_SINGLE = frozenset({"a", "an"})


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text that can be checked, in order.

    >>> [text[q.start : q.end] for q in quantities(text := "It cost £8.4m in 2024, 4.5% more.")]
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
            if at == place + 1 and tokens.low(place - 1) in DASHES:  # "last-16", "Su-27"
                number = numeral_at(tokens, place)
                if number is not None and number.end == at:
                    found.append(_single(tokens, _Amount(place, at, "number", number.value, 1, "", False)))
    return tuple(found)


def _quantity_at(tokens: TokenisedText, at: int, least: int) -> tuple[list[Quantity], int] | None:
    """What begins at a token, or just before it, and the token after it."""
    if tokens.is_number(at):
        if _is_in_name(tokens, at, least):
            return None
        if is_fraction_at(tokens, at):
            share = 100 * float(tokens.lows[at]) / float(tokens.lows[at + 2])
            return [_item(tokens, at, at + 3, "share", (share,), "%", 1.0, False)], at + 3
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
    first = _amount_at(tokens, at, least)
    if first is None:
        return None
    return _pair(tokens, first) or ([_single(tokens, first)], first.end)


def _is_in_name(tokens: TokenisedText, at: int, least: int) -> bool:
    """Whether digits belong to a name or an identifier: A320, COVID-19, 555-1234-99, 1.2.3."""
    if _is_identifier(tokens, at):
        return True
    before = tokens.low(at - 1)
    if not tokens.is_glued(at):
        return False
    if before.isalpha() or before in {"_", "@", "/"} or before.isdecimal():
        return not (before.isalpha() and at - 1 < least)
    if before in DASHES or before in {".", ":"}:
        if at - 1 < least or not tokens.is_glued(at - 1):
            return False
        word = tokens.low(at - 2)
        if before == ".":
            return tokens.is_number(at - 2)
        return word.isalpha() and word not in {"mid", "pre", "post", "early", "late", "under"}
    return False


def _is_identifier(tokens: TokenisedText, at: int) -> bool:
    """Whether three or more groups of digits are joined, and are not a date: 555-123-4567."""
    sign = tokens.low(at + 1)
    return (
        sign in {"-", ".", "/"}
        and tokens.low(at + 3) == sign
        and all(tokens.is_glued(at + n) for n in range(1, 5))
        and tokens.is_number(at + 2)
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
    first, last = tokens.starts[start], tokens.ends[end - 1]
    bound = _bound(tokens, start, end)
    return Quantity(first, last, kind, values, unit, bound, step, is_certain)


def _bound(tokens: TokenisedText, start: int, end: int) -> QuantityBound:
    """What the words around a number say: nearly, more than, or so."""
    if tokens.low(end) in {"+", "plus"}:
        return "more"
    if tokens.low(end) == "or" and tokens.low(end + 1) in {"so", "more", "less"}:
        return {"so": "about", "more": "more", "less": "less"}[tokens.low(end + 1)]  # type: ignore[return-value]
    before = start - 1
    if tokens.low(before) in {"a", "an", "the"}:
        before -= 1
    word = tokens.low(before)
    return _BOUNDS.get(f"{tokens.low(before - 1)} {word}") or _BOUNDS.get(word, "")


def _dated(tokens: TokenisedText, at: int, date: DateRead) -> Quantity:
    names = " ".join(date.parts)
    values = tuple(float(value) for value in date.parts.values())
    start = at - 1 if "decade" in date.parts and tokens.low(at - 1) in {"'", "’", "‘"} else at
    return _item(tokens, start, date.end, "date", values, names, 1.0, date.is_certain)


def _is_year(tokens: TokenisedText, at: int) -> bool:
    """Whether four digits are a year: nothing is counted or measured in them."""
    if tokens.low(at - 1) in SIGNS or tokens.low(at + 1) in {"%", "per", "percent"}:
        return False
    if tokens.low(at + 1) in SCALES or (
        tokens.is_glued(at + 1) and tokens.low(at + 1).isalpha() and tokens.low(at + 1) != "s"
    ):
        return False
    unit = unit_at(tokens.lows, at + 1)
    return unit is None or tokens.low(at + 1) in {"in", "m", "try", "won", "second"}


def _years(tokens: TokenisedText, at: int, year: int) -> tuple[list[Quantity], int]:
    """A year or a range of years: 1898 to 1911, 1914-18."""
    joint = tokens.low(at + 1)
    is_joined = joint in DASHES or joint in {"to", "until", "through"} or (
        joint == "and" and tokens.low(at - 1) == "between"
    )  # fmt: skip
    if is_joined:
        last = year_at(tokens, at + 2)
        short = tokens.low(at + 2)
        if last is None and joint in DASHES and len(short) == 2 and short.isdecimal():
            last = year // 100 * 100 + int(short)
        if last is not None and last > year and _is_year(tokens, at + 2):
            item = _item(tokens, at, at + 3, "date", (year, last), "year until_year")
            return [item], at + 3
    return [_item(tokens, at, at + 1, "date", (year,), "year")], at + 1


def _amount_at(tokens: TokenisedText, at: int, least: int) -> _Amount | None:
    """A number with its currency, scale, percent sign or unit."""
    low = tokens.low(at)
    if low in SIGNS:
        return _money(tokens, at, at + 1, SIGNS[low])
    if low in {"usd", "eur", "gbp", "chf", "cad", "aud", "rs", "inr", "sek"}:
        after = at + 2 if tokens.low(at + 1) == "." else at + 1
        unit = {"cad": "dollar", "aud": "dollar"}.get(low) or unit_at(tokens.lows, at)[0]  # type: ignore[index]
        return _money(tokens, at, after, unit) if tokens.is_number(after) else None
    if low == "half":
        return _half(tokens, at)
    if low in {"dozen", *SCALES} and not low.endswith("s"):
        return _round_number(tokens, at, least)
    if low in _MULTIPLES:
        return _Amount(at, at + 1, "number", _MULTIPLES[low], 1, is_certain=False)
    number = numeral_at(tokens, at)
    if number is None:
        if low in DENOMINATORS and tokens.low(at - 1) in _SINGLE and at > least:
            return _one_part(tokens, at)
        return _one_unit(tokens, at)
    if number.is_ordinal:
        return _ordinal(tokens, at, number, least)
    start = at - 1 if _is_negative(tokens, at, least) else at
    sign = -1.0 if start < at else 1.0
    if tokens.low(at - 1) == "minus":
        start, sign = at - 1, -1.0
    return _measured(tokens, start, number, sign)


def _is_negative(tokens: TokenisedText, at: int, least: int) -> bool:
    return (
        tokens.low(at - 1) in {"-", "−"}
        and at - 1 >= least
        and tokens.is_glued(at)
        and not tokens.is_glued(at - 1)
        and not tokens.is_number(at - 2)
    )


def _money(tokens: TokenisedText, start: int, at: int, unit: str) -> _Amount | None:
    """A sum after a currency sign: £8.4m, US$ 5 billion."""
    if not tokens.is_number(at):
        return None
    number = numeral_at(tokens, at)
    if number is None or number.is_ordinal:
        return None
    number = _short_scale(tokens, number)
    if start and tokens.is_glued(start) and tokens.low(start - 1) in {
        "us", "a", "c", "nz", "hk", "s", "r", "au", "ca", "au", "can", "aus"
    }:  # fmt: skip
        start -= 1
    if unit == "dollar" and tokens.low(number.end) in {"us", "usd"}:
        number = replace(number, end=number.end + 1)
    return _Amount(
        start, number.end, "money", number.value, number.step, unit, scale=number.scale
    )  # fmt: skip


def _short_scale(tokens: TokenisedText, number: Numeral) -> Numeral:
    """With an abbreviated scale: 8.4m, 95bn."""
    low = tokens.low(number.end)
    if not number.has_digits or number.scale > 1 or low not in SHORT_SCALES:
        return number
    if not tokens.is_glued(number.end) and len(low) == 1 and low != "m":
        return number
    scale = SHORT_SCALES[low]
    return replace(
        number, value=number.value * scale, step=number.step * scale, end=number.end + 1,
        scale=scale,
    )  # fmt: skip


def _half(tokens: TokenisedText, at: int) -> _Amount:
    """Half a million, half an hour, half of the pupils."""
    after = tokens.low(at + 1)
    if after in _SINGLE or (after == "-" and tokens.low(at + 2) in _SINGLE):
        word = at + 2 if after in _SINGLE else at + 3
        scale = 12.0 if tokens.low(word) == "dozen" else SCALES.get(tokens.low(word))
        if scale is not None:
            number = Numeral(scale / 2, scale / 10, word + 1, scale=scale)
            return _measured(tokens, at, number, 1.0)
        unit = unit_at(tokens.lows, word)
        if unit is not None:
            kind: QuantityKind = "money" if is_money(unit[0]) else "measure"
            return _Amount(at, unit[1], kind, 0.5, 0.1, unit[0])
    is_share = after in _AFTER_FRACTION and tokens.low(at - 1) not in {
        "second", "first", "other", "better", "this", "that", "other", "next", "each", "and", "half"
    }  # fmt: skip
    is_share = is_share or _bound(tokens, at, at + 1) != "" or tokens.low(at - 1) == "by"
    return _Amount(at, at + 1, "share", 50.0, 1.0, "%", is_certain=is_share)


def _one_part(tokens: TokenisedText, at: int) -> _Amount:
    """A quarter, a third."""
    below = DENOMINATORS[tokens.low(at)]
    after = tokens.low(at + 1)
    if after == "of" and tokens.low(at + 2) in _SINGLE:  # a quarter of an hour
        unit = unit_at(tokens.lows, at + 3)
        if unit is not None and not is_money(unit[0]):
            return _Amount(at - 1, unit[1], "measure", 1 / below, 0.01, unit[0])
    is_share = after in _AFTER_FRACTION or not after.isalpha()
    is_share = is_share and not (below == 4 and after != "of" and after.isalpha())
    return _Amount(at - 1, at + 1, "share", 100 / below, 1.0, "%", is_certain=is_share)


def _round_number(tokens: TokenisedText, at: int, least: int) -> _Amount | None:
    """A hundred, a million, a dozen; "several hundred" is not a number."""
    if tokens.low(at - 1) not in _SINGLE or at - 1 < least:
        return None
    if tokens.low(at) == "dozen":
        return _measured(tokens, at - 1, Numeral(12, 2, at + 1), 1.0)
    number = numeral_at(tokens, at)
    return None if number is None else _measured(tokens, at - 1, number, 1.0)


def _ordinal(tokens: TokenisedText, at: int, number: Numeral, least: int) -> _Amount:
    low = tokens.low(at)
    if low in DENOMINATORS and tokens.low(at - 1) in _SINGLE and at > least:
        after = tokens.low(at + 1)
        if after in _AFTER_FRACTION or not after.isalpha():
            return _one_part(tokens, at)
    is_certain = number.value > 2 or number.has_digits
    if tokens.is_capital(at) and not number.has_digits:
        is_certain = False
    if low in DENOMINATORS and tokens.low(at + 1) == "of" and tokens.low(at - 1) != "the":
        is_certain = False  # perhaps a fraction: "third of the pupils"
    if tokens.low(number.end) in {"party", "century", "world", "degree", "generation"}:
        is_certain = False
    if tokens.low(number.end) in DASHES and tokens.low(number.end + 1) in {"party", "century"}:
        is_certain = False
    return _Amount(at, number.end, "ordinal", number.value, 1.0, "", is_certain)


def _one_unit(tokens: TokenisedText, at: int) -> _Amount | None:
    """A year and a half; "a year" alone is not a number to check."""
    if tokens.low(at - 1) not in _SINGLE:
        return None
    unit = unit_at(tokens.lows, at)
    if unit is None or unit[0] in {"m", "%"}:
        return None
    name, end = unit
    kind: QuantityKind = "money" if is_money(name) else "measure"
    if [tokens.low(end), tokens.low(end + 1), tokens.low(end + 2)] == ["and", "a", "half"]:
        return _Amount(at - 1, end + 3, kind, 1.5, 0.1, name)
    return _Amount(at - 1, end, kind, 1.0, 1.0, name, is_certain=False)


def _measured(tokens: TokenisedText, start: int, number: Numeral, sign: float) -> _Amount:
    """A number with the percent sign, the currency or the unit that follows it."""
    end = number.end
    value = sign * number.value
    if number.is_fraction:
        return _fraction(tokens, start, number)
    share = _percent(tokens, end)
    if share is not None:
        return _Amount(start, share, "share", value, number.step, "%")
    is_glued = tokens.is_glued(end)
    low = tokens.low(end)
    if number.has_digits and is_glued and low in ATTACHED_ONLY:
        unit = ATTACHED_ONLY[low]
        kind: QuantityKind = "money" if is_money(unit) else "measure"
        return _Amount(start, end + 1, kind, value, number.step, unit)
    if number.has_digits and low in SHORT_SCALES and low != "m":
        scaled = _short_scale(tokens, number)
        if scaled.end > end:
            return _measured(tokens, start, scaled, sign)
    if low == "m" and number.has_digits and number.scale == 1:
        return _metres_or_millions(tokens, start, number, sign)
    after = end + 1 if low in DASHES else end
    unit_read = unit_at(tokens.lows, after)
    if unit_read is None or (low in NOT_AFTER_NUMBER and after == end and not is_glued) or (
        tokens.low(after) in AFTER_SCALE_ONLY and number.scale == 1
    ):  # fmt: skip
        return _bare(tokens, start, number, value)
    return _with_unit(tokens, start, number, value, unit_read)


def _percent(tokens: TokenisedText, at: int) -> int | None:
    """The token after a percent sign or words that mean it."""
    if tokens.low(at) in DASHES:
        at += 1
    low = tokens.low(at)
    if low in {"%", "percent", "pct"}:
        end = at + 1
    elif low == "per" and tokens.low(at + 1) == "cent":
        end = at + 2
    elif low == "percentage" and tokens.low(at + 1) in {"point", "points"}:
        return at + 2
    else:
        return None
    return end


def _fraction(tokens: TokenisedText, start: int, number: Numeral) -> _Amount:
    """Two-thirds of the pupils; two-thirds of a mile, three-quarters of an hour."""
    end = number.end
    if tokens.low(end) == "of" and tokens.low(end + 1) in _SINGLE:
        unit = unit_at(tokens.lows, end + 2)
        if unit is not None and not is_money(unit[0]):
            return _Amount(start, unit[1], "measure", number.value, 0.01, unit[0])
    return _Amount(start, end, "share", 100 * number.value, 1.0, "%")


def _metres_or_millions(
    tokens: TokenisedText, start: int, number: Numeral, sign: float
) -> _Amount:
    end = number.end + 1
    value = sign * number.value
    after = unit_at(tokens.lows, end)
    if after is not None and is_money(after[0]):  # 95m euros
        return _Amount(
            start, after[1], "money", value * 1e6, number.step * 1e6, after[0], scale=1e6
        )  # fmt: skip
    return _Amount(start, end, "measure", value, number.step, "m")


def _bare(tokens: TokenisedText, start: int, number: Numeral, value: float) -> _Amount:
    """A plain number, which may be the pronoun "one" or a part of a name."""
    end = number.end
    is_certain = True
    if not number.has_digits:
        is_word = end == start + 1
        is_certain = not (is_word and value < 2) and not (
            tokens.is_capital(start) and tokens.is_capital(end)
        )
    if tokens.is_glued(end) and (tokens.low(end).isalpha() or tokens.low(end) == "/"):
        is_certain = False  # 3D, 24/7
    return _Amount(start, end, "number", value, number.step, "", is_certain, number.scale)


def _with_unit(
    tokens: TokenisedText, start: int, number: Numeral, value: float, read: tuple[str, int]
) -> _Amount:
    """An amount with its unit, an age, or an amount in two units: four years and six months."""
    unit, end = read
    if is_money(unit):
        if tokens.low(end) == "sterling":
            end += 1
        return _Amount(start, end, "money", value, number.step, unit, scale=number.scale)
    if unit == "year":
        after = end + 1 if tokens.low(end) in DASHES else end
        if tokens.low(after) in {"old", "olds"}:
            is_joined = after > end
            return _Amount(start, after + 1 if is_joined else end, "age", value, 1.0, unit)
    if [tokens.low(end), tokens.low(end + 1), tokens.low(end + 2)] == ["and", "a", "half"]:
        return _Amount(start, end + 3, "measure", value + 0.5, number.step / 10, unit)
    return _second_unit(tokens, _Amount(start, end, "measure", value, number.step, unit))


_SMALLER = {
    "year": ("month", 12.0),
    "hour": ("minute", 60.0),
    "minute": ("second", 60.0),
    "foot": ("inch", 12.0),
    "stone": ("lb", 14.0),
    "week": ("day", 7.0),
    "lb": ("ounce", 16.0),
    "month": ("day", 30.4375),
    "day": ("hour", 24.0),
}


def _second_unit(tokens: TokenisedText, amount: _Amount) -> _Amount:
    """With what follows in a smaller unit: four years and six months, 6ft 2in."""
    if amount.unit not in _SMALLER:
        return amount
    smaller, ratio = _SMALLER[amount.unit]
    at = amount.end
    if tokens.low(at) in {"and", ","}:
        at += 1
    if not (tokens.is_number(at) or tokens.low(at) in ONES or tokens.low(at) in TENS):
        return amount
    number = numeral_at(tokens, at)
    if number is None or number.is_ordinal or number.is_fraction:
        return amount
    unit = unit_at(tokens.lows, number.end)
    if tokens.low(number.end) == "in" and smaller == "inch":
        unit = smaller, number.end + 1
    if unit is None or unit[0] not in {smaller, "pound" if smaller == "lb" else smaller}:
        return amount
    value = amount.value + number.value / ratio
    return replace(amount, value=value, end=unit[1], step=number.step / ratio)


def _pair(tokens: TokenisedText, first: _Amount) -> tuple[list[Quantity], int] | None:
    """A range, a score or votes: 10-12 per cent, 3-1, seven votes to two."""
    if first.kind in {"ordinal", "age"}:
        return None
    at = first.end
    joint = tokens.low(at)
    is_counted = joint in _SIDES and tokens.low(at + 1) == "to"
    if is_counted:
        at, joint = at + 1, "to"
    before = tokens.low(first.start - 1)
    is_range = joint in DASHES or joint == "to" or (joint == "and" and before == "between")
    if not is_range:
        return _one_in(tokens, first)
    if tokens.low(at + 1) == "nil":
        second: _Amount | None = _Amount(at + 1, at + 2, "number", 0, 1)
    else:
        second = _second(tokens, at + 1)
    if second is None:
        return None
    if joint in DASHES and tokens.low(second.end) in DASHES and tokens.is_number(second.end + 1):
        return None  # an identifier or a record of three numbers
    first, second = _shared_unit(first, second)
    if first.unit != second.unit:
        return None
    if joint == "to" and before == "from":
        return [_single(tokens, first), _single(tokens, second)], second.end
    kind = first.kind
    if kind == "number":
        if joint == "to" and first.value < second.value and not is_counted:
            kind = "number"
        elif first.scale == second.scale == 1 and first.value == int(first.value):
            kind = "score"
    elif not second.value > first.value:
        return [_single(tokens, first), _single(tokens, second)], second.end
    values = (first.value, second.value)
    is_certain = first.is_certain or second.is_certain
    step = min(first.step, second.step)
    item = _item(
        tokens, first.start, second.end, kind, values, first.unit, step, is_certain=is_certain
    )  # fmt: skip
    return [item], second.end


def _second(tokens: TokenisedText, at: int) -> _Amount | None:
    low = tokens.low(at)
    if not (tokens.is_number(at) or low in SIGNS or low in ONES or low in TENS):
        return None
    if tokens.is_number(at) and (clock_at(tokens, at) or date_at(tokens, at)):
        return None
    found = _amount_at(tokens, at, at)
    return None if found is None or found.kind in {"ordinal", "age"} else found


def _shared_unit(first: _Amount, second: _Amount) -> tuple[_Amount, _Amount]:
    """The unit or scale that only one of two numbers has holds for both."""
    if second.scale > 1 and first.scale == 1 and first.value < second.value / second.scale:
        scale = second.scale
        first = replace(first, value=first.value * scale, step=first.step * scale, scale=scale)
    if second.unit == "m" and first.kind == "money":  # £5-6m
        second = replace(second, value=second.value * 1e6, kind="money", unit=first.unit, scale=1e6)
        if first.scale == 1:
            first = replace(first, value=first.value * 1e6, step=first.step * 1e6, scale=1e6)
    if not first.unit and second.unit:
        first = replace(first, unit=second.unit, kind=second.kind)
    elif not second.unit and first.unit and first.kind == "money":
        second = replace(second, unit=first.unit, kind=first.kind)
    return first, second


def _one_in(tokens: TokenisedText, first: _Amount) -> tuple[list[Quantity], int] | None:
    """One in five, nine out of ten."""
    at = first.end
    if first.kind != "number" or not 0 < first.value < 100:
        return None
    if tokens.low(at) == "in":
        at += 1
    elif tokens.low(at) in {"out"} and tokens.low(at + 1) == "of":
        at += 2
    elif tokens.low(at) == "out" and tokens.low(at + 1) == "of":
        at += 2
    else:
        return None
    second = _second(tokens, at)
    if (
        second is None
        or second.kind != "number"
        or second.value not in {2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100, 1000}
        or first.value >= second.value
    ):
        return None
    share = 100 * first.value / second.value
    return [_item(tokens, first.start, second.end, "share", (share,), "%")], second.end


def _single(tokens: TokenisedText, amount: _Amount) -> Quantity:
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
