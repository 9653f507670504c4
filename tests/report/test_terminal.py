import io
import unicodedata
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

from tricolore import Example, Score, Span, get_measures
from tricolore.report import terminal
from tricolore.report.evidence import marked, print_evidence
from tricolore.report.highlights import Mark
from tricolore.report.result_table import OutputFormat, ResultTable
from tricolore.report.systems import SystemTable
from tricolore.report.terminal import (
    Column,
    SafeConsole,
    plain_table,
    print_columns,
    signature_line,
)

MEASURES = get_measures("coverage,density,compression,length")
ROWS = [
    Example(source="a b c d", summary="a b x", doc_id="1", system="A"),
    Example(source="a b c e", summary="", doc_id="2", system="A"),
    Example(source="a b c d", summary="c d", doc_id="1", system="[b]ig[/b]"),
]


def table(width, measures=MEASURES, rows=ROWS):
    systems = SystemTable(measures)
    scored = [m.score(rows) for m in measures]
    for at, row in enumerate(rows):
        systems.add(row, {m.label: s[at] for m, s in zip(measures, scored, strict=True)})
    out = io.StringIO()
    systems.table().write(SafeConsole(file=out, width=width), "table")
    return out.getvalue()


def test_every_measure_and_system_is_there():
    text = table(200)
    for word in ("coverage ↑", "density ↑", "compression", "0.333", "(1 missing)", "rows"):
        assert word in text
    # a name is text, never markup
    assert "[b]ig[/b]" in text


def test_an_interval_of_few_documents_says_so():
    rows = [
        Example(source="a b c d", summary=summary, doc_id=str(at), system="A")
        for at, summary in enumerate(["a b", "a x", "x y", "c d", "a b c"])
    ]
    assert "documents]. Only 3 documents: the interval says little." in table(200, rows=rows[:3])
    assert "documents].\n" in table(200, rows=rows)
    assert "interval" not in table(200, rows=rows[:1])


def test_a_narrow_terminal_gets_several_tables_and_loses_nothing():
    text = table(50)
    # Notes are sentences, which the terminal wraps.
    lines = [line for line in text.splitlines() if not line.endswith(".")]
    assert max(map(len, lines)) <= 50
    assert text.count("system ") > 1
    assert "…" not in text
    for measure in MEASURES:
        assert measure.label in text


NAMES = ["rouge-2:stem=true,stop=true", "[b]"]
COLUMNS = [
    Column("measure", [Text(name) for name in NAMES], is_words=True),
    Column("difference", ["-0.263 [-0.300, -0.211]", "0.052 [0.000, 0.124]"]),
    Column("p", ["0.168", "<0.001"], is_joined=True),
    Column("documents", ["4", "4"]),
]


def printed(columns, width, keys=1):
    out = SafeConsole(file=io.StringIO(), width=width)
    print_columns(out, columns, keys=keys)
    lines = out.file.getvalue().splitlines()
    assert all(len(line) <= width for line in lines)
    return [" ".join(line.split()) for line in lines if line.strip() and "──" not in line]


@pytest.mark.parametrize(
    ("width", "heads"),
    [
        # 1 + 27 + 3 + 23 + 3 + 6 + 3 + 9 + 1 = 76
        (76, ["measure difference p documents"]),
        (75, ["measure difference p", "measure documents"]),
        # 1 + 27 + 3 + 23 + 3 + 6 + 1 = 64: a p-value leaves its column only where it must
        (64, ["measure difference p", "measure documents"]),
        (63, ["measure difference", "measure p documents"]),
    ],
)
def test_a_table_is_split_where_it_is_too_wide_and_not_before(width, heads):
    lines = printed(COLUMNS, width)
    assert [line for line in lines if line.startswith("measure")] == heads
    for name in NAMES:
        assert sum(line.startswith(name) for line in lines) == len(heads)
    text = "\n".join(lines)
    for column in COLUMNS[1:]:
        assert all(str(cell) in text for cell in column.cells)


def test_where_even_one_column_is_too_wide_nothing_is_lost():
    text = "".join(printed(COLUMNS, 30)).replace(" ", "")
    assert "…" not in text
    assert all(digits in text for digits in ("-0.263", "0.124]", "<0.001"))
    assert printed(COLUMNS[:1], 20)[1:3] == ["rouge-2:stem=true,", "stop=true"]


def test_text_wraps_and_names_do_not():
    cost = ["many seconds a summary, as the model is tuned on it", "little"]
    columns = [*COLUMNS[:1], Column("cost", cost, is_words=True, wraps=True)]
    assert printed(columns, 60) == [
        "measure cost",
        "rouge-2:stem=true,stop=true many seconds a summary, as",
        "the model is tuned on it",
        "[b] little",
    ]


def test_a_long_name_does_not_give_way_to_text():
    name = "rouge-2:stem=true,stop=true,value=recall"  # 40
    columns = [Column("measure", [name], is_words=True)]
    columns.append(Column("[b]cost", ["as long as it takes to read it"], is_words=True, wraps=True))
    assert printed(columns, 65)[:2] == ["measure [b]cost", f"{name} as long as it takes"]


