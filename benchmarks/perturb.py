"""Damaged summaries a second, after the model is loaded.

    python benchmarks/perturb.py [--rows 128] [--per-summary 3] [--together 3] [--model embedded]

Summaries are the first of the BLANC paper's set. The wall clock says little on a shared machine,
so CPU seconds are given beside it: with N free cores expect up to N times as many a second.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from tricolore import Example
from tricolore.data.examples import ExampleFile
from tricolore.memo import forget
from tricolore.perturb.damage import Damaged
from tricolore.perturb.kinds import KINDS, get_perturbation
from tricolore.perturb.perturbation import Outcome, Perturbation
from tricolore.perturb.subtle_errors import SubtleErrors
from tricolore.report.terminal import plain_table

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
OUT = Console(width=110)
GOAL = 20


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--per-summary", type=int, default=3)
    parser.add_argument("--together", type=int, default=3, help="words masked at once")
    parser.add_argument("--model", default="embedded")
    options = parser.parse_args()
    examples = load(options.rows)
    subtle = SubtleErrors(seed=1, model=options.model, together=options.together)
    subtle.damage(examples[:2], 1)  # loads the model and the tagger
    import torch

    OUT.print(f"{len(examples)} summaries, {torch.get_num_threads()} threads")
    table = plain_table("damage", "summaries", "changes", "a second", "a CPU second")
    kinds: list[Perturbation] = [subtle]
    kinds += [get_perturbation(kind, seed=1) for kind in KINDS if kind != subtle.kind]
    speeds = []
    for kind in kinds:
        forget()
        made, wall, cpu = timed(lambda kind=kind: kind.damage(examples, options.per_summary))
        damaged = [one for one in made if isinstance(one, Damaged)]
        changes = sum(len(one.edits) for one in damaged)
        speeds.append(len(made) / wall)
        figures = (len(damaged), changes, f"{len(made) / wall:.1f}", f"{len(made) / cpu:.1f}")
        table.add_row(kind.kind, *map(str, figures))
    OUT.print(table)
    reached = "reached" if speeds[0] >= GOAL else "not reached"
    OUT.print(f"Goal of {GOAL} summaries with subtle errors a second: {reached}.")


def load(count: int) -> list[Example]:
    path = DATA / "cnndm555.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    return [row for row in ExampleFile(str(path), limit=count) if isinstance(row, Example)]


def timed(work: Callable[[], list[Outcome]]) -> tuple[list[Outcome], float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    made = work()
    return made, time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    main()
