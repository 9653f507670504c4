"""Pairing the words of two texts, one to one, with as few crossings as can be found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

BEAM = 64
"""The number of alternatives that the search keeps."""
LARGE = 400
"""Equal words with more possible pairs than this are paired in order, without a search."""
MOST = 20_000
"""If all words together have more possible pairs than this, though they are not alike, each is
paired with its first free partner, without a search."""

# A cost is one number: first unpaired words, then crossings, then minus neighbours, since a pair
# next to the one before begins no new chunk.
_ALONE = 1 << 80
_CROSSING = 1 << 40
_NEIGHBOUR = -1
_NEVER = 1 << 200

_APART = -2
"""The partner's position if there is none; it is next to no position."""

_States = dict[tuple[int, int], tuple[int, Any]]
"""From the positions taken and the last partner to a lower bound of the cost and the path."""


class Choices(NamedTuple):
    """The positions, in order, that each word of a text may be paired with.

    `alike` says that words which share one possible partner share all (as equal words do), and have
    the very same tuple. Then the number of pairs is known, and pairs of equal words need not cross.
    """

    places: Mapping[int, tuple[int, ...]]
    alike: bool


def extend(pairs: Mapping[int, int], choices: Choices) -> dict[int, int]:
    """Add pairs to an alignment: as many as possible, then as few crossings, then chunks.

    Words that have only each other are paired first. The others are searched from left to right, by
    the cost so far plus a lower bound of the rest. This is exact as long as there are at most
    `BEAM` alternatives; beyond that only the best are kept.

    >>> extend({}, Choices({0: (1, 3), 1: (0,), 2: (1, 3)}, alike=True))
    {0: 1, 1: 0, 2: 3}
    """
    fixed = {**pairs, **_settled(choices)}
    groups = _groups(choices, fixed)
    start = sum(group.least[0][0] for group in groups)
    states: _States = {(0, _APART): (start, None)}
    before = _APART
    for place, at, group in sorted((p, i, g) for g in groups for i, p in enumerate(g.words)):
        found: _States = {}
        for (used, last), (price, path) in states.items():
            first = group.first_free(used)
            price -= group.least[at][first]
            for k in group.open_to(first):
                other, rank = group.others[k], group.ranks[k]
                rest = group.prices[at][k] + group.least[at + 1][k + 1]
                if rest >= _NEVER or used >> rank & 1:
                    continue
                paid = price + rest + (used >> rank + 1).bit_count() * _CROSSING
                if last == other - 1 and before == place - 1:
                    paid += _NEIGHBOUR
                _offer(found, (used | 1 << rank, other), paid, (path, place, other))
            rest = group.alone + group.least[at + 1][first]
            if rest < _NEVER:
                _offer(found, (used, _APART), price + rest, path)
        states = _most_promising(found)
        before = place
    _, path = min(states.values(), key=lambda state: state[0])
    return dict(sorted({**fixed, **_walk(path)}.items()))


class _CompetingWords(NamedTuple):
    """Words that compete for the same partners, and what their pairs cost."""

    words: list[int]
    others: tuple[int, ...]
    ranks: list[int]
    """The index of each partner among all that are searched, for use as a bit."""
    ordered: bool
    alone: int
    prices: list[list[int]]
    """The cost of each pair: its crossings and neighbours among the fixed pairs."""
    least: list[list[int]]
    """From each word and partner on, the lowest cost of the rest of the group."""

    def first_free(self, used: int) -> int:
        """The first partner that may be taken: equal words keep their order."""
        if not self.ordered:
            return 0
        return max((k + 1 for k, rank in enumerate(self.ranks) if used >> rank & 1), default=0)

    def open_to(self, first: int) -> range:
        """The possible partners of a word: only the next one if all must be taken."""
        end = len(self.others)
        return range(first, min(first + 1, end) if self.alone == 0 else end)


def _groups(choices: Choices, fixed: Mapping[int, int]) -> list[_CompetingWords]:
    places: dict[Any, list[int]] = {}
    taken = set(fixed.values())
    # Words in a large group are settled, or all their partners are taken.
    used_up = {id(others): taken.issuperset(others) for others in _distinct(choices)}
    for place in sorted(choices.places.keys() - fixed.keys()):
        others = choices.places[place]
        if not used_up[id(others)]:
            places.setdefault(others if choices.alike else place, []).append(place)
    unsettled = {place: choices.places[place] for words in places.values() for place in words}
    priced = _prices(fixed, unsettled)
    searched = sorted({other for words in places.values() for other in choices.places[words[0]]})
    rank = {other: at for at, other in enumerate(searched)}
    groups = []
    for words in places.values():
        others = choices.places[words[0]]
        alone = _ALONE
        if choices.alike:
            alone = 0 if len(words) > len(others) else _NEVER
        prices = [priced[place] for place in words]
        groups.append(
            _CompetingWords(
                words,
                others,
                [rank[other] for other in others],
                choices.alike,
                alone,
                prices,
                _least(prices, alone),
            )
        )
    return groups


