"""GRUEN, MoverScore, YiSi-1 and BERTScore on the same pairs, in CPU time.

    python benchmarks/token_measures.py [--documents 1] [--threads 1]

SummEval, 16 summaries per document, the first reference; nothing is cached. The last column is the
ratio to bert-score in the same process. Absolute times mean little on a shared machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import torch
from rich.console import Console

from tricolore import Example
from tricolore.data.examples import ExampleFile
from tricolore.memo import forget
from tricolore.registry import get_measure
from tricolore.report.terminal import plain_table

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
SPECS = ("bert-score", "yisi", "mover-score", "mover-score:preset=released", "gruen")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    path = DATA / "summeval.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    rows = ExampleFile(str(path), limit=16 * options.documents)
    examples = [replace(r, references=r.references[:1]) for r in rows if isinstance(r, Example)]
    taken = {spec: _seconds(spec, examples) for spec in SPECS}
    table = plain_table("measure", "ms per pair", "ratio to bert-score")
    for spec, seconds in taken.items():
        ratio = seconds / taken["bert-score"]
        table.add_row(spec, f"{1000 * seconds / len(examples):.0f}", f"{ratio:.1f}×")
    console = Console(width=100)
    console.print(f"{len(examples)} pairs, {options.threads} threads, CPU milliseconds")
    console.print(table)


def _seconds(spec: str, examples: list[Example]) -> float:
    measure = get_measure(spec)
    measure.score(examples[:1])  # the model is loaded
    forget()
    start = time.process_time()
    measure.score(examples)
    return time.process_time() - start


if __name__ == "__main__":
    main()
