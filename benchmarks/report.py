"""How large a report is, how long it takes to make, and how soon a browser shows it.

    python benchmarks/report.py [--examples 1600] [--measures rouge,chrf,coverage,…] [-o FILE]

1600 examples are SummEval, 100 articles x 16 systems, from the data beside the repository
(TRICOLORE_DATA); without it, texts of the same length are made up. Times of the browser are the
median of five cold starts of a page in Debian's chromium: the first contentful paint, and the end
of the last long task after it (the page reacts to input from then on).
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # read when numpy is imported

import argparse
import gzip
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from tricolore import evaluate, report

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
MEASURES = "rouge-1,rouge-2,rouge-l,chrf,importance,coverage,density,novelty,redundancy,length"
STARTS = 5
_TIMES = """() => new Promise(done => {
  const tasks = [];
  new PerformanceObserver(list => tasks.push(...list.getEntries()))
    .observe({type: "longtask", buffered: true});
  setTimeout(() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0].startTime;
    const ready = performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd;
    const ends = tasks.map(task => task.startTime + task.duration);
    done([paint, Math.max(paint, ready, ...ends)]);
  }, 3000);
})"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=int, default=1600)
    parser.add_argument("--measures", default=MEASURES)
    parser.add_argument("-o", "--output", default="")
    options = parser.parse_args()
    out = Console()
    rows = list(examples(options.examples))
    begun = time.perf_counter()
    scores = evaluate(rows, options.measures, evidence=True)
    out.print(f"{len(rows)} examples x {len(scores.measures)} measures")
    out.print(f"scored with evidence in {time.perf_counter() - begun:.1f} s")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(options.output or Path(directory) / "report.html")
        begun = time.perf_counter()
        report(scores, output=path)
        out.print(f"report made in {time.perf_counter() - begun:.1f} s")
        out.print(f"size {path.stat().st_size / 1e6:.1f} MB (target: below 15)")
        paint, interactive = (
            statistics.median(column) for column in zip(*starts(path), strict=True)
        )
    out.print(f"first contentful paint {paint / 1000:.2f} s (target: below 1)")
    out.print(f"interactive {interactive / 1000:.2f} s (target: below 2)")


def examples(count: int) -> Iterator[dict[str, Any]]:
    path = DATA / "summeval.jsonl.gz"
    if not path.is_file():
        yield from made_up(count)
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line, _ in zip(lines, range(count), strict=False):
            yield json.loads(line)


def made_up(count: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(0)
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(2, 9))) for _ in range(3000)]

    def text(length: int) -> str:
        return " ".join(rng.choices(words, k=length)).capitalize() + "."

    for row in range(count):
        if row % 16 == 0:
            source, reference = text(380), text(60)
        begin = rng.randrange(2000)
        yield {
            "source": source,
            "summary": f"{source[begin // 2 : begin // 2 + 250]} {text(20)}",
            "references": [reference],
            "doc_id": str(row // 16),
            "system": f"system {row % 16}",
            "human": {"relevance": rng.randint(1, 5)},
        }


def starts(path: Path) -> Iterator[tuple[float, float]]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        for _ in range(STARTS):
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(path.as_uri())
            yield tuple(page.evaluate(_TIMES))
            browser.close()


if __name__ == "__main__":
    main()
