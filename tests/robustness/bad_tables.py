"""CSV and TSV files, Parquet files, compressed files and encodings that are odd or broken."""

from __future__ import annotations

import bz2
import datetime
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any

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
    problem,
    sound,
    table,
    told,
    with_cell,
)

HEAD, ROW = table([COLUMNS]), table([CELLS])
SPLITTING = {
    "U+2028": "\u2028",
    "U+2029": "\u2029",
    "U+0085": "\x85",
    "form feed": "\f",
    "vertical tab": "\v",
    "0x1c": "\x1c",
    "0x1d": "\x1d",
    "0x1e": "\x1e",
}
"""Characters at which Python splits lines, but CSV does not."""

SEPARATED: dict[str, tuple[bytes, Expected]] = {
    "a row of one cell": (HEAD + ROW + b"alone\n" + ROW, problem("cell")),
    "a row with a cell too many": (HEAD + ROW + ROW[:-1] + b",x\n" + ROW, problem("cell")),
    "a row of commas": (HEAD + ROW + b",,,,\n" + ROW, problem("empty")),
    "a blank line": (HEAD + ROW + b"\n" + ROW, sound(2)),
    "a line of blanks": (HEAD + ROW + b"   \n" + ROW, problem("cell")),
    "an open quote": (HEAD + ROW + b'"' + ROW + ROW, problem("", rows=2)),
    "an open quote in the header": (b'"' + HEAD + ROW, error("")),
    "a quote inside a cell": (with_cell("summary", 'A "cat" sat'), sound()),
    "text after a quote": (HEAD + ROW + b'"a b"c,a,b,c,d\n' + ROW, either()),
    "line ends of Windows": ((HEAD + ROW * 3).replace(b"\n", b"\r\n"), sound()),
    "line ends of old Macs": ((HEAD + ROW * 3).replace(b"\n", b"\r"), sound()),
    "mixed line ends": (HEAD + ROW + ROW[:-1] + b"\r\n" + ROW, sound()),
    "no end of the last line": ((HEAD + ROW * 3)[:-1], sound()),
    "semicolons": ((table([COLUMNS, CELLS, CELLS, CELLS], ";")), sound()),
    "a byte order mark": (b"\xef\xbb\xbf" + HEAD + ROW * 3, sound()),
    "only a header": (HEAD, error("no rows")),
    "only a byte order mark": (b"\xef\xbb\xbf", error("")),
    "nothing": (b"", error("no rows")),
    "only line ends": (b"\n\n\n", error("")),
    "no header": (ROW * 3, error("column")),
    "a header of commas": (b",,,,\n" + ROW, error("")),
    "a NUL byte": (with_cell("summary", "A cat\0 sat"), sound()),
    "a NUL byte in the header": (HEAD.replace(b"system", b"sys\0tem") + ROW * 3, sound()),
    "NUL bytes only": (bytes(200), error("")),
    "invalid UTF-8 in a cell": (HEAD + ROW + ROW.replace(b"cat", b"c\xff"), error("UTF-8")),
    "invalid UTF-8 in the header": (HEAD.replace(b"system", b"\xff") + ROW, error("UTF-8")),
    "JSON Lines": (between(line()), error("column")),
    "a Parquet file": (b"PAR1" + bytes(100) + b"PAR1", error("")),
    "a long header": (b"summary," + b"x" * 1_000_000 + b"\na b,c\n", error("")),
    "a cell of a million letters": (with_cell("summary", "cat " * 250_000), sound()),
    "a line break in a cell": (with_cell("summary", "A cat\nsat."), sound()),
    "a carriage return in a quoted cell": (
        with_cell("summary", "WORDS").replace(b"WORDS", b'"A cat\rsat."'),
        sound(),
    ),
    "a carriage return in a cell": (
        with_cell("summary", "WORDS").replace(b"WORDS", b"A cat\rsat."),
        problem("carriage return"),
    ),
    "a JSON list in a cell": (with_cell("references", '["a b", "c d"]'), sound()),
    "a JSON list of numbers in a cell": (with_cell("references", "[1, 2]"), either()),
    "a broken JSON list in a cell": (with_cell("references", '["a b", ]'), either()),
    "an empty JSON list in a cell": (with_cell("references", "[]"), either()),
    "10,000 brackets in a cell": (
        with_cell("references", "[" * 10_000 + "]" * 10_000),
        either(),
    ),
    "5000 digits in a list in a cell": (
        with_cell("references", "[" + "9" * 5000 + "]"),
        either(),
    ),
    "the summary twice in the header": (
        table([[*COLUMNS, "summary"], *[[*CELLS, "Quite other words stand here."]] * 3]),
        told("summary"),
    ),
    "the source twice in the header": (
        table([[*COLUMNS, "source"], *[[*CELLS, "Quite other words stand here."]] * 3]),
        told("source"),
    ),
    "two columns without a name": (table([[*COLUMNS, "", ""], *[[*CELLS, "", ""]] * 3]), either()),
}


