"""Golden values: every measure, default and presets, on fixed rows of SummEval and Newsroom.

`python -m tools.golden write FILE` scores 48 rows of SummEval and 24 of Newsroom and writes every
value, part and evidence span. `python -m tools.golden compare FILE [FILE]` scores them again (or
reads a second file) and lists each difference. A refactoring must show none that it cannot explain.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.embedded.corpus import data_directory
from tricolore import Example, Run
from tricolore.registry import entries

TOLERANCE = 1e-6
"""Largest difference that counts as equal: the sums of another machine differ by less."""
SHAPES = {"summeval": (6, 8), "newsroom": (8, 3)}
"""Documents of each set, and summaries per document."""
SMALL_SHAPES = {"summeval": (3, 4), "newsroom": (3, 2)}
"""The same for BLANC, which takes seconds per summary, and minutes when it tunes a model."""
SKIPPED = {"bert-score:preset=released"}
"""Needs roberta-large from the model hub."""
COMBINED = ["importance-estime", "avg:density+coverage", "blanc-help+rouge-lsum"]


def examples(spec: str) -> list[Example]:
    """The fixed rows: the first documents of each set, with their first summaries."""
    found = []
    shapes = SMALL_SHAPES if spec.startswith("blanc") else SHAPES
    for name, (documents, summaries) in shapes.items():
        by_document: dict[str, list[dict[str, Any]]] = {}
        with gzip.open(data_directory() / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                by_document.setdefault(row["doc_id"], []).append(row)
        for rows in list(by_document.values())[:documents]:
            found += [_example(row) for row in rows[:summaries]]
    return found


def _example(row: dict[str, Any]) -> Example:
    texts = {key: row[key] for key in ("source", "summary", "doc_id", "system")}
    return Example(references=row.get("references", ()), **texts)


def specs() -> Iterator[str]:
    """Every measure as its name alone makes it, with each of its presets, and some sums."""
    for name, entry in entries().items():
        presets = entry.load().presets
        others = [preset for preset in presets if presets[preset]]  # an empty one is the default
        for spec in [name, *(f"{name}:preset={preset}" for preset in others)]:
            if spec not in SKIPPED:
                yield spec
    yield from COMBINED


def computed(only: str) -> dict[str, list[dict[str, Any]]]:
    """The scores of every spec, as plain values, in the order of the rows."""
    found = {}
    for spec in specs():
        if only and not spec.startswith(tuple(only.split(","))):
            continue
        rows = examples(spec)
        run = Run([spec], evidence=True)
        run.fit(["\n".join(row.source) for row in rows])
        label = run.measures[0].label
        found[spec] = [result.scores[label].to_json() for result in run.score(rows)]
        print(spec, file=sys.stderr, flush=True)
    return found


def differences(
    one: Any, other: Any, where: str = "", leave_out: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Where two plain values differ by more than rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other} - leave_out):
            yield from differences(one.get(key), other.get(key), f"{where}.{key}", leave_out)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, f"{where}[{at}]", leave_out)
    elif isinstance(one, int | float) and isinstance(other, int | float):
        if not math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield f"{where}: {one} and {other}"
    elif one != other:
        yield f"{where}: {str(one)[:80]} and {str(other)[:80]}"


def read(path: Path) -> dict[str, Any]:
    """A golden file."""
    found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return found


def main() -> None:
    """Write or compare."""
    parser = argparse.ArgumentParser(prog="python -m tools.golden", description=__doc__)
    parser.add_argument("step", choices=["write", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("other", type=Path, nargs="?")
    parser.add_argument("--only", default="", help="specs that begin with one of these prefixes")
    parser.add_argument("--leave-out", nargs="*", default=[], help="keys that may differ")
    options = parser.parse_args()
    if options.step == "write":
        text = json.dumps(computed(options.only), ensure_ascii=False).encode()
        options.file.write_bytes(gzip.compress(text, mtime=0))
        return
    golden = read(options.file)
    again = read(options.other) if options.other else computed(options.only)
    left_out = frozenset(options.leave_out)
    found = [
        line
        for spec in again
        for line in differences(golden.get(spec), again[spec], spec, left_out)
    ]
    print("\n".join(found[:200]))
    kinds = Counter(line.partition("[")[0] for line in found)
    print(f"{len(again)} specs compared, {len(found)} differences: {dict(kinds)}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
