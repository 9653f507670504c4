"""A limit of the work for one summary, for measures that compare every word with every other."""

from __future__ import annotations

MAX_PAIRS = 100_000_000
"""By default, a summary and a reference of 10,000 words each: some seconds of work."""
MAX_PAIRS_HELP = (
    "The largest product of the numbers of words of the summary and of all its references; if it "
    "is larger, there is no value, since the work would take too long."
)


class TooManyPairsError(ValueError):
    """The texts are too long to be compared in reasonable time."""


def check_max_pairs(given: int) -> None:
    """Raise an error for a limit below which nothing can be compared."""
    if given < 1:
        raise ValueError(f"max_pairs must be 1 or more, not {given}")


def check_pairs(
    summary: int, others: int, most: int, units: tuple[str, str] = ("words", "words")
) -> None:
    """Raise an error if a summary and all that it is compared with have too many pairs of words.

    `units` say what is counted in each where it is not words.

    >>> check_pairs(20_000, 10_000, MAX_PAIRS)
    Traceback (most recent call last):
    ...
    tricolore.measures.pair_limit.TooManyPairsError: the summary has 20,000 words and what it is \
compared with 10,000 words, whose product is more than max_pairs=100000000; set max_pairs higher \
to compare them
    """
    if summary * others > most:
        raise TooManyPairsError(
            f"the summary has {summary:,} {units[0]} and what it is compared with {others:,} "
            f"{units[1]}, whose product is more than max_pairs={most}; set max_pairs higher to "
            "compare them"
        )
