"""What looks wrong in a summary, in words."""

from dataclasses import replace

from tricolore import Example, Score, Span
from tricolore.report.findings import (
    LISTED,
    excerpts,
    finding_lines,
    findings_markdown,
    sentence_line,
)
from tricolore.report.highlights import Mark, highlights

EXAMPLE = Example(
    source="It has 420 jobs in Cork. The mayor was glad.",
    summary="It has 4,200 jobs in Bergen. It is wet, wet and cold.",
)


def fault(item, word, label="", match=None, example=EXAMPLE):
    start = example.summary.index(word)
    return Span(
        "summary", start, start + len(word), 1.0, label, match=match, kind="fault", item=item
    )


def lines(*spans, example=EXAMPLE):
    return finding_lines(highlights(example, "m", Score(0.5, evidence=spans)))


def test_one_line_for_each():
    match = Span("source", 7, 10)
    assert lines(
        fault("name", "Bergen"),
        fault("contradicted number", "4,200", match=match),
    ) == ["number “4,200”: the source has “420”", "name “Bergen”: not in the source"]
    assert lines(fault("number", "4,200", "nothing like it", match)) == [
        "number “4,200”: nothing like it"
    ]


def test_words_with_the_same_label_share_a_line():
    cold = fault("word", "cold", "nearest: “glad”")
    second = Span("summary", 40, 43, kind="fault", item="word")
    assert lines(cold, fault("word", "wet"), fault("word", "jobs"), second) == [
        "words “jobs”, “wet”: not in the source",
        "word “cold”: nearest: “glad”",
    ]


def test_a_sentence_has_its_passage_and_support():
    text = "It is wet, wet and cold."
    weak = fault("sentence", text, "weak", Span("source", 25, 44))
    similar = Span("summary", weak.start, weak.end, 0.314, kind="similar", item="sentence")
    assert lines(weak, similar) == [
        f"sentence “{text}”: nearest passage “The mayor was glad.” (support 0.31)"
    ]
    alone = replace(fault("sentence", text), weight=0.1)
    assert lines(alone) == [f"sentence “{text}”: no passage of the source is near (support 0.10)"]
    shown = highlights(EXAMPLE, "m", Score(1.0, evidence=(similar,)))
    assert sentence_line(shown, shown.sentences[0]).endswith("is near (support 0.31)")


def test_long_lists_and_texts_are_cut():
    example = Example(source="a", summary=" ".join(f"N{n:03}" for n in range(99)))
    names = [fault("name", f"N{n:03}", example=example) for n in range(99)]
    found = lines(*names, example=example)
    assert len(found) == LISTED + 1
    assert found[-1] == "and 89 more"
    words = [fault("word", f"N{n:03}", example=example) for n in range(99)]
    [line] = lines(*words, example=example)
    assert line.endswith("“N009” and 89 more: not in the source")
    long = Example(source="a", summary="b" * 200_000)
    [line] = lines(Span("summary", 0, 200_000, kind="fault", item="sentence"), example=long)
    assert len(line) < 250
    assert "bbb…”" in line


def test_excerpts_of_a_long_text():
    text = "a " * 1000
    assert excerpts("short", []) == [("short", ())]
    marks = [Mark("summary", 1000, 1001), Mark("summary", 100, 101), Mark("summary", 300, 301)]
    first, second = excerpts(text, marks)
    # 120 characters on both sides; the first two are near enough to be one.
    assert first == (text[:421], (Mark("summary", 100, 101), Mark("summary", 300, 301)))
    assert second == (text[880:1121], (Mark("summary", 120, 121),))
    assert sum(len(piece) for piece, _ in excerpts(text, [])) < 300
    many = [Mark("summary", at, at + 1) for at in range(0, 2000, 2)]
    [(piece, inside)] = excerpts(text, many)
    assert (len(piece), len(inside)) == (1500, 750)
    far = [Mark("summary", at, at + 1) for at in range(0, 100_000, 1000)]
    assert len(excerpts("a" * 100_000, far)) == LISTED


def test_markdown():
    spans = (fault("name", "Bergen"), fault("number", "4,200"))
    shown = highlights(EXAMPLE, "m", Score(0.5, evidence=spans))
    assert findings_markdown("row 1: bad", shown) == (
        "### row 1: bad\n\n"
        "> It has **4,200** jobs in **Bergen**. It is wet, wet and cold.\n\n"
        "- number “4,200”: not in the source\n- name “Bergen”: not in the source"
    )


def test_text_is_no_markup():
    example = Example(source="a", summary="# *b* <i>\n- 5_ [x](y)")
    spans = (fault("word", "# *b*", example=example), fault("number", "5_", example=example))
    shown = highlights(example, "m", Score(0.5, evidence=spans))
    assert findings_markdown("# 1 <b>", shown) == (
        "### \\# 1 \\<b>\n\n"
        "> **\\# \\*b\\*** \\<i> - **5\\_** \\[x](y)\n\n"
        "- number “5\\_”: not in the source\n- word “\\# \\*b\\*”: not in the source"
    )


def test_marks_side_by_side_are_one():
    example = Example(source="a", summary="4,200 jobs")
    spans = [
        Span("summary", 0, 5, kind="fault", item="number"),
        Span("summary", 5, 10, kind="fault", item="word"),
    ]
    shown = highlights(example, "m", Score(0.5, evidence=tuple(spans)))
    assert "> **4,200** **jobs**" in findings_markdown("x", shown)
    spans[1] = Span("summary", 0, 10, kind="fault", item="name")  # one inside the other
    shown = highlights(example, "m", Score(0.5, evidence=tuple(spans)))
    assert "> **4,200 jobs**\n" in findings_markdown("x", shown)
