"""How long resampling takes: CPU seconds on one core, SummEval's size, 20 measures.

    python benchmarks/meta.py [--resamples 10000] [--over documents]

1600 rows are 100 documents x 16 systems; values are random, people's have 13 levels as in
SummEval. `--report` times all that `tricolore meta` does with its defaults, for 4 qualities.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # read when numpy is imported

import argparse
import time

import numpy as np
from rich.console import Console

from tricolore.data.score_table import ScoreTable
from tricolore.meta.agreements import agreements
from tricolore.meta.bootstrap import bootstrap, draw_resamples
from tricolore.meta.choices import LEVELS, OVERS, STATISTICS
from tricolore.report.terminal import plain_table

DOCUMENTS, SYSTEMS, MEASURES = 100, 16, 20


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--over", choices=OVERS, action="append")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    scores = made_table()
    out = Console()
    if options.report:
        begun = time.process_time()
        agreements(scores)
        out.print(f"meta with its defaults, 4 qualities: {time.process_time() - begun:.1f} CPU s")
        return
    for over in options.over or OVERS:
        table = plain_table(f"{options.resamples} of {over}", *STATISTICS)
        for level in LEVELS:
            table.add_row(
                f"{level} level",
                *(
                    f"{seconds(scores, over, level, s, options.resamples):.2f} s"
                    for s in STATISTICS
                ),
            )
        out.print(table)


def made_table() -> ScoreTable:
    rng = np.random.default_rng(0)
    cells = [(str(d), str(s)) for d in range(DOCUMENTS) for s in range(SYSTEMS)]
    docs, systems = zip(*cells, strict=True)
    return ScoreTable.of(
        docs,
        systems,
        {f"measure {i}": rng.normal(size=len(cells)) for i in range(MEASURES)},
        {f"quality {i}": rng.integers(3, 16, len(cells)) / 3 for i in range(4)},
    )


def seconds(scores: ScoreTable, over: str, level: str, statistic: str, resamples: int) -> float:
    begun = time.process_time()
    draws = draw_resamples(scores.grid, over, resamples=resamples, seed=0)
    columns = list(scores.values.values())
    bootstrap(columns, scores.human["quality 0"], scores.grid, level, statistic, draws)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
