"""Writes the table of faults in docs/reliability.md: `python -m tools.reliability [--check]`.

The table has one line per test that is marked with `pytest.mark.fault`, in the words of the mark.
The marks are read from the source of the tests, so that nothing is run for it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REPO = Path(__file__).parents[1]
PAGE = REPO / "docs" / "reliability.md"
_TABLE = re.compile(r"<!-- faults -->\n.*?<!-- end -->", re.DOTALL)


@dataclass(frozen=True)
class Fault:
    """A fault that a test injects, and what the test checks."""

    injected: str
    outcome: str
    test: str

    @property
    def line(self) -> str:
        """Its line of the table."""
        cells = (self.injected, self.outcome, f"`{self.test}`")
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def faults(tests: Path = REPO / "tests") -> list[Fault]:
    """All faults that the tests declare."""
    return [fault for path in sorted(tests.rglob("test_*.py")) for fault in _faults_of(path)]


def _faults_of(path: Path) -> Iterator[Fault]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.fault":
                words = {word.arg: ast.literal_eval(word.value) for word in mark.keywords}
                name = f"{path.relative_to(REPO / 'tests')}::{node.name}"
                yield Fault(words["injected"], words["outcome"], name)


def renewed(page: str) -> str:
    """The page with the table as it should be."""
    head = ["| what is injected | what happens | test |", "| --- | --- | --- |"]
    lines = [*head, *(fault.line for fault in faults())]
    table = "\n".join(["<!-- faults -->", *lines, "<!-- end -->"])
    return _TABLE.sub(lambda _: table, page)


def main(arguments: list[str]) -> int:
    old = PAGE.read_text(encoding="utf-8")
    new = renewed(old)
    if new == old:
        return 0
    if "--check" in arguments:
        print(f"{PAGE}: is not up to date")
        return 1
    PAGE.write_text(new, encoding="utf-8")
    print(f"{PAGE}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
