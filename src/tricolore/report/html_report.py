"""The HTML report: one file without any request, whose scripts and styles are named by hash."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tricolore.measure import Direction
from tricolore.report.charts import Chart
from tricolore.report.example_rows import ReportExamples
from tricolore.report.pages import page_file, templates
from tricolore.report.result_table import ResultTable
from tricolore.report.sections import ReportSection

_STYLES = ("style.css", "report.css")
_SCRIPTS = ("evidence.js",)


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
    facts: Sequence[tuple[str, str]]
    """What was judged, by name: the file, the systems, the date."""
    answers: Sequence[str]
    warnings: Sequence[str]
    systems: ResultTable | None
    systems_chart: Chart | None
    sections: Sequence[ReportSection]
    examples: ReportExamples
    measures: Sequence[MeasureNotes]
    settings: Sequence[tuple[str, str]]
    """Versions and settings, by name."""


def report_html(content: ReportContent) -> str:
    """The report as one HTML page that needs no network."""
    from markupsafe import Markup

    style = "\n".join(map(page_file, _STYLES))
    scripts = [page_file(name) for name in _SCRIPTS]
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src {_source(style)}",
            f"script-src {' '.join(map(_source, scripts))}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    page = templates().get_template("report.html.j2")
    return page.render(
        report=content,
        policy=policy,
        # Files of this package, which must be in the page exactly as they are hashed.
        style=Markup(style),
        scripts=[Markup(script) for script in scripts],
        safe=Markup,
    )


def _source(text: str) -> str:
    """A text as a source of a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
