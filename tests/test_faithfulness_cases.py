"""The cases in examples/faithfulness.jsonl are complete, and their errors are marked exactly.

Failures name the article and the kind of summary only: the half `kept` should stay unread.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Case = dict[str, Any]

KINDS = ("faithful", "number", "name", "negation", "detail", "off-topic", "lead")
FILE = Path(__file__).parents[1] / "examples" / "faithfulness.jsonl"
CASES: list[Case] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def of_kind(*kinds: str) -> list[Case]:
    return [case for case in CASES if case["kind"] in kinds]


def failures(cases: list[Case], holds: Callable[[Case], bool]) -> list[tuple[str, str]]:
    """Article and kind of the cases for which something does not hold."""
    assert cases
    return [(case["doc_id"], case["kind"]) for case in cases if not holds(case)]


def error_types(case: Case) -> list[str]:
    return [error["type"] for error in case["errors"]]


def test_fields() -> None:
    fields = ["doc_id", "half", "kind", "detail_kind", "source", "summary", "errors"]
    assert failures(CASES, lambda case: list(case) == fields) == []
    fields = ["start", "end", "text", "type", "source_has"]
    assert failures(CASES, lambda case: all(list(e) == fields for e in case["errors"])) == []


def test_every_article_has_all_kinds_and_is_in_one_half() -> None:
    halves = ["seen"] * 10 + ["kept"] * 10
    assert [(case["doc_id"], case["half"], case["kind"]) for case in CASES] == [
        (f"a{number:02}", half, kind) for number, half in enumerate(halves, 1) for kind in KINDS
    ]


def test_no_text_occurs_twice() -> None:
    sources = {case["doc_id"]: case["source"] for case in CASES}
    assert failures(CASES, lambda case: case["source"] == sources[case["doc_id"]]) == []
    texts = Counter([*sources.values(), *(case["summary"] for case in CASES)])
    assert failures(CASES, lambda case: texts[case["source"]] == texts[case["summary"]] == 1) == []


def test_lengths() -> None:
    assert failures(CASES, lambda case: 120 <= len(case["source"].split()) <= 260) == []
    assert failures(CASES, lambda case: 20 <= len(case["summary"].split()) <= 60) == []


def test_offsets() -> None:
    def exact(case: Case) -> bool:
        spans = [(error["start"], error["end"]) for error in case["errors"]]
        texts = [case["summary"][start:end] for start, end in spans]
        return (
            texts == [error["text"] for error in case["errors"]]
            and all(text and text == text.strip() for text in texts)
            and all(before[1] <= after[0] for before, after in pairwise(spans))
        )

    assert failures(CASES, exact) == []


def test_errors_are_where_they_should_be() -> None:
    right = of_kind("faithful", "off-topic", "lead")
    assert failures(right, lambda case: case["errors"] == []) == []
    wrong = of_kind("number", "name", "negation")
    assert failures(wrong, lambda case: error_types(case) == [case["kind"]]) == []

    def one_detail(case: Case) -> bool:
        words_alone = case["detail_kind"] == "words"
        return error_types(case) == ["words"] + [case["detail_kind"]] * (not words_alone)

    assert failures(of_kind("detail"), one_detail) == []


@pytest.mark.parametrize("half", ["seen", "kept"])
def test_both_halves_have_the_same_mixture(half: str) -> None:
    mixture = Counter(
        (case["kind"], case["detail_kind"])
        for case in CASES
        if case["half"] == half and case["detail_kind"] is not None
    )
    assert mixture == {
        ("name", "swapped"): 5,
        ("name", "invented"): 5,
        ("detail", "name"): 4,
        ("detail", "number"): 3,
        ("detail", "words"): 3,
    }


def test_the_source_lacks_what_is_wrong_or_invented() -> None:
    def lacks(case: Case) -> bool:
        swapped = case["detail_kind"] == "swapped"
        return all((error["text"] in case["source"]) == swapped for error in case["errors"])

    assert failures(of_kind("number", "name", "detail"), lacks) == []


def test_the_source_has_what_should_stand_there_instead() -> None:
    def right(case: Case) -> bool:
        [error] = case["errors"]
        return error["source_has"] in case["source"] and error["source_has"] != error["text"]

    assert failures(of_kind("number", "name", "negation"), right) == []
    invented = of_kind("detail")
    assert failures(invented, lambda c: all(e["source_has"] is None for e in c["errors"])) == []


def test_a_lead_is_the_beginning_of_its_source() -> None:
    def whole_sentences(case: Case) -> bool:
        source, lead = case["source"], case["summary"]
        return source.startswith(lead) and lead[-1] == "." and source[len(lead)].isspace()

    assert failures(of_kind("lead"), whole_sentences) == []


def test_off_topic_texts_share_no_figures_with_the_source() -> None:
    def disjoint(case: Case) -> bool:
        summary, source = (
            set(re.findall(r"\d[\d.,:]*", case[key])) for key in ("summary", "source")
        )
        return not summary & source

    assert failures(of_kind("off-topic"), disjoint) == []
