import io

from tricolore import Example, Score, Span
from tricolore.report.evidence import marked, print_evidence
from tricolore.report.highlights import highlights
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


SENTENCE = Span("summary", 0, 18, 0.7, match=Span("source", 0, 16), kind="similar", item="sentence")


def test_findings_are_listed_below_the_summary():
    example = Example(source="It has 420 jobs.", summary="It has 4,200 jobs.")
    match = Span("source", 7, 10)
    number = Span("summary", 7, 12, match=match, kind="fault", item="contradicted number")
    said = shown(example, grounding=Score(0.5, evidence=(SENTENCE, number)))
    assert "It has [4,200] jobs." in said
    assert "\n  number “4,200”: the source has “420”\n" in said
    assert "another word" not in said


def test_without_findings_the_weakest_sentence_is_shown():
    example = Example(source="It has 420 jobs.", summary="There are 420 jobs there.")
    other = Span("summary", 19, 25, 0.9, kind="similar", item="sentence")
    said = shown(example, grounding=Score(0.9, evidence=(other, SENTENCE)))
    assert "[" not in said
    assert "the weakest sentence: “There are 420 jobs”: nearest passage “It has 420 jobs.”" in said
    assert "(support 0.70)" in said


def test_words_and_names_have_other_colours():
    example = Example(source="a", summary="Bergen is wet.")
    name = Span("summary", 0, 6, kind="fault", item="name")
    word = Span("summary", 10, 13, kind="fault", item="word")
    text = marked(
        example.summary,
        highlights(example, "m", Score(0.5, evidence=(name, word))).marks,
        colour=True,
    )
    styles = {example.summary[span.start : span.end]: str(span.style) for span in text.spans}
    assert styles == {"Bergen": "bold red", "wet": "yellow"}
