"""Runs in parts: how they scale with processes, what resuming costs, memory, and the cache.

    python benchmarks/scale.py processes [--rows 100000] [--repeat 3]
    python benchmarks/scale.py resume [--rows 100000]
    python benchmarks/scale.py memory [--rows 1000000]
    python benchmarks/scale.py cache [--rows 20000]

Every run is a process of its own, which reports its wall time, the CPU time of itself and of its
workers, and the largest memory that it or a worker had. `processes` alternates runs with one and
with two processes, since wall times depend on what else the machine does: it prints the load.
The rows of `processes`, `resume` and `cache` are those of `resume.py`: news-length documents with
the summaries of four systems; those of `memory` are short.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from resume import MEASURES, recombined
from rich.console import Console

from tricolore.report.terminal import plain_table

SHOW = Console(width=110)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=[*BENCHMARKS, "one"])
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--call", default="", help="the arguments of `evaluate`, as JSON")
    options = parser.parse_args()
    if options.what == "one":
        one(json.loads(options.call))
        return
    SHOW.print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as name:
        BENCHMARKS[options.what](Path(name), options.rows, options.repeat)
    SHOW.print(f"load of the last minute: {os.getloadavg()[0]:.1f}")


def one(call: dict[str, Any]) -> None:
    """Evaluate once, and print what it cost."""
    from tricolore import evaluate

    began = time.monotonic()
    done = evaluate(**call)
    wall = time.monotonic() - began
    own, workers = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    cost = {
        "wall": wall,
        "own": own.ru_utime + own.ru_stime,
        "workers": workers.ru_utime + workers.ru_stime,
        "mb": own.ru_maxrss / 1024,
        "worker_mb": workers.ru_maxrss / 1024,
        "rows": done.summary.rows,
    }
    print(json.dumps(cost))


def cost(path: Path, output: Path, **options: Any) -> dict[str, float]:
    """What one run costs in a process of its own."""
    call = {"data": str(path), "measures": MEASURES, "output": f"{output}/", **options}
    command = [sys.executable, __file__, "one", "--call", json.dumps(call)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def written(path: Path, rows: Iterable[dict[str, object]]) -> Path:
    with path.open("w") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def processes(folder: Path, rows: int, repeat: int) -> None:
    """Wall and CPU time with one and with two processes."""
    rows = rows or 100_000
    path = written(folder / "rows.jsonl", recombined(rows))
    found: dict[int, list[dict[str, float]]] = {1: [], 2: []}
    for _ in range(repeat):
        for jobs, costs in found.items():
            shutil.rmtree(folder / "out", ignore_errors=True)
            costs.append(cost(path, folder / "out", jobs=jobs))
    table = plain_table("processes", "wall s (all)", "CPU s", "of the first process", "rows per s")
    for jobs, costs in found.items():
        walls = [each["wall"] for each in costs]
        cpu = median(each["own"] + each["workers"] for each in costs)
        own = median(each["own"] for each in costs)
        shown = ", ".join(f"{wall:.0f}" for wall in walls)
        table.add_row(str(jobs), shown, f"{cpu:.1f}", f"{own:.1f}", f"{rows / median(walls):.0f}")
    SHOW.print(f"{rows} rows, {MEASURES}, without a cache")
    SHOW.print(table)
    ratio = median(c["wall"] for c in found[1]) / median(c["wall"] for c in found[2])
    pairs = zip(found[1], found[2], strict=True)
    each = ", ".join(f"{one['wall'] / two['wall']:.2f}" for one, two in pairs)
    SHOW.print(f"speed-up by a second process: {ratio:.2f} (each pair: {each})")
    two = found[2]
    serial = median(c["own"] for c in two)
    total = median(c["own"] + c["workers"] for c in two)
    bound = total / (serial + (total - serial) / 2)
    SHOW.print(f"from CPU times alone, on two idle cores: at most {bound:.2f}")


def resume(folder: Path, rows: int, repeat: int) -> None:
    """A run that is finished already, compared with a fresh one."""
    rows = rows or 100_000
    path = written(folder / "rows.jsonl", recombined(rows))
    fresh = cost(path, folder / "out")
    again = [cost(path, folder / "out") for _ in range(repeat)]
    taken = median(each["own"] for each in again)
    table = plain_table("run", "CPU s", "share")
    table.add_row("fresh", f"{fresh['own']:.1f}", "100 %")
    table.add_row("finished before", f"{taken:.2f}", f"{taken / fresh['own']:.1%}")
    SHOW.print(f"{rows} rows, {MEASURES}, without a cache")
    SHOW.print(table)


def memory(folder: Path, rows: int, repeat: int) -> None:
    """The largest memory over few and many short rows."""
    rows = rows or 1_000_000
    table = plain_table("rows", "MB of the first process", "MB of a worker", "CPU s", "wall s")
    for count in (rows // 10, rows):
        path = written(folder / f"{count}.jsonl", short_rows(count))
        found = cost(path, folder / f"out{count}", measures="coverage,rouge-1", jobs=2)
        cpu = found["own"] + found["workers"]
        sizes = (f"{found['mb']:.0f}", f"{found['worker_mb']:.0f}")
        table.add_row(str(count), *sizes, f"{cpu:.0f}", f"{found['wall']:.0f}")
    SHOW.print("short rows (a source of 30 words), coverage and rouge-1, JSON Lines to parts")
    SHOW.print(table)


def cache(folder: Path, rows: int, repeat: int) -> None:
    """The size of the cache, and what filling it costs in a run in parts."""
    rows = rows or 20_000
    path = written(folder / "rows.jsonl", recombined(rows))
    without = median(cost(path, folder / f"a{at}")["own"] for at in range(repeat))
    found = [cost(path, folder / f"b{at}", cache=str(folder / f"c{at}")) for at in range(repeat)]
    filling = median(each["own"] for each in found)
    two = cost(path, folder / "two", cache=str(folder / "two-cache"), jobs=2)
    size = sum(file.stat().st_size for file in (folder / "c0").iterdir())
    scores = rows * len(MEASURES.split(","))
    SHOW.print(f"{rows} rows, {MEASURES}: {scores} scores")
    SHOW.print(f"cache: {size / 1e6:.1f} MB, {size / scores:.0f} bytes per score")
    micro = (filling - without) / scores * 1e6
    SHOW.print(f"CPU s without {without:.1f}, filling it {filling:.1f}: {micro:.0f} µs per score")
    rate = scores / two["wall"]
    SHOW.print(f"two processes that fill one cache: {two['wall']:.0f} s, {rate:.0f} scores per s")


def short_rows(count: int) -> Iterator[dict[str, object]]:
    draw = random.Random(0)
    words = [f"word{at}" for at in range(2000)]
    for number in range(count // 4):
        source = draw.choices(words, k=30)
        for system in "abcd":
            at = draw.randrange(20)
            yield {
                "doc_id": str(number),
                "system": system,
                "source": " ".join(source),
                "summary": " ".join(source[at : at + 8]),
                "references": [" ".join(source[:8])],
            }


BENCHMARKS = {"processes": processes, "resume": resume, "memory": memory, "cache": cache}


if __name__ == "__main__":
    main()
