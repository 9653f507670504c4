"""How much two sentences of a summary say the same, by GRUEN's four features of their letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations

FEATURES = 4
SHORTEST = 5
"""If neither sentence has this many words, only containment counts."""
COMMON = 0.8
EDITS = 0.6


def redundancy_flags(a: str, b: str) -> int:
    """The number of features, from 0 to 4, by which one sentence repeats the other.

    The longest common substring in characters and in words, the edit distance, and the number
    of common words. A sentence that contains the other counts as all four.

    >>> redundancy_flags("The old bridge was closed on Monday.", "The old bridge closed today.")
    1
    """
    from rapidfuzz.distance import Levenshtein

    if a in b or b in a:
        return FEATURES
    words_a, words_b = a.split(), b.split()
    if max(len(words_a), len(words_b)) < SHORTEST:
        return 0
    letters, words = min(len(a), len(b)), min(len(words_a), len(words_b))
    common = SequenceMatcher(None, a, b).find_longest_match(0, len(a), 0, len(b))
    substring = a[common.a : common.a + common.size]
    known = set(words_b)
    return sum(
        (
            common.size > COMMON * letters,
            len(substring.split()) > COMMON * words,
            Levenshtein.distance(a, b) < EDITS * max(len(a), len(b)),
            sum(word in known for word in words_a) > COMMON * words,
        )
    )


def redundant_pairs(sentences: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The pairs of sentences with a feature or more: their numbers, and how many features."""
    stripped = [sentence.strip() for sentence in sentences]
    for i, j in combinations(range(len(stripped)), 2):
        if flags := redundancy_flags(stripped[i], stripped[j]):
            yield i, j, flags
