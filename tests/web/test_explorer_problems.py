"""What the explorer says when the server refuses, is busy or is gone, and when a file is bad."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest

from tests.browser import PHONE, Pages, scrolls_sideways, serious_problems
from tests.web.served import served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'tricolore[web]'")
sync_api = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'tricolore[dev]'"
)
expect = sync_api.expect
expect.set_options(timeout=30_000)

TOKEN = "correct-horse-battery-staple"
SOURCE, SUMMARY = "The cat sat on the mat for 3 hours.", "The cat sat for 4 hours."


@pytest.fixture(scope="module")
def address(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with tiny limits and a token; it is not started where there is no browser."""
    links = tmp_path_factory.mktemp("explorer") / "links.sqlite"
    limits = ["--max-characters", "1000", "--queue", "4", "--requests-per-client", "2"]
    limits += ["--time-limit", "300"]  # enough to load four models on a busy machine
    with served(links, "--warm", "length", *limits, token=TOKEN) as found:
        yield found


@pytest.fixture
def page(pages: Pages, address: str) -> Page:
    """The explorer of somebody who knows the token, with lexical measures chosen."""
    page = pages.open(address).page
    page.locator("#token").fill(TOKEN)
    page.get_by_role("button", name="Use the token").click()
    expect(page.locator("#measure-length")).to_be_checked()
    page.locator("#measure-grounding").uncheck()
    page.locator("#sources textarea").fill(SOURCE)
    page.locator("#summaries textarea").fill(SUMMARY)
    return page


def press_score(page: Page) -> None:
    page.get_by_role("button", name="Score", exact=True).click()


