"""Names of people, places, bodies and things in English text, by capitals and rules, no model.

A capital at the head of a sentence says nothing. Such a word counts as a part of a name if it has a
capital inside another sentence too, of this text or of others, or if it is no ordinary English
word. The same holds for every word of a headline In Such Letters, or of a sentence in capitals.
Titles, weekdays, months and units are no names. The rules were made for news; they make mistakes,
but need no download.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tricolore.memo import remembered
from tricolore.text import name_words as lists
from tricolore.text.nations import nation
from tricolore.text.ordinary import is_ordinary
from tricolore.text.sentences import sentence_spans
from tricolore.text.stop import stop_words

MOST_WORDS = 10
"""A longer run of capitalised words is cut: it is no single name."""

LONGEST_WORD = 50
"""A longer word, in characters, is no part of a name."""

_TOKEN = re.compile(
    r"(?:U\. ?[SKN]|D\. ?C|E\. ?U|L\. ?A)\.(?!\w)"  # some tokenizers write U. S.
    r"|(?:[^\W\d_]\.){2,}"  # J.R.R.
    r"|[^\W\d_]\.(?=\s?[^\W\d_])"  # the initial in George W. Bush
    r"|\w+(?:[.&’'](?!(?:s|m|d|ll|re|ve)\b)\w+)*"
)
_PLACEHOLDER = re.compile(r"-[LR][RSC]B-|[\[<][A-Z]{2,9}[\]>]")  # -LRB- for a bracket, [UNK]
_OPENING = "\"'“‘«([ \t\n-–—•*"
_CLITICS = frozenset("s m d ll re ve".split())
_CAMEL = re.compile(r"[a-z]{1,2}[A-Z][a-z]{2}")
_BEFORE_HEAD = re.compile(r"(?:[\"“‘«:•*(\[]|\n|\s')\s?$")
_AFTER_NUMBER = re.compile(r"\d[\s°]*$")
_FEWEST_OF_HEADLINE = 4
_SHARE_OF_HEADLINE = 0.8
_SHARE_OF_ORDINARY = 0.6


@dataclass(frozen=True, slots=True)
class Name:
    """A name and its position; `words` are its words without particles, as they are written."""

    start: int
    end: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CasedWord:
    """A word, and what its capital is worth: `head` begins a sentence, `styled` has no choice."""

    start: int
    end: int
    text: str
    head: bool
    styled: bool

    @property
    def lower(self) -> str:
        """The word in lower case, without the full stop of an abbreviation."""
        return self.text.lower().rstrip(".")

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital, or has one soon, as iPhone."""
        return self.text[0].isupper() or _CAMEL.match(self.text) is not None


@remembered
def tokens(text: str) -> tuple[CasedWord, ...]:
    """The words of a text; a hyphen separates words, a possessive 's is left out.

    >>> [t.text for t in tokens("The U.S. team's US-led O'Brien")]
    ['The', 'U.S.', 'team', 'US', 'led', "O'Brien"]
    """
    found = []
    for start, end in sentence_spans(text):
        first = start
        while first < end and text[first] in _OPENING:
            first += 1
        matches = [m for m in _TOKEN.finditer(text, start, end) if not _is_clitic(text, m)]
        if placeholders := {m.start() + 1 for m in _PLACEHOLDER.finditer(text, start, end)}:
            matches = [match for match in matches if match.start() not in placeholders]
        styled = _is_styled([m[0] for m in matches])
        for match in matches:
            at = match.start()
            head = at == first or _BEFORE_HEAD.search(text, max(start, at - 3), at) is not None
            found.append(CasedWord(at, match.end(), match[0], head, styled))
    return tuple(found)


def _is_clitic(text: str, match: re.Match[str]) -> bool:
    """The s of a possessive or of "it's"."""
    return match[0] in _CLITICS and text[match.start() - 1 : match.start()] in ("'", "’")


def _is_styled(words: Sequence[str]) -> bool:
    """Whether a sentence is a headline In Such Letters or in capitals."""
    if sum(len(word) > 1 and word.isupper() for word in words) > max(3, len(words) / 2):
        return True
    said = [w for w in words[1:] if w[0].isalpha() and w.lower() not in stop_words("nltk")]
    capitals = [word for word in said if word[0].isupper()]
    if len(capitals) < _SHARE_OF_HEADLINE * len(said):
        return False
    ordinary = [w for w in capitals if is_ordinary(w) and w.lower() not in lists.GIVEN_NAMES]
    return len(ordinary) >= max(_FEWEST_OF_HEADLINE, _SHARE_OF_ORDINARY * len(capitals))


@remembered
def capitalised(text: str) -> frozenset[str]:
    """The words, in lower case, that have a capital inside a sentence, where it means something.

    >>> sorted(capitalised("Police in Rome said so. Rome slept."))
    ['rome']
    """
    return frozenset(
        token.lower
        for token in tokens(text)
        if token.capital and not token.head and not token.styled and not _is_stop(token)
    )


