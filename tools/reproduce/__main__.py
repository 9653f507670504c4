"""Make the tables of docs/reproduction.md again: `make reproduce`.

Each table stands between `<!-- begin NAME -->` and `<!-- end NAME -->`; the words around them
are written by hand. Names as arguments make only those tables.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tools.reproduce import (
    controlled,
    encoder,
    encoder_sbert,
    estime_layers,
    lexical,
    masked,
    sensitivity,
    studies,
    trained,
)
from tools.reproduce.claims import table

PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"

_CLAIMS = {**lexical.SECTIONS, **masked.SECTIONS, **encoder_sbert.SECTIONS}

TABLES: dict[str, Callable[[], str]] = {
    **{name: partial(table, claims) for name, claims in _CLAIMS.items()},
    **masked.TABLES,
    **estime_layers.TABLES,
    **encoder.TABLES,
    **encoder_sbert.TABLES,
    **trained.TABLES,
    **studies.TABLES,
    **sensitivity.TABLES,
    **controlled.TABLES,
}


def main(names: list[str]) -> None:
    """Make the named tables, or all."""
    for name in names or TABLES:
        _place(name, None)
    for name in names or TABLES:
        made = TABLES[name]()
        print(f"{name}\n{made}\n", flush=True)
        _place(name, made)


def _place(name: str, made: str | None) -> None:
    """Put a table in its place; None only looks whether there is one."""
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    if begin not in page or end not in page:
        sys.exit(f"{PAGE} has no place for {name}: it wants {begin} and {end}")
    if made is not None:
        before, after = page.split(begin)[0], page.split(end)[1]
        PAGE.write_text(f"{before}{begin}\n{made}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