def test_a_token_is_asked_for_until_it_is_right_and_kept_in_the_tab_only(
    pages: Pages, address: str
) -> None:
    page = pages.open(address, viewport=PHONE).page
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This server needs a token.")
    expect(page.locator("#token")).to_be_focused()
    assert serious_problems(page) == []
    page.locator("#token").fill("wrong")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("The token is wrong.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_contain_text("The token is wrong.")
    assert serious_problems(page) == []
    assert not scrolls_sideways(page)
    page.get_by_role("button", name="Try again").click()
    page.locator("#token").fill(TOKEN)
    page.keyboard.press("Enter")
    expect(page.locator("#measure-length")).to_be_checked()
    expect(page.locator("#notice")).to_be_hidden()
    kept = page.evaluate("[{...sessionStorage}, {...localStorage}, document.cookie]")
    assert kept == [{"tricolore-token": TOKEN}, {}, ""]
    page.reload()
    expect(page.locator("#measure-length")).to_be_checked()


def test_a_token_is_never_in_what_is_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press_score(page)
    expect(page.locator("#status")).to_contain_text("All 3 scores are ready")
    page.get_by_role("button", name="Copy as curl").click()
    command = page.evaluate("navigator.clipboard.readText()")
    assert TOKEN not in command
    assert '-H "Authorization: Bearer $TRICOLORE_TOKEN"' in command


def test_texts_that_are_too_long(page: Page) -> None:
    page.locator("#sources textarea").fill("long " * 1000)
    press_score(page)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("1,000")
    expect(alert).to_contain_text("characters")
    assert page.locator("#sources textarea").input_value().startswith("long long")
    expect(page.locator("#results")).to_be_hidden()
    page.locator("#sources textarea").fill(SOURCE)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#status")).to_contain_text("All 3 scores are ready")
    expect(page.locator("#notice")).to_be_hidden()


def test_a_spec_that_names_no_measure(page: Page) -> None:
    page.get_by_text("Sums and other specs").click()
    page.locator("#more").fill("<b>no-such-measure</b>")
    press_score(page)
    expect(page.get_by_role("alert")).to_contain_text(
        "There is no measure '<b>no-such-measure</b>'"
    )
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#notice")).to_be_hidden()


def test_a_full_queue_counts_down_to_the_next_attempt(page: Page, address: str) -> None:
    slow = ["summaqa", "blanc-help", "estime", "supert"]  # each has to load its model first
    body = {"examples": [{"source": SOURCE, "summary": SUMMARY}], "measures": slow}
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = Request(f"{address}/v1/score", json.dumps(body).encode(), headers)
    other = Thread(target=lambda: urlopen(request).close())
    other.start()
    page.wait_for_timeout(300)
    press_score(page)
    expect(page.get_by_role("alert")).to_contain_text("The server is busy")
    again = page.locator("#notice button").first
    expect(again).to_be_disabled()
    expect(again).to_have_text(re.compile(r"Try again in \d+ s"))
    other.join()
    expect(again).to_be_enabled(timeout=60_000)
    expect(again).to_have_text("Try again")
    again.click()
    expect(page.locator("#status")).to_contain_text("All 3 scores are ready")


def test_too_many_requests_at_the_same_time(page: Page, address: str) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    head = (
        f"POST /v1/score HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    with (
        socket.create_connection((host, int(port))) as first,
        socket.create_connection((host, int(port))) as second,
    ):
        for each in (first, second):  # two requests whose bodies never come
            each.sendall(head.encode())
        page.wait_for_timeout(300)
        press_score(page)
        expect(page.get_by_role("alert")).to_contain_text("A client may have 2 requests")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#status")).to_contain_text("All 3 scores are ready")


def test_a_server_that_is_gone_and_comes_back(page: Page) -> None:
    page.context.set_offline(True)
    press_score(page)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The server does not answer.")
    expect(alert).to_contain_text("Nothing that you typed is lost.")
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#status")).to_contain_text("All 3 scores are ready")


def test_a_link_to_several_documents_opens_as_a_list(page: Page, address: str) -> None:
    examples = [{"source": text, "summary": text} for text in ("A cat.", "A dog.")]
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    body = json.dumps({"examples": examples, "measures": ["length", "avg:length+novelty"]})
    with urlopen(Request(f"{address}/v1/permalinks", body.encode(), headers)) as answer:
        path = json.load(answer)["path"]
    page.goto(address + path)
    expect(page.locator("#status")).to_contain_text("All 2 scores are ready")
    expect(page.locator("#row option")).to_have_count(2)
    expect(page.locator("#spec")).to_have_text("length,avg:length+novelty")
    page.locator("#row").select_option("1")
    expect(page.locator("#sources textarea")).to_have_value("A dog.")


def test_a_link_that_is_not_on_this_server(pages: Pages, address: str) -> None:
    page = pages.open(f"{address}/p/no-such-link").page
    page.locator("#token").fill(TOKEN)
    page.get_by_role("button", name="Use the token").click()
    expect(page.get_by_role("alert")).to_contain_text("link")
    expect(page.locator("#results")).to_be_hidden()


def given(directory: Path, name: str, content: str | bytes) -> Path:
    path = directory / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_rows_of_a_file_are_grouped_by_document_and_chosen_from_a_list(
    page: Page, tmp_path: Path
) -> None:
    rows = [
        {"doc_id": "cat", "system": "lead", "source": SOURCE, "summary": "One."},
        {"doc_id": "dog", "system": "lead", "article": "A dog.", "summary": "Two."},
        {"doc_id": "cat", "system": "llm", "source": SOURCE, "summary": "Three."},
    ]
    lines = [*map(json.dumps, rows), "no json", '{"summary": 3}']
    page.locator("#file").set_input_files(given(tmp_path, "rows.jsonl", "\n".join(lines)))
    note = page.locator("#file-note")
    expect(note).to_contain_text("rows.jsonl: 2 documents, 3 summaries. Line 4 is not JSON.")
    summaries = page.locator("#summaries textarea")
    assert [area.input_value() for area in summaries.all()] == ["One.", "Three."]
    expect(page.locator("#summaries label").last).to_have_text("Summary B llm")
    page.locator("#row").select_option("1")
    assert [area.input_value() for area in summaries.all()] == ["Two."]
    assert page.locator("#sources textarea").input_value() == "A dog."


def test_csv_with_quotes_and_line_ends(page: Page, tmp_path: Path) -> None:
    text = 'document;summary;reference\r\n"A ""b"";\nc";"d, e";f\r\n'
    page.locator("#file").set_input_files(given(tmp_path, "rows.csv", text))
    expect(page.locator("#file-note")).to_contain_text("1 document, 1 summary.")
    assert page.locator("#sources textarea").input_value() == 'A "b";\nc'
    assert page.locator("#summaries textarea").input_value() == "d, e"
    assert page.locator("#references textarea").input_value() == "f"


def test_a_text_file_goes_where_it_is_dropped(page: Page) -> None:
    drop = (
        "([area, name, text]) => { const data = new DataTransfer();"
        " data.items.add(new File([text], name)); area.dispatchEvent(new DragEvent('drop',"
        " { dataTransfer: data, bubbles: true, cancelable: true })); }"
    )
    area = page.locator("#summaries textarea").element_handle()
    page.evaluate(drop, [area, "a.txt", "Dropped."])
    expect(page.locator("#summaries textarea")).to_have_value("Dropped.")
    expect(page.locator("#sources textarea")).to_have_value(SOURCE)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("big.jsonl", b"x" * 20_000_001, "has 20 MB. The explorer reads files up to 20 MB"),
        ("latin.csv", "summary\ncaf\xe9".encode("latin-1"), "is not text in UTF-8"),
        ("rows.xlsx", b"PK", "is not a kind of file that is read here"),
        ("empty.jsonl", b'{"source": "a"}', "has no row with a summary. Row 1 has no summary."),
    ],
)
def test_files_that_cannot_be_read_say_why(
    page: Page, tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    page.locator("#file").set_input_files(given(tmp_path, name, content))
    expect(page.locator("#file-note")).to_contain_text(f"{name} {words}")
    expect(page.locator("#sources textarea")).to_have_value(SOURCE)
