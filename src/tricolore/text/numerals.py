"""Reading numbers in digits and in English words, at a place of a tokenised text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_TOKEN = re.compile(
    r"(?<![\w.])\.[0-9]+|[0-9]{1,3}(?:[,\u00a0\u2009\u202f][0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
    r"|[^\W\d_]+|[^\w\s]|_"
)

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen".split()
)
_TEN = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ONES = {word: n for n, word in enumerate(_SMALL)}
TENS = {word: 10 * n for n, word in enumerate(_TEN, start=2)}
SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
SHORT_SCALES = {
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "mln": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "bln": 1e9,
    "tn": 1e12,
    "trn": 1e12,
}
"""Scales that follow digits; some letters are units as well."""
_ORDINAL_STEMS = {
    **{word: word + "th" for word in _SMALL[4:]},
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
ORDINALS = {ordinal: ONES[word] for word, ordinal in _ORDINAL_STEMS.items()}
TENTHS = {word[:-1] + "ieth": n for word, n in TENS.items()}
"""Ordinals of the tens: twentieth, thirtieth."""
ORDINAL_SCALES = {"hundredth": 100, "thousandth": 1000, "millionth": 1_000_000}
DENOMINATORS = {
    "half": 2,
    "halves": 2,
    "quarter": 4,
    "quarters": 4,
    **{name: n for name, n in ORDINALS.items() if n > 2},
    **{name + "s": n for name, n in ORDINALS.items() if n > 2},
    "twentieth": 20,
    "twentieths": 20,
    "hundredth": 100,
    "hundredths": 100,
}
"""What one divides by: thirds, quarters, tenths."""
SUFFIXES = frozenset({"st", "nd", "rd", "th"})
VULGAR = {"½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3, "⅕": 1 / 5, "⅛": 1 / 8}
DASHES = frozenset("-–—‑−")
"""Signs that join numbers; the last ones are a non-breaking hyphen and a minus."""
MOST_DIGITS = 15
"""Longer runs of digits are identifiers."""


_SPLIT = re.compile(r"[0-9] ?[,.] [0-9]")
_GROUPED = re.compile(r"[0-9],[0-9]{3}(?![0-9])")
_MONTH = re.compile(r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_AFTER_DECIMALS = frozenset(
    {*SCALES, *SHORT_SCALES, "%", "percent", "per", "pct", "am", "pm", "degrees"}
)


def _rejoined(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Numbers that some summarisers write with spaces are put together: 60, 000 and 6. 5 million.

    Not after a month ("on June 3, 200 people"), nor where the text has groups without a space.
    """
    is_grouped = _GROUPED.search(text) is not None
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(spans):
        start, end = spans[at]
        is_group = len(text[start:end].split(",", 1)[0]) < 4 and not (
            found and _MONTH.match(text[slice(*found[-1])])
        )
        while text[start].isdecimal() and at + 2 < len(spans) and spans[at + 2][0] - end <= 3:
            (_, after), (first, last) = spans[at + 1 : at + 3]
            sign = text[end:first].strip()
            if sign == "," and first > after and last - first == 3:
                is_joined = is_group and not is_grouped
            else:
                following = text[slice(*spans[at + 3])].lower() if at + 3 < len(spans) else ""
                is_joined = sign == "." and first > after and following in _AFTER_DECIMALS
            if not (is_joined and text[first:last].isdecimal()):
                break
            end = last
            at += 2
        found.append((start, end))
        at += 1
    return found


