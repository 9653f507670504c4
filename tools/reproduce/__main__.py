"""Make the tables of docs/reproduction.md again: `make reproduce`.

Each table stands between `<!-- begin NAME -->` and `<!-- end NAME -->`; the words around them
are written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.reproduce import lexical
from tools.reproduce.claims import table

PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, claims in lexical.SECTIONS.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        if begin not in page or end not in page:
            sys.exit(f"{PAGE} has no place for {name}: it wants {begin} and {end}")
        before, rest = page.split(begin)
        made = table(claims)
        print(f"{name}\n{made}\n")
        page = f"{before}{begin}\n{made}\n{end}{rest.split(end)[1]}"
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
