"""Reading amounts at a place of a text: a number with its currency, percent sign or unit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tricolore.text.numerals import (
    DASHES,
    DENOMINATORS,
    ONES,
    SCALES,
    SHORT_SCALES,
    TENS,
    Numeral,
    TokenisedText,
    numeral_at,
)
from tricolore.text.units import (
    AFTER_SCALE_ONLY,
    ATTACHED_ONLY,
    CURRENCY_CODES,
    SIGNS,
    is_money,
    unit_at,
)

AmountKind = Literal["number", "ordinal", "share", "money", "measure", "age", "score"]
"""What an amount is; see `QuantityKind`."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with what belongs to it; `start` and `end` count tokens."""

    start: int
    end: int
    kind: AmountKind
    value: float
    step: float
    unit: str = ""
    is_certain: bool = True
    scale: float = 1.0


MULTIPLES: dict[str, float] = {
    **dict.fromkeys("once single".split(), 1),
    **dict.fromkeys(
        "both brace couple double doubled doubles doubling duo pair twice twin twins "
        "twofold".split(),
        2,
    ),
    **dict.fromkeys("thrice threefold treble trebled trio triple tripled".split(), 3),
    **dict.fromkeys("quadrupled quartet".split(), 4),
    "halved": 0.5,
}
"""Words that stand for a number. They support numbers, but are not checked."""
_ARTICLES = frozenset({"a", "an"})
_AFTER_FRACTION = frozenset(
    "of the a an its his her their our to in on at as since by and or from than for more less "
    "that this last after before over with when while if but is are was were has have had".split()
)
"""Words that may follow "a third" the fraction, but not "a third" the ordinal."""
_OTHER_HALVES = frozenset("second first other better this that next each and half".split())
_DEFINITE = frozenset("the these those his her their its all other".split())
_NAMED = frozenset("party century world degree generation".split())
"""What an ordinal before it often makes a name or a fixed phrase of."""
_AFTER_SECOND = frozenset("half leg place round division tier row string term year world".split())
_COUNTRY_OF_DOLLAR = frozenset("us a c nz hk s r au ca can aus".split())
_SMALLER = {
    "year": ("month", 12.0),
    "month": ("day", 30.4375),
    "week": ("day", 7.0),
    "day": ("hour", 24.0),
    "hour": ("minute", 60.0),
    "minute": ("second", 60.0),
    "foot": ("inch", 12.0),
    "stone": ("lb", 14.0),
    "lb": ("ounce", 16.0),
}
"""Units that are given together: four years and six months."""


def amount_at(tokens: TokenisedText, at: int, least: int = 0) -> Amount | None:
    """The amount that begins at a token, or at the article or sign before it.

    Tokens before `least` belong to something else.

    >>> amount_at(TokenisedText.of("£8.4 million"), 0)
    Amount(start=0, end=3, kind='money', value=8400000.0, step=100000.0, unit='pound sterling', \
is_certain=True, scale=1000000.0)
    """
    low = tokens.low(at)
    if low in SIGNS:
        return _money(tokens, at, at + 1, SIGNS[low])
    if low in CURRENCY_CODES:
        after = at + 2 if tokens.low(at + 1) == "." else at + 1
        return _money(tokens, at, after, CURRENCY_CODES[low])
    if low == "half":
        return _half(tokens, at)
    if low == "dozen" or low in SCALES:
        return _round_number(tokens, at, least)
    if low in MULTIPLES or (low == "hat" and "trick" in tokens.lows[at + 1 : at + 3]):
        return Amount(at, at + 1, "number", MULTIPLES.get(low, 3), 1, is_certain=False)
    number = numeral_at(tokens, at)
    if number is None:
        if low in DENOMINATORS and tokens.low(at - 1) in _ARTICLES and at > least:
            return _one_part(tokens, at)
        return _one_unit(tokens, at)
    if number.is_ordinal:
        return _ordinal(tokens, at, number, least)
    if _is_negative(tokens, at, least):
        return _measured(tokens, at - 1, replace(number, value=-number.value))
    return _measured(tokens, at, number)


