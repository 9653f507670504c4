"""Writes the tables of settings in the docs pages: `python -m tools.docs_tables [--check]`.

A table stands between `<!-- settings of NAME -->` and `<!-- end -->`. NAME is a measure, a kind of
damage, or `train NAME` for what can be trained.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from tricolore.perturb.kinds import KINDS, find_perturbation
from tricolore.registry import describe
from tricolore.settings import SettingInfo, describe_settings, write_setting
from tricolore.train.kinds import find_estimator

DOCS = Path(__file__).parents[1] / "docs"
_TABLE = re.compile(r"<!-- settings of ([^>]+?) -->\n.*?<!-- end -->", re.DOTALL)


def settings_of(name: str) -> tuple[SettingInfo, ...]:
    if name.startswith("train "):
        return describe_settings(find_estimator(name.removeprefix("train ")))
    if name in KINDS:
        return describe_settings(find_perturbation(name))
    return describe(name).settings


def table(settings: Iterable[SettingInfo]) -> str:
    """The settings as a Markdown table."""
    lines = ["| name | type | default | meaning |", "| --- | --- | --- | --- |"]
    for one in settings:
        words = ", ".join(f"`{choice}`" for choice in one.choices) or one.type
        lines.append(f"| {one.name} | {words} | {write_setting(one.default)} | {one.help} |")
    return "\n".join(lines)


def renewed(page: str) -> str:
    """A page with all its tables as they should be."""

    def write(found: re.Match[str]) -> str:
        name = found[1]
        return f"<!-- settings of {name} -->\n{table(settings_of(name))}\n<!-- end -->"

    return _TABLE.sub(write, page)


def main(arguments: list[str]) -> int:
    stale = []
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (new := renewed(text)) != text:
            stale.append(path)
            if "--check" not in arguments:
                path.write_text(new, encoding="utf-8")
    for path in stale:
        print(f"{path}: {'is not up to date' if '--check' in arguments else 'written'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
