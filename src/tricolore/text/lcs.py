"""Longest common subsequences of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

LcsFunction = Callable[[Sequence[str], Sequence[str]], list[tuple[int, int]]]
"""A way to find where two texts have the words of a common subsequence."""


def lcs_length(one: Sequence[str], other: Sequence[str]) -> int:
    """The length in words of the longest common subsequence.

    >>> lcs_length("police killed the gunman".split(), "police kill the gunman".split())
    3
    """
    return LCSseq.similarity(one, other)


def lcs_places(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """The positions of the words of a longest common subsequence in both texts.

    Ties are resolved as in ROUGE-1.5.5 and rouge-score: read from the end, a word of `one` is
    dropped before a word of `other`.

    >>> lcs_places("a b".split(), "b a".split())
    [(0, 1)]
    """
    rows = _lcs_rows(one, other)
    i, j = len(one), len(other)
    length = j - rows[i].bit_count()
    places = []
    while length:
        below = (1 << j) - 1
        if one[i - 1] == other[j - 1]:
            i, j, length = i - 1, j - 1, length - 1
            places.append((i, j))
        elif j - (rows[i - 1] & below).bit_count() == length:
            i -= 1
        else:
            j -= 1
    return places[::-1]


def _lcs_rows(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """The table of LCS lengths, one whole number per row (Hyyrö 2004).

    Bit j of row i is 0 where the LCS of the first i words of `one` grows with word j of `other`.
    """
    where: dict[str, int] = {}
    for j, word in enumerate(other):
        where[word] = where.get(word, 0) | 1 << j
    full = (1 << len(other)) - 1
    row = full
    rows = [row]
    for word in one:
        hits = row & where.get(word, 0)
        row = ((row + hits) | (row - hits)) & full
        rows.append(row)
    return rows


def union_lcs(
    summary: Sequence[Sequence[str]], reference: Sequence[Sequence[str]], places: LcsFunction
) -> list[tuple[set[int], dict[int, tuple[int, int]]]]:
    """For each sentence of the reference, its words that are in an LCS with any of the summary's.

    First all of them, then those that count, with the sentence and position in the summary: a word
    counts no more often than the summary has it (not in the paper, but in ROUGE-1.5.5 and
    rouge-score).
    """
    left = Counter(word for sentence in summary for word in sentence)
    found = []
    for sentence in reference:
        union: dict[int, tuple[int, int]] = {}
        for at, other in enumerate(summary):
            for place, where in places(sentence, other):
                union.setdefault(place, (at, where))
        counted = {}
        for place in sorted(union):
            word = sentence[place]
            if left[word]:
                left[word] -= 1
                counted[place] = union[place]
        found.append((set(union), counted))
    return found


def weighted_lcs(one: Sequence[str], other: Sequence[str], power: float) -> float:
    """The weighted LCS of Lin (2004), §4, which favours runs: a run of k words counts k ** power.

    >>> round(weighted_lcs("a b c d".split(), "a b x c d".split(), 2.0), 6)
    8.0
    """
    columns = _columns(other)
    best = np.zeros(len(other) + 1)
    runs: dict[int, int] = {}
    rising = True
    for word in one:
        best, runs, rising = _weighted_row(best, runs, rising, columns.get(word, []), power)
    return float(best[-1])


def weighted_lcs_places(
    one: Sequence[str], other: Sequence[str], power: float
) -> list[tuple[int, int]]:
    """The positions of the words that `weighted_lcs` counts; ties as in `lcs_places`."""
    columns = _columns(other)
    table = [np.zeros(len(other) + 1)]
    runs: dict[int, int] = {}
    for word in one:
        row, runs, _ = _weighted_row(table[-1], runs, False, columns.get(word, []), power)
        table.append(row)
    i, j = len(one), len(other)
    places = []
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            places.append((i, j))
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return places[::-1]


def _columns(words: Sequence[str]) -> dict[str, list[int]]:
    columns: dict[str, list[int]] = {}
    for column, word in enumerate(words, start=1):
        columns.setdefault(word, []).append(column)
    return columns


def _weighted_row(
    above: NDArray[np.float64],
    runs_above: dict[int, int],
    rising: bool,
    matches: list[int],
    power: float,
) -> tuple[NDArray[np.float64], dict[int, int], bool]:
    """The next row of the table, the lengths of runs that end in it, and whether it only rises.

    Where words match, the cell follows the diagonal; elsewhere it is the larger of its upper and
    left neighbours, so that between matches the row is a running maximum.
    """
    if not matches:
        return (above if rising else np.maximum.accumulate(above)), {}, True
    row = np.maximum.accumulate(above)
    runs = {}
    for at, column in enumerate(matches):
        run = runs_above.get(column - 1, 0)
        runs[column] = run + 1
        row[column] = above[column - 1] + (run + 1) ** power - run**power
        end = matches[at + 1] if at + 1 < len(matches) else len(row)
        after = above[column:end].copy()
        after[0] = row[column]
        row[column:end] = np.maximum.accumulate(after)
    return row, runs, False
