"""What a run costs whose scores are all in the cache, compared with a fresh run: CPU time.

    python benchmarks/resume.py [--rows 100000] [--format jsonl]

Scores the same file three times with the command line, each time in a process of its own: without
a cache, filling a cache, and with everything in the cache. The time is that of the whole process,
start-up included. The sources, summaries and references are SummEval's sentences, recombined to
texts of the same lengths; every document has the summaries of four systems.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from tricolore import Example
from tricolore.data.examples import ExampleFile
from tricolore.report.terminal import plain_table
from tricolore.text.sentences import sentences

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
MEASURES = "rouge-1,rouge-l,coverage,jensen-shannon"
SYSTEMS = ("a", "b", "c", "d")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--format", choices=("jsonl", "csv", "parquet"), default="jsonl")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, out, cache = folder / "rows.jsonl", folder / f"out.{options.format}", folder / "cache"
        with path.open("w") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in recombined(options.rows))
        fresh = seconds(path, out, "off")
        expected = out.read_bytes()
        filling = seconds(path, out, str(cache))
        cached = seconds(path, out, str(cache))
        assert out.read_bytes() == expected, "the output differs"
        size = sum(file.stat().st_size for file in cache.iterdir())
    table = plain_table("run", "CPU s", "share")
    for what, taken in (("fresh", fresh), ("filling the cache", filling), ("cached", cached)):
        table.add_row(what, f"{taken:.1f}", f"{taken / fresh:.1%}")
    show = Console(width=110)
    show.print(f"{options.rows} rows, {MEASURES}, written as {options.format}")
    show.print(table)
    scores = options.rows * len(MEASURES.split(","))
    show.print(f"cache: {size / 1e6:.1f} MB, {size / scores:.0f} bytes per score")


def seconds(path: Path, out: Path, cache: str) -> float:
    """The CPU time of one run."""
    command = (sys.executable, "-m", "tricolore", "score", path, "-m", MEASURES, "-o", out)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*map(str, command), "--cache", cache], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def recombined(rows: int) -> Iterator[dict[str, object]]:
    """Rows of documents that do not exist, four summaries each."""
    path = DATA / "summeval.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    judged = [row for row in ExampleFile(str(path)) if isinstance(row, Example)]
    draw = random.Random(0)
    sources = _Sentences([row.source[0] for row in judged])
    summaries = _Sentences([row.summary for row in judged])
    references = _Sentences([row.references[0] for row in judged])
    for number in range(rows // len(SYSTEMS)):
        source, reference = sources.text(draw), references.text(draw)
        for system in SYSTEMS:
            yield {
                "doc_id": str(number),
                "system": system,
                "source": source,
                "summary": summaries.text(draw),
                "references": [reference],
            }


class _Sentences:
    """The sentences of some texts, and how many each text has."""

    def __init__(self, texts: Sequence[str]) -> None:
        cut = [sentences(text) for text in dict.fromkeys(texts)]
        self._all = [sentence for some in cut for sentence in some]
        self._counts = [len(some) for some in cut]

    def text(self, draw: random.Random) -> str:
        """A text of random sentences."""
        return " ".join(draw.choices(self._all, k=draw.choice(self._counts)))


if __name__ == "__main__":
    main()
