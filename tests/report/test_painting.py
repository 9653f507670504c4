"""What pages paint of the evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example, Score, Span
from tricolore.report.painting import SHADES, PaintedMark, painted, pieces

EXAMPLE = Example(source="Nine voted for it, four against.", summary="It lost by nine to four.")


def marks_of(*spans):
    return painted(EXAMPLE, "a", Score(0.5, evidence=spans)).marks


def test_a_mark_and_its_match_name_each_other():
    [here, there] = marks_of(
        Span("summary", 11, 15, kind="fault", match=Span("source", 19, 23)),
    )
    assert (here.where, there.where) == ("summary", "source")
    assert (here.match, there.match) == (1, 0)
    assert here.words == "Alarm: in the most similar place the source has “four”"
    assert there.words == "Compared with “nine”"
    assert here.kind == there.kind == "fault"


def test_weak_matches_have_strong_colours():
    strong, weak = (
        next(m for m in marks_of(span) if m.where == "summary")
        for span in (
            Span("summary", 0, 2, 0.95, kind="similar", match=Span("source", 0, 4)),
            Span("summary", 3, 7, 0.10, kind="similar", match=Span("source", 5, 10)),
        )
    )
    assert (strong.shade, weak.shade) == (1, SHADES)
    assert weak.words == "Most like “voted” in the source: similarity 0.10"


def test_shades_follow_the_weights_of_a_kind():
    found = marks_of(
        Span("source", 0, 4, 0.1, kind="missing"), Span("source", 5, 10, 0.4, kind="missing")
    )
    # 0.1 is a quarter of the highest weight: 1 + int(4 · 0.25) = 2.
    assert [mark.shade for mark in found] == [2, SHADES]


def test_all_matches_by_similarity_are_painted_and_not_only_the_weakest():
    summary = " ".join(f"word{n:02}" for n in range(30))
    spans = [
        Span("summary", 7 * n, 7 * n + 6, 0.9, kind="similar", match=Span("source", 0, 4))
        for n in range(30)
    ]
    made = painted(Example(source="Nine", summary=summary), "a", Score(0.5, evidence=tuple(spans)))
    assert sum(mark.where == "summary" for mark in made.marks) == 30


def test_a_sentence_is_painted_with_its_support_and_passage():
    span = Span(
        "summary", 0, 24, 0.31, item="sentence", kind="similar", match=Span("source", 0, 32)
    )
    [here, there] = marks_of(span)
    assert (here.item, here.words) == ("sentence", "Support 0.31: most like this passage")
    assert (there.item, there.words) == ("sentence", "Compared with “It lost by nine to four.”")


def test_the_legend_begins_with_what_is_most_likely_wrong():
    made = painted(
        EXAMPLE,
        "a",
        Score(
            0.5,
            evidence=(
                Span("summary", 0, 24, 0.9, item="sentence", kind="similar"),
                Span("summary", 3, 7, item="word", kind="fault"),
                Span("summary", 11, 15, item="number", kind="fault"),
            ),
        ),
    )
    assert [(entry.kind, entry.item) for entry in made.legend] == [
        ("fault", "number"),
        ("fault", "word"),
        ("similar", "sentence"),
    ]


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (Span("source", 0, 4, kind="helped", label="helped"), "Easier to guess with"),
        (Span("source", 0, 4, kind="unchanged", label="wrong either way"), "(wrong either way)"),
        (Span("summary", 0, 2, kind="helped", label="without it 0.1"), "This sentence makes"),
        (Span("summary", 0, 2, kind="match", label="stem"), "Also in the source (stem)"),
        (Span("summary", 0, 2, kind="match", label="It"), "Also in the source"),
        (Span("summary", 0, 2), "Evidence for the value"),
    ],
)
def test_words(span, words):
    assert words in marks_of(span)[0].words


def test_json_has_plain_values_and_hostile_text_has_no_controls():
    example = Example(source="a\u202eb c", summary="a\x1b[31m d")
    span = Span("summary", 0, 6, kind="fault", match=Span("source", 0, 3))
    plain = painted(example, "x", Score(1.0, evidence=(span,))).to_json()
    assert plain["marks"][0]["match"] == 1
    assert "\x1b" not in str(plain)
    assert "\u202e" not in str(plain)
    assert "␛" in plain["marks"][1]["words"]


spans = st.tuples(st.integers(0, 30), st.integers(0, 30))


@given(st.integers(0, 25), st.lists(spans, max_size=8))
def test_pieces_cover_the_text_once_and_know_their_marks(length, places):
    marks = [
        (n, PaintedMark("summary", 0, start, end, "match", "", 1, ""))
        for n, (start, end) in enumerate(places)
    ]
    found = pieces(length, marks)
    assert [at for piece in found for at in range(piece.start, piece.end)] == list(range(length))
    for piece in found:
        assert set(piece.marks) == {
            n for n, (start, end) in enumerate(places) if start <= piece.start and piece.end <= end
        }
        widths = [min(length, places[n][1]) - places[n][0] for n in piece.marks]
        assert widths == sorted(widths)
