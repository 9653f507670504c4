"""Whether the sources of a summary have its names.

A source has a name if it has the same words in that order, ignoring case, accents, hyphens,
possessives and plurals; if it has a longer name that these words are part of; if one is the acronym
of the other; or if both belong to the same country (American, the US). Words that the source has
only in different names are a mixture, and a misspelt name is another name: both are absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tricolore.text import name_words as lists
from tricolore.text.folding import folded
from tricolore.text.name_index import Place, SourceNames, forms, source_names
from tricolore.text.names import MOST_WORDS, CasedWord, Name, is_lowercase, names, tokens
from tricolore.text.ordinary import is_ordinary
from tricolore.text.stop import stop_words

_MOST_SPELLINGS = 100
"""For how many names of a summary names that are spelt alike are looked for."""
_NO_NAMES = (stop_words("nltk"), lists.DATES, lists.TITLES, lists.PARTICLES)

NameStatus = Literal["supported", "absent"]


@dataclass(frozen=True, slots=True)
class NameFinding:
    """A name of the summary and what the sources have: the name, the nearest one, or nothing."""

    start: int
    end: int
    status: NameStatus
    document: int | None = None
    source_start: int | None = None
    source_end: int | None = None


def check_names(summary: str, sources: Sequence[str]) -> list[NameFinding]:
    """Each name of the summary and whether the sources have it.

    >>> source = "Helen Astbury and Dev Marlowe work for the Northfield Water Authority."
    >>> summary = "At the NWA, Helen Marlowe met Astbury."
    >>> [(summary[f.start:f.end], f.status) for f in check_names(summary, [source])]
    [('NWA', 'supported'), ('Helen Marlowe', 'absent'), ('Astbury', 'supported')]
    """
    indexes = [source_names(source) for source in sources]
    found = []
    seen: dict[tuple[str, ...], tuple[NameStatus, int | None, Place | None]] = {}
    for name in summary_names(summary, sources):
        if name.words not in seen:
            seen[name.words] = _judged(name.words, indexes, spelling=len(seen) < _MOST_SPELLINGS)
        status, document, place = seen[name.words]
        start, end = place or (None, None)
        found.append(NameFinding(name.start, name.end, status, document, start, end))
    return found


def summary_names(summary: str, sources: Sequence[str]) -> tuple[Name, ...]:
    """The names of a summary; without capitals they are recognised by the names of the sources.

    >>> text = "astbury left rome ."
    >>> [name.words for name in summary_names(text, ["Helen Astbury left Rome."])]
    [('astbury',), ('rome',)]
    """
    if not is_lowercase(summary):
        return names(summary, sources)
    return tuple(_lowercase_names(summary, [source_names(source) for source in sources]))


def _judged(
    words: tuple[str, ...], indexes: Sequence[SourceNames], *, spelling: bool
) -> tuple[NameStatus, int | None, Place | None]:
    for document, index in enumerate(indexes):
        if place := _supported(words, index):
            return "supported", document, place
    best: tuple[float, int, Place] | None = None
    for document, index in enumerate(indexes):
        if (near := index.nearest(words, spelling)) and (best is None or near[0] > best[0]):
            best = near[0], document, near[1]
    return ("absent", best[1], best[2]) if best else ("absent", None, None)


def _supported(words: Sequence[str], index: SourceNames) -> Place | None:
    """Where a source has a name, if it does."""
    keys = [key for word in words if (key := folded(word)) and key != "the"]
    if not keys:
        return None
    return (
        index.words_in_order(keys)
        or index.part_of_name(keys)
        or index.country(words)
        or _acronym(words, keys, index)
        or _derived(keys, index)
        or _shortened(words, keys, index)
        or _composed(words, index)
    )


def _acronym(words: Sequence[str], keys: Sequence[str], index: SourceNames) -> Place | None:
    """NWA for Northfield Water Authority, and the other way round."""
    if len(keys) == 1:
        plain = words[0].replace(".", "").removesuffix("s")
        return index.initials.get(plain.lower()) if plain.isupper() else None
    return index.acronyms.get("".join(key[0] for key in keys))


def _derived(keys: Sequence[str], index: SourceNames) -> Place | None:
    """Valdorian for Valdoria, and the other way round."""
    if len(keys) != 1:
        return None
    for form in _relatives(keys[0]):
        if place := index.name_word(form):
            return place
    return None


def _relatives(word: str) -> Iterator[str]:
    for ending in ("n", "an", "ian", "ese", "er", "ers", "ish", "ite", "i", "ic"):
        if len(word) > 3:
            yield word + ending
            if word[-1] in "aeoy":
                yield word[:-1] + ending
        base = word.removesuffix("s").removesuffix(ending)
        if len(base) > 3 and base + ending == word.removesuffix("s"):
            yield from (base, base + "a", base + "ia", base + "y", base + "o")


def _shortened(words: Sequence[str], keys: Sequence[str], index: SourceNames) -> Place | None:
    """A name with words that the source has as ordinary words, or with a form of company."""
    kept = [key for key in keys if len(key) > 1]  # without initials
    rest = [key for key in kept if not _is_optional(key, index)]
    if rest == list(keys):
        return None
    if rest:
        return index.words_in_order(rest) or index.part_of_name(rest)
    return index.word(kept[0]) if kept else None


def _is_optional(key: str, index: SourceNames) -> bool:
    return key in lists.LEGAL_FORMS or (is_ordinary(key) and index.is_small(key))


def _composed(words: Sequence[str], index: SourceNames) -> Place | None:
    """Two names side by side, such as a place and a person, but no mixture of parts of names."""
    for cut in range(len(words) - 1, 0, -1):
        first, rest = words[:cut], words[cut:]
        country = index.country(first)
        if len(words) == 2 and not country and not index.country(rest):
            continue
        place = country or index.whole_name([folded(word) for word in first])
        if place and _supported_part(rest, index):
            return place
    return None


def _supported_part(words: Sequence[str], index: SourceNames) -> Place | None:
    keys = [folded(word) for word in words]
    return index.words_in_order(keys) or index.part_of_name(keys) or index.country(words)


def _lowercase_names(summary: str, indexes: Sequence[SourceNames]) -> Iterator[Name]:
    """The longest runs of words that are in the sources' names, and mixtures of two such words."""
    runs: list[list[CasedWord]] = []
    words = [token for token in tokens(summary) if folded(token.text)]
    at = 0
    while at < len(words):
        run = [words[at]]
        while (then := _next(words, at)) and _continues(summary, run, words[then], indexes):
            run.append(words[then])
            at = then
        if len(run) > 1 or _is_name_word(run[0], indexes):
            if runs and _is_mixture(summary, runs[-1], run, indexes):
                runs[-1] += run
            else:
                runs.append(run)
        at += 1
    for run in runs:
        yield Name(run[0].start, run[-1].end, tuple(token.text for token in run))


