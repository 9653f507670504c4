"""Reading dates and times of day in English, at a place of a tokenised text."""

from __future__ import annotations

from typing import NamedTuple

from tricolore.text.numerals import DASHES, ONES, SUFFIXES, TokenisedText, numeral_at

_MONTH_NAMES = (
    "january february march april may june july august september october november december".split()
)
_FULL = {name: n for n, name in enumerate(_MONTH_NAMES, start=1)}
_SHORT = {name[:3]: n for name, n in _FULL.items()} | {"sept": 9}
MONTHS = _SHORT | _FULL
"""Months by name and abbreviation."""
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEKDAYS = {name: n for n, name in enumerate(_DAY_NAMES, start=1)}
_DECADE_WORDS = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
_ALSO_NAMES = frozenset({"march", "april", "may", "june", "august"})
"""Months that are words or first names as well."""
_BEFORE_DATE = frozenset(
    "in on at by of since until till from to through during before after between last next this "
    "every early late mid each for and".split()
)
_PARTS_OF_DAY = {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm"}
FIRST_YEAR, LAST_YEAR = 1100, 2100
"""Whole numbers of four digits between these are read as years, unless something is counted."""
CLOCK_WORDS = {"noon": 720, "midday": 720, "midnight": 0}
DATE_WORDS = frozenset({*MONTHS, *WEEKDAYS, *_DECADE_WORDS})
"""Words that a date may begin with."""


class DateRead(NamedTuple):
    """A date: the parts it names, such as `{"month": 6, "day": 3}`, and the token after it."""

    parts: dict[str, int]
    end: int
    is_certain: bool = True


class ClockRead(NamedTuple):
    """A time of day in minutes, and whether it says which half of the day."""

    minutes: int
    has_half: bool
    end: int


def date_at(tokens: TokenisedText, at: int) -> DateRead | None:
    """The date that begins at a token.

    >>> date_at(TokenisedText.of("Monday, June 3rd, 2024"), 0).parts
    {'weekday': 1, 'month': 6, 'day': 3, 'year': 2024}
    """
    low = tokens.low(at)
    if low in WEEKDAYS:
        weekday = {"weekday": WEEKDAYS[low]}
        after = at + 1
        if tokens.low(after) == ",":
            after += 1
        if tokens.low(after) == "the":
            after += 1
        rest = _day_and_month(tokens, after)
        if rest is not None:
            return DateRead(weekday | rest.parts, rest.end)
        return DateRead(weekday, at + 1)
    if low in _DECADE_WORDS:
        is_decade = tokens.low(at - 1) == "the"
        return DateRead({"decade": 1900 + _DECADE_WORDS[low]}, at + 1, is_decade)
    return _day_and_month(tokens, at) or _month_or_year(tokens, at)


def _day_and_month(tokens: TokenisedText, at: int) -> DateRead | None:
    """3 June, June 3rd, the third of June, 5–7 June, 2024-06-03; with or without a year."""
    numeric = _numeric(tokens, at)
    if numeric is not None:
        return numeric
    month = MONTHS.get(tokens.low(at))
    if month is not None:
        after = at + 1
        if tokens.low(after) == "." and tokens.low(at) not in _FULL:
            after += 1
        if tokens.low(after) == "the":
            after += 1
        day = _day(tokens, after)
        if day is None:
            return None
        last = _until(tokens, day[1])
        parts = {"month": month, "day": day[0]}
        if last is not None and last[0] > day[0] and tokens.low(last[1]) not in MONTHS:
            return _with_year(tokens, parts | {"until": last[0]}, last[1])
        return _with_year(tokens, parts, day[1])
    day = _day(tokens, at)
    if day is None:
        return None
    number, after = day
    parts = {}
    last = _until(tokens, after)
    if last is not None and last[0] > number:
        parts = {"until": last[0]}
        after = last[1]
    if tokens.low(after) == "of":
        after += 1
    month = MONTHS.get(tokens.low(after))
    if month is None:
        return None
    if tokens.low(after) in {"may", "march"} and not _is_month_after_day(tokens, after):
        return None
    end = after + 1
    if tokens.low(end) == "." and tokens.low(after) not in _FULL:
        end += 1
    return _with_year(tokens, {"month": month, "day": number} | parts, end)


def _is_month_after_day(tokens: TokenisedText, at: int) -> bool:
    """Whether "may" after a number is the month: "on 3 may", not "the 12 may leave"."""
    return tokens.is_capital(at) or tokens.low(at + 1) not in {"be", "have", "not", "also"}


def _day(tokens: TokenisedText, at: int) -> tuple[int, int] | None:
    """A day of the month, and the token after it."""
    low = tokens.low(at)
    if low.isdecimal() and len(low) < 3:
        end = at + 1
        if tokens.low(end) in SUFFIXES and tokens.is_glued(end):
            end += 1
        elif tokens.low(end) in {":", "%"} and tokens.is_glued(end):
            return None
        return (int(low), end) if 0 < int(low) < 32 else None
    if not low.isalpha():
        return None
    number = numeral_at(tokens, at)
    if number is not None and number.is_ordinal and number.value < 32:
        return int(number.value), number.end
    return None


def _until(tokens: TokenisedText, at: int) -> tuple[int, int] | None:
    """The last day of several: 5–7 June, 5 to 7 June, 5 and 6 June."""
    if tokens.low(at) in DASHES or tokens.low(at) in {"to", "and"}:
        return _day(tokens, at + 1)
    return None


def _with_year(tokens: TokenisedText, parts: dict[str, int], end: int) -> DateRead:
    after = end + 1 if tokens.low(end) in {",", "of"} else end
    year = year_at(tokens, after)
    if year is not None and not _starts_amount(tokens, after + 1):
        return DateRead(parts | {"year": year}, after + 1)
    return DateRead(parts, end)


def _starts_amount(tokens: TokenisedText, at: int) -> bool:
    """Whether what follows a number of four digits makes it an amount."""
    return tokens.low(at) in {"%", "km", "people", "miles", "metres", "meters"}


def year_at(tokens: TokenisedText, at: int) -> int | None:
    """The year that a token is, if it looks like one."""
    low = tokens.low(at)
    if len(low) == 4 and low.isdecimal() and FIRST_YEAR <= int(low) <= LAST_YEAR:
        return int(low)
    return None


def _numeric(tokens: TokenisedText, at: int) -> DateRead | None:
    """2024-06-03, 3/6/2024, 06/03/24."""
    sign = tokens.low(at + 1)
    if sign not in {"-", "/"} or tokens.low(at + 3) != sign:
        return None
    written = [tokens.low(at), tokens.low(at + 2), tokens.low(at + 4)]
    if not all(tokens.is_glued(at + n) for n in range(1, 5)) or not all(
        part.isdecimal() and len(part) < 5 for part in written
    ):
        return None
    first, second, third = (int(part) for part in written)
    if len(written[0]) == 4:
        year, month, day = first, second, third
    elif len(written[2]) in {2, 4}:
        day, month, year = first, second, third
        if month > 12:
            day, month = month, day
        year += 0 if len(written[2]) == 4 else (2000 if year < 50 else 1900)
    else:
        return None
    if not (0 < month < 13 and 0 < day < 32 and FIRST_YEAR <= year <= LAST_YEAR):
        return None
    parts = {"month": month, "day": day, "year": year}
    if len(written[0]) < 4 and day < 13:
        parts["swapped"] = 1  # American or European order
    return DateRead(parts, at + 5)


def _month_or_year(tokens: TokenisedText, at: int) -> DateRead | None:
    low = tokens.low(at)
    if low in MONTHS:
        after = at + 1
        if tokens.low(after) == "." and low not in _FULL:
            after += 1
        if tokens.low(after) in {",", "of"}:
            after += 1
        year = year_at(tokens, after)
        if year is not None:
            return DateRead({"month": MONTHS[low], "year": year}, after + 1)
        if low not in _FULL:
            return None
        before = tokens.low(at - 2) if tokens.low(at - 1) in DASHES else tokens.low(at - 1)
        is_month = before in _BEFORE_DATE
        if low in {"may", "march"} and (not is_month or before in {"to", "and", "for", "this"}):
            return None
        return DateRead({"month": _FULL[low]}, at + 1, is_month or low not in _ALSO_NAMES)
    return _decade(tokens, at)


def _decade(tokens: TokenisedText, at: int) -> DateRead | None:
    """1970s, 1970's, the 70s, '90s."""
    low = tokens.low(at)
    if not low.isdecimal() or len(low) not in {2, 4} or low[-1] != "0":
        return None
    after = at + 1
    if tokens.low(after) in {"'", "’"}:  # with a space before it in tokenised text
        after += 1
    if tokens.low(after) != "s" or not tokens.is_glued(after):
        return None
    if len(low) == 4:
        is_decade = FIRST_YEAR <= int(low) <= LAST_YEAR
        return DateRead({"decade": int(low)}, after + 1) if is_decade else None
    is_certain = tokens.low(at - 1) in {"the", "'", "’", "‘"}
    return DateRead({"decade": (2000 if low < "20" else 1900) + int(low)}, after + 1, is_certain)


def clock_at(tokens: TokenisedText, at: int) -> ClockRead | None:
    """The time of day that begins at a token.

    >>> clock_at(TokenisedText.of("11.30 a.m."), 0)
    ClockRead(minutes=690, has_half=True, end=5)
    """
    low = tokens.low(at)
    if low in CLOCK_WORDS:
        return ClockRead(CLOCK_WORDS[low], True, at + 1)
    if low in {"half", "quarter"}:
        return _past(tokens, at)
    if low in ONES:
        if not 0 < ONES[low] < 13:
            return None
        return _hour_only(tokens, ONES[low], 0, at + 1)
    whole, _, decimals = low.partition(".")
    if not whole.isdecimal() or len(whole) > 2 or int(whole) > 24:
        return None
    hour = int(whole)
    if decimals:
        is_time = len(decimals) == 2 and decimals < "60"
        return _with_half(tokens, hour, int(decimals), at + 1) if is_time else None
    minutes = tokens.low(at + 2)
    if tokens.low(at + 1) == ":" and len(minutes) == 2 and minutes.isdecimal() and minutes < "60":
        if tokens.low(at + 3) in {":", "."} and tokens.is_number(at + 4):
            return None
        found = _with_half(tokens, hour, int(minutes), at + 3)
        return found or ClockRead(hour * 60 + int(minutes), hour > 12 or hour == 0, at + 3)
    return _hour_only(tokens, hour, 0, at + 1)


def _past(tokens: TokenisedText, at: int) -> ClockRead | None:
    """Half past eleven, quarter to six."""
    side = tokens.low(at + 1)
    if side not in {"past", "to"} or (tokens.low(at) == "half" and side == "to"):
        return None
    hour = ONES.get(tokens.low(at + 2), 0)
    if tokens.low(at + 2).isdecimal():
        hour = int(tokens.low(at + 2))
    if not 0 < hour < 13:
        return None
    minutes = 30 if tokens.low(at) == "half" else 15
    if side == "to":
        hour, minutes = hour - 1, 60 - minutes
    return _with_half(tokens, hour, minutes, at + 3) or ClockRead(
        hour * 60 + minutes, False, at + 3
    )


def _hour_only(tokens: TokenisedText, hour: int, minutes: int, at: int) -> ClockRead | None:
    """5 a.m., five o'clock, five in the morning."""
    if tokens.low(at) == "o" and tokens.low(at + 2) == "clock":
        found = _with_half(tokens, hour, minutes, at + 3)
        return found or ClockRead(hour * 60 + minutes, False, at + 3)
    return _with_half(tokens, hour, minutes, at)


def _with_half(tokens: TokenisedText, hour: int, minutes: int, at: int) -> ClockRead | None:
    """With the half of the day that follows; without one there is no time."""
    low = tokens.low(at)
    half, end = "", at
    if low in {"am", "pm"}:
        half, end = low, at + 1
    elif low in {"a", "p"} and tokens.low(at + 1) == "." and tokens.low(at + 2) == "m":
        half, end = low + "m", at + 3
        if tokens.low(end) == "." and tokens.is_glued(end):
            end += 1
    elif low in {"in", "at"} and tokens.low(at + 1) == "the" and hour < 13:
        half, end = _PARTS_OF_DAY.get(tokens.low(at + 2), ""), at + 3
    elif low == "at" and tokens.low(at + 1) == "night" and hour < 13:
        half, end = "pm", at + 2
    if not half or hour > 12:
        return None
    hour = hour % 12 + (12 if half == "pm" else 0)
    return ClockRead(hour * 60 + minutes, True, end)
