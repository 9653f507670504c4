"""A bad input: a file, and what must happen when it is scored."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from typing import Any

GOOD: dict[str, Any] = {
    "source": "The cat sat on the mat. A dog ran by the old bridge.",
    "summary": "A cat sat on the mat.",
    "references": ["The cat sits on a mat.", "A cat is on the mat."],
    "doc_id": "d1",
    "system": "s1",
    "human": {"quality": 3},
}


@dataclass(frozen=True)
class Expected:
    """What must happen.

    `rows` is the number of rows of the output; None if the file is rejected. `problems` has words
    that the problem of a row must have; all other rows have values, except `either`, which may
    have a value or a problem. `words` must be said on the terminal, or in a problem.
    """

    rows: int | None
    problems: dict[int, str] = field(default_factory=dict)
    either: tuple[int, ...] = ()
    words: str = ""
    may_be_rejected: bool = False


def sound(rows: int = 3, words: str = "") -> Expected:
    """All rows have all values."""
    return Expected(rows, words=words)


def problem(words: str, row: int = 2, rows: int = 3) -> Expected:
    """One row has no values, and its problem says why; the others have all."""
    return Expected(rows, {row: words})


def either(row: int = 2, rows: int = 3) -> Expected:
    """The row has values or a problem; both are right. The others have values."""
    return Expected(rows, either=(row,))


def told(words: str, rows: int = 3) -> Expected:
    """It is said, in an error, a warning or the problem of a row, but it is not passed over."""
    every = tuple(range(1, rows + 1))
    return Expected(rows, either=every, words=words, may_be_rejected=True)


def error(words: str) -> Expected:
    """The file is rejected with a message that has these words."""
    return Expected(None, words=words)


@dataclass(frozen=True)
class Case:
    """A file that is given to `tricolore score`, with further options."""

    name: str
    content: bytes
    expected: Expected
    ending: str = ".jsonl"
    options: tuple[str, ...] = ()
    output: str = "out.jsonl"


def line(**changes: Any) -> bytes:
    """A good row with some changes, as a line of JSON."""
    return json.dumps({**GOOD, **changes}).encode()


def lines(*rows: bytes) -> bytes:
    """Lines of a file."""
    return b"\n".join(rows) + b"\n"


def between(row: bytes) -> bytes:
    """A row between two good ones."""
    return lines(line(), row, line())


def table(rows: list[list[str]], delimiter: str = ",") -> bytes:
    """Rows as CSV, quoted where necessary."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


COLUMNS = ["source", "summary", "references", "doc_id", "system"]
CELLS = [GOOD["source"], GOOD["summary"], GOOD["references"][0], "d1", "s1"]


def with_cell(column: str, text: str, delimiter: str = ",") -> bytes:
    """A table of three rows, the second one with another text in a column."""
    other = [text if name == column else cell for name, cell in zip(COLUMNS, CELLS, strict=True)]
    return table([COLUMNS, CELLS, other, CELLS], delimiter)
