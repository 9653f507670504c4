"""The HTML report as text: what it allows, and cells of tables."""

from __future__ import annotations

import base64
import math
import re
from hashlib import sha256

from tricolore.measure import Direction
from tricolore.report.html_report import (
    CellWords,
    MeasureNotes,
    ReportContent,
    cell_words,
    report_html,
)
from tricolore.report.result_table import Number, ResultTable
from tricolore.report.sections import HeatNumber, ReportSection
from tricolore.report.statistics import MeanNumber, PValue, RankedNumber

HIGHER: Direction = "higher"


def content(**changes: object) -> ReportContent:
    table = ResultTable(["system", "chrf"], [["a", Number(0.5)]], ["A <note>."])
    settings = {
        "title": "T",
        "judged": "1 summary.",
        "made": "today",
        "facts": [("Systems", "a")],
        "answers": ["A is <best>."],
        "warnings": [],
        "systems": None,
        "systems_chart": None,
        "differences": None,
        "sections": [ReportSection("one", "One", ["Lead."], tables=[("Caption", table)])],
        "browser": {"rows": []},
        "static_examples": [],
        "example_notes": ["No texts."],
        "measures": [MeasureNotes("chrf", HIGHER, "what it is", extract="<p>how</p>")],
        "settings": [("seed", "0")],
    }
    return ReportContent(**(settings | changes))  # type: ignore[arg-type]


def test_scripts_and_styles_have_the_hashes_of_the_policy() -> None:
    page = report_html(content())
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    parts = re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", page, re.DOTALL)
    assert len(parts) == 3
    for part in parts:
        digest = base64.b64encode(sha256(part.encode()).digest()).decode()
        assert f"sha256-{digest}" in policy


def test_words_are_escaped_and_extracts_are_html() -> None:
    page = report_html(content())
    assert "A is &lt;best&gt;." in page
    assert "A &lt;note&gt;." in page
    assert "<p>how</p>" in page


def test_what_is_not_there_has_no_section() -> None:
    page = report_html(content(answers=[], measures=[]))
    assert 'id="systems"' not in page
    assert "There is nothing to compare" in page
    assert 'class="notice">No texts.' in page


def test_cells() -> None:
    assert cell_words("a\x1b") == CellWords("a␛")
    assert cell_words(12) == CellWords("12")
    assert cell_words(Number(math.nan)) == CellWords("–")
    assert cell_words(Number(0.5, 0.4, 0.6, is_marked=True)) == CellWords(
        "0.500", "[0.400, 0.600]", classes="best"
    )
    assert cell_words(RankedNumber(0.5, rank=3)) == CellWords("0.500", rank="3")
    assert cell_words(RankedNumber(math.nan, missing=2)) == CellWords("–", missing=2)
    assert cell_words(PValue(0.0)).value == "<0.001"
    assert cell_words(MeanNumber(0.5, 0.4, 0.6, sem=0.1)).value == "0.500 ± 0.100"
    assert cell_words(HeatNumber(-0.9)).classes == "minus heat-4"
