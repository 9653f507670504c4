"""The explorer in a real browser, against a real server with real measures."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import DESKTOP, PHONE, Pages, PageWatch, scrolls_sideways, serious_problems
from tests.web.served import served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'tricolore[web]'")
sync_api = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'tricolore[dev]'"
)
expect = sync_api.expect
expect.set_options(timeout=30_000)

SOURCE = (
    "The council of Harrow Island voted on Tuesday to buy two electric ferries. They will cost "
    "31 million crowns, said the transport officer, Maren Lund. "
    + "The old boats have linked the island to the mainland for many years. " * 40
    + "Each new ferry can carry 180 passengers and 24 cars."
)
WRONG = "Harrow Island will buy two electric ferries. Each can carry 810 passengers."
RIGHT = "Harrow Island will buy two electric ferries. Each can carry 180 passengers and 24 cars."
LEXICAL = ("importance", "novelty", "length")
HOSTILE = (
    "<script>document.title='hacked'</script> \"it's\" \x1b[31mred\x1b[0m \u202eesrever\u202c "
    "</script><img src=x onerror=\"document.title='hacked'\"> =HYPERLINK(1) $(touch x) 😀 "
    "They will cost 99 million crowns."
)


@pytest.fixture(scope="module")
def address(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with time for a busy machine; it is not started where there is no browser."""
    links = tmp_path_factory.mktemp("explorer") / "links.sqlite"
    with served(links, "--warm", "grounding", "--time-limit", "300") as found:
        yield found


@pytest.fixture
def opened(pages: Pages, address: str) -> Iterator[Any]:
    """Opens the explorer; at the end, no page has complained or asked anybody else."""
    watches: list[PageWatch] = []

    def open_explorer(path: str = "/", **options: Any) -> Page:
        watch = pages.open(address + path, **options)
        watches.append(watch)
        if options.get("javascript", True):
            expect(watch.page.locator("#measure-grounding")).to_be_attached()
        return watch.page

    yield open_explorer
    for watch in watches:
        assert watch.errors == []  # violations of the CSP are errors of the console
        assert [url for url in watch.requests if not url.startswith(address)] == []
        assert watch.page.title() != "hacked"


def choose(page: Page, *names: str) -> None:
    """Choose these measures and no others."""
    checked = page.locator(".choice > input:checked")
    while checked.count():
        checked.first.uncheck()
    for name in names:
        box = page.locator(f"#measure-{name}")
        if not box.is_visible():
            page.locator("#catalogue > details", has=box).locator("> summary").click()
        box.check()


def fill(page: Page, source: str, *summaries: str) -> None:
    page.locator("#sources textarea").fill(source)
    while page.locator("#summaries textarea").count() < len(summaries):
        page.get_by_role("button", name="Add a summary").click()
    for at, summary in enumerate(summaries):
        page.locator("#summaries textarea").nth(at).fill(summary)


def score(page: Page) -> None:
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#status")).to_contain_text("scores are ready, after", timeout=300_000)


def card(page: Page, label: str) -> Any:
    return page.locator(".score", has=page.locator(f".label:text-is('{label}')"))


def value(page: Page, label: str) -> float:
    return float(card(page, label).locator(".value").inner_text())


def test_a_wrong_number_is_marked_explained_and_led_to_its_match(opened: Any) -> None:
    page = opened()
    fill(page, SOURCE, WRONG)
    choose(page, "grounding")
    score(page)
    assert 0 < value(page, "grounding") < 1
    expect(card(page, "grounding")).to_contain_text("higher is better, from 0 to 1")
    expect(card(page, "grounding")).to_have_attribute("aria-pressed", "true")
    mark = page.locator(".text mark.fault", has_text="810")
    source = page.get_by_role("group", name="Source")
    assert source.evaluate("text => text.scrollTop") == 0
    mark.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("the source has “180")
    mark.click()
    there = source.locator("mark.is-target")
    expect(there).to_have_text("180 ")
    expect(there).to_be_in_viewport()
    assert source.evaluate("text => text.scrollTop") > 100


def test_the_example_shows_a_number_a_name_and_an_invented_sentence(opened: Any) -> None:
    page = opened()
    expect(page.locator("#welcome")).to_be_visible()
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#status")).to_contain_text("All 8 scores are ready, after")
    expect(page.locator("#welcome")).to_be_hidden()
    lines = page.locator(".lines")
    expect(lines).to_contain_text("number “14.8 million crowns”: the source has “18.4")
    expect(lines).to_contain_text("name “Tomas Brandt”: the source has “Halloran” here")
    expect(lines).to_contain_text("name “Lisbon”: not in the source")
    page.get_by_role("tab", name="Summary B").click()
    expect(page.locator(".lines")).to_be_empty()
    assert value(page, "grounding") > 0.7
    expect(page.locator(".score")).to_have_count(4)


