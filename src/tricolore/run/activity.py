"""What a run is doing now, for those who wait for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Activity:
    """The measure that began last; any thread may read it."""

    measure: str = ""

    def begin(self, measure: str) -> None:
        """Say which measure begins."""
        self.measure = measure

    def words(self) -> str:
        """The name of the measure."""
        return self.measure