@remembered
def uncapitalised(text: str) -> frozenset[str]:
    """The words of a text that are written in small letters somewhere."""
    return frozenset(token.text for token in tokens(text) if token.text.islower())


def is_lowercase(text: str) -> bool:
    """Whether a text has hardly any capitals, as the output of many summarisers.

    >>> is_lowercase("anna bell met tom in rome ."), is_lowercase("Anna left.")
    (True, False)
    """
    words = [token for token in tokens(text) if token.text[0].isalpha()]
    return sum(token.capital for token in words) * 50 < len(words)


def names(text: str, others: Iterable[str] = ()) -> tuple[Name, ...]:
    """The names of a text in the order of the text.

    `others` are texts on the same matter, such as the source of a summary: they show which words
    are names and which are not.

    >>> text = "Dr Eric Holder's aide met the Bank of England in the U.S. on Friday."
    >>> [text[name.start:name.end] for name in names(text)]
    ['Eric Holder', 'Bank of England', 'U.S.']
    """
    evidence = _Evidence((text, *others))
    words = tokens(text)
    wanted = [_is_name_word(text, words, at, evidence) for at in range(len(words))]
    articles = {w.end + 1: w.start for w in words if w.text == "The" and not (w.head or w.styled)}
    found: list[Name] = []
    for run in _runs(text, words, wanted):
        for part in _without_titles(run):
            found.extend(_cut(part, articles))
    return tuple(found)


class _Evidence:
    """What texts on the same matter say about a word's case."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.capitals = [capitalised(text) for text in texts]
        self.small = [uncapitalised(text) for text in texts]

    def has_capital(self, word: str) -> bool:
        return any(word in words for words in self.capitals)

    def is_small(self, word: str) -> bool:
        return any(word in words for words in self.small)


def _is_stop(token: CasedWord) -> bool:
    return token.lower in stop_words("nltk") and not _is_acronym(token)


def _is_acronym(token: CasedWord) -> bool:
    """Capitals only, in a sentence that is not all capitals."""
    plain = token.text.replace(".", "")
    if len(plain) < 2 or not plain.isupper() or token.styled or not plain[0].isalpha():
        return False
    return len(plain) < 4 or not is_ordinary(plain)  # UPDATE is a word


def _is_name_word(text: str, words: Sequence[CasedWord], at: int, evidence: _Evidence) -> bool:
    token = words[at]
    if not token.capital or not 2 <= len(token.text) <= LONGEST_WORD or token.text.endswith("."):
        return token.text[-1] == "." and token.capital and _is_initials(token, words, at)
    lower = token.lower
    if lower in lists.DATES or _is_stop(token) or _is_unit(text, token):
        return lower == "may" and _is_surname(text, words, at)
    if token.text[:2].isupper() and lower in lists.COMMON_ACRONYMS:
        return False
    if _is_acronym(token):
        return True
    if not token.head and not token.styled:
        return True
    if evidence.has_capital(lower):
        return not evidence.is_small(lower) or _capital_follows(text, words, at)
    if token.styled:
        return not evidence.is_small(lower) and not is_ordinary(lower)
    return _begins_name(text, words, at, evidence)


def _begins_name(text: str, words: Sequence[CasedWord], at: int, evidence: _Evidence) -> bool:
    """Whether the first word of a sentence belongs to a name."""
    lower = words[at].lower
    if _capital_follows(text, words, at):
        if lower in lists.GIVEN_NAMES or lower in lists.PLACE_KINDS:
            return True
        then = words[at + 1].lower
        if "&" in text[words[at].end : words[at + 1].start]:
            return True
        if then in lists.TITLES or lower in lists.TITLES or lower in lists.TITLE_MODIFIERS:
            return False
        if is_ordinary(lower):
            # Civic Alliance, but Striker Callum Deane
            return is_ordinary(then) and then not in lists.GIVEN_NAMES
    return not evidence.is_small(lower) and not is_ordinary(lower)


def _capital_follows(text: str, words: Sequence[CasedWord], at: int) -> bool:
    if at + 1 >= len(words):
        return False
    token, then = words[at], words[at + 1]
    return (
        then.capital
        and _is_gap(text[token.end : then.start], token)
        and then.lower not in lists.DATES
        and not _is_stop(then)
    )


def _is_initials(token: CasedWord, words: Sequence[CasedWord], at: int) -> bool:
    """U.S. by itself, but W. only beside another part of a name."""
    if len(token.text) > 2:
        return token.lower.replace(".", "") not in lists.COMMON_ACRONYMS
    return at + 1 < len(words) and words[at + 1].capital and words[at + 1].start - token.end < 2


def _is_unit(text: str, token: CasedWord) -> bool:
    before = _AFTER_NUMBER.search(text, max(0, token.start - 3), token.start)
    return before is not None and token.text in lists.UNITS


def _is_surname(text: str, words: Sequence[CasedWord], at: int) -> bool:
    """Theresa May, but not in May, and not Kansas City May 3."""
    if not at or words[at].head:
        return False
    before, then = words[at - 1], words[at + 1] if at + 1 < len(words) else None
    return (
        before.capital
        and text[before.end : words[at].start] == " "
        and before.lower not in stop_words("nltk")
        and not (then and then.text[0].isdigit())
    )


def _runs(
    text: str, words: Sequence[CasedWord], wanted: Sequence[bool]
) -> Iterator[list[CasedWord]]:
    """Neighbouring words of names, with the particles between them."""
    run: list[CasedWord] = []
    joints: list[CasedWord] = []
    for token, is_part in zip(words, wanted, strict=True):
        if is_part and run and _joined(text, run, joints, token):
            run += [*joints, token]
            joints = []
        elif run and not joints and _is_serial(text, run[-1], token):
            run.append(token)
        elif is_part:
            if run:
                yield run
            run, joints = [token], []
        elif run and len(joints) < 2 and _is_joint(token):
            joints.append(token)
        elif run:
            yield run
            run, joints = [], []
    if run:
        yield run


def _is_serial(text: str, before: CasedWord, token: CasedWord) -> bool:
    """The 19 of COVID-19."""
    return token.text.isdigit() and text[before.end : token.start] == "-"


def _is_joint(token: CasedWord) -> bool:
    return token.text.lower() in lists.PARTICLES or token.text in ("of", "the")


def _is_gap(between: str, before: CasedWord) -> bool:
    """Whether nothing separates two words."""
    if before.lower in lists.ABBREVIATED:
        between = between.removeprefix(".")
    return between in (" ", "-", "\N{NO-BREAK SPACE}", " & ", "  ")


def _joined(
    text: str, run: Sequence[CasedWord], joints: Sequence[CasedWord], token: CasedWord
) -> bool:
    """Whether a word continues a name."""
    for before, after in pairwise([run[-1], *joints, token]):
        between = text[before.end : after.start]
        if not _is_gap(between, before) and not _is_genitive(between, before, after):
            return False
    if token.head or run[-1].styled != token.styled:
        return False
    if not joints and _is_nationality(run[-1]) and not is_ordinary(token.lower):
        return False  # the Swedish | Henrik Olsson, but British Airways
    particles = [joint.text.lower() for joint in joints]
    if "of" in particles or "the" in particles:
        last = run[-1].lower
        if particles == ["of"]:
            return last in lists.BODIES or (len(run) == 1 and is_ordinary(last))
        return particles == ["of", "the"] and last in lists.BODIES
    return True


def _is_genitive(between: str, before: CasedWord, after: CasedWord) -> bool:
    """National Farmers' Party and People's Party, but Aldwick's | Harbour Park."""
    plural = before.text[-1] == "s" and between in ("' ", "’ ")
    singular = is_ordinary(before.lower) and between in ("'s ", "’s ")
    return (plural or singular) and is_ordinary(after.lower) and after.capital


