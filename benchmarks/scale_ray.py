"""Ray: what a part costs, two actors against two processes, and a projection to many nodes.

    python benchmarks/scale_ray.py overhead [--rows 200]
    python benchmarks/scale_ray.py engines [--rows 32] [--measures blanc-help,estime,grounding]
    python benchmarks/scale_ray.py costs [--rows 16] [--measures coverage+supert+…]
    python benchmarks/scale_ray.py projection --seconds 0.5 [--rows 1000000]

`overhead` and `engines` start one Ray and use it for all runs, so that its start does not count;
actors and worker processes are started, and load their models, in every run. `engines` alternates
the two, since wall times depend on what else the machine does: it prints the load. `costs` scores
in one process with one thread. The rows are those of SummEval (TRICOLORE_DATA).
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console

from tricolore.report.terminal import plain_table

SHOW = Console(width=120)
DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
MEASURES = "blanc-help,estime,grounding"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=[*BENCHMARKS, "one"])
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--measures", default=MEASURES)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.0)
    options = parser.parse_args()
    if options.what == "one":
        one(options)
        return
    SHOW.print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    BENCHMARKS[options.what](options)
    SHOW.print(f"load of the last minute: {os.getloadavg()[0]:.1f}")


def summeval(count: int) -> list[dict[str, Any]]:
    with gzip.open(DATA / "summeval.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(count), strict=False)]
    return [{name: row[name] for name in ("doc_id", "system", "source", "summary")} for row in rows]


def written(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def timed(path: Path, output: Path, measures: str, engine: Any, part_rows: int) -> float:
    from tricolore import evaluate

    began = time.monotonic()
    evaluate(path, measures, output=f"{output}/", engine=engine, part_rows=part_rows)
    return time.monotonic() - began


def overhead(options: Any) -> None:
    """The time per part beyond that of the same parts in this process."""
    from tricolore.run.part_engines import PartsHere
    from tricolore.run.ray_parts import RayParts
    from tricolore.run.ray_session import ray_session

    rows = options.rows or 200
    line = {"source": "A cat sat on a mat.", "summary": "A cat sat."}
    with tempfile.TemporaryDirectory() as name, ray_session(cpus=1):
        folder = Path(name)
        few = written(folder, [{**line, "doc_id": str(at)} for at in range(2)])
        start = timed(few, folder / "few", "coverage", RayParts(1), 1)
        path = written(folder, [{**line, "doc_id": str(at)} for at in range(rows)])
        here = timed(path, folder / "here", "coverage", PartsHere(), 1)
        ray = timed(path, folder / "ray", "coverage", RayParts(1), 1)
    SHOW.print(f"{rows} parts of one row: {here:.1f} s in this process, {ray:.1f} s by one actor")
    extra = (ray - start - here) / (rows - 2) * 1e3
    SHOW.print(f"an actor starts in {start:.1f} s; then Ray costs {extra:.1f} ms per part")


def engines(options: Any) -> None:
    """Two actors against two processes."""
    from tricolore.run.part_engines import PartProcesses
    from tricolore.run.ray_parts import RayParts
    from tricolore.run.ray_session import ray_session

    rows = options.rows or 32
    table = plain_table("measure", "2 processes: wall s", "2 actors: wall s", "throughput of Ray")
    with tempfile.TemporaryDirectory() as name, ray_session(cpus=2):
        folder = Path(name)
        path = written(folder, summeval(rows))
        for measure in options.measures.split(","):
            found: dict[str, list[float]] = {"processes": [], "actors": []}
            for at in range(options.repeat):
                for kind, engine in (("processes", PartProcesses(2)), ("actors", RayParts(2))):
                    output = folder / f"{measure}-{kind}-{at}"
                    found[kind].append(timed(path, output, measure, engine, max(1, rows // 4)))
                    SHOW.print(f"{measure}, {kind}: {found[kind][-1]:.1f} s")
            ratio = median(found["processes"]) / median(found["actors"])
            shown = [", ".join(f"{wall:.1f}" for wall in walls) for walls in found.values()]
            table.add_row(measure, *shown, f"{ratio:.2f}×")
    SHOW.print(f"{rows} rows of SummEval in 4 parts, without a cache; both load their models")
    SHOW.print(table)


def one(options: Any) -> None:
    """Score rows that are given as JSON, and print the CPU time after a first row, and memory."""
    from tricolore import Example
    from tricolore.models.placement import Placement, place_process
    from tricolore.run.run import Run

    place_process(Placement(threads=1))
    rows = [Example(**row) for row in json.load(sys.stdin)]
    run = Run([options.measures])
    list(run.score(rows[:1]))
    began = time.process_time()
    list(run.score(rows[1:]))
    taken = (time.process_time() - began) / max(1, len(rows) - 1)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": taken, "mb": memory}))


def cost(measure: str, rows: list[dict[str, Any]]) -> dict[str, float]:
    command = [sys.executable, __file__, "one", "--measures", measure]
    done = subprocess.run(
        command, input=json.dumps(rows), check=True, capture_output=True, text=True
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def costs(options: Any) -> None:
    """CPU time per row and memory of measures, and how it grows.

    The first columns are about further summaries of a document that is known: what is computed of
    the source alone was done for the first summary. Then one summary of each document, relative to
    that; and one summary of each document with the text of another document behind it, relative to
    one without.
    """
    count = options.rows or 16
    rows = summeval(17 * 16)
    many = rows[: count + 1]
    second = rows[-1]["source"]  # another document: sentences that are repeated would cost nothing
    single = rows[::16][: min(count, 16) + 1]
    table = plain_table(
        "measure", "CPU s per row", "rows per CPU-hour", "MB", "1 summary per document", "source ×2"
    )
    for measure in options.measures.split("+"):
        base = cost(measure, many)
        alone = cost(measure, single)
        longer = [{**row, "source": f"{row['source']} {second}"} for row in single]
        double = cost(measure, longer)
        table.add_row(
            measure,
            f"{base['seconds']:.4f}",
            f"{3600 / base['seconds']:,.0f}",
            f"{base['mb']:.0f}",
            f"{alone['seconds'] / base['seconds']:.1f}×",
            f"{double['seconds'] / alone['seconds']:.1f}×",
        )
    SHOW.print(f"{count} rows of SummEval (16 summaries per document), one thread")
    SHOW.print(table)


def projection(options: Any) -> None:
    """Hours for many rows on 1 to 64 nodes, simulated part by part.

    Parts go one by one to the actor that is free first. A part takes its rows, plus what Ray costs
    per part; the driver hands out one part at a time and writes the manifest after each.
    """
    rows, seconds = options.rows or 1_000_000, options.seconds or 0.5
    table = plain_table("nodes", "cores", "hours", "efficiency", "bound by")
    for part_rows in (10_000, 1000):
        for nodes in (1, 4, 16, 64):
            hours, bound = simulated(rows, seconds, nodes * CORES, part_rows)
            ideal = rows * seconds / 3600 / (nodes * CORES)
            cells = (str(nodes), str(nodes * CORES), f"{hours:.2f}", f"{ideal / hours:.0%}", bound)
            table.add_row(*cells)
        table.add_section()
    SHOW.print(
        f"{rows:,} rows of {seconds:g} CPU s on nodes of {CORES} cores; parts of 10,000 rows, then "
        f"of 1,000; {START:g} s until an actor has its models (assumed), "
        f"{PART_SECONDS * 1e3:g} ms per part (measured)"
    )
    SHOW.print(table)


CORES, START, PART_SECONDS, MANIFEST_SECONDS = 16, 30.0, 0.045, 4e-5
"""Cores of a node; seconds to start an actor with its models, per part, and to write one part's
entry of the manifest, which is written whole after every part. The last two were measured; the
others are assumptions."""


def simulated(rows: int, seconds: float, actors: int, part_rows: int) -> tuple[float, str]:
    """The hours of a run, and what bounds it."""
    parts = math.ceil(rows / part_rows)
    free = [START] * min(actors, parts)
    driver = 0.0
    for _ in range(parts):
        first = min(range(len(free)), key=free.__getitem__)
        driver = max(driver, free[first]) + MANIFEST_SECONDS * parts
        free[first] = driver + PART_SECONDS + part_rows * seconds
    last = max(free)
    work = rows * seconds / actors
    if parts < actors:
        bound = "fewer parts than cores"
    elif 0.1 * last < START:
        bound = "loading models"
    elif driver > 0.9 * last and MANIFEST_SECONDS * parts**2 > 0.5 * last:
        bound = "the manifest"
    elif last > 1.1 * work:
        bound = "the last parts"
    else:
        bound = "cores"
    return last / 3600, bound


BENCHMARKS = {
    "overhead": overhead,
    "engines": engines,
    "costs": costs,
    "projection": projection,
}


if __name__ == "__main__":
    main()
