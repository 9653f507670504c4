import io

from tricolore import Example, Score, Span
from tricolore.report.evidence import print_evidence
from tricolore.report.terminal import SafeConsole


def shown(example, **scores):
    out = SafeConsole(file=io.StringIO(), width=200)
    print_evidence(out, example, scores)
    return out.file.getvalue()


def test_alarms_show_the_word_that_the_source_has_there():
    example = Example(source="Nine to four, said Lund.", summary="Six to nine", system="x")
    alarms = (
        Span("summary", 0, 3, weight=0.1, match=Span("source", 0, 4), kind="fault"),
        Span("summary", 7, 11, weight=0.3, match=Span("source", 8, 12), kind="fault"),
    )
    said = shown(example, estime=Score(2.0, evidence=alarms))
    assert "[Six] to [nine]" in said
    # The clearest first.
    assert "another word: “nine” → “four”, “Six” → “Nine”" in said


def test_copies_are_not_said_to_be_other_words():
    example = Example(source="a  cat sat", summary="A cat")
    copied = Span("summary", 0, 5, match=Span("source", 0, 6))
    assert "another word" not in shown(example, coverage=Score(1.0, evidence=(copied,)))


def test_a_score_without_a_value_says_why():
    assert "no value (too short)" in shown(Example(summary="a"), estime=Score.missing("too short"))


def test_where_every_word_has_a_match_the_weakest_are_shown():
    example = Example(source="a cat sat", summary="a dog sat")
    matches = tuple(
        Span("summary", *place, weight, "nearest", match=Span("source", *place), kind="similar")
        for place, weight in (((0, 1), 1.0), ((2, 5), 0.4), ((6, 9), 0.9))
    )
    said = shown(example, supert=Score(0.8, evidence=matches))
    assert "a [dog] [sat]" in said
    assert "the weakest matches: “dog” → “cat”" in said
