"""Charts of the HTML report: drawn by Altair, rendered to static SVG by vl-convert.

A chart is a row of small drawings of equal width, one per measure or human score, which a page
lays out as wide as its screen. Systems and measures are rows with their names, so no chart relies
on colours. Colours are classes that the style sheet of the page defines, for light and dark. Names
come from data: they are shown as text in one line of bounded length.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from tricolore.errors import WriteError
from tricolore.report.result_table import ResultTable
from tricolore.text.printable import printable

WIDTH = 320
"""The width of a drawing in pixels: that of a phone, less its margins."""
_ROW, _AXES = 17, 30
_LETTER, _MOST_ROOM = 6.6, 165  # the width of a letter, and of the longest name
_NAME = 22  # characters of a name; the middle of a longer one is left out
_NAMESPACE = "http://www.w3.org/2000/svg"
_COLOURS = {
    "#010101": "ink",
    "#020202": "quiet",
    "#030303": "grid",
    "#040404": "first",
    "#050505": "second",
    "#060606": "paper",
}
"""Colours in a specification, and the class of the style sheet that each becomes."""
_OF = {name: colour for colour, name in _COLOURS.items()}
_KEPT = frozenset(
    "x y x1 y1 x2 y2 width height d transform cx cy r font-size font-weight text-anchor opacity "
    "stroke-width stroke-dasharray fill stroke viewBox".split()
)
"""Attributes that are kept of what the renderer writes; a page needs no others."""
_LONG_NUMBER = re.compile(r"(\.\d\d)\d+")


@dataclass(frozen=True)
class ChartRow:
    """A named row: a value with its interval, and perhaps a second value, of another kind."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    second: float = math.nan


@dataclass(frozen=True)
class BoxRow:
    """A named row: the 5, 25, 50, 75 and 95 % quantiles of many values, and their mean."""

    name: str
    quantiles: Sequence[float]
    mean: float


@dataclass(frozen=True)
class Panel:
    """One drawing of a chart. `reach` are the ends of its axis; as wide as the data if not given.

    `line` is a value that is marked by a line, such as 0.
    """

    title: str
    rows: Sequence[ChartRow | BoxRow]
    reach: tuple[float, float] | None = None
    line: float | None = None


@dataclass(frozen=True)
class Drawing:
    """A panel that has been drawn: an SVG element, as text that is safe in a page."""

    title: str
    svg: str


@dataclass(frozen=True)
class Chart:
    """Drawings with what they show in words, and their numbers as a table."""

    title: str
    description: str
    drawings: Sequence[Drawing]
    table: ResultTable
    legend: Mapping[str, str] = field(default_factory=dict)
    """What the shapes mean, by their class: `first`, `second`."""


def check_charts() -> None:
    """Raise an error if charts cannot be drawn, before anything is computed for them."""
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise WriteError(f"charts need {error.name}: pip install 'tricolore[report]'") from error


def draw(panels: Sequence[Panel], description: str) -> list[Drawing]:
    """Draw panels; what they show is described for those who cannot see it."""
    return [
        Drawing(panel.title, _svg(_specification(panel), f"{panel.title}: {description}"))
        for panel in panels
    ]


def short_names(names: Iterable[str]) -> list[str]:
    """Names in one line of bounded length, all of them different.

    >>> short_names(["a", "", "x" * 30 + "1", "x" * 30 + "2"])
    ['a', '(none)', 'xxxxxxxxxxx…xxxxxxxxx1', 'xxxxxxxxxxx…xxxxxxxxx2']
    """
    made: list[str] = []
    for name in names:
        words = printable(" ".join(name.split())) or "(none)"
        if len(words) > _NAME:
            words = f"{words[: _NAME // 2]}…{words[1 - _NAME // 2 :]}"
        number = 2
        distinct = words
        while distinct in made:
            distinct = f"{words} ({number})"
            number += 1
        made.append(distinct)
    return made


