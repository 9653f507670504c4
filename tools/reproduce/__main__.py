"""Make the tables of docs/reproduction.md again: `make reproduce`.

Each table stands between `<!-- begin NAME -->` and `<!-- end NAME -->`; the words around them
are written by hand.

    python -m tools.reproduce                      all tables; after a stop, those that are left
    python -m tools.reproduce estime 'blanc-*'     only these tables, whether finished or not
    python -m tools.reproduce --again              all tables, from the first one
    python -m tools.reproduce --list               the names, and how long each took the last time

Scores are kept in out/reproduce, so that a table that was stopped goes on where it was.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tools.reproduce import (
    blanc_studies,
    controlled,
    encoder,
    encoder_sbert,
    estime_layers,
    gruen,
    lexical,
    masked,
    movers,
    sensitivity,
    studies,
    trained,
)
from tools.reproduce.claims import CACHE, table
from tools.reproduce.progress import Record, chosen, make_all
from tricolore.data.atomic import write_text

PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"

_CLAIMS = {
    **lexical.SECTIONS,
    **masked.SECTIONS,
    **encoder_sbert.SECTIONS,
    **gruen.SECTIONS,
    **movers.SECTIONS,
}

TABLES: dict[str, Callable[[], str]] = {
    **{name: partial(table, claims) for name, claims in _CLAIMS.items()},
    **masked.TABLES,
    **estime_layers.TABLES,
    **encoder.TABLES,
    **gruen.TABLES,
    **movers.TABLES,
    **encoder_sbert.TABLES,
    **trained.TABLES,
    **studies.TABLES,
    **sensitivity.TABLES,
    **controlled.TABLES,
    **blanc_studies.TABLES,
}


def main(words: list[str]) -> None:
    """Make the named tables, or all."""
    record = Record.read(CACHE / "progress.json")
    if "--list" in words:
        print("\n".join(record.lines(TABLES)))
        return
    names = chosen([word for word in words if word != "--again"], TABLES)
    is_whole = len(names) == len(TABLES)
    if is_whole:
        if "--again" in words:
            record.finished.clear()
        names = [name for name in names if name not in record.finished]
    for name in names:
        _place(name, None)
    make_all({name: TABLES[name] for name in names}, record, _place)
    if is_whole:
        record.finished.clear()
        record.write()


def _place(name: str, made: str | None) -> None:
    """Put a table in its place; None only looks whether there is one."""
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    if begin not in page or end not in page:
        sys.exit(f"{PAGE} has no place for {name}: it wants {begin} and {end}")
    if made is not None:
        before, after = page.split(begin)[0], page.split(end)[1]
        write_text(PAGE, f"{before}{begin}\n{made}\n{end}{after}")


if __name__ == "__main__":
    main(sys.argv[1:])