def separated_cases() -> Iterator[Case]:
    """CSV as it is, and the same as TSV."""
    for name, (content, expected) in SEPARATED.items():
        yield Case(f"CSV: {name}", content, expected, ".csv")
    for name in (
        "a row of one cell",
        "a blank line",
        "only a header",
        "the source twice in the header",
    ):
        content, expected = SEPARATED[name]
        yield Case(f"TSV: {name}", content.replace(b",", b"\t"), expected, ".tsv")
    for name, letter in SPLITTING.items():
        for ending, delimiter in ((".csv", ","), (".tsv", "\t")):
            words = f"A cat{letter}sat on the mat."
            plain = with_cell("summary", "WORDS", delimiter).replace(b"WORDS", words.encode())
            quoted = with_cell("summary", f'"{words}"', delimiter)
            yield Case(f"{ending}: {name} in a cell", plain, sound(), ending)
            yield Case(f"{ending}: {name} in a quoted cell", quoted, sound(), ending)


# Parquet.


def _parquet(**columns: Any) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    made = {name: [GOOD[name]] * 3 for name in ("source", "summary", "references")}
    made |= {"doc_id": ["d1"] * 3, "system": ["s1"] * 3}
    sink = io.BytesIO()
    pq.write_table(pa.table(made | columns), sink)
    return sink.getvalue()


def _types() -> dict[str, Any]:
    """Three values of many types."""
    import pyarrow as pa

    far = 2**62
    return {
        "whole numbers": pa.array([1, 2, 3]),
        "fractions": pa.array([0.5, 1.5, 2.5]),
        "NaN": pa.array([float("nan")] * 3),
        "truth values": pa.array([True, False, True]),
        "nothing": pa.array([None] * 3, pa.null()),
        "texts that are null": pa.array([None] * 3, pa.string()),
        "bytes": pa.array([b"a b c"] * 3),
        "bytes that are not UTF-8": pa.array([b"\xff\xfe"] * 3),
        "large texts": pa.array(["a b c"] * 3, pa.large_string()),
        "dictionary": pa.array(["a b c"] * 3).dictionary_encode(),
        "dates": pa.array([datetime.date(2024, 1, 1)] * 3),
        "times": pa.array([datetime.time(1)] * 3),
        "moments out of range": pa.array([far] * 3).view(pa.timestamp("us")),
        "dates out of range": pa.array([2**30] * 3, pa.int32()).view(pa.date32()),
        "durations out of range": pa.array([far] * 3).view(pa.duration("us")),
        "decimals": pa.array([Decimal("1.5")] * 3),
        "lists of numbers": pa.array([[1, 2]] * 3),
        "lists of texts": pa.array([["a b c"]] * 3),
        "lists of lists": pa.array([[["a b c"]]] * 3),
        "empty lists": pa.array([[]] * 3, pa.list_(pa.string())),
        "objects": pa.array([{"a": 1}] * 3),
        "objects with a text": pa.array([{"text": "a b c"}] * 3),
        "texts that are not UTF-8": pa.StringArray.from_buffers(
            3,
            pa.array([0, 2, 4, 6], pa.int32()).buffers()[1],
            pa.py_buffer(b"\xff\xfe\xff\xfe\xff\xfe"),
        ),
    }


_AS_TEXT = {"large texts", "dictionary", "lists of texts", "objects with a text"}
_AS_NOTHING = {"nothing", "texts that are null", "NaN", "empty lists"}
PARQUET_ROLES = ("source", "summary", "references", "system", "doc_id", "human.quality", "extra")


def _expected(role: str, kind: str) -> Expected:
    every = tuple(range(1, 4))
    if role == "extra":
        may_fail = "out of range" in kind or "UTF-8" in kind
        return Expected(3, either=every if may_fail else (), may_be_rejected=may_fail)
    if role in ("source", "summary", "references"):
        if role == "summary" and kind in ("large texts", "dictionary"):
            return sound()
        if role != "summary" and kind in _AS_TEXT:
            return sound()
        # All rows are alike: a run without a single example is an error.
        return Expected(3, either=every, may_be_rejected=True, words=role.removesuffix("s"))
    # A list or an object is no name: the same holds for all rows.
    return Expected(3, either=every, may_be_rejected=role in ("doc_id", "system"))


def _damaged(content: bytes, at: int) -> bytes:
    return content[:at] + bytes(255 - byte for byte in content[at : at + 40]) + content[at + 40 :]


