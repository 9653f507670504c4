"""What is chosen to be shown of the evidence."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example, Score, Span, get_measure
from tricolore.report.highlights import highlights, whole_words


def chosen(example, *spans):
    return highlights(example, "m", Score(1.0, evidence=spans))


def test_pieces_of_words_are_widened_and_joined():
    #                  0123456789012345678901234567
    example = Example(source="at the headquarters. Unions", summary="the hq")
    spans = [
        Span("source", 12, 15, 0.3, "missing", kind="missing"),  # dqu
        Span("source", 13, 16, 0.2, "missing", kind="missing"),  # qua
        Span("source", 19, 22, 0.1, "missing", kind="missing"),  # ". U"
    ]
    found = chosen(example, *spans)
    assert [(found.words(m), m.weight) for m in found.unmatched] == [
        ("headquarters", 0.3),
        (". Unions", 0.1),
    ]
    assert found.caption == "words of the source that the summary lacks"


def test_the_same_piece_in_other_words_is_no_other_word():
    example = Example(source="worth 55 m to unionists", summary="worth 55m to unions")
    matched = Span("summary", 6, 9, 1.0, "matched", match=Span("source", 6, 10), kind="match")
    piece = Span("summary", 13, 16, 1.0, "matched", match=Span("source", 14, 17), kind="match")
    found = chosen(example, matched, piece)
    assert [found.words(mark) for mark in found.marks] == ["55m", "unions"]
    assert found.pairs == ()


def test_both_sides_are_marked():
    example = Example(source=["x", "nine to four"], summary="nine men", references="ten")
    alarm = Span(
        "summary", 0, 4, 0.5, "alarm", match=Span("source", 8, 12, document=1), kind="fault"
    )
    near = Span("summary", 5, 8, 0.4, match=Span("reference", 0, 3), kind="match")
    found = chosen(example, alarm, near)
    [there] = found.source_marks
    assert (there.document, found.words(there), there.kind) == (1, "four", "fault")
    assert found.words(there.match) == "nine"
    assert [found.words(mark) for mark in found.reference_marks] == ["ten"]
    assert [(pair.here, pair.there) for pair in found.pairs] == [("nine", "four"), ("men", "ten")]
    assert found.pairs_caption == "where the source has another word; matched with other words"
    assert found.unmatched == ()


def test_the_weakest_of_many_matches_are_chosen():
    example = Example(source=" ".join("abcdefghijklmnop"), summary=" ".join("abcdefghijklmnop"))
    spans = [
        Span("summary", 2 * n, 2 * n + 1, n / 15, match=Span("source", 30, 31), kind="similar")
        for n in range(16)
    ]
    found = chosen(example, *spans)
    assert [mark.weight for mark in found.marks] == [n / 15 for n in range(10)]
    assert len(found.pairs) == 5
    assert found.pairs_caption == "the weakest matches"


def test_a_word_in_pieces_is_shown_once_with_its_weakest_match():
    example = Example(source="cat dog", summary="catdog x")
    pieces = [
        Span("summary", 0, 3, 0.9, match=Span("source", 0, 3), kind="similar"),
        Span("summary", 3, 6, 0.4, match=Span("source", 0, 3), kind="similar"),
    ]
    [mark] = chosen(example, *pieces).marks
    assert (mark.start, mark.end, mark.weight) == (0, 6, 0.4)


def test_kinds_are_not_joined_with_others():
    example = Example(source="a", summary="one two")
    spans = [Span("summary", 0, 7, kind="copied"), Span("summary", 4, 7, kind="fault")]
    assert len(chosen(example, *spans).marks) == 2


def test_nothing_to_show():
    found = chosen(Example(source="a", summary="b"))
    assert (found.marks, found.pairs, found.caption) == ((), (), "")


def test_importance_shows_whole_words(summeval_examples):
    example = summeval_examples[0]
    [score] = get_measure("importance:corpus=background").score([example], evidence=True)
    found = highlights(example, "importance", score)
    assert found.unmatched
    for mark in (*found.marks, *found.source_marks):
        text = found.text_of(mark)
        assert whole_words(text, mark.start, mark.end) == (mark.start, mark.end)
    assert found.pairs == ()


@pytest.mark.parametrize("join", ["", " "])
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8))
def test_joined_marks_do_not_overlap(join, places):
    text = join.join("abcdefghijklmnopqrstuvwxyzabcdef")[:31].ljust(31, "x")
    spans = [Span("summary", min(p), max(p) + 1, kind="novel") for p in places]
    marks = sorted(chosen(Example(source="a", summary=text), *spans).marks, key=lambda m: m.start)
    for one, other in pairwise(marks):
        assert one.end <= other.start
    covered = {at for p in places for at in range(min(p), max(p) + 1) if not text[at].isspace()}
    assert covered <= {at for mark in marks for at in range(mark.start, mark.end)}


NEWS = Example(
    source="It has 420 jobs in Cork. The mayor was glad.",
    summary="It has 4,200 jobs in Bergen. It is wet.",
)
#            0123456789012345678901234567890123456789
NUMBER = Span(
    "summary",
    7,
    12,
    label="the source has “420”",
    match=Span("source", 7, 10),
    kind="fault",
    item="contradicted number",
)
NAME = Span("summary", 21, 27, 3.0, kind="fault", item="name")
FIRST = Span("summary", 0, 28, 0.8, match=Span("source", 0, 24), kind="similar", item="sentence")
SECOND = Span("summary", 29, 39, 0.2, match=Span("source", 25, 44), kind="similar", item="sentence")
WEAK = Span("summary", 29, 39, match=Span("source", 25, 44), kind="fault", item="sentence")


def test_whole_sentences_are_not_painted():
    found = chosen(NEWS, FIRST, SECOND, WEAK, NAME, NUMBER)
    assert [found.words(mark) for mark in found.marks] == ["Bergen", "4,200"]
    assert [found.words(mark) for mark in found.sentences] == [
        "It has 4,200 jobs in Bergen.",
        "It is wet.",
    ]
    assert found.caption == "what the source does not support"
    assert chosen(NEWS, FIRST, SECOND).marks == ()
    assert [mark.weight for mark in chosen(NEWS, WEAK, SECOND, FIRST).sentences] == [0.8, 0.2]
    assert [mark.weight for mark in chosen(NEWS, WEAK, FIRST).sentences] == [0.8, 1.0]


def test_findings_are_listed_from_the_clearest():
    word = Span("summary", 35, 38, kind="fault", item="word")
    found = chosen(NEWS, word, WEAK, NAME, NUMBER, FIRST)
    assert [(mark.item, found.words(mark)) for mark in found.findings] == [
        ("contradicted number", "4,200"),
        ("name", "Bergen"),
        ("sentence", "It is wet."),
        ("word", "wet"),
    ]
    # They are no pairs of words: each has a line of its own.
    assert found.pairs == ()


def test_items_inside_each_other_stay_apart():
    whole = Span("summary", 0, 28, kind="fault", item="name")
    found = chosen(NEWS, whole, NUMBER)
    assert {found.words(mark) for mark in found.marks} == {"It has 4,200 jobs in Bergen.", "4,200"}


def test_the_sentence_around_a_finding():
    found = chosen(NEWS, FIRST, SECOND, NAME)
    [name] = found.findings
    assert found.words(found.support(name)) == "It has 4,200 jobs in Bergen."
    assert chosen(NEWS, NAME).support(name) is None


def test_alarms_without_an_item_are_as_before():
    alarm = Span("summary", 21, 27, match=Span("source", 19, 23), kind="fault")
    found = chosen(NEWS, alarm)
    assert found.findings == ()
    assert found.caption == "words that look wrong"
    assert [(pair.here, pair.there) for pair in found.pairs] == [("Bergen", "Cork")]


def test_many_marks_are_joined_in_one_pass():
    text = "ab " * 50_000
    spans = [Span("summary", 3 * n, 3 * n + 2, kind="fault", item="word") for n in range(50_000)]
    spans += [Span("summary", 3 * n, 3 * n + 1, kind="fault", item="word") for n in range(50_000)]
    assert len(chosen(Example(source="a", summary=text), *spans).marks) == 50_000


def test_a_span_that_a_text_does_not_have_is_left_out():
    example = Example(source="a b", summary="a")
    spans = (
        Span("summary", 0, 9, kind="fault"),
        Span("source", 0, 1, kind="missing", document=3),
        Span("reference", 0, 1, kind="missing"),
        Span("summary", 0, 1, kind="fault", match=Span("source", 50, 60)),
    )
    found = highlights(example, "x", Score(0.5, evidence=spans))
    assert [(mark.start, mark.end, mark.match) for mark in found.marks] == [(0, 1, None)]
    assert (found.source_marks, found.reference_marks) == ((), ())
