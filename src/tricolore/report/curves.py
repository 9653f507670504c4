"""Curves over random samples, as a table and as lines of a figure."""

from __future__ import annotations

from collections.abc import Mapping

from tricolore.meta.numeric.document_draws import Curve
from tricolore.report.plots import Line
from tricolore.report.result_table import Number, ResultTable


def curve_table(first: str, found: Mapping[str, Curve], *, percent: bool = False) -> ResultTable:
    """A table with one row per point and one column per curve."""
    table = ResultTable([first, *found])
    curves = list(found.values())
    for at, x in enumerate(curves[0].x if curves else []):
        shown = f"{100 * x:g} %" if percent else f"{x:g}"
        table.add(shown, *(Number(c.mean[at], c.low[at], c.high[at]) for c in curves))
    undefined = sum(sum(curve.undefined) for curve in curves)
    if undefined:
        table.notes.append(f"{undefined} draws gave no correlation and are left out.")
    return table


def lines(found: Mapping[str, Curve], *, factor: float = 1.0) -> list[Line]:
    """The curves for a figure."""
    return [
        Line(name, [factor * x for x in curve.x], curve.mean, curve.low, curve.high)
        for name, curve in found.items()
    ]
