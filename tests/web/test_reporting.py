"""The report of a request."""

from __future__ import annotations

import pytest
from conftest import FERRY

ROWS = [
    {**FERRY, "system": "a", "doc_id": "1"},
    {**FERRY, "summary": "A ferry </script><b>sank</b>.", "system": "b", "doc_id": "1"},
]


@pytest.mark.slow
def test_a_request_gives_the_page_of_the_report(server):
    answer = server.post("/v1/report", {"examples": ROWS, "measures": ["coverage", "length"]})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "attachment" in answer.headers["content-disposition"]
    page = answer.text
    assert page.startswith("<!doctype html>")
    assert "2 summaries of 1 document by 2 systems" in page
    # The evidence is there though it was not asked for, and text is never markup.
    assert '"kinds"' in page
    assert "<b>sank" not in page


def test_a_report_of_nothing_is_refused(server):
    answer = server.post("/v1/report", {"examples": [], "measures": ["coverage"]})
    assert answer.status_code == 422
