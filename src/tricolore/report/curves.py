"""Curves over draws as a table and as lines of a figure."""

from __future__ import annotations

from collections.abc import Mapping

from tricolore.meta.numeric.document_draws import Curve
from tricolore.report.plots import Line
from tricolore.report.sheets import Figure, Sheet


def curve_sheet(first: str, found: Mapping[str, Curve], *, percent: bool = False) -> Sheet:
    """A row a point, a column a curve."""
    sheet = Sheet([first, *found])
    curves = list(found.values())
    for at, x in enumerate(curves[0].x if curves else []):
        shown = f"{100 * x:g} %" if percent else f"{x:g}"
        sheet.add(shown, *(Figure(c.mean[at], c.low[at], c.high[at]) for c in curves))
    undefined = sum(sum(curve.undefined) for curve in curves)
    if undefined:
        sheet.notes.append(f"{undefined} draws gave no correlation and are left out.")
    return sheet


def lines(found: Mapping[str, Curve], *, factor: float = 1.0) -> list[Line]:
    """The same for a figure."""
    return [
        Line(name, [factor * x for x in curve.x], curve.mean, curve.low, curve.high)
        for name, curve in found.items()
    ]
