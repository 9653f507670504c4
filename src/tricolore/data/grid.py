"""Which document and which system each row of a table of scores belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tricolore.arrays import Flags, Floats, Ints


@dataclass(frozen=True)
class Grid:
    """Which document and which system each row belongs to, as numbers and by name.

    A cell of the system × document grid may hold no row, one, or several.
    """

    doc: Ints
    system: Ints
    documents: tuple[str, ...]
    systems: tuple[str, ...]

    @staticmethod
    def of(doc_ids: Sequence[str], systems: Sequence[str]) -> Grid:
        """Number the documents and the systems in the order in which they first occur.

        >>> grid = Grid.of(["d1", "d1", "d2"], ["b", "a", "b"])
        >>> grid.systems, grid.system.tolist()
        (('b', 'a'), [0, 1, 0])
        """
        documents, doc = _numbered(doc_ids)
        names, system = _numbered(systems)
        if len(doc) != len(system):
            raise ValueError(f"{len(doc)} document ids, but {len(system)} systems")
        return Grid(doc, system, documents, names)

    def __len__(self) -> int:
        return len(self.doc)

    @property
    def repeated(self) -> int:
        """How many rows repeat the document and system of an earlier row; a system must be given.

        >>> Grid.of(["d1", "d1", "d1", "d2"], ["a", "a", "b", "a"]).repeated
        1
        """
        named = np.array([name != "" for name in self.systems], dtype=bool)[self.system]
        cells = (self.system * len(self.documents) + self.doc)[named]
        return len(cells) - len(np.unique(cells))

    def keep(self, rows: Flags) -> Grid:
        """The same documents and systems with some of the rows."""
        return Grid(self.doc[rows], self.system[rows], self.documents, self.systems)

    def matrix(self, values: ArrayLike) -> Floats:
        """Values as systems × documents: NaN where there is none, the mean of several."""
        given = np.asarray(values, dtype=float)
        known = np.isfinite(given)
        cells = (self.system * len(self.documents) + self.doc)[known]
        size = len(self.systems) * len(self.documents)
        sums = np.bincount(cells, weights=given[known], minlength=size)
        counts = np.bincount(cells, minlength=size).astype(float)
        counts[counts == 0] = np.nan
        made: Floats = (sums / counts).reshape(len(self.systems), len(self.documents))
        return made


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    places: dict[str, int] = {}
    numbers = [places.setdefault(name, len(places)) for name in names]
    return tuple(places), np.array(numbers, dtype=np.intp)