def _is_nationality(token: CasedWord) -> bool:
    place = nation([token.text])
    return place is not None and place != token.text


def _without_titles(run: Sequence[CasedWord]) -> Iterator[list[CasedWord]]:
    """The names of a run: titles separate them."""
    part: list[CasedWord] = []
    for at, token in enumerate(run):
        then = run[at + 1] if at + 1 < len(run) else None
        if _is_title(token, part, then):
            while part and part[-1].lower in lists.TITLE_MODIFIERS | lists.DOUBTFUL_TITLES:
                part.pop()
            if part:
                yield part
            part = []
        elif part or not _is_joint(token):
            part.append(token)
    while part and _is_joint(part[-1]):
        part.pop()
    if part and not (len(part) == 1 and part[0].lower in lists.DOUBTFUL_TITLES):
        yield part


def _is_title(token: CasedWord, part: Sequence[CasedWord], then: CasedWord | None) -> bool:
    lower = token.lower
    if lower in lists.TITLES:
        return True
    if lower not in lists.DOUBTFUL_TITLES or then is None or _is_joint(then):
        return False
    if any(before.lower not in lists.TITLE_MODIFIERS for before in part):
        return False
    return not is_ordinary(then.lower) or then.lower in lists.GIVEN_NAMES or _is_initial(then)


def _is_initial(token: CasedWord) -> bool:
    return len(token.text) == 2 and token.text[1] == "."


def _cut(part: Sequence[CasedWord], articles: dict[int, int]) -> Iterator[Name]:
    """The name, or several if there are too many words for one, with the article of The Times."""
    for first in range(0, len(part), MOST_WORDS):
        piece = part[first : first + MOST_WORDS]
        start = piece[0].start
        words = tuple(token.text for token in piece if not _is_joint(token))
        if words:
            yield Name(articles.get(start, start), piece[-1].end, words)