def _is_negative(tokens: TokenisedText, at: int, least: int) -> bool:
    sign = tokens.low(at - 1)
    if sign == "minus":
        return at > least
    return (
        sign in {"-", "−"}
        and at > least
        and tokens.is_glued(at)
        and not tokens.is_glued(at - 1)
        and not tokens.is_number(at - 2)
    )


def _money(tokens: TokenisedText, start: int, at: int, unit: str) -> Amount | None:
    """A sum after a currency sign: £8.4m, US$ 5 billion."""
    number = numeral_at(tokens, at) if tokens.is_number(at) else None
    if number is None or number.is_ordinal or (unit == "#" and tokens.low(start - 1) == "&"):
        return None
    number = _short_scale(tokens, number)
    if tokens.is_glued(start) and tokens.low(start - 1) in _COUNTRY_OF_DOLLAR:
        start -= 1
    end = number.end
    again = unit_at(tokens.lows, end)
    if again is not None and again[0] == unit:  # $400 million dollars
        end = again[1]
    return Amount(start, end, "money", number.value, number.step, unit, scale=number.scale)


def _short_scale(tokens: TokenisedText, number: Numeral) -> Numeral:
    """With an abbreviated scale: 8.4m, 95bn."""
    low = tokens.low(number.end)
    if not number.has_digits or number.scale > 1 or low not in SHORT_SCALES:
        return number
    if not tokens.is_glued(number.end) and len(low) == 1 and low != "m":
        return number
    return number.times(SHORT_SCALES[low], number.end + 1)


def _half(tokens: TokenisedText, at: int) -> Amount:
    """Half a million, half an hour, half of the pupils."""
    word = at + 2 if tokens.low(at + 1) in DASHES else at + 1
    if tokens.low(word) in _ARTICLES:
        of_one = _part_of_one(tokens, at, word + 1, 0.5)
        if of_one is not None:
            return of_one
    before, after = tokens.low(at - 1), tokens.low(at + 1)
    is_share = after in _AFTER_FRACTION and before not in _OTHER_HALVES
    is_share = is_share or before in {"by", "almost", "nearly", "about", "over", "than"}
    return Amount(at, at + 1, "share", 50.0, 2.0, "%", is_certain=is_share)


def _one_part(tokens: TokenisedText, at: int) -> Amount:
    """A quarter, a third, a quarter of an hour."""
    part = 1 / DENOMINATORS[tokens.low(at)]
    after = tokens.low(at + 1)
    if after == "of" and tokens.low(at + 2) in _ARTICLES:
        of_one = _part_of_one(tokens, at - 1, at + 3, part)
        if of_one is not None:
            return of_one
    is_share = after in _AFTER_FRACTION or not after.isalpha()
    if tokens.low(at) == "quarter" and after.isalpha() and after != "of":
        is_share = False  # perhaps three months
    return Amount(at - 1, at + 1, "share", 100 * part, 2.0, "%", is_certain=is_share)


def _part_of_one(tokens: TokenisedText, start: int, at: int, part: float) -> Amount | None:
    """A part of one unit or scale: half a dozen, three-quarters of an hour."""
    low = tokens.low(at)
    scale = 12.0 if low == "dozen" else SCALES.get(low)
    if scale is not None:
        return _measured(tokens, start, Numeral(scale * part, scale / 100, at + 1, scale=scale))
    unit = unit_at(tokens.lows, at)
    if unit is None:
        return None
    return Amount(start, unit[1], _kind(unit[0]), part, 0.01, unit[0])


def _kind(unit: str) -> Literal["money", "measure"]:
    return "money" if is_money(unit) else "measure"


def _round_number(tokens: TokenisedText, at: int, least: int) -> Amount | None:
    """A hundred, a million, a dozen; "several hundred" and "hundreds" are no numbers to check."""
    if tokens.low(at - 1) not in _ARTICLES or at - 1 < least:
        return None
    if tokens.low(at) == "dozen":
        return _measured(tokens, at - 1, Numeral(12, 2, at + 1))
    number = numeral_at(tokens, at)
    return None if number is None else _measured(tokens, at - 1, number)


