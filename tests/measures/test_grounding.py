"""Grounding: the definition, what lowers the value, evidence, odd texts, and the bundled cases."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore import Example, Score, get_measure
from tricolore.measures.grounding import Grounding, sentence_support
from tricolore.measures.novelty import Novelty
from tricolore.models.model import shared
from tricolore.models.sentence_encoder import SentenceEncoder

SOURCE = (
    "The Northfield Water Authority will replace 62 kilometres of pipe after a burst main left 420 "
    "households without water. Helen Astbury, the chief engineer, said that the pipe was laid in "
    "1898. Schools closed for a day. The weather had been cold since Sunday. Councillor Dev "
    "Marlowe, who voted against, asked the authority to use its reserves."
)
FILE = Path(__file__).parents[2] / "examples" / "faithfulness.jsonl"
CASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def one(summary: str, source: Any = SOURCE, *, evidence: bool = False, **chosen: Any) -> Score:
    example = Example(source=source, summary=summary)
    [score] = Grounding(**chosen).score([example], evidence=evidence)
    return score


def faults(summary: str, source: Any = SOURCE, **chosen: Any) -> list[tuple[str, str, str]]:
    """Item, words and label of all faults below the sentence."""
    score = one(summary, source, evidence=True, **chosen)
    assert score.problem is None
    return [
        (span.item, summary[span.start : span.end], span.label)
        for span in score.evidence
        if span.kind == "fault" and span.item != "sentence"
    ]


WORDS = st.sampled_from("the old bridge will close on Monday said Anna in Rome 420 jobs .".split())
TEXTS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3))
def test_support_is_what_the_definition_gives(pairs):
    examples = [Example(source=source, summary=summary) for source, summary in pairs]
    encoder = shared(SentenceEncoder)
    for score, (source, summary) in zip(Grounding().score(examples), pairs, strict=True):
        expected = sentence_support(encoder, summary, source)
        assert score.parts["support"] == pytest.approx(sum(expected) / len(expected), abs=1e-5)
        assert score.parts["lowest_support"] == pytest.approx(min(expected), abs=1e-5)


def test_company_changes_nothing():
    summaries = [case["summary"] for case in CASES[:7]]
    examples = [Example(source=CASES[0]["source"], summary=text) for text in summaries]
    together = Grounding().score(examples, evidence=True)
    alone = [Grounding().score([e], evidence=True)[0] for e in reversed(examples)][::-1]
    for one_score, other in zip(together, alone, strict=True):
        assert one_score.value == pytest.approx(other.value, abs=1e-5)
        assert [s.label for s in one_score.evidence] == [s.label for s in other.evidence]


def test_a_copy_is_fully_supported():
    score = one(SOURCE)
    assert score.value == pytest.approx(1, abs=1e-5)
    assert score.value <= 1
    assert score.parts["unsupported_words"] == score.parts["unsupported_names"] == 0
    assert score.parts["novel_trigrams"] == 0


def test_a_wrong_number_halves_the_support_of_its_sentence():
    right = one("A burst main left 420 households dry. The pipe was laid in 1898.")
    wrong = one("A burst main left 4,200 households dry. The pipe was laid in 1898.")
    assert right.parts["unsupported_numbers"] == 0
    assert wrong.parts["unsupported_numbers"] == wrong.parts["contradicted_numbers"] == 1
    # Two sentences with supports s and t: (s + t) / 2 and (s / 2 + t) / 2.
    assert right.value == pytest.approx(right.parts["support"])
    first = 2 * (wrong.parts["support"] - wrong.value) * 2
    alone = one("A burst main left 4,200 households dry.")
    assert alone.value == pytest.approx(alone.parts["support"] / 2)
    assert first == pytest.approx(alone.parts["support"], abs=1e-5)


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        (
            "A burst main left 4,200 households without water.",
            ("contradicted number", "4,200", "the source has “420”"),
        ),
        ("The work cost £8 million.", ("number", "£8 million", "not in the source")),
        (
            "Helen Marlowe said that the pipe was laid in 1898.",
            ("name", "Helen Marlowe", "not in the source; nearest: “Helen Astbury”"),
        ),
        (
            "The chief engineer, Dev Marlowe, said that the pipe was laid in 1898.",
            ("name", "Dev Marlowe", "the source has “Helen Astbury” here"),
        ),
        ("The Water Authority sold a zebra.", ("word", "zebra", "not in the source")),
    ],
)
def test_what_the_source_lacks_is_marked(summary, expected):
    assert faults(summary)[-1] == expected


def test_what_the_source_has_is_not_marked():
    assert faults("The chief engineer, Astbury, spoke of sixty-two km of pipe for the NWA.") == []


def test_names_in_the_wrong_place_are_only_tested_if_asked_for():
    summary = "The chief engineer, Dev Marlowe, said that the pipe was laid in 1898."
    assert one(summary).parts["unsupported_names"] == 1
    assert one(summary, swaps=False).parts["unsupported_names"] == 0


def test_every_sentence_has_its_passage():
    summary = "The pipe was laid in 1898. Bananas are yellow."
    score = one(summary, evidence=True)
    first, second = (span for span in score.evidence if span.item == "sentence")
    assert (first.kind, second.kind) == ("similar", "fault")
    assert first.match is not None
    passage = SOURCE[first.match.start : first.match.end]
    assert passage.startswith("Helen Astbury")
    assert passage.endswith("1898.")
    assert second.label == "hardly supported by the source"
    assert second.weight == pytest.approx(score.parts["lowest_support"], abs=1e-4)
    assert first.weight > 0.6 > 0.3 > second.weight
    # What counts as weak is a setting.
    assert [s.kind for s in one(summary, evidence=True, weak=0.0).evidence][:1] == ["similar"]


def test_the_passage_may_be_in_any_document():
    score = one("The pipe was laid in 1898.", ["Bananas are yellow.", SOURCE], evidence=True)
    [span] = [span for span in score.evidence if span.item == "sentence"]
    assert span.match is not None
    assert span.match.document == 1
    [fault] = faults("A burst main left 4,200 households dry.", ["Bananas are yellow.", SOURCE])
    assert fault == ("contradicted number", "4,200", "the source has “420”")


def test_novel_trigrams_are_those_of_novelty():
    summary = "A burst main left many households without any water."
    [novelty] = Novelty(n=3).score([Example(source=SOURCE, summary=summary)])
    assert one(summary).parts["novel_trigrams"] == novelty.value


def test_odd_texts():
    assert one("\u200b\u200b").problem == "the summary has no word that the model can read"
    assert one("Yes.", "\u200b").problem == "the source has no word that the model can read"
    assert one("").problem == "the summary is empty"
    assert one("!!! 123 ???").problem is None
    assert one(SOURCE, "Water.").value < 0.7  # a summary longer than its source
    short = one("No.")
    assert short.problem is None
    assert short.parts["novel_trigrams"] != short.parts["novel_trigrams"]
    greek = one("Η γέφυρα έκλεισε.", "Η παλιά γέφυρα θα κλείσει τη Δευτέρα.")
    assert "language" in greek.flags


def test_long_texts_are_cut_by_sentence_and_say_so():
    long = "The water in the old town is cold and " * 400
    assert one(long, SOURCE).flags == ("truncated",)
    assert one("Water.", long).flags == ("truncated",)
    pages = " ".join(f"The council met on day {n} and spoke about water." for n in range(2000))
    score = one("The council spoke about water on day 1,999.", pages)
    assert score.flags == ()
    assert score.parts["unsupported_numbers"] == 0


@pytest.mark.parametrize(
    ("settings_", "words"), [({"weak": 2.0}, "weak"), ({"max_tokens": 2}, "3")]
)
def test_settings_that_make_no_sense(settings_, words):
    with pytest.raises(ValueError, match=words):
        Grounding(**settings_)


def test_the_signature_names_wordnet():
    signature = get_measure("grounding").signature()
    assert signature["wordnet"]
    assert signature["weights"]


@pytest.mark.parametrize(("half", "swapped_found"), [("seen", 3), ("kept", 1)])
def test_the_bundled_cases(half, swapped_found):
    """Wrong numbers and invented names are found, and few names and numbers are marked wrongly.

    Names that the source has in another place (5 in each half) are counted apart: most of them
    are not found. Failures print counts only: the half `kept` should stay unread.
    """
    found: Counter[str] = Counter()
    planted: Counter[str] = Counter()
    alarms = 0
    values: dict[str, dict[str, float]] = {}
    cases = [case for case in CASES if case["half"] == half]
    examples = [Example(source=case["source"], summary=case["summary"]) for case in cases]
    for case, score in zip(cases, Grounding().score(examples, evidence=True), strict=True):
        values.setdefault(case["doc_id"], {})[case["kind"]] = score.value
        marked = {
            (span.start, span.end)
            for span in score.evidence
            if span.kind == "fault" and span.item in ("number", "contradicted number", "name")
        }
        for error in case["errors"]:
            if error["type"] in ("number", "name"):
                kind = "swapped" if case["detail_kind"] == "swapped" else "other"
                planted[kind] += 1
                found[kind] += (error["start"], error["end"]) in marked
        if case["kind"] == "faithful":
            alarms += len(marked)
    assert planted == {"other": 22, "swapped": 5}
    assert found["other"] >= 0.9 * 22
    assert found["swapped"] >= swapped_found
    assert alarms <= 8  # the faithful summaries of a half have more than 80 names and numbers
    assert all(kinds["faithful"] > kinds["off-topic"] for kinds in values.values())
