"""Texts that break naive programs, sizes at both ends, and names of columns that collide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle, product

from tests.robustness.cases import (
    CELLS,
    COLUMNS,
    GOOD,
    Case,
    Expected,
    between,
    either,
    error,
    line,
    lines,
    problem,
    sound,
    table,
    told,
)

TEXTS: dict[str, str] = {
    "a high surrogate": "cat \ud800 sat",
    "a low surrogate": "cat \udfff sat",
    "surrogates in the wrong order": "cat \udc00\ud800 sat",
    "an escaped byte": "cat \udcff sat",
    "a NUL": "cat\0sat",
    "all C0 controls": "cat " + "".join(map(chr, range(1, 32))) + " sat",
    "all C1 controls": "cat " + "".join(map(chr, range(127, 160))) + " sat",
    "a colour": "cat \x1b[31msat\x1b[0m",
    "a window title": "cat \x1b]0;title\x07 sat",
    "a cleared screen": "\x1b[2J\x1b[H cat",
    "a hyperlink": "\x1b]8;;https://x.test\x1b\\cat\x1b]8;;\x1b\\",
    "backspaces": "cat\b\b\bdog",
    "a carriage return": "cat\rdog",
    "a line break": "cat\ndog",
    "CR LF": "cat\r\ndog",
    "U+2028": "cat\u2028dog",
    "U+0085": "cat\x85dog",
    "a form feed": "cat\fdog",
    "0x1c": "cat\x1cdog",
    "a bidi override": "cat \u202etac\u202c sat",
    "bidi isolates": "cat \u2066\u2067\u2068tac\u2069 sat",
    "right-to-left mark": "cat\u200f sat",
    "zero-width characters": "c\u200ba\u200ct\u200d\ufeff",
    "a soft hyphen": "ca\u00adt",
    "10,000 accents": "a" + "\u0301" * 10_000,
    "Zalgo": "".join(letter + "\u0316\u0317\u0318\u0319" * 5 for letter in "cat sat"),
    "emoji": "🐈 sat 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽",
    "only emoji": "🐈🐈",
    "Arabic": "جلس القط على السجادة",
    "Hebrew": "החתול ישב על השטיח",
    "Chinese": "猫坐在垫子上。",
    "Japanese": "猫はマットの上に座った。",
    "Thai": "แมวนั่งบนเสื่อ",
    "Devanagari": "बिल्ली चटाई पर बैठी",
    "letters of mathematics": "𝓽𝓱𝓮 𝓬𝓪𝓽",
    "full-width letters": "ｔｈｅ　ｃａｔ",
    "private use": "\ue000\uf8ff\U000f0000",
    "non-characters": "\ufffe\uffff\U0010ffff",
    "a replacement character": "c\ufffdt",
    "ligatures and ß": "ﬁne Straße ŉ İstanbul ǆ",
    "only punctuation": "... !!! ???",
    "only digits": "1234567890",
    "no-break spaces": "\u00a0\u2003\u3000",
    "one letter": "x",
    "one quote": '"',
    "quotes and commas": '","",\'"',
    "backslashes": "\\n\\u0000\\",
    "a bracket": "[",
    "empty brackets": "[]",
    "markup of rich": "[red]cat[/red] [/]",
    "a formula": "=1+1",
    "a command": "@SUM(A1)|cmd",
    "a minus sign": "-1",
    "a plus sign": "+1",
    "a tab first": "\t=1+1",
    "pipes": "a | b || c",
    "HTML": "<script>alert(1)</script>&amp;",
    "LaTeX": "$\\frac{$ \\input{x} ^~_#%&{}",
    "format strings": "%s %n {0} {a.b} ${x} $(x)",
    "a path": "../../../etc/passwd",
    "a missing value": "NaN",
    "null": "null",
    "1e999": "1e999",
}

_WORDLESS = {
    *("only emoji", "only punctuation", "no-break spaces", "one quote", "quotes and commas"),
    *("a bracket", "empty brackets", "non-characters", "private use", "one letter", "zero-width"),
}
_OUTPUTS = ("out.jsonl", "out.csv", "out.tsv", "out.parquet")


def text_cases() -> Iterator[Case]:
    """Each text as a summary, a source, a system and a document, in every format of the output."""
    outputs = cycle(_OUTPUTS)
    for name, text in TEXTS.items():
        for field in ("summary", "source", "references"):
            yield Case(
                f"{field}: {name}", between(line(**{field: text})), either(), output=next(outputs)
            )
        for output in _OUTPUTS:
            content = between(line(system=text, doc_id=text, human={text: 1}))
            yield Case(f"names: {name} to {output}", content, sound(), output=output)


HUGE = 1_000_000
CHEAP = ("-m", "coverage,length")
SIZES: dict[str, tuple[bytes, Expected]] = {
    "an empty file": (b"", error("no rows")),
    "one byte": (b"x", error("")),
    "a space": (b" ", error("no rows")),
    "a line end": (b"\n", error("no rows")),
    "a byte order mark": (b"\xef\xbb\xbf", error("no rows")),
    "100,000 blank lines": (b"\n" * 100_000, error("no rows")),
    "an empty object": (b"{}\n", error("column")),
    "one letter each": (between(b'{"source": "a", "summary": "a"}'), sound()),
    "a summary of a million letters": (between(line(summary="cat " * (HUGE // 4))), sound()),
    "a summary of one long word": (between(line(summary="x" * HUGE)), sound()),
    "a source of a million letters": (between(line(source="cat " * (HUGE // 4))), sound()),
    "a source of one long word": (between(line(source="x" * HUGE)), sound()),
    "100,000 sentences": (between(line(source="Go. " * 100_000)), sound()),
    "a million dots": (between(line(source="." * HUGE)), either()),
    "a million spaces": (between(line(summary=" " * HUGE)), problem("empty")),
    "a million line breaks": (between(line(source="a\n" * (HUGE // 2))), sound()),
    "a million accents": (between(line(summary="a" + "\u0301" * HUGE)), either()),
    "a million emoji": (between(line(summary="🐈" * (HUGE // 4))), either()),
    "10,000 references": (between(line(references=["a cat"] * 10_000)), sound()),
    "10,000 sources": (between(line(source=["a cat"] * 10_000)), sound()),
    "a system of a million letters": (between(line(system="s" * HUGE)), sound()),
    "a document of a million letters": (between(line(doc_id="s" * HUGE)), sound()),
    "10,000 human scores": (between(line(human={f"q{n}": 1 for n in range(10_000)})), sound()),
    "an unrelated text of a million letters": (between(line(x="s" * HUGE)), sound()),
    "1000 systems": (lines(*(line(system=f"s{n}") for n in range(1000))), sound(1000)),
}

TAKEN = ("row", "doc_id", "system", "status", "problem", "flags", "rouge-1", "rouge-1.recall")
TAKEN_HUMAN = (
    *TAKEN,
    "x.evidence",
    "coverage.evidence",
    "",
    ".",
    "human",
    "a,b",
    "a=b",
    "a b",
    "😀",
)


def size_cases() -> Iterator[Case]:
    for name, (content, expected) in SIZES.items():
        yield Case(f"size: {name}", content, expected, options=CHEAP)
    for ending in (".json", ".tsv", ".ndjson"):
        yield Case(f"size: an empty {ending}", b"", error("no rows"), ending)
        yield Case(f"size: a space in {ending}", b" ", error(""), ending)


def column_cases() -> Iterator[Case]:
    """Columns that are missing, renamed, named twice, or named like our own output."""
    for name, output in product(TAKEN, _OUTPUTS):
        content = between(line(**{name: "x"}))
        yield Case(f"a column {name} to {output}", content, sound(), output=output)
    for name, output in product(TAKEN_HUMAN, _OUTPUTS):
        content = between(line(human={name: 3}))
        yield Case(f"a human score {name!r} to {output}", content, sound(), output=output)
    options: dict[str, tuple[tuple[str, ...], Expected]] = {
        "a source that is not there": (("--source", "body"), error("body")),
        "a summary that is not there": (("--summary", "body"), error("body")),
        "references that are not there": (("--references", "body"), error("body")),
        "a system that is not there": (("--system", "body"), error("body")),
        "a document that is not there": (("--doc-id", "body"), error("body")),
        "human scores that are not there": (("--human", "body"), error("body")),
        "a path that is not there": (("--source", "source.body"), error("source.body")),
        "a path of dots": (("--source", "..."), error("...")),
        "a name with a control character": (("--source", "\x1b[31m"), error("")),
        "a name of markup": (("--source", "[red]"), error("[red]")),
        "a name that is a surrogate": (("--source", "\udcff"), error("")),
        "one column as source and summary": (("--source", "summary"), told("")),
        "the references as the system": (("--system", "references"), told("")),
        "human scores as the source": (("--source", "human"), told("human")),
        "a blank name": (("--source", " "), told("")),
        "a format that is another": (("--input-format", "csv"), error("")),
        "a format that is Parquet": (("--input-format", "parquet"), error("Parquet")),
    }
    for name, (given, expected) in options.items():
        yield Case(f"columns: {name}", between(line()), expected, options=given)
    for left_out in ("source", "summary", "references"):
        row = json.dumps({k: v for k, v in GOOD.items() if k != left_out}).encode()
        rows = lines(row, row, row)
        yield Case(f"columns: no {left_out}", rows, error(left_out.removesuffix("s")))
        expected = problem("summary" if left_out == "summary" else "")
        yield Case(f"columns: one row without {left_out}", between(row), expected)
    names = {
        "capitals": [name.upper() for name in COLUMNS],
        "blanks": [f" {name} " for name in COLUMNS],
    }
    for name, header in names.items():
        yield Case(f"columns: {name}", table([header, *[CELLS] * 3]), sound(), ".csv")
    both = [[*COLUMNS, "Summary"], *[[*CELLS, "Quite other words stand here."]] * 3]
    yield Case("columns: summary and Summary", table(both), either(), ".csv")
