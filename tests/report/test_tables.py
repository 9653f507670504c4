import io

from rich.console import Console

from tricolore import Example, Span, get_measures
from tricolore.report.evidence import marked, print_evidence
from tricolore.report.systems import SystemTable
from tricolore.report.tables import print_systems, signature_line

MEASURES = get_measures("coverage,density,compression,length")
ROWS = [
    Example(source="a b c d", summary="a b x", doc_id="1", system="A"),
    Example(source="a b c e", summary="", doc_id="2", system="A"),
    Example(source="a b c d", summary="c d", doc_id="1", system="[b]ig[/b]"),
]


def table(width):
    systems = SystemTable(MEASURES)
    scored = [m.score(ROWS) for m in MEASURES]
    for at, row in enumerate(ROWS):
        systems.add(row, {m.label: s[at] for m, s in zip(MEASURES, scored, strict=True)})
    out = io.StringIO()
    print_systems(Console(file=out, width=width), systems)
    return out.getvalue()


def test_every_measure_and_system_is_there():
    text = table(200)
    for word in ("coverage ↑", "density ↑", "compression", "0.667", "(1 missing)", "3 rows"):
        assert word in text
    # a name is text, never markup
    assert "[b]ig[/b]" in text


def test_a_narrow_terminal_gets_several_tables_and_loses_nothing():
    text = table(50)
    assert max(map(len, text.splitlines())) <= 50
    assert text.count("system ") > 1
    assert "…" not in text
    for measure in MEASURES:
        assert measure.label in text


def test_a_signature_is_one_line_with_every_setting():
    line = signature_line(MEASURES[0])
    assert line.startswith("measure=coverage tricolore=")
    for name in MEASURES[0].settings:
        assert f" {name}=" in line


def test_marked_text_joins_overlapping_spans():
    spans = [Span("summary", 0, 3), Span("summary", 2, 5), Span("summary", 8, 9)]
    assert marked("abcdefghij", spans, colour=False).plain == "[abcde]fgh[i]j"


def test_evidence_shows_markup_in_a_text_as_text():
    out = io.StringIO()
    example = Example(source="[red]danger[/red] zone", summary="[red]danger[/red]", system="A")
    [measure] = get_measures("coverage")
    [score] = measure.score([example], evidence=True)
    print_evidence(Console(file=out, width=200), example, {"coverage": score})
    assert "[[red]danger[/red]]" in out.getvalue()
