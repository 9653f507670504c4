"""`tricolore.report`: from scores to one HTML page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import tricolore
from tricolore import agreement, check, compare, evaluate, report
from tricolore.data.score_table import ScoreTable
from tricolore.errors import TricoloreError, WriteError

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&{{ 7*7 }}\x1b[31m\u202e"
VOID = {"meta", "br", "link", "img", "input", "hr"}


class Structure(HTMLParser):
    """The elements of a page: their tags, and whether all are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.ids: list[str] = []
        self.words = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        self.ids += [value for name, value in attributes if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" not in self.open and "style" not in self.open:
            self.words += data


def checked(page: str) -> Structure:
    """The structure of a sound page: closed elements, one id each, nothing that could run."""
    found = Structure(page)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert "style" not in {name for name, _ in found.attributes}
    assert not {"img", "iframe", "link", "object", "embed", "form"} & set(found.tags)
    assert not [value for name, value in found.attributes if name in ("src", "srcset")]
    assert found.tags.count("script") == 3  # two of ours, and the data
    return found


def rows(systems=("a", "b"), documents=8, human=True):
    return [
        {
            "source": f"The cat {d} sat on the mat and the dog ran {d} miles home.",
            "summary": f"The cat {d} {'sat on the mat' if at % 2 else 'ate a hat'} with {at}.",
            "references": [f"The cat {d} sat on the mat."],
            "system": system,
            "doc_id": f"d{d}",
            **({"human": {"quality": at % 2 + d / 10}} if human else {}),
        }
        for d in range(documents)
        for at, system in enumerate(systems)
    ]


@pytest.fixture(scope="module")
def page():
    return report(evaluate(rows(), "rouge-1,coverage,length", evidence=True)).html


def test_a_report_has_all_sections(page):
    found = checked(page)
    sections = "answer systems distributions measures people correlates examples reading"
    assert [each for each in found.ids if each in sections.split()] == sections.split()
    for anchor in re.findall(r'href="#([\w-]+)"', page):
        assert anchor in found.ids
    assert "16 summaries of 8 documents by 2 systems, judged by 3 measures." in found.words
    assert f"tricolore {tricolore.__version__}" in found.words
    assert "b is better than a by rouge-1, by" in found.words
    assert "Measures that agree best with people" in found.words


def test_the_policy_allows_only_what_is_in_the_page(page):
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert "default-src &#39;none&#39;" in policy
    assert "unsafe" not in policy
    assert policy.count("sha256-") == 3


def test_what_is_said_and_shown_is_what_compare_and_agreement_say(page):
    evaluation = evaluate(rows(), "rouge-1,coverage,length")
    assert compare(evaluation).answer in Structure(page).words
    entries = [e for e in agreement(evaluation).entries if e.level == "summary"]
    best = max((e for e in entries if e.statistic == "spearman"), key=lambda e: e.agreement.value)
    assert f"{best.measure} with quality, {best.agreement.value:.3f}" in Structure(page).words
    for line in evaluation.systems.rows:
        assert f"[{line[1].low:.3f}, {line[1].high:.3f}]" in page


def test_a_report_is_written_whole(tmp_path, page):
    path = tmp_path / "report.html"
    made = report(evaluate(rows(), "coverage", evidence=True), output=path, title="Our <title>")
    assert path.read_text(encoding="utf-8") == made.html
    assert "<title>Our &lt;title&gt;</title>" in made.html
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
    made.save(tmp_path / "other.html")
    assert (tmp_path / "other.html").read_text(encoding="utf-8") == made.html


def test_no_input_is_replaced(tmp_path):
    scores = tmp_path / "scores.jsonl"
    evaluate(rows(), "coverage", output=scores)
    before = scores.read_bytes()
    with pytest.raises(WriteError, match="is the input"):
        report(scores, output=scores)
    assert scores.read_bytes() == before
    with pytest.raises(WriteError, match="not to standard output"):
        report(scores, output="-")
    with pytest.raises(WriteError):
        report(scores, output=tmp_path)


def test_hostile_names_and_texts_are_text(tmp_path):
    data = rows(systems=(HOSTILE, "b"))
    for row in data:
        row["doc_id"] += HOSTILE
        row["summary"] += HOSTILE
        row["human"] = {HOSTILE: row["human"]["quality"]}
    scores = tmp_path / "scores.jsonl"
    evaluate(data, "coverage,length", output=scores, evidence=True)
    lines = [json.loads(line) for line in scores.read_text().splitlines()]
    for line in lines:
        line[HOSTILE] = line["length"]  # the column of another tool
    scores.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "scores.jsonl.meta.json").unlink(missing_ok=True)
    for found in (report(scores, data, title=HOSTILE), report(scores, title=HOSTILE)):
        structure = checked(found.html)
        assert "<img src=x onerror=alert(1)>" in structure.words  # as text
        assert "{{ 7*7 }}" in structure.words
        assert "\x1b" not in found.html
        assert "\u202e" not in found.html