def _ordinal(tokens: TokenisedText, at: int, number: Numeral, least: int) -> Amount:
    low, end = tokens.low(at), number.end
    before, after = tokens.low(at - 1), tokens.low(end)
    is_part = low in DENOMINATORS and before in _ARTICLES and at > least
    if is_part and (after in _AFTER_FRACTION or not after.isalpha()):
        return _one_part(tokens, at)
    if after == "birthday":
        return Amount(at, end, "age", number.value, 1.0, "year")
    if after in DASHES:
        after = tokens.low(end + 1)
    is_certain = number.value > 2 and after not in _NAMED
    if not number.has_digits and tokens.is_capital(at):
        is_certain = False
    if low in DENOMINATORS and after == "of" and before != "the":
        is_certain = False  # perhaps a fraction: "third of the pupils"
    return Amount(at, end, "ordinal", number.value, 1.0, "", is_certain)


def _one_unit(tokens: TokenisedText, at: int) -> Amount | None:
    """A year and a half; "a year" alone is not checked."""
    if tokens.low(at - 1) not in _ARTICLES:
        return None
    unit = unit_at(tokens.lows, at)
    if unit is None or unit[0] == "m":
        return None
    name, end = unit
    if tokens.lows[end : end + 3] == ["and", "a", "half"]:
        return Amount(at - 1, end + 3, _kind(name), 1.5, 0.1, name)
    return Amount(at - 1, end, _kind(name), 1.0, 1.0, name, is_certain=False)


def _measured(tokens: TokenisedText, start: int, number: Numeral) -> Amount:
    """A number with the percent sign, the currency or the unit that follows it."""
    end, value, step = number.end, number.value, number.step
    if number.is_fraction:
        return _fraction(tokens, start, number)
    share = _percent(tokens, end)
    if share is not None:
        return Amount(start, share, "share", value, step, "%")
    low = tokens.low(end)
    if number.has_digits and tokens.is_glued(end) and low in ATTACHED_ONLY:
        unit = ATTACHED_ONLY[low]
        return Amount(start, end + 1, _kind(unit), value, step, unit)
    if low in SIGNS and low != "#" and not tokens.is_number(end + 1):  # 500 €
        return Amount(start, end + 1, "money", value, step, SIGNS[low], scale=number.scale)
    if number.has_digits and low in SHORT_SCALES and low != "m":
        scaled = _short_scale(tokens, number)
        if scaled.end > end:
            return _measured(tokens, start, scaled)
    if low == "m" and number.has_digits and number.scale == 1:
        return _metres_or_millions(tokens, start, number)
    unit_read = unit_at(tokens.lows, end + 1 if low in DASHES else end)
    if unit_read is None or not _is_unit(tokens, number, unit_read):
        return _bare(tokens, start, number)
    return _with_unit(tokens, start, number, *unit_read)


def _is_unit(tokens: TokenisedText, number: Numeral, read: tuple[str, int]) -> bool:
    """Whether a word after a number is a unit there: "27 second clip", not "2 second goals"."""
    low = tokens.low(number.end)
    if low == "second" and not tokens.is_glued(number.end):
        return number.has_digits and number.value > 2 and tokens.low(read[1]) not in _AFTER_SECOND
    if low in AFTER_SCALE_ONLY:
        return number.scale > 1
    return low != "min" or tokens.is_glued(number.end)


def _percent(tokens: TokenisedText, at: int) -> int | None:
    """The token after a percent sign or words that mean it."""
    if tokens.low(at) in DASHES:
        at += 1
    low, after = tokens.low(at), tokens.low(at + 1)
    if low in {"%", "percent", "pct"}:
        return at + 1
    if (low, after) == ("per", "cent") or (low == "percentage" and after in {"point", "points"}):
        return at + 2
    return None