def _prices(
    fixed: Mapping[int, int], choices: Mapping[int, tuple[int, ...]]
) -> dict[int, list[int]]:
    """What each possible pair of a word costs: its crossings and neighbours among fixed pairs.

    The partners of fixed words before a word, and of those after it, are kept as bits of two
    numbers, so that counting crossings is counting bits.
    """
    before, after = 0, sum(1 << other for other in fixed.values())
    rest = iter(sorted(fixed.items()))
    following = next(rest, None)
    prices = {}
    for place in sorted(choices):
        while following is not None and following[0] < place:
            before, after = before | 1 << following[1], after ^ 1 << following[1]
            following = next(rest, None)
        left, right = fixed.get(place - 1, _APART) + 1, fixed.get(place + 1, _APART) - 1
        prices[place] = [
            ((before >> other).bit_count() + (after & (1 << other) - 1).bit_count()) * _CROSSING
            + ((other == left) + (other == right)) * _NEIGHBOUR
            for other in choices[place]
        ]
    return prices


def _least(prices: list[list[int]], alone: int) -> list[list[int]]:
    """The table of `_CompetingWords.least`, filled from the end."""
    width = len(prices[0])
    # If words may stay unpaired at no cost, all partners must be taken.
    table = [[_NEVER if alone == 0 and k < width else 0 for k in range(width + 1)]]
    for row in reversed(prices):
        after = table[0]
        best, rest = _NEVER, [min(_NEVER, alone + after[width])]
        for k in reversed(range(width)):
            pair = row[k] + after[k + 1]
            best = pair if alone == 0 else min(best, pair)
            rest.append(min(best, alone + after[k], _NEVER))
        table.insert(0, rest[::-1])
    return table


def _settled(choices: Choices) -> dict[int, int]:
    """Pairs that need no search: words that have only each other, and words in large groups."""
    # Words that are alike share one tuple, which may be long: it is looked at once.
    words = Counter(map(id, choices.places.values()))
    asked: Counter[int] = Counter()
    for others in _distinct(choices):
        for other in others:
            asked[other] += words[id(others)]
    in_order = not choices.alike and asked.total() > MOST
    free = {id(others): iter(others) for others in _distinct(choices)}
    settled: dict[int, int] = {}
    taken: set[int] = set()
    for place, others in sorted(choices.places.items()):
        couple = len(others) == 1 and asked[others[0]] == 1
        if couple or in_order or _is_large(choices, others, asked):
            # What was taken stays so: no partner is looked at twice by words that are alike.
            partner = next((other for other in free[id(others)] if other not in taken), None)
            if partner is not None:
                settled[place] = partner
                taken.add(partner)
    return settled


def _distinct(choices: Choices) -> Iterable[tuple[int, ...]]:
    """Each tuple of partners once, though many words may share it."""
    return {id(others): others for others in choices.places.values()}.values()


def _is_large(choices: Choices, others: tuple[int, ...], asked: Mapping[int, int]) -> bool:
    return choices.alike and len(others) * asked[others[0]] > LARGE


def _offer(found: _States, key: tuple[int, int], price: int, path: Any) -> None:
    known = found.get(key)
    if known is None or price < known[0]:
        found[key] = (price, path)


def _most_promising(states: _States) -> _States:
    if len(states) <= BEAM:
        return states
    return dict(sorted(states.items(), key=lambda item: (item[1][0], item[0]))[:BEAM])


def _walk(path: Any) -> dict[int, int]:
    pairs = {}
    while path is not None:
        path, place, other = path
        pairs[place] = other
    return pairs


def count_chunks(pairs: Sequence[tuple[int, int]]) -> int:
    """The number of chunks: runs of pairs that are adjacent, in order, in both texts.

    >>> count_chunks([(0, 3), (1, 4), (2, 0)])
    2
    """
    return sum(
        1
        for at, (place, other) in enumerate(pairs)
        if not at or pairs[at - 1] != (place - 1, other - 1)
    )