def parquet_cases() -> Iterator[Case]:
    """Columns of every type in every role, and files that are not whole."""
    for role, (kind, column) in product(PARQUET_ROLES, _types().items()):
        name = f"Parquet: {role} is {kind}"
        yield Case(name, _parquet(**{role: column}), _expected(role, kind), ".parquet")
    good = _parquet()
    broken = {
        "nothing": b"",
        "four bytes": b"PAR1",
        "only marks": b"PAR1" * 3,
        "no end": good[:-8],
        "half": good[: len(good) // 2],
        "no beginning": good[100:],
        "a damaged footer": _damaged(good, len(good) - 200),
        "JSON Lines": between(line()),
        "a length out of range": good[:-8] + b"\xff\xff\xff\x7f" + b"PAR1",
        "zeros": bytes(1000),
    }
    for name, content in broken.items():
        yield Case(f"Parquet: {name}", content, error("cannot be read"), ".parquet")
    # Data pages have no checksum: what is damaged is an error, or another text.
    damaged = Expected(3, either=(1, 2, 3), may_be_rejected=True)
    for at in (4, 20, 40, 80, 120, 200, 300):
        yield Case(f"Parquet: damaged at {at}", _damaged(good, at), damaged, ".parquet")
    yield Case("Parquet: two columns summary", _twice(), told("summary"), ".parquet")
    yield Case("Parquet: no rows", _parquet_rows(0), error("no rows"), ".parquet")
    yield Case("Parquet: no columns", _no_columns(), error(""), ".parquet")


def _twice() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ["source", "summary", "references", "summary"]
    values = [GOOD["source"], GOOD["summary"], GOOD["references"], "Quite other words stand here."]
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array([v] * 3) for v in values], names), sink)
    return sink.getvalue()


def _parquet_rows(count: int) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(pa.table({"source": ["a b"] * count, "summary": ["a"] * count}), sink)
    return sink.getvalue()


def _no_columns() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(pa.table({}), sink)
    return sink.getvalue()


# Compressed files.


def gzip_cases() -> Iterator[Case]:
    """Whole and broken gzip files of JSON Lines and of CSV."""
    for ending, plain in ((".jsonl.gz", between(line())), (".csv.gz", HEAD + ROW * 3)):
        packed = gzip.compress(plain, mtime=0)
        middle = len(packed) // 2
        kinds: dict[str, tuple[bytes, Expected]] = {
            "whole": (packed, sound()),
            "two members": (packed + gzip.compress(plain.partition(b"\n")[2]), either_of(ending)),
            "zeros at the end": (packed + bytes(100), sound()),
            "garbage at the end": (packed + b"garbage", error("gzip")),
            "cut off at the end": (packed[:-4], error("gzip")),
            "cut off in the middle": (packed[:middle], error("gzip")),
            "only a header": (packed[:10], error("gzip")),
            "half a header": (packed[:5], error("gzip")),
            "another method": (packed[:2] + b"\x09" + packed[3:], error("gzip")),
            "flipped bytes at the beginning": (_damaged(packed, 12), error("gzip")),
            "flipped bytes in the middle": (_damaged(packed, middle), error("gzip")),
            "a wrong checksum": (packed[:-8] + bytes(4) + packed[-4:], error("gzip")),
            "a wrong length": (packed[:-4] + b"\1\2\3\4", error("gzip")),
            "not compressed": (plain, error("gzip")),
            "compressed twice": (gzip.compress(packed), error("")),
            "zlib": (zlib.compress(plain), error("gzip")),
            "bzip2": (bz2.compress(plain), error("gzip")),
            "nothing inside": (gzip.compress(b""), error("no rows")),
            "nothing": (b"", error("")),
        }
        for name, (content, expected) in kinds.items():
            yield Case(f"{ending}: {name}", content, expected, ending)


def either_of(ending: str) -> Expected:
    """Members follow each other like one file."""
    return sound(5) if ending.startswith(".jsonl") else sound(6)


# Encodings.

ENCODINGS: dict[str, str] = {
    "latin-1": "Le café d'été est ouvert à tous.",
    "cp1252": "“Zoë’s” café – naïve €uros.",
    "cp1251": "Кот сидел на ковре.",
    "koi8-r": "Кот сидел на ковре.",
    "iso8859-7": "Η γάτα κάθισε στο χαλί.",
    "shift_jis": "猫はマットの上に座った。",
    "euc-jp": "猫はマットの上に座った。",
    "gb18030": "猫坐在垫子上。",
    "big5": "貓坐在墊子上。",
    "euc-kr": "고양이가 매트에 앉았다.",
    "cp037": "The cat sat.",
    "utf-16": "The cat sat.",
    "utf-16-le": "Le café d'été.",
    "utf-16-be": "Le café d'été.",
    "utf-32": "The cat sat.",
}


def encoding_cases() -> Iterator[Case]:
    """A file in another encoding is rejected, unless the encoding is named."""
    for name, text in ENCODINGS.items():
        words = f"The cat sat. {text}"
        plain_table = table([COLUMNS, *[[CELLS[0], words, *CELLS[2:]]] * 3]).decode()
        row = json.dumps({**GOOD, "summary": words}, ensure_ascii=False)
        plain_lines = "\n".join([row] * 3)
        for ending, plain in ((".csv", plain_table), (".jsonl", plain_lines)):
            content = plain.encode(name)
            yield Case(f"{ending} in {name}", content, error(""), ending)
            named = ("--encoding", name)
            yield Case(f"{ending} in {name}, which is named", content, sound(), ending, named)
    good = between(line(summary="Le café d'été."))
    for name in (
        "ascii",
        "utf-16",
        "utf-32",
        "none",
        "",
        "rot13",
        "base64",
        "zip",
        "idna",
        "\ud800",
        "x" * 500,
    ):
        expected = sound() if not name else told("")
        yield Case(f"UTF-8 as {name[:9]!a}", good, expected, ".jsonl", ("--encoding", name))
