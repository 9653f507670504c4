"""One checked summary: its verdict, why it fails, and its JSON."""

import json

import pytest

from tests.api.plain_lookup import PlainLookup
from tricolore import Example, Score, Span, TricoloreError
from tricolore.api.checked import CheckCriteria, CheckedSummary
from tricolore.example import Unreadable

EXAMPLE = Example(
    source=["x", "It has 420 jobs in Cork."], summary="It has 4,200 jobs.", system="s", doc_id="d"
)


def fault(item, start=0, end=2, **more):
    return Span("summary", start, end, kind="fault", item=item, **more)


def checked(*spans, value=0.5, row=1, reasons=()):
    return CheckedSummary(row, EXAMPLE, Score(value, evidence=spans), reasons)


def criteria(fail_on="", min_support=None, min_grounding=None, strict=False, max_failures=0):
    return CheckCriteria.of(
        PlainLookup(), fail_on, min_support, min_grounding, strict, max_failures
    )


@pytest.mark.parametrize(
    ("items", "verdict"),
    [
        ([], "nothing found"),
        (["word"], "unsupported words"),
        (["word", "sentence"], "weakly supported sentence"),
        (["sentence", "name"], "unsupported items"),
        (["number"], "unsupported items"),
        (["name", "contradicted number", "word"], "contradicted"),
    ],
)
def test_the_verdict_is_the_most_serious_finding(items, verdict):
    assert checked(*map(fault, items)).verdict == verdict


def test_the_heading_says_if_the_text_is_not_english():
    score = Score(0.5, flags=("language",))
    heading = CheckedSummary(1, EXAMPLE, score, ()).heading("grounding")
    assert heading.endswith("grounding 0.500, not English (findings are unreliable)")
    assert checked().heading("grounding").endswith("grounding 0.500")


def test_spans_that_are_no_findings_are_left_alone():
    others = (
        Span("summary", 0, 2, kind="fault"),  # an alarm of ESTIME
        Span("summary", 0, 2, kind="similar", item="sentence"),
        Span("source", 0, 1, kind="fault", item="number"),
    )
    one = checked(*others)
    assert (one.items, one.verdict) == ((), "nothing found")
    assert one.sentences == others[1:2]


def test_each_sentence_once():
    """A weak one is a fault, and may be there with its support, too."""
    weak = fault("sentence", 3, 6, weight=0.2)
    first = Span("summary", 0, 2, 0.9, kind="similar", item="sentence")
    second = Span("summary", 3, 6, 0.3, kind="similar", item="sentence")
    assert checked(weak, first).sentences == (first, weak)
    assert checked(weak, second, first).sentences == (first, second)
    assert checked(weak, second, first).items == (weak,)


def test_a_row_that_could_not_be_checked():
    for example in (EXAMPLE, Unreadable("it is a number", doc_id="d")):
        one = CheckedSummary(3, example, Score.missing("the summary is empty"))
        assert one.verdict == "not checked"
        assert not one.is_listed
        assert one.heading("m").endswith("d: not checked: the summary is empty")
        assert one.to_json()["value"] is None


def test_worse_summaries_come_first():
    worst_first = [
        checked(fault("name"), fault("number"), value=0.9),
        checked(fault("contradicted number"), value=0.9),
        checked(fault("sentence"), fault("word"), value=0.2),
        checked(fault("name"), value=0.1),
        checked(fault("name"), value=0.2),
        checked(fault("word"), fault("word"), value=0.1),
        checked(value=0.3, row=4),
        checked(value=0.3, row=5),
        CheckedSummary(6, EXAMPLE, Score.missing("no")),
        CheckedSummary(7, EXAMPLE, Score.missing("no")),
    ]
    shuffled = worst_first[::3] + worst_first[1::3] + worst_first[2::3]
    assert sorted(shuffled, key=lambda one: one.badness, reverse=True) == worst_first


