"""The files of the pages, and nothing else."""

import pytest

from tricolore.report.pages import page_file


def test_files_that_pages_share(server):
    answer = server.get("/static/style.css")
    assert answer.text == page_file("style.css")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert server.get("/static/evidence.js").headers["content-type"].startswith("text/javascript")
    assert server.get("/static/reference.css").status_code == 200


def test_a_file_that_has_not_changed_is_not_sent_again(server):
    tag = server.get("/static/style.css").headers["etag"]
    again = server.get("/static/style.css", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert server.get("/static/style.css", headers={"If-None-Match": '"x"'}).status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        "app.py",
        "__init__.py",
        "reference.html.j2",
        "macros.html.j2",
        "..%2Fapp.py",
        "../app.py",
        "%2e%2e/%2e%2e/pyproject.toml",
        "..%5capp.css",
        "%2Fetc%2Fpasswd",
        "page",
        ".css",
        "style.css%00.js",
        "missing.css",
    ],
)
def test_nothing_else_is_sent(server, name):
    answer = server.get(f"/static/{name}")
    assert answer.status_code == 404
    assert "problem" in answer.json()
