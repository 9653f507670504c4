"""The HTML report: one file without any request, whose scripts and styles are named by hash."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tricolore.measure import Direction
from tricolore.report.charts import Chart
from tricolore.report.example_browser import StaticExample
from tricolore.report.pages import page_file, templates
from tricolore.report.result_table import Cell, Number, ResultTable
from tricolore.report.sections import HeatNumber, ReportSection
from tricolore.report.statistics import RankedNumber, TitledTable
from tricolore.text.printable import printable

_STYLES = ("style.css", "browser.css", "report.css")
_SCRIPTS = ("evidence.js", "browser.js")


@dataclass(frozen=True)
class MeasureNotes:
    """How to read the values of one measure."""

    label: str
    direction: Direction
    meaning: str = ""
    follows: str = ""
    extract: str = ""
    """HTML that is safe to show as it is; made by `measure_pages.markdown_html`."""
    signature: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ReportContent:
    """All that a report shows."""

    title: str
    judged: str
    """What was judged, in one sentence."""
    made: str
    """When and by which version the report was made."""
    facts: Sequence[tuple[str, str]]
    """What was judged, by name: the systems, the measures."""
    answers: Sequence[str]
    warnings: Sequence[str]
    systems: ResultTable | None
    systems_chart: Chart | None
    differences: TitledTable | None
    """The tests of pairs of systems."""
    sections: Sequence[ReportSection]
    browser: Mapping[str, Any]
    """The examples, as `example_browser.browser_page_data` makes them."""
    static_examples: Sequence[StaticExample]
    example_notes: Sequence[str]
    """Which examples are not shown, and what is not known of those that are."""
    measures: Sequence[MeasureNotes]
    settings: Sequence[tuple[str, str]]
    """Versions and settings, by name."""


def report_html(content: ReportContent) -> str:
    """The report as one HTML page that needs no network."""
    from markupsafe import Markup

    style = "\n".join(map(page_file, _STYLES))
    scripts = [page_file(name) for name in _SCRIPTS]
    policy = security_policy(style, scripts)
    page = templates().get_template("report.html.j2")
    return page.render(
        report=content,
        browser=content.browser,
        static_examples=content.static_examples,
        policy=policy,
        # Files of this package, which must be in the page exactly as they are hashed.
        style=Markup(style),
        scripts=[Markup(script) for script in scripts],
        safe=Markup,
        cell_words=cell_words,
    )


@dataclass(frozen=True)
class CellWords:
    """A cell of a table as a page shows it."""

    value: str
    interval: str = ""
    rank: str = ""
    missing: int = 0
    classes: str = ""


def cell_words(cell: Cell) -> CellWords:
    """A cell in the pieces that a page styles.

    >>> cell_words(RankedNumber(0.5, 0.4, 0.6, rank=2, missing=1))
    CellWords(value='0.500', interval='[0.400, 0.600]', rank='2', missing=1, classes='')
    """
    if not isinstance(cell, Number):
        return CellWords(printable(str(cell)))
    rank = cell.rank if isinstance(cell, RankedNumber) else None
    words = cell.words.removesuffix(f" ({rank})")
    value, bracket, interval = words.partition("[")
    heat = cell.heat if isinstance(cell, HeatNumber) else ""
    classes = " ".join(filter(None, [heat, "best" if cell.is_marked else ""]))
    return CellWords(value.strip(), bracket + interval, str(rank or ""), cell.missing, classes)


def security_policy(style: str, scripts: Sequence[str] = ()) -> str:
    """The Content-Security-Policy of a page that has this style and these scripts only."""
    allowed = " ".join(map(_source, scripts)) or "'none'"
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {_source(style)}",
            f"script-src {allowed}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _source(text: str) -> str:
    """A text as a source of a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
