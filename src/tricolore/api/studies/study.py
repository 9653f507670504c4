"""What every study returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tricolore.report.plots import save
from tricolore.report.result_table import ResultTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Data = TypeVar("Data")


@dataclass(frozen=True)
class Study(Generic[Data]):
    """The result of a study. In a notebook it shows its tables."""

    data: Data
    """The numbers, as the study computes them."""
    tables: Sequence[ResultTable]
    """The numbers as tables, with notes."""
    draw: Callable[[], Figure] = field(repr=False)
    warnings: Sequence[str] = ()
    """What to keep in mind about the scores: rows that are missing, empty or repeated."""

    @staticmethod
    def of(
        data: Data, table: ResultTable, draw: Callable[[], Figure], warnings: Sequence[str]
    ) -> Study[Data]:
        """A study with one table, which shows the warnings below its own notes."""
        table.notes += warnings
        return Study(data, [table], draw, warnings)

    @property
    def table(self) -> ResultTable:
        """The first table; most studies have only one."""
        return self.tables[0]

    def figure(self) -> Figure:
        """The figure of the paper, drawn with matplotlib."""
        return self.draw()

    def save_figure(self, path: str | Path) -> None:
        """Write the figure to a .png, .svg or .pdf file, with the warnings below it."""
        save(self.figure(), str(path), self.warnings)

    def to_json(self) -> list[dict[str, Any]]:
        """The rows of the tables as plain values."""
        return [row for table in self.tables for row in table.to_json()]

    def _repr_html_(self) -> str:
        return "\n".join(table.html() for table in self.tables)