def _specification(panel: Panel) -> dict[str, Any]:
    """The specification of a panel in Vega-Lite; fields have fixed names, names are data."""
    import altair as alt

    names = short_names(row.name for row in panel.rows)
    rows = [{"name": name, **_fields(row)} for name, row in zip(names, panel.rows, strict=True)]
    data = alt.InlineData(values=rows)
    scale = alt.Scale(domain=list(panel.reach)) if panel.reach else alt.Scale(zero=False)
    axis = alt.Axis(tickCount=4)
    across = alt.X("low:Q", title=None, scale=scale, axis=axis)
    # A page may show another font than the renderer knows: letters have room enough in any.
    room = min(_MOST_ROOM, 10 + _LETTER * max(map(len, names), default=0))
    beside = alt.Axis(minExtent=room, labelLimit=_MOST_ROOM)
    down = alt.Y("name:N", title=None, sort=None, scale=alt.Scale(domain=names), axis=beside)
    base = alt.Chart(data).encode(y=down)
    rule = base.mark_rule(color=_OF["first"], strokeWidth=1.5).encode(x=across, x2="high:Q")
    layers: list[Any] = [rule.transform_filter("isValid(datum.low)")]
    if any(isinstance(row, BoxRow) for row in panel.rows):
        bar = base.mark_bar(color=_OF["first"], height=8, opacity=0.45)
        layers.append(bar.encode(x=alt.X("quarter:Q"), x2="three:Q"))
        tick = base.mark_tick(color=_OF["ink"], height=10, thickness=2, orient="vertical")
        layers.append(tick.encode(x="middle:Q"))
    point = base.transform_filter("isValid(datum.value)").encode(x=alt.X("value:Q", scale=scale))
    layers.append(
        point.mark_point(shape="circle", size=45, filled=True, color=_OF["first"], opacity=1)
    )
    second = base.transform_filter("isValid(datum.second)").encode(x="second:Q")
    layers.append(
        second.mark_point(
            shape="diamond",
            size=50,
            fill=_OF["paper"],
            stroke=_OF["second"],
            opacity=1,
            strokeWidth=1.5,
        )
    )
    if panel.line is not None:
        line = alt.Chart(alt.InlineData(values=[{"at": panel.line}]))
        layers.insert(0, line.mark_rule(color=_OF["quiet"], strokeDash=[3, 3]).encode(x="at:Q"))
    made = alt.layer(*layers).properties(
        width=WIDTH,
        height=_AXES + _ROW * len(rows),
        autosize=alt.AutoSizeParams(type="fit", contains="padding"),
    )
    made = made.configure(background="transparent", padding=2, font="sans-serif")
    made = made.configure_view(stroke=None).configure_axis(
        labelFontSize=11,
        labelColor=_OF["ink"],
        gridColor=_OF["grid"],
        domainColor=_OF["grid"],
        tickColor=_OF["grid"],
    )
    # Altair has checked every argument of the calls above; checking the whole again is slow.
    specification: dict[str, Any] = made.to_dict(validate=False)
    return specification


def _fields(row: ChartRow | BoxRow) -> dict[str, float | None]:
    if isinstance(row, BoxRow):
        low, quarter, middle, three, high = map(_finite, row.quantiles)
        box = {"low": low, "quarter": quarter, "middle": middle, "three": three, "high": high}
        return {**box, "value": _finite(row.mean), "second": None}
    numbers = {"value": row.value, "low": row.low, "high": row.high, "second": row.second}
    return {name: _finite(number) for name, number in numbers.items()}


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _svg(specification: Mapping[str, Any], description: str) -> str:
    """A drawing as an SVG element with classes for colours, and without what a page needs not."""
    import vl_convert

    drawn = ElementTree.fromstring(vl_convert.vegalite_to_svg(dict(specification)))
    _clean(drawn)
    width, height = drawn.get("viewBox", "0 0 0 0").split()[2:]
    drawn.attrib |= {"role": "img", "width": width, "height": height}
    drawn.set("aria-label", printable(description))
    return ElementTree.tostring(drawn, encoding="unicode")


def _clean(element: ElementTree.Element) -> None:
    element.tag = element.tag.removeprefix(f"{{{_NAMESPACE}}}")
    kept = {name: value for name, value in element.attrib.items() if name in _KEPT}
    classes = [
        f"{name}-{_COLOURS[kept.pop(name)]}"
        for name in ("fill", "stroke")
        if kept.get(name) in _COLOURS
    ]
    if classes:
        kept["class"] = " ".join(classes)
    element.attrib.clear()
    element.attrib.update({name: _LONG_NUMBER.sub(r"\1", value) for name, value in kept.items()})
    for child in list(element):
        _clean(child)
        if child.get("d") in ("", "M0,0h0v0h0Z") or (child.tag == "g" and not len(child)):
            element.remove(child)