def _next(words: Sequence[CasedWord], at: int) -> int | None:
    """The next word that is no particle, among the next three."""
    near = range(at + 1, min(at + 4, len(words)))
    return next((n for n in near if words[n].lower not in lists.PARTICLES | {"of", "the"}), None)


def _continues(
    summary: str, run: Sequence[CasedWord], then: CasedWord, indexes: Sequence[SourceNames]
) -> bool:
    one, other = folded(run[-1].text), folded(then.text)
    if not any(index.has_pair(one, other) for index in indexes):
        return False
    if len(run) >= MOST_WORDS or set(summary[run[-1].end : then.start]) & set(",;:.!?\n()"):
        return False
    keys = [*(folded(token.text) for token in run), other]
    return len(keys) == 2 or any(index.part_of_name(keys) for index in indexes)


def _is_name_word(token: CasedWord, indexes: Sequence[SourceNames]) -> bool:
    """Whether a small word is one that the sources write with a capital only."""
    key = folded(token.text)
    if len(key) < 2 or any(token.lower in words for words in _NO_NAMES):
        return False
    if is_ordinary(token.lower) or any(index.is_small(key) for index in indexes):
        return False
    return any(
        index.name_word(form) or index.initials.get(form)
        for index in indexes
        for form in forms(key)
    )


def _is_mixture(
    summary: str,
    before: Sequence[CasedWord],
    run: Sequence[CasedWord],
    indexes: Sequence[SourceNames],
) -> bool:
    """Whether two neighbours are a first name and a surname of different people."""
    if len(before) != 1 or len(run) != 1 or summary[before[-1].end : run[0].start] != " ":
        return False
    one, other = folded(before[0].text), folded(run[0].text)
    return any(index.is_mixture(one, other) for index in indexes)
