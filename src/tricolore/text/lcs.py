"""Longest common subsequences of words."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from tricolore.arrays import Floats

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
    having = _sentences_with(summary)
    unions: dict[tuple[str, ...], dict[int, tuple[int, int]]] = {}
    found = []
    for sentence in reference:
        words = tuple(sentence)
        if words not in unions:
            unions[words] = _union(words, summary, having, places)
        union = unions[words]
        counted = {}
        for place in sorted(union):
            word = sentence[place]
            if left[word]:
                left[word] -= 1
                counted[place] = union[place]
        found.append((set(union), counted))
    return found


def _sentences_with(summary: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Which sentences have a word; of equal sentences only the first, which is preferred."""
    having: dict[str, list[int]] = {}
    for at in {tuple(sentence): at for at, sentence in reversed([*enumerate(summary)])}.values():
        for word in set(summary[at]):
            having.setdefault(word, []).append(at)
    return having


def _union(
    sentence: tuple[str, ...],
    summary: Sequence[Sequence[str]],
    having: Mapping[str, Iterable[int]],
    places: LcsFunction,
) -> dict[int, tuple[int, int]]:
    """Words of a sentence that are in an LCS, and where each is in the first such sentence."""
    union: dict[int, tuple[int, int]] = {}
    for at in sorted({at for word in set(sentence) for at in having.get(word, ())}):
        for place, where in places(sentence, summary[at]):
            union.setdefault(place, (at, where))
        if len(union) == len(sentence):
            break
    return union


def weighted_lcs(one: Sequence[str], other: Sequence[str], power: float) -> float:
    """The weighted LCS of Lin (2004), §4, which favours runs: a run of k words counts k ** power.

    >>> round(weighted_lcs("a b c d".split(), "a b x c d".split(), 2.0), 6)
    8.0
    """
    [last] = deque(_weighted_rows(one, other, power), maxlen=1)
    return float(last[-1])


def weighted_lcs_places(
    one: Sequence[str], other: Sequence[str], power: float
) -> list[tuple[int, int]]:
    """The positions of the words that `weighted_lcs` counts; ties as in `lcs_places`."""
    rows = _weighted_rows(one, other, power)
    # All that is needed of the table: whether the cell above is at least the one on the left.
    goes_up = [above[1:] >= row[:-1] for above, row in pairwise(rows)]
    i, j = len(one), len(other)
    places = []
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            places.append((i, j))
        elif goes_up[i - 1][j - 1]:
            i -= 1
        else:
            j -= 1
    return places[::-1]


def _weighted_rows(one: Sequence[str], other: Sequence[str], power: float) -> Iterator[Floats]:
    """The table of weighted LCS, row by row.

    Where words match, the cell follows the diagonal; elsewhere it is the larger of its upper and
    left neighbours, so that between matches the row is a running maximum.
    """
    columns: dict[str, list[int]] = {}
    for column, word in enumerate(other, start=1):
        columns.setdefault(word, []).append(column)
    powers = [k**power for k in range(min(len(one), len(other)) + 1)]
    above = np.zeros(len(other) + 1)
    runs: dict[int, int] = {}
    is_rising = True
    yield above
    for word in one:
        matches = columns.get(word, [])
        # The lengths of the runs of matches that end in each column.
        runs = {column: runs.get(column - 1, 0) + 1 for column in matches}
        if matches:
            above = _weighted_row(above, runs, powers)
        elif not is_rising:
            above = np.maximum.accumulate(above)
        is_rising = not matches
        yield above


_FEW = 8
"""Up to this many running maxima are made one by one."""


def _weighted_row(above: Floats, runs: Mapping[int, int], powers: Sequence[float]) -> Floats:
    """The row below another one, given the runs that end in it."""
    row = above.copy()
    starts = list(runs)
    if len(starts) <= _FEW:
        for column, run in runs.items():
            row[column] = above[column - 1] + powers[run] - powers[run - 1]
        for start, end in pairwise([0, *starts, len(row)]):
            np.maximum.accumulate(row[start:end], out=row[start:end])
        return row
    lengths, grown = np.fromiter(runs.values(), np.intp), np.array(powers)
    at = np.array(starts)
    row[at] = above[at - 1] + grown[lengths] - grown[lengths - 1]
    _running_maxima(row, np.array([0, *starts, len(row)]))
    return row


def _running_maxima(row: Floats, bounds: NDArray[np.intp]) -> None:
    """Make each part of a row, from one bound to the next, a running maximum.

    In every step, a cell learns the maximum of twice as many cells before it.
    """
    sizes = np.diff(bounds)
    places = np.arange(len(row)) - np.repeat(bounds[:-1], sizes)
    step, longest = 1, int(sizes.max())
    while step < longest:
        higher = np.maximum(row[step:], row[:-step])
        np.copyto(row[step:], higher, where=places[step:] >= step)
        step *= 2
