"""The evidence in a notebook."""

from __future__ import annotations

import sys

import pytest

from tricolore import check, evaluate
from tricolore.report.notebook import NotebookExample, evidence_html
from tricolore.report.pages import templates
from tricolore.report.painting import Painting

ROWS = [
    {"source": "A cat sat on a mat.", "summary": "A <b>cat</b> slept.", "system": "<i>"},
    {"source": "The vote was 9 to 4.", "summary": "The vote was 9 to 7.", "system": "b"},
]


def test_an_evaluation_with_evidence_shows_the_worst_summaries() -> None:
    page = evaluate(ROWS, "coverage", evidence=True)._repr_html_()
    assert "<table>" in page
    assert '<mark class="copied' in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "<i>" not in page
    assert page.index("slept") < page.index("9 to")  # the worst first
    assert "<mark" not in evaluate(ROWS, "coverage")._repr_html_()


def test_a_check_shows_its_findings() -> None:
    page = check(ROWS)._repr_html_()
    assert '<mark class="fault' in page
    assert "contradicted" in page or "number" in page
    assert "<b>" not in page


def test_without_jinja_a_notebook_still_has_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    templates.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    page = evaluate(ROWS, "coverage", evidence=True)._repr_html_()
    assert "<table>" in page
    assert "tricolore[report]" in page


def test_lines_below_a_text() -> None:
    painting = Painting("m", lines=("what <is> wrong",))
    page = evidence_html([NotebookExample("title", "text", painting)])
    assert "<li>what &lt;is&gt; wrong</li>" in page