def test_all_keys_are_repeated():
    keys = [*COLUMNS[:1], Column("than", ["a", "b"], is_words=True)]
    lines = printed([*keys, *COLUMNS[1:]], 71, keys=2)  # 64 + 3 + 4
    assert lines[0] == "measure than difference p"
    assert lines[3] == "measure than documents"
    assert lines[4] == f"{NAMES[0]} a 4"


def test_a_value_that_is_no_mean_is_not_called_one():
    rows = [
        Example(summary=f"a b c {word}", references=["a b c d"], doc_id=word, system="A")
        for word in "def"
    ]
    text = table(200, get_measures("bleu,chrf:level=corpus"), rows)
    assert "Not a mean, but of all rows of a system together: chrf:level=corpus." in text
    assert "Mean [" not in text
    assert "Value [95 % interval" in text
    text = table(200, get_measures("bleu,chrf"), rows)
    assert "Not a mean" not in text
    assert "Mean [95 % interval" in text


def test_a_signature_is_one_line_with_every_setting():
    line = signature_line(MEASURES[0])
    assert line.startswith("measure=coverage tricolore=")
    for name in MEASURES[0].settings:
        assert f" {name}=" in line


def test_marked_text_joins_overlapping_spans():
    spans = [Span("summary", 0, 3), Span("summary", 2, 5), Span("summary", 8, 9)]
    assert marked("abcdefghij", spans, colour=False).plain == "[abcde]fgh[i]j"


ANY = st.text(st.characters(codec=None, exclude_categories=()))
"""Any text, with control characters and lone surrogates."""


def controls(text):
    text.encode("utf-8")
    reordering = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    kinds = ("Cc", "Cs", "Zl", "Zp")
    return {c for c in text if unicodedata.category(c) in kinds or c in reordering}


@given(ANY, st.sampled_from([20, 200]))
@example("\x1b]0;title\x07\x1b[2J\x9b31m", 200)
@example("\ud800\udcff\u202e\u2066\u2028\x7f\r\t", 200)
def test_whatever_is_printed_has_no_control_characters_but_the_ends_of_lines(text, width):
    out = SafeConsole(io.StringIO(), width=width)
    out.print(text)
    out.print(text, style="bold", soft_wrap=True)
    out.print(Text(text), Markdown(text), Panel(text, title=Text(text)), [text])
    plain = plain_table(text)
    plain.add_row(text)
    plain.title, plain.caption = text, Text(text)
    out.print(plain)
    print_columns(out, [Column(text, [text], is_words=True), Column(text, [Text(text)])])
    found = ResultTable([text, "a"], notes=[text])
    found.add(text, text)
    found.write(out, "table")
    [measure] = get_measures("coverage")
    shown = Example(source=text, summary=text, doc_id=text, system=text)
    [score] = measure.score([shown], evidence=True)
    print_evidence(out, shown, {text: score, "b": Score.missing(text)})
    assert controls(out.file.getvalue()) <= {"\n"}


@given(ANY)
def test_on_a_terminal_all_formats_are_free_of_control_characters(text):
    found = ResultTable([text, "a"], notes=[text])
    found.add(text, text)
    for form in get_args(OutputFormat):
        out = SafeConsole(io.StringIO(), force_terminal=True, color_system=None, width=200)
        found.write(out, form)
        assert controls(out.file.getvalue()) <= {"\n", "\t"}


def test_colours_of_our_own_still_work():
    out = SafeConsole(io.StringIO(), force_terminal=True, color_system="standard")
    out.print("a\x1b[31mb", style="red")
    assert out.file.getvalue() == "\x1b[31ma␛[31mb\x1b[0m\n"


def test_text_is_neither_markup_nor_an_emoji_code():
    out = SafeConsole(io.StringIO(), width=100)
    out.print("[red]a[/red] [/x] :smile: 'b' 12")
    assert out.file.getvalue() == "[red]a[/red] [/x] :smile: 'b' 12\n"


def test_columns_are_as_wide_as_what_is_shown():
    lines = printed([Column("a", ["\x1b" * 5]), Column("b", ["x\ny"]), Column("c", ["1"])], 20)
    assert lines == ["a b c", "␛␛␛␛␛ x␊y 1"]


def test_marks_stay_in_place_in_a_text_with_control_characters():
    spans = [Mark("summary", 6, 9)]
    assert marked("a\r\n\x07\x1b\tcat", spans, colour=False).plain == "a \n␇␛\t[cat]"
    styled = marked("a\r\n\x07\x1b\tcat", spans, colour=True)
    [span] = styled.spans
    assert styled.plain[span.start : span.end] == "cat"


def test_only_one_module_makes_a_console():
    source = Path(terminal.__file__).parents[1]
    makers = [path.name for path in source.rglob("*.py") if "rich.console" in path.read_text()]
    assert makers == ["terminal.py"]


def test_evidence_shows_markup_in_a_text_as_text():
    out = io.StringIO()
    example = Example(source="[red]danger[/red] zone", summary="[red]danger[/red]", system="A")
    [measure] = get_measures("coverage")
    [score] = measure.score([example], evidence=True)
    print_evidence(SafeConsole(file=out, width=200), example, {"coverage": score})
    assert "[[red]danger[/red]]" in out.getvalue()
