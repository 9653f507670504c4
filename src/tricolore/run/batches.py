"""Batches of rows in progress: the missing scores, split into jobs for an engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tricolore.example import Example, Unreadable
from tricolore.run.engine import Job
from tricolore.score import Score

Row = Example | Unreadable
JobPlaces = list[list[int]]
"""For each measure, the indices of examples in a batch."""


@dataclass
class Batch:
    """Rows that are looked at together, to find those that share a source.

    `scores` has one list per measure with one entry per example: those from the cache; the others
    are filled in as they are computed.
    """

    rows: Sequence[Row]
    examples: list[Example]
    scores: list[list[Score | None]]
    keys: list[list[bytes]] = field(default_factory=list)
    """The cache key of the texts of each score; empty without a cache."""
    _rows_given: int = 0
    _examples_given: int = 0

    @staticmethod
    def of(rows: Sequence[Row], measures: int) -> Batch:
        """A batch without any scores yet."""
        for row in rows:
            if not isinstance(row, Row):
                raise TypeError(
                    f"a run scores Example(source=…, summary=…) objects, not {type(row).__name__}"
                )
        examples = [row for row in rows if isinstance(row, Example)]
        return Batch(rows, examples, [[None] * len(examples) for _ in range(measures)])

    def pieces(self, sizes: Sequence[int]) -> Iterator[JobPlaces]:
        """The missing scores, split so that no measure gets more examples than its batch size.

        Examples of one source stay together, so that its work is done once. There is always a
        piece, even an empty one, since rows are yielded when a piece is done.
        """
        missing = [
            {at for at, score in enumerate(column) if score is None} for column in self.scores
        ]
        groups = _by_source(self.examples) if any(missing) else []
        is_any = False
        for size in sorted(set(sizes), reverse=True):
            for chunk in _chunks(groups, size):
                places = [
                    [at for at in chunk if at in absent] if own == size else []
                    for own, absent in zip(sizes, missing, strict=True)
                ]
                if any(places):
                    is_any = True
                    yield places
        if not is_any:
            yield [[] for _ in sizes]

    def job(self, number: int, places: JobPlaces) -> Job:
        """A piece as a job that holds only the examples it is about."""
        used = sorted({place for column in places for place in column})
        moved = {place: at for at, place in enumerate(used)}
        return Job(
            number,
            [self.examples[place] for place in used],
            [[moved[place] for place in column] for column in places],
        )

    def ready(self) -> Iterator[tuple[Row, list[Score]]]:
        """The next rows, in order, up to the first with missing scores.

        Each row has one score per measure; none if it could not be read.
        """
        while self._rows_given < len(self.rows):
            row = self.rows[self._rows_given]
            scores: list[Score] = []
            if isinstance(row, Example):
                known = [column[self._examples_given] for column in self.scores]
                scores = [score for score in known if score is not None]
                if len(scores) < len(known):
                    return
                self._examples_given += 1
            self._rows_given += 1
            yield row, scores

    @property
    def is_done(self) -> bool:
        """Whether all rows have been yielded."""
        return self._rows_given == len(self.rows)


def _by_source(examples: Sequence[Example]) -> list[list[int]]:
    """The indices of each source's examples; sources are in order of first occurrence."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for at, example in enumerate(examples):
        groups.setdefault(example.source, []).append(at)
    return list(groups.values())


def _chunks(groups: Sequence[list[int]], size: int) -> Iterator[list[int]]:
    """Pack whole groups together as long as they fit; split a group larger than the size.

    >>> list(_chunks([[0, 1], [2, 3, 4], [5], [6, 7, 8, 9, 10]], size=4))
    [[0, 1], [2, 3, 4, 5], [6, 7, 8, 9], [10]]
    """
    chunk: list[int] = []
    for group in groups:
        if len(chunk) + len(group) > size:
            yield from filter(None, [chunk])
            chunk = []
        while len(group) > size:
            yield group[:size]
            group = group[size:]
        chunk = [*chunk, *group]
    yield from filter(None, [chunk])
