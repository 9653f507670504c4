"""Cutting English text into sentences, by rule.

We wrote our own because the libraries that need no download each fail on something:
lower-cased output of systems (syntok, blingfire), titles (blingfire), or texts of megabytes
(pysbd takes quadratic time). It makes one pass over the text and needs no model.
"""

from __future__ import annotations

import re

from tricolore.memo import remembered

_END = re.compile(
    r"""(?P<mark>[.!?…]+ | \s[.!?](?=\s))   # also set apart, as tokenised text has it
        (?P<close>["'”’»)\]]*)
        (?=\s|$)
      | [。！？]""",
    re.VERBOSE,
)
_PARAGRAPH = re.compile(r"\n\s*\n")
_WORD_BEFORE = re.compile(r"([^\s\"'“‘«(\[]+)$")
_LETTER = re.compile(r"\s*[\"'“‘«(\[]*\s*(\S?)(\w*)")

_NEVER = frozenset(
    "mr mrs ms dr prof st gen col sen rep gov capt cmdr lt sgt rev hon pres mt ft fr messrs vs v "
    "cf e.g i.e eg ie al approx dept eds".split()
)
"""Abbreviations that never end a sentence."""
_NUMBERED = frozenset("no nos fig figs vol p pp art sec ch".split())
"""Abbreviations when a number follows; words otherwise."""
_PERHAPS = frozenset(
    "inc ltd co corp bros llc plc jr sr etc jan feb apr jun jul aug sept sep oct nov dec "
    "tue tues thu thurs fri ave blvd rd a.m p.m u.s u.k u.n e.u d.c ph.d m.d b.c a.d "
    "calif fla mich minn ariz".split()
)
"""Abbreviations that may also end a sentence: the next word decides."""
_STARTERS = frozenset(
    "the a an this that these those it its he she they we i you his her their our my in on at but "
    "and however when while if as after before for from there what who how why where since so no "
    "not with by one two many some most mr mrs ms dr police officials according although".split()
)
"""Words that, with a capital, begin a sentence rather than a name."""


@remembered
def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of the sentences of a text; an empty line always ends a sentence.

    >>> sentence_spans("It rained. We left at 5 p.m. in the end.")
    ((0, 10), (11, 40))
    """
    found: list[tuple[int, int]] = []
    start = 0
    for gap in [*_PARAGRAPH.finditer(text), None]:
        stop = gap.start() if gap else len(text)
        for mark in _END.finditer(text, start, stop):
            if _ends(text, start, mark, stop):
                _keep(found, text, start, mark.end())
                start = mark.end()
        _keep(found, text, start, stop)
        start = gap.end() if gap else stop
    return tuple(found)


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    >>> sentences("It rained. We left.")
    ['It rained.', 'We left.']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def _keep(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    if stripped := piece.strip():
        start += len(piece) - len(piece.lstrip())
        found.append((start, start + len(stripped)))


def _ends(text: str, start: int, mark: re.Match[str], stop: int) -> bool:
    """Whether a sentence ends at a mark, judged by the words on both sides."""
    following = _LETTER.match(text, mark.end(), stop)
    letter, rest = following.groups() if following else ("", "")
    if not letter or mark["mark"] is None:
        return True
    capital = not letter.islower()
    sign = mark["mark"].strip()
    if len(sign) > 1 or sign == "…":
        return capital or sign.strip(".…") != ""
    if sign in "!?":
        # "Why?" he asked.
        return capital or not mark["close"]
    if mark["mark"][0].isspace():
        return True
    # A word is short: do not look back over a whole page without a space.
    before = _WORD_BEFORE.search(text, max(start, mark.start() - 40), mark.start())
    word = before[1] if before else ""
    if len(word) == 1 and word.isalpha() and word != "I":
        return not (word.isupper() and capital)  # an initial
    lowered = word.lower()
    if lowered in _NEVER or (lowered in _NUMBERED and letter.isdigit()):
        return False
    if lowered in _PERHAPS or ("." in word.rstrip(".") and word.replace(".", "").isalpha()):
        return capital and (letter + rest).lower() in _STARTERS
    return True