def test_measures_are_chosen_with_settings_and_each_paints_its_evidence(opened: Any) -> None:
    page = opened()
    fill(page, SOURCE, WRONG)
    page.get_by_text("References", exact=False).first.click()
    page.get_by_role("button", name="Add a reference").click()
    page.locator("#references textarea").fill("Two electric ferries carry 180 passengers each.")
    page.get_by_label("Filter measures").fill("n-grams sentence no such word")
    expect(page.locator(".choice:visible")).to_have_count(0)
    page.get_by_label("Filter measures").fill("rouge-1")
    expect(page.locator(".choice:visible")).to_have_count(1)
    page.get_by_label("Filter measures").fill("")
    choose(page, "rouge-1", "estime", "blanc-help")
    settings = page.locator(".choice", has=page.locator("#measure-rouge-1")).locator(".settings")
    settings.locator("summary").click()
    page.locator("#measure-rouge-1-stem").check()
    page.locator("#measure-rouge-1-value").select_option("recall")
    specs = page.locator("#spec").inner_text()
    assert sorted(specs.split(",")) == ["blanc-help", "estime", "rouge-1:stem=true", "value=recall"]
    score(page)
    assert 0 < value(page, "rouge-1:stem=true,value=recall") < 1
    summary = page.get_by_role("group", name="Summary A")
    card(page, "rouge-1:stem=true,value=recall").click()
    expect(summary.locator("mark.match", has_text="ferries")).to_be_visible()
    expect(page.get_by_role("group", name="Reference").locator("mark.match").first).to_be_visible()
    card(page, "estime").click()
    summary.locator("mark.fault", has_text="passengers").hover()
    expect(page.get_by_role("tooltip")).to_contain_text("the source has “cars”")
    expect(page.get_by_role("group", name="Reference")).to_be_hidden()
    card(page, "blanc-help").click()
    expect(page.locator(".legend")).to_contain_text("guess")
    expect(page.get_by_role("group", name="Source").locator("mark.helped").first).to_be_attached()


def test_presets_and_sums_become_specs_and_wrong_ones_are_explained(opened: Any) -> None:
    page = opened()
    choose(page, "rouge-1")
    page.locator(".choice", has=page.locator("#measure-rouge-1")).locator(
        ".settings > summary"
    ).click()
    page.locator("#measure-rouge-1-preset").select_option("released")
    expect(page.locator("#spec")).to_have_text("rouge-1:preset=released")
    expect(page.locator("#measure-rouge-1-references")).to_have_value("pooled")
    page.get_by_role("button", name="Reset").locator("visible=true").click()
    expect(page.locator("#spec")).to_have_text("rouge-1")
    choose(page)
    expect(page.locator("#spec")).to_have_text("no measure is chosen")
    page.get_by_text("Sums and other specs").click()
    page.locator("#more").fill("avg:importance-novelty")
    fill(page, SOURCE, RIGHT)
    score(page)
    expect(card(page, "avg:importance-novelty")).to_be_visible()


def test_a_source_of_several_documents_is_painted_document_by_document(opened: Any) -> None:
    page = opened()
    page.get_by_role("button", name="Add a source document").click()
    for at, text in enumerate(["It rained on Skye.", "The ferry to Skye was late on Monday."]):
        page.locator("#sources textarea").nth(at).fill(text)
    page.locator("#summaries textarea").fill("The ferry was late.")
    choose(page, "coverage")
    score(page)
    page.get_by_role("group", name="Summary A").locator("mark", has_text="ferry").click()
    second = page.get_by_role("group", name="Source 2")
    expect(second.locator("mark.is-target")).to_have_text("The ferry")
    expect(page.get_by_role("group", name="Source 1").locator(".is-target")).to_have_count(0)


def test_two_summaries_are_compared_without_a_claim_of_significance(opened: Any) -> None:
    page = opened()
    fill(page, SOURCE, WRONG, RIGHT)
    choose(page, "grounding", *LEXICAL)
    score(page)
    page.get_by_role("tab", name="Compare").click()
    row = page.get_by_role("row", name="grounding")
    expect(row.get_by_role("cell").last).to_contain_text("B by 0.")
    expect(row.locator(".is-better")).to_have_count(1)
    expect(page.get_by_role("row", name="length").locator(".is-better")).to_have_count(0)
    expect(page.locator("#view")).to_contain_text("not that one system is better than the other")
    source = page.get_by_role("group", name="Source")
    page.get_by_role("group", name="Summary B").hover()
    expect(page.locator("#view")).to_contain_text("Marks on the source belong to summary B")
    expect(source.locator("mark.fault")).to_have_count(0)
    page.get_by_role("group", name="Summary A").locator("mark", has_text="810").click()
    expect(source.locator("mark.is-target", has_text="180")).to_be_in_viewport()


