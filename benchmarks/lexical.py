"""The lexical measures against their peers: one process, the same SummEval pairs, CPU time.

    python benchmarks/lexical.py [--pairs 1600] [--repeat 3]

Absolute times mean little on a shared machine; the ratios are what counts. Every repetition
starts with nothing remembered, so that no run profits from the one before.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import ModuleType

from rich.console import Console
from rouge_score.rouge_scorer import RougeScorer

from tricolore import Example, Run
from tricolore.data.examples import ExampleFile
from tricolore.memo import forget
from tricolore.report.terminal import plain_table

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
plain_words = re.compile(r"\w+|[^\w\s]").findall
"""What a straightforward version does: every text cut again for every pair."""
SOURCE_ONLY = "fragments,novelty,redundancy,length,jensen-shannon,importance"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=1600)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    examples = load(options.pairs)
    rouge = RougeScorer(["rouge1", "rouge2", "rougeL"])
    newsroom = newsroom_fragments()
    marked = [with_marks(row) for row in examples]

    def peer_rouge() -> None:
        for row in examples:
            rouge.score(row.references[0], row.summary)

    def peer_fragments() -> None:
        for row in examples:
            found = newsroom.Fragments(plain_words(row.summary), plain_words(row.source[0]))
            found.coverage(), found.density(), found.compression()

    timings = {
        "ROUGE-1/2/L, one reference": (peer_rouge, score(examples, "rouge"), "rouge-score"),
        "coverage, density, compression": (
            peer_fragments,
            score(examples, "fragments"),
            "newsroom's Python",
        ),
        "coverage alone": (peer_fragments, score(examples, "coverage"), "newsroom's Python"),
        "the same three, greedy as newsroom's": (
            peer_fragments,
            score(examples, "fragments:preset=released"),
            "newsroom's Python",
        ),
        "importance, corpus fitting included": (None, score(examples, "importance"), ""),
        "HighRES, a highlight of 100 characters": (None, score(marked, "highres"), ""),
        "HighRES, weights of importance": (
            None,
            score(examples, "highres:weights=importance"),
            "",
        ),
        "pyramid, ten labelled units": (None, score(marked, "pyramid"), ""),
        "all source-only measures in one run": (None, score(examples, SOURCE_ONLY), ""),
    }
    table = plain_table("what", "peer", "peer, s", "ours, s", "ratio")
    for what, (peer, ours, name) in timings.items():
        theirs, mine = measure(peer, ours, options.repeat)
        ratio = f"{theirs / mine:.1f}×" if peer else ""
        table.add_row(what, name, f"{theirs:.2f}" if peer else "", f"{mine:.2f}", ratio)
    out = Console(width=110)
    out.print(f"{len(examples)} SummEval pairs, CPU seconds, median of {options.repeat}")
    out.print(table)


def load(count: int) -> list[Example]:
    """The first SummEval pairs, with one reference each."""
    path = DATA / "summeval.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    return [
        Example(source=row.source, summary=row.summary, references=row.references[0])
        for row in ExampleFile(str(path), limit=count)
        if isinstance(row, Example)
    ]


def with_marks(row: Example) -> Example:
    """With the first 100 characters highlighted, and ten content units labelled."""
    units = [{"text": f"Fact {n}.", "weight": 1, "present": n % 2 == 0} for n in range(10)]
    marks = [{"start": 0, "end": min(100, len(row.source[0])), "annotator": "1"}]
    return Example(source=row.source, summary=row.summary, units=units, highlights=marks)


def score(examples: list[Example], specs: str) -> Callable[[], None]:
    def go() -> None:
        run = Run([specs])
        if run.needs_corpus:
            run.fit([row.source[0] for row in examples])
        for _ in run.score(examples):
            pass

    return go


def measure(
    peer: Callable[[], None] | None, ours: Callable[[], None], repeat: int
) -> tuple[float, float]:
    """The median CPU time of both, run in turns so that a busy machine disturbs them alike."""
    taken: dict[str, list[float]] = {"peer": [], "ours": []}
    ours()  # imports and the like are not what is compared
    for _ in range(repeat):
        for who, work in (("peer", peer), ("ours", ours)):
            forget()
            gc.collect()
            start = time.process_time()
            if work:
                work()
            taken[who].append(time.process_time() - start)
    return median(taken["peer"]), median(taken["ours"])


def newsroom_fragments() -> ModuleType:
    """The newsroom package's own procedure, as the summ-eval package carries it.

    Loaded by path: importing the package itself needs a dozen libraries.
    """
    found = importlib.util.find_spec("summ_eval")
    if found is None or found.origin is None:
        sys.exit("summ-eval is not installed; `make setup` installs it")
    path = Path(found.origin).with_name("data_stats_utils.py")
    spec = importlib.util.spec_from_file_location("newsroom_fragments", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