@dataclass(slots=True)
class TokenisedText:
    """A text with its tokens: numbers, runs of letters, and single signs."""

    text: str
    starts: list[int]
    ends: list[int]
    lows: list[str]

    @classmethod
    def of(cls, text: str) -> TokenisedText:
        """Cut a text into tokens."""
        spans = [match.span() for match in _TOKEN.finditer(text)]
        if _SPLIT.search(text):
            spans = _rejoined(text, spans)
        return cls(
            text,
            [start for start, _ in spans],
            [end for _, end in spans],
            [text[start:end].lower() for start, end in spans],
        )

    def low(self, at: int) -> str:
        """The token in lower case; empty outside the text."""
        return self.lows[at] if 0 <= at < len(self.lows) else ""

    def is_glued(self, at: int) -> bool:
        """Whether a token follows the one before it without a space."""
        return 0 < at < len(self.starts) and self.ends[at - 1] == self.starts[at]

    def is_number(self, at: int) -> bool:
        """Whether a token has digits."""
        return self.low(at)[-1:].isdecimal()

    def is_capital(self, at: int) -> bool:
        """Whether a token begins with a capital letter."""
        return 0 <= at < len(self.starts) and self.text[self.starts[at]].isupper()


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written.

    Attributes:
        value: The number.
        step: The size of its last significant digit: 100 for "400", 0.1 for "8.4".
        end: The token after it.
        is_ordinal: Whether it is an ordinal such as "third" or "3rd".
        is_fraction: Whether it is a fraction such as "two-thirds".
        has_digits: Whether it begins with digits.
        scale: What a scale word multiplied it by; 1 without one.
    """

    value: float
    step: float
    end: int
    is_ordinal: bool = False
    is_fraction: bool = False
    has_digits: bool = False
    scale: float = 1.0

    def times(self, scale: float, end: int) -> Numeral:
        """The number times a scale word, which ends before a token."""
        return replace(
            self,
            value=self.value * scale,
            step=self.step * scale,
            end=end,
            scale=self.scale * scale,
        )


def last_digit(value: float) -> float:
    """The size of the last digit of a whole number that is not 0.

    >>> last_digit(400), last_digit(1250), last_digit(19), last_digit(0)
    (100, 10, 1, 1)
    """
    whole, step = int(value), 1
    while whole and whole % 10 == 0:
        whole //= 10
        step *= 10
    return step


def numeral_at(tokens: TokenisedText, at: int) -> Numeral | None:
    """The number in digits or words that begins at a token.

    >>> numeral_at(TokenisedText.of("four hundred and twenty people"), 0).value
    420.0
    """
    low = tokens.low(at)
    if low in VULGAR:
        return Numeral(VULGAR[low], 0.01, at + 1, is_fraction=True, has_digits=True)
    if tokens.is_number(at):
        return _digits(tokens, at)
    return _words(tokens, at)


def _digits(tokens: TokenisedText, at: int) -> Numeral | None:
    written = "".join(tokens.lows[at].replace(",", "").split())
    whole, _, decimals = written.partition(".")
    if len(written) > MOST_DIGITS or (len(whole) > 1 and whole[0] == "0"):
        return None
    value = float(written)
    step = 10.0 ** -len(decimals) if decimals else last_digit(int(whole))
    end = at + 1
    low = tokens.low(end)
    if low in SUFFIXES and tokens.is_glued(end) and not decimals:
        return Numeral(value, 1, end + 1, is_ordinal=True, has_digits=True)
    if low in VULGAR:
        return Numeral(value + VULGAR[low], 0.01, end + 1, has_digits=True)
    if not decimals and tokens.is_number(end) and is_fraction_at(tokens, end):  # 2 1/2
        return Numeral(
            value + float(tokens.lows[end]) / float(tokens.lows[end + 2]), 0.01, end + 3,
            has_digits=True,
        )  # fmt: skip
    return _scaled(tokens, Numeral(value, step, end, has_digits=True))


def is_fraction_at(tokens: TokenisedText, at: int) -> bool:
    """Whether digits with a stroke begin at a token: 3/4."""
    above, below = tokens.low(at), tokens.low(at + 2)
    return (
        tokens.low(at + 1) == "/"
        and tokens.is_glued(at + 1)
        and tokens.is_glued(at + 2)
        and above.isdecimal()
        and below.isdecimal()
        and len(above) < 3
        and len(below) < 3
        and 0 < int(above) < int(below)
    )


def _scaled(tokens: TokenisedText, number: Numeral) -> Numeral:
    """With the scale word that may follow: 4.2 million."""
    end = number.end
    joined = end + 1 if tokens.low(end) in DASHES and tokens.is_glued(end) else end
    scale = SCALES.get(tokens.low(joined))
    if scale is None:
        return number
    number = number.times(scale, joined + 1)
    if SCALES.get(tokens.low(number.end), 0) > scale:  # 5 hundred million
        return number.times(SCALES[tokens.low(number.end)], number.end + 1)
    return number


def _words(tokens: TokenisedText, at: int) -> Numeral | None:
    """Number words: a total of finished groups, and the group below the next scale."""
    total = group = 0.0
    ceiling = float("inf")  # scales must become smaller: two million three hundred thousand
    scale = 1.0
    end = place = at
    while True:
        low = tokens.low(place)
        if low in ONES and (group % 100 == 0 or (group % 100 >= 20 and group % 10 == 0)):
            if (group % 100 and not 0 < ONES[low] < 10) or tokens.low(end - 1) == "zero":
                break
            group += ONES[low]
            last = 1.0
        elif low in TENS and group % 100 == 0:
            group += TENS[low]
            last = 10.0
        elif low == "hundred" and (0 < group < 100 or place == at):
            group = (group or 1) * 100
            last = 100.0
        elif (
            low in SCALES and low != "hundred" and SCALES[low] < ceiling and (group or place == at)
        ):
            scale = ceiling = last = SCALES[low]
            total += (group or 1) * scale
            group = 0
        else:
            found = _last_word(tokens, at, place, end, total + group, group)
            if found is not None:
                return found
            break
        end = place = place + 1
        low = tokens.low(end)
        is_hyphen = low in DASHES and (
            last == 10 or tokens.is_glued(end) or tokens.low(end + 1) in DENOMINATORS
        )
        if is_hyphen or (low == "and" and last >= 100):
            place = end + 1
    if end == at:
        return None
    value = total + group
    number = Numeral(value, last_digit(value), end, scale=scale)
    return _and_a_half(tokens, _point(tokens, number))


def _last_word(
    tokens: TokenisedText, at: int, place: int, end: int, value: float, group: float
) -> Numeral | None:
    """An ordinal (twenty-first) or a denominator (four-fifths) that ends number words."""
    low = tokens.low(place)
    is_alone = place == at
    if value and low in DENOMINATORS and end > at and (value < 20 or low.endswith("s")):
        if (value == 1) != (not low.endswith("s")):
            return None
        share = value / DENOMINATORS[low]
        return Numeral(share, 0.01, place + 1, is_fraction=True) if share <= 1 else None
    if low in ORDINALS and (
        is_alone or (group % 100 >= 20 and group % 10 == 0) or group % 100 == 0
    ):
        if is_alone or place > at:
            return Numeral(value + ORDINALS[low], 1, place + 1, is_ordinal=True)
    elif low in TENTHS and group % 100 == 0:
        return Numeral(value + TENTHS[low], 1, place + 1, is_ordinal=True)
    elif low in ORDINAL_SCALES:
        return Numeral((value or 1) * ORDINAL_SCALES[low], 1, place + 1, is_ordinal=True)
    return None


def _point(tokens: TokenisedText, number: Numeral) -> Numeral:
    """With decimals in words, and a scale after them: forty-two point five million."""
    end = number.end
    if tokens.low(end) != "point" or number.scale > 1:
        return number
    value, step = number.value, 1.0
    while ONES.get(tokens.low(end + 1), 10) < 10 and step > 1e-9:
        end += 1
        step /= 10
        value += ONES[tokens.low(end)] * step
    return _scaled(tokens, Numeral(value, step, end + 1)) if step < 1 else number


def _and_a_half(tokens: TokenisedText, number: Numeral) -> Numeral:
    """With "and a half", and a scale after it: two and a half million."""
    end = number.end
    if tokens.low(end) != "and" or number.scale > 1:
        return number
    word = end + 2 if tokens.low(end + 1) in {"a", "one"} else end + 1
    part = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}.get(tokens.low(word))
    if part is None or word == end + 1:
        return number
    return _scaled(tokens, Numeral(number.value + part, number.step / 10, word + 1))