@pytest.mark.parametrize(
    "table",
    [
        ScoreTable.of(["1"], [""], {"chrf": [0.5]}),
        ScoreTable.of(["1"], ["a"], {"chrf": [np.nan]}),
        ScoreTable.of(["1", "1"], ["a", "b"], {"chrf": [np.nan] * 2, "nli": [np.nan] * 2}),
        ScoreTable.of(["1", "2"], ["a", "b"], {"chrf": [1, 2]}),  # no common document
        ScoreTable.of(["1", "1"], ["a", "b"], {"chrf": [1, 1]}, {"q": [np.nan, np.nan]}),
        ScoreTable.of(["1", "1"], ["a", "b"], {"chrf": [1, np.nan]}, {"q": [1, 2]}),
        ScoreTable.of(["1", "1"], ["a", "b"], {"x.y": [1, 2], "z[0]": [np.nan, 0]}),
        ScoreTable.of(["1", "2"], ["a", "a"], {"chrf": [1, 2]}, is_empty=[True, True]),
    ],
)
def test_odd_tables_have_a_report(table):
    structure = checked(report(table).html)
    assert "nan" not in re.findall(r"\w+", structure.words)


def test_systems_that_share_no_document_are_not_compared():
    table = ScoreTable.of(["1", "2"], ["a", "b"], {"chrf": [1, 2]})
    words = Structure(report(table).html).words
    assert "The systems are not compared: the table: a, b share no document" in words


def test_missing_values_are_said():
    table = ScoreTable.of(["1", "1"], ["a", "b"], {"chrf": [1, np.nan], "nli": [1, 2]})
    words = Structure(report(table).html).words
    assert "Without a value: chrf in 1 of 2 rows." in words
    assert "1 missing" in words
    apart = ScoreTable.of(["1", "2"], ["a", "b"], {"chrf": [1, 2]})  # no row lacks a value
    assert "Without a value" not in Structure(report(apart).html).words


def test_forty_systems_have_a_report():
    systems = [f"system {n}" for n in range(40)]
    data = rows(systems, documents=3)
    found = report(evaluate(data, "coverage")).html
    structure = checked(found)
    for name in systems:
        assert structure.words.count(name) >= 3  # in the table and in two charts
    assert "Every pair of systems" not in structure.words  # 780 of them


def test_a_file_of_another_tool(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("doc_id,system,ours\n1,a,0.5\n1,b,0.6\n2,a,0.1\n2,b,0.2\n")
    words = Structure(report(path).html).words
    assert "is not known to this installation" in words
    assert "neither length nor a measure of copying" in words


def test_results_of_other_use_cases():
    evaluation = evaluate(rows(), "rouge-1,coverage,length")
    compared = report(compare(evaluation, measures="rouge-1", alpha=0.001, resamples=99)).html
    assert "significant below 0.001" in compared
    assert "chrf" not in compared
    agreed = report(agreement(evaluation, measures="rouge-1", level="document")).html
    assert "document level" in Structure(agreed).words
    found = report(check(rows(human=False))).html
    assert "Not checked: negations" in Structure(found).words


def test_partial_correlations_need_length_and_copying(page):
    assert "partial correlation: what is left without length and coverage" in page
    table = ScoreTable.of(["1", "1"], ["a", "b"], {"chrf": [1, 2]}, {"q": [1, 2]})
    assert "partial correlation" not in report(table).html


def test_length_and_copying_are_computed_from_the_texts():
    words = Structure(report(evaluate(rows(), "rouge-1")).html).words
    assert "length and coverage: computed from the texts for this page." in words
    words = Structure(report(evaluate(rows(), "rouge-1,novelty")).html).words
    assert "length: computed from the texts for this page." in words


def test_examples_beyond_the_limit_are_sampled():
    evaluation = evaluate(rows(), "coverage", evidence=True)
    found = report(evaluation, most_examples=4)
    assert "4 of 16 summaries are shown here" in Structure(found.html).words
    [data] = re.findall(r'id="examples-data">(.*?)</script>', found.html)
    assert len(json.loads(data)["rows"]) == 4
    other = report(evaluation, most_examples=4, seed=1)
    assert re.findall(r'id="examples-data">(.*?)</script>', other.html) != [data]


def test_measures_are_explained(page):
    words = Structure(page).words
    assert "The share of the summary's words that also occur in the source." in words
    assert "It follows copying more than quality." in words
    assert "Word order and meaning" in words
    assert "revision" in words  # of the signatures


def test_without_jinja_the_error_names_the_extra(monkeypatch):
    import sys

    from tricolore.report.pages import templates

    templates.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(TricoloreError, match=r"tricolore\[report\]"):
        report(evaluate(rows(), "coverage"))