def test_damage_is_shown_and_every_measure_says_how_it_reacts(opened: Any) -> None:
    page = opened()
    fill(page, SOURCE, RIGHT)
    choose(page, "grounding", "length")
    score(page)
    page.get_by_role("tab", name="Damage").click()
    page.get_by_label("Kind of damage").select_option("negation-swap")
    expect(page.locator("#damage-help")).to_contain_text('Adds a "not" after a verb')
    page.get_by_label("Kind of damage").select_option("number-swap")
    page.locator("#damage-errors").fill("1")
    page.locator("#damage-seed").fill("3")
    page.get_by_role("button", name="Damage and score").click()
    expect(page.locator("#status")).to_contain_text("of 1 measures of quality find it worse")
    changed = page.locator("mark.changed")
    expect(changed).to_have_count(2)  # in the original and in the damaged summary
    before, after = changed.all_inner_texts()
    assert before in RIGHT
    assert before != after
    expect(page.locator("#view")).to_contain_text(f"1 change: “{before}” → “{after}”")
    changed.last.hover()
    expect(page.get_by_role("tooltip")).to_contain_text(f"This was “{before}”")
    expect(page.get_by_role("row", name="grounding")).to_contain_text("finds it")
    expect(page.get_by_role("row", name="length")).not_to_contain_text("finds it")
    text = page.get_by_role("group", name="Damaged summary").first.inner_text()
    page.get_by_role("button", name="Damage and score").click()
    expect(page.locator("#status")).to_contain_text("of 1 measures of quality find it worse")
    assert page.get_by_role("group", name="Damaged summary").first.inner_text() == text  # same seed


def test_a_saved_link_opens_again_with_texts_measures_and_scores(opened: Any) -> None:
    page = opened()
    fill(page, SOURCE, WRONG, RIGHT)
    choose(page, "novelty", "length")
    page.locator(".choice", has=page.locator("#measure-novelty")).locator(
        ".settings > summary"
    ).click()
    page.locator("#measure-novelty-n").fill("1")
    score(page)
    page.get_by_role("button", name="Save a link").click()
    link = page.locator("#saved a")
    expect(link).to_be_visible()
    path = link.get_attribute("href")
    values = page.locator(".score .value").all_inner_texts()
    again = opened(path)
    expect(again.locator("#status")).to_contain_text("All 4 scores are ready, after")
    assert again.locator(".score .value").all_inner_texts() == values
    assert again.locator("#summaries textarea").nth(1).input_value() == RIGHT
    expect(again.locator("#spec")).to_have_text("novelty:n=1,length")
    expect(again.locator("#measure-novelty")).to_be_checked()


def test_scores_can_be_taken_away(opened: Any, tmp_path: Path) -> None:
    page = opened()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    fill(page, HOSTILE + SOURCE, HOSTILE)
    choose(page, "length")
    score(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="JSON").click()
    told = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert told["request"]["examples"][0]["summary"] == HOSTILE
    words = told["results"][0]["scores"]["length"]["value"]
    assert words == value(page, "length")
    page.get_by_role("button", name="Copy as curl").click()
    command = page.evaluate("navigator.clipboard.readText()")
    assert not {"\x1b", "\u202e"} & set(command)  # what a terminal would obey
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, cwd=tmp_path)
    assert json.loads(done.stdout)["results"][0]["scores"]["length"]["value"] == words
    assert list(tmp_path.iterdir()) == []  # nothing in the text was run


def test_the_report_is_downloaded(opened: Any) -> None:
    page = opened()
    fill(page, HOSTILE + SOURCE, HOSTILE)
    choose(page, "length")
    score(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Report").click()
    report = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert waiting.value.suggested_filename == "report.html"
    assert report.lower().startswith("<!doctype html>")
    assert "99 million crowns" in report
    assert "<script>document.title" not in report


def test_work_is_cancelled_and_what_has_arrived_stays(opened: Any) -> None:
    page = opened()
    fill(page, SOURCE, *[f"{RIGHT} {'again ' * n}" for n in range(1, 13)])
    choose(page, "length", "blanc-help")
    page.get_by_role("button", name="Score", exact=True).click()
    expect(card(page, "length").locator(".value")).not_to_have_text("…")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#status")).to_contain_text("Cancelled")
    expect(page.get_by_role("button", name="Cancel")).to_be_disabled()
    assert value(page, "length") > 10
    expect(card(page, "blanc-help").locator(".value")).to_have_text("–")
    fill(page, SOURCE, RIGHT)
    choose(page, "length")
    score(page)


def test_what_is_missing_is_said_at_the_field(opened: Any) -> None:
    page = opened()
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#status")).to_have_text("Paste a source first.")
    expect(page.locator("#sources textarea")).to_be_focused()
    expect(page.locator("#sources textarea")).to_have_attribute("aria-invalid", "true")
    page.locator("#sources textarea").fill("A text.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#status")).to_have_text("Paste a summary first.")
    page.locator("#summaries textarea").fill("A text.")
    choose(page)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#status")).to_have_text("Choose a measure first.")