@pytest.mark.parametrize(
    ("fail_on", "items", "failed"),
    [
        ("number", ["contradicted number"], ("number",)),
        ("number", ["number"], ("number",)),
        ("contradicted", ["number"], ()),
        ("contradicted", ["contradicted number"], ("contradicted",)),
        ("name,word", ["word"], ("word",)),
        (["name", "word"], ["word", "name"], ("name", "word")),
        ("sentence", ["word"], ()),
        ("any", ["word"], ("any",)),
        ("any", [], ()),
        ("", ["contradicted number"], ()),
    ],
)
def test_what_a_summary_fails_on(fail_on, items, failed):
    score = Score(0.5, evidence=tuple(map(fault, items)))
    assert criteria(fail_on).reasons(score) == failed


def test_limits():
    sentences = [
        Span("summary", 0, 2, weight, kind="similar", item="sentence") for weight in (0.4, 0.8)
    ]
    score = Score(0.5, evidence=tuple(sentences))
    assert criteria(min_support=0.4).reasons(score) == ()
    assert criteria(min_support=0.41).reasons(score) == ("support 0.400 below 0.41",)
    assert criteria(min_grounding=0.5).reasons(score) == ()
    assert criteria(min_grounding=0.51).reasons(score) == ("value 0.500 below 0.51",)
    assert criteria(min_support=1, min_grounding=1).reasons(Score.missing("no")) == ()
    assert criteria(strict=True).reasons(Score.missing("no")) == ("not checked",)
    assert criteria(strict=True).reasons(score) == ()


def test_whether_anything_can_fail():
    assert not criteria().is_any
    assert not criteria(max_failures=3).is_any
    for given in ({"fail_on": "any"}, {"min_support": 0}, {"min_grounding": 0}, {"strict": True}):
        assert criteria(**given).is_any


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"fail_on": "numbers"}, "'numbers' is nothing .* did you mean 'number'"),
        ({"fail_on": "verbs"}, "there are number, contradicted, name"),
        ({"max_failures": -1}, "max_failures must be 0 or more, not -1"),
        ({"min_support": float("nan")}, "min_support must be a finite number"),
        ({"min_grounding": float("inf")}, "min_grounding must be a finite number"),
    ],
)
def test_criteria_that_make_no_sense(given, words):
    with pytest.raises(TricoloreError, match=words):
        criteria(**given)


def test_a_measure_that_does_not_look_for_it():
    class OnlyNames(PlainLookup):
        finds = ("name",)

    made = CheckCriteria.of(OnlyNames(), "name,any", None, None, False, 0)
    assert made.fail_on == ("name", "any")
    with pytest.raises(TricoloreError, match="does not look for 'number'"):
        CheckCriteria.of(OnlyNames(), "number", None, None, False, 0)


def test_the_heading_says_which_summary_it_is_and_why_it_fails():
    one = checked(fault("name"), reasons=("name", "value 0.500 below 0.6"))
    assert one.heading("grounding") == (
        "row 1 · s · d: unsupported items, grounding 0.500, fails by name, value 0.500 below 0.6"
    )


def test_json_has_the_texts_and_where_they_are():
    match = Span("source", 7, 10, document=1)
    number = fault("contradicted number", 7, 12, label="the source has “420”", match=match)
    sentence = Span("summary", 0, 18, 0.7, kind="similar", item="sentence", match=match)
    word = fault("word", 3, 6)
    plain = checked(number, sentence, word).to_json()
    source = {"text": "420", "start": 7, "end": 10, "document": 1}
    assert plain == {
        "row": 1,
        "system": "s",
        "doc_id": "d",
        "verdict": "contradicted",
        "fails": False,
        "reasons": [],
        "value": 0.5,
        "parts": {},
        "items": [
            {"item": "word", "text": "has", "start": 3, "end": 6, "label": "", "source": None},
            {
                "item": "contradicted number",
                "text": "4,200",
                "start": 7,
                "end": 12,
                "label": "the source has “420”",
                "source": source,
            },
        ],
        "sentences": [
            {"text": EXAMPLE.summary, "start": 0, "end": 18, "support": 0.7, "source": source}
        ],
        "problem": None,
        "flags": [],
        "summary": EXAMPLE.summary,
    }
    json.dumps(plain, allow_nan=False)


def test_all_keys_are_there_without_a_value():
    missing = CheckedSummary(1, Unreadable("bad"), Score.missing("bad")).to_json()
    assert missing.keys() == checked().to_json().keys()
    assert (missing["summary"], missing["problem"]) == (None, "bad")
