"""Make src/tricolore/text/data/ordinary-words.txt: frequent English words that are written small.

A capital at the head of a sentence says nothing about these words (`tricolore.text.ordinary`). The
words are WordNet's; texts only decide which of them are kept: those that they have in small
letters, and not mostly with a capital. Words for people (chemist, striker) are all kept, because
they often stand before a name.

    python tools/ordinary_words.py WORDNET TEXT.txt.gz...

WORDNET is the directory with index.noun and so on; the texts may be any English news.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src/tricolore/text/data/ordinary-words.txt"
FEWEST = 1
PEOPLE = "18"
"""The number of WordNet's file of nouns for people."""
MOST_CAPITALS = 3
"""A word that is this many times as often capitalised as not is rather a name."""
FREQUENT = 20
"""A word that is so often small is an ordinary word however often it is capitalised."""
FUNCTION_WORDS = (
    "albeit although amid amidst amongst another anybody anyone anything because besides "
    "concerning could despite either else everybody everyone everything except hence how if "
    "instead ought might must neither nobody none nothing onto otherwise our per rather regarding "
    "shall should since somebody someone something than though throughout till toward towards "
    "underneath unless unlike until upon versus via whatever when whenever where whereas wherever "
    "whether whichever while whoever whose why with within without would yes"
).split()
"""WordNet has nouns, verbs, adjectives and adverbs only."""
RECENT = (
    "app apps blog coronavirus crowdfunding email emoji hashtag influencer lockdown online "
    "pandemic podcast selfie smartphone startup streaming tweet vape vlog website"
).split()
"""Words that are newer than WordNet 3.0."""


def small_words(directory: Path) -> tuple[set[str], set[str]]:
    """WordNet's single words with a sense written in small letters, and those for people."""
    found: set[str] = set()
    people: set[str] = set()
    for part in ("noun", "verb", "adj", "adv"):
        for line in (directory / f"data.{part}").read_text("utf-8").splitlines():
            if line.startswith("  "):
                continue  # the licence
            fields = line.split(" ")
            for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
                word = word.partition("(")[0]
                if word.isascii() and word.isalpha() and word.islower():
                    found.add(word)
                    if part == "noun" and fields[1] == PEOPLE:
                        people.add(word)
    return found, people


def counts(paths: Iterable[Path]) -> tuple[Counter[str], Counter[str]]:
    """How often each word is small, and how often it is capitalised, inside a sentence."""
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for match in re.finditer(r"(?<=[a-z,;] )([A-Za-z][a-z]+)\b", file.read()):
                word = match[1]
                (small if word.islower() else capital)[word.lower()] += 1
    return small, capital


def main(wordnet: str, *texts: str) -> None:
    """Write the list."""
    small, capital = counts(map(Path, texts))
    words, people = small_words(Path(wordnet))
    kept = {
        word
        for word in words
        if (small[word] >= FEWEST or word in people)
        and (capital[word] <= MOST_CAPITALS * small[word] or small[word] >= FREQUENT)
    }
    TARGET.write_text("\n".join(sorted({*kept, *FUNCTION_WORDS, *RECENT})) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
