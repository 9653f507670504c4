"""The browser that pages are tested with: what it watches, and what it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import PHONE, Pages, scrolls_sideways, serious_problems

PAGE = "<!doctype html><html lang=en><title>A page</title><main><h1>Hi</h1>{}</main>"


def write(directory: Path, body: str) -> str:
    path = directory / "page.html"
    path.write_text(PAGE.format(body), encoding="utf-8")
    return path.as_uri()


def test_a_sound_page_has_no_problem(pages: Pages, tmp_path: Path) -> None:
    watch = pages.open(write(tmp_path, "<p>Text.</p>"), viewport=PHONE)
    assert (watch.errors, watch.requests) == ([], [])
    assert serious_problems(watch.page) == []
    assert not scrolls_sideways(watch.page)


@pytest.mark.parametrize(
    "body",
    ["<script>throw Error('no')</script>", "<script>console.error('no')</script>"],
)
def test_errors_of_scripts_are_seen(pages: Pages, tmp_path: Path, body: str) -> None:
    assert "no" in pages.open(write(tmp_path, body)).errors[0]
    assert pages.open(write(tmp_path, body), javascript=False).errors == []


def test_requests_are_seen(pages: Pages, tmp_path: Path) -> None:
    watch = pages.open(write(tmp_path, "<img alt='' src='http://127.0.0.1:9/a.png'>"))
    assert watch.requests == ["http://127.0.0.1:9/a.png"]


def test_barriers_are_seen(pages: Pages, tmp_path: Path) -> None:
    [found] = serious_problems(pages.open(write(tmp_path, "<button></button>")).page)
    assert found.startswith("button-name")


def test_wide_pages_are_seen(pages: Pages, tmp_path: Path) -> None:
    watch = pages.open(write(tmp_path, "<p style='width: 400px'>Wide.</p>"), viewport=PHONE)
    assert scrolls_sideways(watch.page)
