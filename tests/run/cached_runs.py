"""A run with a cache in a process of its own, for tests that disturb it."""

import hashlib
import logging
import sys
from pathlib import Path

from tricolore import Cache, Example, Run

MEASURES = "coverage,length,rouge-1"
WORDS = "the cat sat on a mat while seven dogs ran past an old stone bridge".split()


def rows(start: int = 0, stop: int = 600) -> list[Example]:
    """Examples that differ in all their texts."""
    return [
        Example(
            source=" ".join(WORDS) + f" {n // 4}",
            summary=" ".join(WORDS[n % 13 : n % 13 + 3]) + f" {n}",
            references=f"a cat {n // 4}",
        )
        for n in range(start, stop)
    ]


def scores(examples: object, cache: Cache | None = None) -> list[str]:
    """All scores, each as text."""
    run = Run([MEASURES], cache=cache)
    return [repr(dict(result.scores)) for result in run.score(examples)]


def digest(examples: object, cache: Cache | None = None) -> str:
    """A digest of all scores."""
    return hashlib.sha256("".join(scores(examples, cache)).encode()).hexdigest()


def main() -> None:
    """Score parts of the rows; before each part, wait for a line of standard input.

    Arguments: the directory of the cache, then START STOP for each part.
    """
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    directory, *numbers = sys.argv[1:]
    with Cache(Path(directory)) as cache:
        print("open", flush=True)
        for start, stop in zip(numbers[::2], numbers[1::2], strict=True):
            sys.stdin.readline()
            print(digest(rows(int(start), int(stop)), cache), flush=True)
        sys.stdin.readline()
    print("closed", flush=True)


if __name__ == "__main__":
    main()