def test_without_a_mouse(opened: Any) -> None:
    page = opened()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the scores")).to_be_focused()
    page.locator("#example").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("All 8 scores are ready, after")
    page.locator("#copy-spec").focus()
    stops = []
    for _ in range(20):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.id || document.activeElement.className"))
        if page.evaluate("document.activeElement.tagName") == "MARK":
            break
    assert stops[:2] == ["score", "tab-0"]  # Cancel is off
    expect(page.get_by_role("tooltip")).to_be_visible()
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    while "14.8" not in page.evaluate("document.activeElement.textContent"):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("mark.is-target")).to_have_text("18.4 million crowns")
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_be_hidden()
    page.locator("#tab-0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Compare")).to_be_focused()
    expect(page.get_by_role("table")).to_be_visible()


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")],
)
def test_every_state_fits_the_screen_and_is_accessible(
    opened: Any, viewport: Any, scheme: str
) -> None:
    page = opened(viewport=viewport, scheme=scheme, touch=viewport is PHONE)

    def check(state: str) -> None:
        assert serious_problems(page) == [], state
        assert not scrolls_sideways(page), state

    check("empty")
    page.locator("#example").click()
    expect(page.locator("#status")).to_contain_text("All 8 scores are ready, after")
    page.locator(".settings > summary").first.click()
    check("scored")
    if viewport is PHONE:
        mark = page.locator(".text mark.fault").first
        mark.scroll_into_view_if_needed()
        page.wait_for_timeout(300)  # scrolling hides explanations
        mark.tap()
        expect(page.get_by_role("tooltip")).to_be_visible()
        expect(page.get_by_role("tooltip")).to_contain_text("the source has “18.4")
        mark.tap()
        expect(page.locator("mark.is-target")).to_be_in_viewport()
    page.get_by_role("tab", name="Compare").click()
    check("compared")
    page.get_by_role("tab", name="Damage").click()
    page.get_by_role("button", name="Damage and score").click()
    expect(page.locator("#status")).to_contain_text("find it worse")
    check("damaged")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(20, 23, 28)" if scheme == "dark" else "rgb(255, 255, 255)")


def test_nothing_moves_while_scores_arrive(opened: Any) -> None:
    page = opened()
    page.evaluate(
        "() => { window.moved = []; new PerformanceObserver((list) => window.moved.push(...list"
        ".getEntries().map((e) => e.value))).observe({ type: 'layout-shift', buffered: false }); }"
    )
    page.locator("#example").click()
    expect(page.locator("#status")).to_contain_text("All 8 scores are ready, after")
    page.get_by_role("tab", name="Summary B").click()
    page.wait_for_timeout(200)
    assert sum(page.evaluate("window.moved")) < 0.1  # what browsers call good


def test_without_javascript_the_page_says_how_to_ask(opened: Any) -> None:
    page = opened(javascript=False)
    expect(page.get_by_text("The explorer needs JavaScript.")).to_be_visible()
    expect(page.get_by_text("curl -sS")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    assert not scrolls_sideways(page)


def test_hostile_text_is_shown_as_text_everywhere(opened: Any, tmp_path: Path) -> None:
    page = opened()
    rows = [
        {
            "doc_id": HOSTILE,
            "system": "\u202e" + HOSTILE,
            "source": HOSTILE + "x" * 200_000,
            "summary": text,
        }
        for text in (HOSTILE, HOSTILE.replace("99", "77"))
    ]
    rows.append({"doc_id": "2", "source": "A cat.", "summary": "A cat."})
    path = tmp_path / "<img src=x onerror=alert(1)>.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    page.locator("#file").set_input_files(path)
    expect(page.locator("#file-note")).to_contain_text(
        "<img src=x onerror=alert(1)>.jsonl: 2 documents"
    )
    expect(page.locator("#row option").first).to_contain_text("<script>")
    choose(page, "grounding", "importance", "novelty")
    score(page)
    shown = page.get_by_role("group", name="Summary A").inner_text()
    assert shown.startswith(
        "<script>document.title='hacked'</script> \"it's\" ␛[31mred␛[0m �esrever�"
    )
    assert "</script><img" in shown
    page.locator(".text mark").first.hover()
    for view in ("Compare", "Damage"):
        page.get_by_role("tab", name=view).click()
    page.get_by_role("button", name="Damage and score").click()
    expect(page.locator("#status")).to_contain_text("find it worse")
    assert page.locator("main script, main img, main style").count() == 0
    assert "\u202e" not in page.locator("main").inner_text()
    assert not scrolls_sideways(page)
