"""The HTML report in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser import DESKTOP, PHONE, Pages, scrolls_sideways, serious_problems
from tests.conftest import REPO
from tricolore import evaluate, report

pytestmark = pytest.mark.slow

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\x1b[31m\u202e"
LONG = "a-system-with-a-very-long-name-without-any-space-" * 4


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def judged(directory: Path) -> str:
    """The report on the examples of the repository."""
    path = directory / "judged.html"
    scores = evaluate(
        REPO / "examples" / "judged.jsonl",
        "rouge,chrf,coverage,grounding,length",
        evidence=True,
    )
    report(scores, output=path)
    return path.as_uri()


@pytest.fixture(scope="module")
def hostile(directory: Path) -> str:
    """Names that try to be something else than text, long names, and long lines."""
    rows = [
        {
            "source": f"The cat {d} sat. {HOSTILE} " + "x" * 20_000,
            "summary": f"The cat {d} ran {s}. {HOSTILE}",
            "system": [HOSTILE, LONG][s],
            "doc_id": f"{LONG}{d}",
            "human": {HOSTILE: d % 3 + s},
        }
        for d in range(6)
        for s in range(2)
    ]
    scores = directory / "hostile.jsonl"
    evaluate(rows, "coverage,length,novelty", output=scores, evidence=True)
    lines = [json.loads(line) for line in scores.read_text().splitlines()]
    scores.write_text("".join(json.dumps(row | {HOSTILE: row["length"]}) + "\n" for row in lines))
    for meta in directory.glob("hostile.jsonl.*"):
        meta.unlink()
    path = directory / "hostile.html"
    report(scores, rows, output=path, title=HOSTILE)
    return path.as_uri()


@pytest.fixture(scope="module")
def bare(directory: Path) -> str:
    """Scores of another tool: no texts, no human scores, one system, a value that is missing."""
    scores, path = directory / "bare.csv", directory / "bare.html"
    scores.write_text("doc_id,ours\n1,0.5\n2,\n3,0.7\n")
    report(scores, output=path)
    return path.as_uri()


@pytest.fixture
def address(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


EVERY = pytest.mark.parametrize("address", ["judged", "hostile", "bare"], indirect=True)


def open_all(page: Any) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")


@EVERY
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_page_is_sound_everywhere(pages: Pages, address: str, scheme: str, viewport: Any) -> None:
    watch = pages.open(address, scheme=scheme, viewport=viewport)
    open_all(watch.page)
    assert (watch.errors, watch.requests) == ([], [])
    assert not scrolls_sideways(watch.page)
    assert serious_problems(watch.page) == []


@EVERY
def test_without_scripts_all_is_there(pages: Pages, address: str) -> None:
    watch = pages.open(address, javascript=False)
    words = watch.page.locator("body").inner_text()
    for title in ("The answer", "Systems", "Distributions", "Examples", "How to read this"):
        assert title in words
    assert (watch.errors, watch.requests) == ([], [])
    assert not scrolls_sideways(watch.page)


def test_the_first_screen_has_the_answer_and_the_systems(pages: Pages, judged: str) -> None:
    page = pages.open(judged).page
    height = page.viewport_size["height"]
    table = page.locator("#systems table").first
    assert "2 of 12 summaries contain numbers" in page.locator(".answers").inner_text()
    assert table.bounding_box()["y"] + 100 < height
    assert table.locator("tbody tr").count() == 3
    assert "[0.294, 0.452]" in table.inner_text()


def test_charts_have_text_alternatives_and_follow_the_colour_scheme(
    pages: Pages, judged: str
) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        page = pages.open(judged, scheme=scheme).page
        drawings = page.locator("figure.chart svg")
        assert drawings.count() == 7 + 7 + 3  # means, distributions, human scores
        for at in range(drawings.count()):
            assert drawings.nth(at).get_attribute("role") == "img"
            assert len(drawings.nth(at).get_attribute("aria-label")) > 20
        label = page.locator("figure.chart svg text").first
        colours[scheme] = label.evaluate("each => getComputedStyle(each).fill")
        tables = page.locator("figure.chart details table")
        assert tables.count() == page.locator("figure.chart").count() == 3
    assert colours["light"] != colours["dark"]


def test_drawings_fit_a_phone(pages: Pages, judged: str) -> None:
    page = pages.open(judged, viewport=PHONE).page
    for drawing in page.locator("figure.chart svg").all():
        box = drawing.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["width"] > 300  # letters are not smaller than they should be


def test_sections_are_reached_by_keyboard(pages: Pages, judged: str) -> None:
    page = pages.open(judged).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the answer"
    page.keyboard.press("Enter")
    assert page.url.endswith("#answer")
    page.get_by_role("link", name="Agreement with people").focus()
    page.keyboard.press("Enter")
    top = page.locator("#people h2").bounding_box()["y"]
    assert 0 < top < 300  # below the links, which stay at the top
    # A wide table can be scrolled by keyboard.
    frame = page.locator("#systems .table-frame").first
    assert frame.get_attribute("tabindex") == "0"


def test_examples_show_their_evidence(pages: Pages, judged: str) -> None:
    page = pages.open(judged).page
    assert page.locator(".browser-list button").count() == 12
    mark = page.locator(".browser-example .text mark.fault").first
    mark.hover()
    assert "the source has" in page.locator(".explanation").inner_text()


def test_names_are_text(pages: Pages, hostile: str) -> None:
    watch = pages.open(hostile)
    open_all(watch.page)
    assert watch.errors == []  # nothing was loaded or run
    assert "<img src=x onerror=alert(1)>" in watch.page.locator("h1").inner_text()
    assert watch.page.locator("img").count() == 0
    assert "<img" in watch.page.locator("#systems tbody").first.inner_text()


def test_a_report_prints(pages: Pages, judged: str, tmp_path: Path) -> None:
    page = pages.open(judged).page
    made = page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert made.startswith(b"%PDF")
    assert made.count(b"/Type /Page") > 3
    page.emulate_media(media="print")
    assert not page.locator("nav.contents").is_visible()
    frame = page.locator("#systems .table-frame").first
    assert frame.evaluate("each => getComputedStyle(each).overflowX") == "visible"
    page.emulate_media(media="print", color_scheme="dark")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"


def test_what_is_missing_is_said(pages: Pages, bare: str) -> None:
    words = pages.open(bare).page.locator("main").inner_text()
    assert "Without a value: ours in 1 of 3 rows." in words
    assert "make the report with the examples" in words
