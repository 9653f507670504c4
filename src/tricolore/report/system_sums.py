"""Sums of the values of many systems, in little memory, and those of their resamples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tricolore.arrays import Flags, Floats, Ints
from tricolore.meta.intervals import FEW


class MeasureSums:
    """The sums of one measure's columns, one row per system, and those of each resample."""

    def __init__(self, width: int, resamples: int) -> None:
        self.totals: Floats = np.zeros((0, width))
        self.missing: Floats = np.zeros(0)
        self.resampled: dict[int, Floats] = {}
        """By system: one row per resample."""
        self.documents: dict[int, set[str]] = {}
        """By system: the first documents with a value, until there are enough."""
        self._shape = resamples, width

    def add(self, systems: int, places: Ints, table: Floats, sound: Flags) -> None:
        """Add rows: `places` are those of their systems, of which there are `systems`."""
        if systems > len(self.missing):
            room = max(systems, 2 * len(self.missing)) - len(self.missing)
            self.totals = np.vstack([self.totals, np.zeros((room, self.totals.shape[1]))])
            self.missing = np.concatenate([self.missing, np.zeros(room)])
        np.add.at(self.totals, places[sound], table[sound])
        np.add.at(self.missing, places[~sound], 1)

    def resample(
        self,
        places: Ints,
        table: Floats,
        sound: Flags,
        weights: Floats,
    ) -> None:
        """Add the same rows to the resamples, each as often as `weights` says."""
        for place in np.unique(places):
            own = sound & (places == place)
            sums = self.resampled.setdefault(int(place), np.zeros(self._shape))
            sums += weights[own].T @ table[own]

    def note_documents(self, places: Ints, documents: Sequence[str], has_value: Flags) -> None:
        """Remember the documents of rows with a value."""
        if all(len(self.documents.get(int(place), ())) >= FEW for place in np.unique(places)):
            return
        for place, document, is_known in zip(places, documents, has_value, strict=True):
            noted = self.documents.setdefault(int(place), set())
            if is_known and len(noted) < FEW:
                noted.add(document)

    def forget_resamples(self) -> None:
        """Free the memory that intervals need."""
        self.resampled.clear()
        self.documents.clear()
