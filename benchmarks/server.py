"""`tricolore serve` under load, on loopback: requests a second, latencies, batching and memory.

    python benchmarks/server.py [--seconds 8] [--requests 5000] [--jobs 1]

One pair of a source and a summary per request, each different, from SummEval. Clients and server
share this machine, so compare the figures of one run with each other, not with those of another.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console

from tricolore.web.config import ServerConfig
from tricolore.web.limits import Limits
from tricolore.web.server import serve

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
OUT = Console(width=110, highlight=False)
KINDS = {
    "lexical": ["rouge-l", "chrf", "coverage", "novelty"],
    "grounding": ["grounding"],
    "BLANC": ["blanc-help"],
}
CLIENTS = (1, 8, 64)
Body = dict[str, Any]


def bodies(measures: list[str], *, alike: bool = False) -> Iterator[Body]:
    """Requests without end, no two of them alike; or at least no two summaries."""
    with gzip.open(DATA / "summeval.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for number, row in enumerate(itertools.cycle(rows[:160] if alike else rows[::7])):
        example = {
            "source": row["source"] if alike else f"Report {number}. {row['source']}",
            "summary": f"{row['summary']} ({number})",
            "references": row["references"][:1],
        }
        yield {"examples": [example], "measures": measures}


@contextmanager
def server(jobs: int, batch: int) -> Iterator[tuple[str, int]]:
    """A server in another process: its address and its process id."""
    command = [sys.executable, __file__, "--serve", f"{jobs},{batch}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        url = process.stdout.readline().strip()
        while True:
            try:
                if httpx.get(f"{url}/readyz").status_code == 200:
                    break
            except httpx.TransportError:
                pass
            time.sleep(0.2)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait()


def run_server(jobs: int, batch: int) -> None:
    limits = Limits(client_requests=1000, seconds=600, batch=batch)
    config = ServerConfig(port=0, workers=jobs, warm=["grounding", "blanc-help"], limits=limits)
    serve(config, lambda made: print(made.url, flush=True))


async def load(
    url: str, requests: Iterator[Body], clients: int, seconds: float = 0, count: int = 0
) -> tuple[float, list[float]]:
    """Ask for some seconds, or so many times: requests a second, and the latencies."""
    latencies: list[float] = []
    left = itertools.count()
    began = time.monotonic()

    async def ask(http: httpx.AsyncClient) -> None:
        while time.monotonic() - began < seconds or (count and next(left) < count):
            sent = time.monotonic()
            answer = await http.post("/v1/score", json=next(requests))
            assert answer.status_code == 200, answer.text
            latencies.append(time.monotonic() - sent)

    connections = httpx.Limits(max_connections=clients)
    async with httpx.AsyncClient(base_url=url, timeout=600, limits=connections) as http:
        await asyncio.gather(*(ask(http) for _ in range(clients)))
    return len(latencies) / (time.monotonic() - began), latencies


def p95(latencies: list[float]) -> float:
    return statistics.quantiles(latencies, n=20)[-1] if len(latencies) > 1 else latencies[0]


def family(process: int) -> list[str]:
    """A process and its children."""
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=True
    )
    return [str(process), *children.stdout.split()]


def megabytes(process: int) -> float:
    """The memory of a process and its children."""
    pages = sum(int(Path(f"/proc/{p}/statm").read_text().split()[1]) for p in family(process))
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def cpu_seconds(process: int) -> float:
    """The CPU time of a process and its children."""
    ticks = 0
    for each in family(process):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def batch_size(url: str, measure: str) -> float:
    """The mean number of examples in a batch so far."""
    figures = dict(
        line.rsplit(" ", 1)
        for line in httpx.get(f"{url}/metrics").text.splitlines()
        if line.startswith("tricolore_batch_size_") and f'"{measure}"' in line
    )
    total = float(figures[f'tricolore_batch_size_sum{{measure="{measure}"}}'])
    return total / float(figures[f'tricolore_batch_size_count{{measure="{measure}"}}'])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--jobs", type=int, default=1, help="worker processes")
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of requests")
    parser.add_argument("--serve", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        jobs, batch = map(int, options.serve.split(","))
        run_server(jobs, batch)
        return
    requests = {kind: bodies(measures) for kind, measures in KINDS.items()}
    with server(options.jobs, Limits().batch) as (url, process):
        OUT.print("| requests | clients | requests/s | median | p95 | CPU of the server |")
        OUT.print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for kind in filter(None, options.kinds.split(",")):
            asyncio.run(load(url, requests[kind], 4, count=8))
            for clients in CLIENTS:
                before = cpu_seconds(process)
                rate, took = asyncio.run(load(url, requests[kind], clients, options.seconds))
                used = 1000 * (cpu_seconds(process) - before) / len(took)
                middle, slow = 1000 * statistics.median(took), 1000 * p95(took)
                times = f"{middle:.0f} ms | {slow:.0f} ms | {used:.0f} ms per request |"
                OUT.print(f"| {kind} | {clients} | {rate:.1f} | {times}")
        if options.requests:
            OUT.print()
            memory(url, process, requests["lexical"], options.requests)
    OUT.print()
    OUT.print("| grounding, 64 clients | one by one | in batches | ratio | CPU | batch |")
    OUT.print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, alike in (("summaries of 10 documents", True), ("a new document each", False)):
        rates, cpu = [], []
        for batch in (1, Limits().batch):
            with server(options.jobs, batch) as (url, process):
                asked = bodies(KINDS["grounding"], alike=alike)
                asyncio.run(load(url, asked, 4, count=160 if alike else 8))
                before = cpu_seconds(process)
                rate, took = asyncio.run(load(url, asked, 64, 2 * options.seconds))
                rates.append(rate)
                cpu.append(1000 * (cpu_seconds(process) - before) / len(took))
                size = batch_size(url, "grounding")
        one, many = rates
        used = f"{cpu[0]:.0f} ms, {cpu[1]:.0f} ms per request"
        rates_shown = f"{one:.1f}/s | {many:.1f}/s | {many / one:.1f}"
        OUT.print(f"| {name} | {rates_shown} | {used} | {size:.1f} |")


def memory(url: str, process: int, requests: Iterator[Body], count: int) -> None:
    OUT.print("| lexical requests so far | memory of server and workers |")
    OUT.print("| ---: | ---: |")
    done = 0
    for part in (count // 10, count // 5, count // 2, count):
        asyncio.run(load(url, requests, 8, count=part - done))
        done = part
        OUT.print(f"| {done} | {megabytes(process):.0f} MB |")


if __name__ == "__main__":
    main()
