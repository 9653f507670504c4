"""The charts of the HTML report."""

from __future__ import annotations

import math
import re
import sys
from xml.etree import ElementTree

import pytest

from tricolore.errors import WriteError
from tricolore.report.charts import (
    WIDTH,
    BoxRow,
    ChartRow,
    Panel,
    check_charts,
    draw,
    short_names,
)

HOSTILE = "</svg><script>alert(1)</script>&\"' \x1b[31m\u202e"


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter("text")]


def test_a_drawing_has_its_rows_and_says_what_it_shows() -> None:
    rows = [ChartRow("lead", 0.4, 0.3, 0.5), ChartRow("rewrite", 0.7, 0.6, 0.8)]
    [drawing] = draw([Panel("chrf ↑", rows)], "means")
    assert drawing.title == "chrf ↑"
    made = ElementTree.fromstring(drawing.svg)
    assert (made.tag, made.get("role"), made.get("aria-label")) == ("svg", "img", "chrf ↑: means")
    assert made.get("width") == str(WIDTH)
    assert {"lead", "rewrite"} <= set(texts(drawing.svg))
    assert len([e for e in made.iter("path") if e.get("class") == "fill-first"]) == 2


def test_colours_are_classes_so_that_a_page_can_be_dark() -> None:
    box = BoxRow("a", [0.1, 0.2, 0.3, 0.4, 0.5], 0.31)
    panels = [
        Panel("p", [ChartRow("a", 0.1, 0.0, 0.2, second=0.3)], reach=(-1.0, 1.0), line=0.0),
        Panel("q", [box]),
    ]
    made = "".join(drawing.svg for drawing in draw(panels, "d"))
    assert not re.findall(r"#[0-9a-f]{3,6}", made)
    assert "style=" not in made  # a strict policy forbids it
    for name in ("fill-ink", "stroke-grid", "stroke-first", "fill-first", "stroke-second"):
        assert name in made
    assert "stroke-quiet" in made  # the line at 0


def test_names_are_text() -> None:
    [drawing] = draw([Panel(HOSTILE, [ChartRow(HOSTILE, 0.5)])], HOSTILE)
    made = ElementTree.fromstring(drawing.svg)  # it is sound XML
    assert {element.tag for element in made.iter()} <= {"svg", "g", "path", "line", "text", "rect"}
    assert "<script" not in drawing.svg
    assert "\x1b" not in drawing.svg
    assert "\u202e" not in drawing.svg


@pytest.mark.parametrize("name", ["datum.x", "a[0]", "a.b", "parent", "{{x}}", "signal"])
def test_names_are_never_expressions(name: str) -> None:
    [drawing] = draw([Panel("p", [ChartRow(name, 0.5)])], "d")
    assert name in texts(drawing.svg)


def test_rows_without_a_value_have_no_dot() -> None:
    rows = [ChartRow("a", math.nan), ChartRow("b", 0.5)]
    [drawing] = draw([Panel("p", rows)], "d")
    assert {"a", "b"} <= set(texts(drawing.svg))
    assert drawing.svg.count("fill-first") == 1
    [empty] = draw([Panel("p", [ChartRow("a", math.nan)])], "d")
    assert "fill-first" not in empty.svg
    [box] = draw([Panel("p", [BoxRow("a", [math.nan] * 5, math.nan)])], "d")
    assert "fill-first" not in box.svg


def test_forty_systems_all_have_their_names() -> None:
    [drawing] = draw([Panel("p", [ChartRow(f"system {n}", n / 40) for n in range(40)])], "d")
    assert {f"system {n}" for n in range(40)} <= set(texts(drawing.svg))


def test_short_names_stay_different() -> None:
    names = ["x" * 40 + "1" * 20, "x" * 50 + "1" * 20, "a\nb", ""]
    found = short_names(names)
    assert len(set(found)) == 4
    assert found[2:] == ["a b", "(none)"]
    assert max(map(len, found)) < 30


def test_a_missing_package_is_an_error_that_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(WriteError, match=r"charts need vl_convert.*tricolore\[report\]"):
        check_charts()