def _fraction(tokens: TokenisedText, start: int, number: Numeral) -> Amount:
    """Two-thirds of the pupils; three-quarters of an hour, ½ mile."""
    end = number.end
    is_of_one = tokens.low(end) == "of" and tokens.low(end + 1) in _ARTICLES
    of_one = _part_of_one(tokens, start, end + 2, number.value) if is_of_one else None
    if of_one is not None:
        return of_one
    unit = unit_at(tokens.lows, end) if number.has_digits else None
    if unit is not None:
        return Amount(start, unit[1], _kind(unit[0]), number.value, 0.01, unit[0])
    return Amount(start, end, "share", 100 * number.value, 2.0, "%")


def _metres_or_millions(tokens: TokenisedText, start: int, number: Numeral) -> Amount:
    end = number.end + 1
    after = unit_at(tokens.lows, end)
    if after is not None and is_money(after[0]):  # 95m euros
        million = number.times(1e6, after[1])
        return Amount(
            start, million.end, "money", million.value, million.step, after[0], scale=1e6
        )  # fmt: skip
    return Amount(start, end, "measure", number.value, number.step, "m")


def _bare(tokens: TokenisedText, start: int, number: Numeral) -> Amount:
    """A plain number. Some are not meant as one: the pronoun "one", a part of a name."""
    end = number.end
    is_certain = True
    if not number.has_digits:
        is_word = end == start + 1
        next_is_number = tokens.low(end) in ONES or tokens.low(start - 1) in ONES
        if (is_word and number.value < 2) or next_is_number:
            is_certain = False  # one of them; five five five
        elif number.value <= 3 and tokens.low(start - 1) in _DEFINITE:
            is_certain = False  # the two sides
        elif tokens.is_capital(start) and tokens.is_capital(end):
            is_certain = False  # Five Star
    elif tokens.is_glued(end) and (tokens.low(end).isalpha() or tokens.low(end) == "/"):
        is_certain = False  # 3D, 24/7
    return Amount(start, end, "number", number.value, number.step, "", is_certain, number.scale)


def _with_unit(tokens: TokenisedText, start: int, number: Numeral, unit: str, end: int) -> Amount:
    """An amount with its unit, an age, or an amount in two units."""
    value, step = number.value, number.step
    if is_money(unit):
        return Amount(start, end, "money", value, step, unit, scale=number.scale)
    if unit == "year":
        after = end + 1 if tokens.low(end) in DASHES else end
        if tokens.low(after) in {"old", "olds"}:
            return Amount(start, after + 1 if after > end else end, "age", value, 1.0, unit)
        if tokens.lows[end : end + 2] == ["of", "age"]:
            return Amount(start, end, "age", value, 1.0, unit)
    if tokens.lows[end : end + 3] == ["and", "a", "half"]:
        return Amount(start, end + 3, "measure", value + 0.5, step / 10, unit)
    amount = Amount(start, end, "measure", value, step, unit)
    return _second_unit(tokens, amount) if unit in _SMALLER else amount


def _second_unit(tokens: TokenisedText, amount: Amount) -> Amount:
    """With what follows in a smaller unit: four years and six months, 6ft 2in."""
    smaller, ratio = _SMALLER[amount.unit]
    at = amount.end + 1 if tokens.low(amount.end) in {"and", ","} else amount.end
    if not (tokens.is_number(at) or tokens.low(at) in ONES or tokens.low(at) in TENS):
        return amount
    number = numeral_at(tokens, at)
    if number is None or number.is_ordinal or number.is_fraction:
        return amount
    unit = unit_at(tokens.lows, number.end)
    if smaller == "inch" and tokens.low(number.end) == "in":
        unit = smaller, number.end + 1
    if unit is None or unit[0] not in {smaller, "pound" if smaller == "lb" else smaller}:
        return amount
    value = amount.value + number.value / ratio
    return replace(amount, value=value, end=unit[1], step=number.step / ratio)
