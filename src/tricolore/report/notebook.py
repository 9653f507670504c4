"""The evidence for scores in a notebook: summaries with the same marks as in a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tricolore.errors import WriteError
from tricolore.report.pages import page_file, templates
from tricolore.report.painting import Painting

MOST_SHOWN = 3
"""Summaries that a notebook shows below a table."""


@dataclass(frozen=True)
class NotebookExample:
    """A summary with its marks, under a title."""

    title: str
    text: str
    painting: Painting


def evidence_html(examples: Sequence[NotebookExample]) -> str:
    """Summaries with their marks as HTML; all text in it is escaped.

    >>> evidence_html([])
    ''
    """
    if not examples:
        return ""
    try:
        page = templates().get_template("notebook.html.j2")
    except WriteError as error:  # a notebook still shows the numbers
        return f"<p>The evidence is not shown: {escape(str(error))}</p>"
    from markupsafe import Markup

    return page.render(examples=examples, style=Markup(page_file("notebook.css")))
