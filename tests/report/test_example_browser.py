"""The examples of a report: their data, and the page in a real browser."""

from __future__ import annotations

import json
import random

import pytest
from markupsafe import Markup

from tests.browser import PHONE, scrolls_sideways, serious_problems
from tricolore import Example, Score, Span
from tricolore.report.example_browser import (
    JudgedRow,
    browser_page_data,
    preferred_measure,
    static_examples,
)
from tricolore.report.pages import json_in_html, page_file, painted_pieces, templates
from tricolore.report.painting import painted

SOURCE = (
    "The council voted on Tuesday. The boats will cost 31 million crowns.\n" + "Filler. " * 400
) + "Nine members voted for it and four against it."
DIRECTIONS = {"grounding": "higher", "estime": "lower", "length": "neither"}
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Examples</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>{{ css }}</style></head>
<body><main><h1>Examples</h1>{% include "report_examples.html.j2" %}</main>
<script>{{ js }}</script></body></html>"""


def row(number, document, system, summary, grounding, estime, spans=(), problem=None):
    score = Score(grounding, evidence=spans) if problem is None else Score.missing(problem)
    alarm = Span("summary", 0, min(3, len(summary)), kind="fault", match=Span("source", 0, 3))
    return JudgedRow(
        number,
        Example(source=SOURCE, summary=summary, doc_id=document, system=system),
        {
            "grounding": score,
            "estime": Score(estime, evidence=(alarm,)),
            "length": Score(float(len(summary.split()))),
        },
    )


LATE = len(SOURCE) - len("Nine members voted for it and four against it.")
NINE = Span(
    "summary", 12, 16, kind="fault", item="number", match=Span("source", LATE, LATE + 4), label=""
)
NAME = Span("summary", 4, 11, kind="fault", item="name", label="not in the source")
ROWS = [
    row(1, "one", "a", "The vote is nine to four.", 0.4, 3.0, (NINE,)),
    row(2, "one", "b", "The council voted on Tuesday.", 1.0, 0.0),
    row(3, "two", "a", "The Bergers will cost it.", 0.6, 9.0, (NAME,)),
    row(4, "two", "b", "The boats will cost more.", 0.7, 2.0),
    row(5, "three", "a", "", 0.0, 2.0, problem="the summary is empty"),
]


def page(tmp_path, rows=ROWS, directions=DIRECTIONS):
    data = browser_page_data(rows, directions)
    shown = static_examples(rows, directions)
    css = Markup(page_file("style.css") + page_file("browser.css"))
    js = Markup(page_file("evidence.js") + page_file("browser.js"))
    made = templates().from_string(PAGE)
    path = tmp_path / "page.html"
    path.write_text(
        made.render(css=css, js=js, browser=data, static_examples=shown), encoding="utf-8"
    )
    return path.as_uri()


def names(page_):
    return [each.split("\n")[0] for each in page_.locator(".browser-list button").all_inner_texts()]


# Data


def test_texts_are_stored_once_and_marks_are_nine_numbers():
    data = browser_page_data(ROWS, DIRECTIONS)
    assert data["texts"].count(SOURCE) == 1
    assert [document["id"] for document in data["documents"]] == ["one", "two", "three"]
    first = data["rows"][0]
    assert first["values"] == [0.4, 3.0, 6.0]
    # The mark of the summary and its match in the source, nine numbers each.
    assert len(first["paintings"][0]["marks"]) == 18
    assert first["paintings"][0]["marks"][:4] == [0, 0, 12, 16]
    assert first["paintings"][2] == 0
    assert [data["items"][item] for item in first["found"]] == ["number"]
    assert data["words"][data["rows"][4]["problems"][0]] == "the summary is empty"
    assert data["rows"][4]["values"][0] is None
    json.loads(json_in_html(data))


def test_the_preferred_measure_is_grounding_or_has_evidence():
    assert preferred_measure(ROWS, DIRECTIONS) == 0
    assert preferred_measure(ROWS, {"length": "neither", "estime": "lower"}) == 1
    assert preferred_measure(ROWS, {"length": "neither"}) == 0


def test_static_examples_are_the_worst_ones():
    shown = static_examples(ROWS, DIRECTIONS, most=2)
    assert [each.heading for each in shown] == ["one · a", "two · a"]
    assert static_examples([], DIRECTIONS) == []
    lower = static_examples(ROWS, {"estime": "lower"}, most=1)
    assert lower[0].row.number == 3


# In a browser


def test_the_worst_summary_comes_first_and_its_findings_are_painted(tmp_path, pages):
    watch = pages.open(page(tmp_path))
    shown = watch.page
    assert names(shown) == ["one · a", "two · a", "two · b", "one · b", "three · a"]
    assert shown.locator("#static-examples").is_hidden()
    mark = shown.locator(".text mark.fault").first
    assert mark.inner_text() == "nine"
    mark.hover()
    assert "Number: the source has “Nine”" in shown.get_by_role("tooltip").inner_text()
    assert watch.errors == []
    assert watch.requests == []


def test_a_click_scrolls_the_source_to_the_match(tmp_path, pages):
    shown = pages.open(page(tmp_path)).page
    source = shown.locator(".text").nth(1)
    assert source.evaluate("e => e.scrollTop") == 0
    shown.locator(".text mark.fault").first.click()
    assert source.evaluate("e => e.scrollTop") > 100
    target = shown.locator("mark.is-target")
    assert target.inner_text() == "Nine"
    assert target.evaluate(
        "e => [e, e.closest('.text')].map((each) => each.getBoundingClientRect())"
        ".reduce((mark, text) => mark.top >= text.top && mark.bottom <= text.bottom)"
    )
    assert target.evaluate("e => e === document.activeElement")


def test_a_finger_reads_first_and_follows_with_a_second_tap(tmp_path, pages):
    shown = pages.open(page(tmp_path), viewport=PHONE, touch=True).page
    mark = shown.locator(".text mark.fault").first
    mark.tap()
    assert shown.get_by_role("tooltip").is_visible()
    assert shown.locator("mark.is-target").count() == 0
    mark.tap()
    assert shown.locator("mark.is-target").inner_text() == "Nine"


def test_orders_and_filters(tmp_path, pages):
    shown = pages.open(page(tmp_path)).page
    shown.get_by_label("Order").select_option("best")
    assert names(shown)[0] == "one · b"
    shown.get_by_label("By", exact=True).select_option("1")  # ESTIME: lower is better
    assert names(shown)[0] == "one · b"
    shown.get_by_label("Order").select_option("worst")
    assert names(shown)[0] == "two · a"
    # Grounding spans 0.6 on document one and 0.1 on document two.
    shown.get_by_label("By", exact=True).select_option("0")
    shown.get_by_label("Order").select_option("differ")
    assert names(shown)[:2] == ["one · a", "one · b"]
    # Ranks from 0 to 1: grounding 0, 1, 1/3, 2/3; ESTIME (lower is better, ties at 2) of rows 1
    # to 4: 1/4, 1, 0, 5/8. The largest difference is that of row 3: 1/3.
    shown.get_by_label("Order").select_option("disagree")
    assert names(shown)[0] == "two · a"
    shown.get_by_label("Order").select_option("input")
    shown.get_by_label("System").select_option("1")
    assert names(shown) == ["one · b", "two · b"]
    shown.get_by_label("System").select_option("-1")
    shown.get_by_label("Show").select_option("name")
    assert names(shown) == ["two · a"]
    shown.get_by_label("Show").select_option("no value")
    assert names(shown) == ["three · a"]
    assert "the summary is empty" in shown.locator(".notice").inner_text()
    shown.get_by_label("Show").select_option("")
    shown.get_by_label("Search").fill("boats")
    assert names(shown) == ["two · b"]
    shown.get_by_label("Search").fill("nothing has this")
    assert "No summary fits" in shown.locator(".browser-example").inner_text()


def test_the_address_names_the_example_and_the_measure(tmp_path, pages):
    address = page(tmp_path)
    shown = pages.open(address + "#example-3/estime").page
    assert shown.locator(".browser-example h3").inner_text().startswith("two · a")
    assert shown.locator(".values [aria-pressed=true]").inner_text().startswith("estime")
    shown.get_by_role("button", name="Next").click()
    assert shown.evaluate("location.hash").startswith("#example-4/")


def test_the_keyboard_goes_from_mark_to_mark_and_to_the_match(tmp_path, pages):
    both = (NAME, NINE)
    shown = pages.open(page(tmp_path, [row(1, "d", "a", "The Bergers nine.", 0.1, 1.0, both)])).page
    stops = shown.locator(".text mark[tabindex='0']")
    assert stops.count() == 2  # one for each text
    stops.first.focus()
    assert "Name: not in the source" in shown.get_by_role("tooltip").inner_text()
    shown.keyboard.press("ArrowRight")
    assert shown.evaluate("document.activeElement.innerText") == "nine"
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.innerText") == "Nine"
    shown.keyboard.press("Escape")
    assert shown.get_by_role("tooltip").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_problem_for_people_with_disabilities(tmp_path, pages, scheme):
    watch = pages.open(page(tmp_path), scheme=scheme)
    assert serious_problems(watch.page) == []


def test_a_phone_does_not_scroll_sideways(tmp_path, pages):
    long = row(1, "d" * 300, "s" * 300, "w" * 5000, 0.1, 1.0)
    assert not scrolls_sideways(pages.open(page(tmp_path, [*ROWS, long]), viewport=PHONE).page)


def test_without_javascript_the_worst_examples_are_there(tmp_path, pages):
    shown = pages.open(page(tmp_path), javascript=False).page
    assert shown.locator("#static-examples article").count() == 4
    mark = shown.locator("#static-examples .text mark.fault").first
    assert (mark.inner_text(), mark.get_attribute("title")) == (
        "nine",
        "number: the source has “Nine”",
    )


HOSTILE = [
    "<script>document.title='bad'</script>",
    '"><img src=x onerror="document.title=\'bad\'">',
    "</script><script>document.title='bad'</script>",
    "\x1b[31mred\x07 \u202eevil\u2066 =1+1 {{7*7}} <!-- ]]>",
    "𝕏 👩‍👩‍👧 e\u0301 \ufeff\x00",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_text(tmp_path, pages, text):
    whole = Span("summary", 0, len(text), kind="fault", item="name", label=text)
    made = JudgedRow(
        1,
        Example(source=text, summary=text, doc_id=text, system=text),
        {text: Score(0.5, evidence=(whole,), flags=(text,)), "other": Score.missing(text)},
    )
    watch = pages.open(page(tmp_path, [made], {text: "higher", "other": "lower"}))
    assert watch.page.title() == "Examples"
    assert watch.page.locator("img").count() == 0
    assert watch.errors == []
    shown = watch.page.locator(".text").first.evaluate("e => e.textContent")
    assert shown == "".join(piece.words for piece in painted_pieces(text, None))


def test_the_script_paints_what_python_paints(tmp_path, pages):
    dice = random.Random(0)
    cases, expected = [], []
    for _ in range(30):
        text = "".join(dice.choice("ab 𝕏é\n") for _ in range(40)) + "a"
        places = [sorted(dice.sample(range(len(text) + 1), 2)) for _ in range(6)]
        spans = tuple(
            Span("summary", *place, dice.random(), kind=dice.choice(["match", "fault", "copied"]))
            for place in places
        )
        made = painted(Example(source="a", summary=text), "x", Score(0.5, evidence=spans))
        cases.append([text, made.to_json()["marks"]])
        expected.append(
            [
                [piece.words, f"{piece.mark.kind} shade-{piece.mark.shade}" if piece.mark else ""]
                for piece in painted_pieces(text, made)
            ]
        )
    drawn = pages.open(page(tmp_path)).page.evaluate(
        """(cases) => cases.map(([text, marks]) => {
            const element = document.createElement('p');
            tricolore.paint(element, text, marks);
            return [...element.childNodes].map((node) => [node.textContent, node.className || '']);
        })""",
        cases,
    )
    assert drawn == expected
