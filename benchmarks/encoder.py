"""SUPERT and grounding in one run against encoding source and summary of every pair afresh.

    python benchmarks/encoder.py [--documents 3] [--repeat 3] [--threads 1]

SummEval, 16 summaries a document, all-MiniLM-L6-v2. `afresh` is sentence-transformers: for each
pair all sentences of the source and of the summary become token vectors, as in the authors' code,
then the matrix of cosines. `alone` is our own code, a pair at a time, with nothing remembered;
grounding has no peer.
Values are checked to be equal before a ratio is printed. CPU time; absolute times mean little on a
shared machine.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
from rich.console import Console

from tricolore import Example, Run
from tricolore.data.examples import ExampleFile
from tricolore.measures.supert import Supert
from tricolore.memo import forget
from tricolore.models.loading import MINILM, home
from tricolore.registry import get_measure
from tricolore.report.terminal import plain_table
from tricolore.text.sentences import sentences

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
SUMMARIES = 16  # of each document of SummEval
FIRST = {"supert": 10, "supert:reference_from=sd": 10**6}
OUT = Console(width=110)
Work = Callable[[], list[float]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    examples = load(options.documents * SUMMARIES)
    from sentence_transformers import SentenceTransformer

    peer = SentenceTransformer(home(MINILM), device="cpu")
    table = plain_table("what", "afresh", "alone", "one run", "afresh / run", "alone / run")
    for spec, first in FIRST.items():
        works = [
            lambda first=first: [afresh(peer, row, first) for row in examples],
            lambda spec=spec: alone(spec, examples),
            lambda spec=spec: together(spec, examples),
        ]
        theirs, single, ours = timed(works, options.repeat)
        times = [f"{1000 * taken / len(examples):.0f}" for taken in (theirs, single, ours)]
        table.add_row(spec, *times, f"{theirs / ours:.1f}×", f"{single / ours:.1f}×")
    single, ours = timed(
        [lambda: alone("grounding", examples), lambda: together("grounding", examples)],
        options.repeat,
    )
    times = [f"{1000 * taken / len(examples):.0f}" for taken in (single, ours)]
    table.add_row("grounding", "–", *times, "–", f"{single / ours:.1f}×")
    OUT.print(
        f"{len(examples)} pairs of {options.documents} documents, {options.threads} threads, "
        f"CPU milliseconds a pair, median of {options.repeat}"
    )
    OUT.print(table)
    OUT.print(f"grounding: {len(examples) / ours:.1f} pairs per CPU second")


def load(count: int) -> list[Example]:
    """The first pairs of SummEval."""
    path = DATA / "summeval.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    return [
        Example(source=row.source, summary=row.summary)
        for row in ExampleFile(str(path), limit=count)
        if isinstance(row, Example)
    ]


def afresh(peer: Any, row: Example, first: int) -> float:
    """All that the formulas need, from the texts of one pair."""
    source, summary = sentences(row.source[0]), sentences(row.summary)
    vectors = [
        states.numpy()[1:-1]
        for states in peer.encode([*source, *summary], output_value="token_embeddings")
    ]
    reference = unit(np.concatenate(vectors[: len(source)][:first]))
    own = unit(np.concatenate(vectors[len(source) :]))
    cosines = reference @ own.T
    precision, recall = cosines.max(axis=0).mean(), cosines.max(axis=1).mean()
    return float(2 * precision * recall / (precision + recall))


def unit(vectors: Any) -> Any:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def alone(spec: str, examples: list[Example]) -> list[float]:
    measure = get_measure(spec)
    values = []
    for row in examples:
        nothing_remembered()
        values.append(measure.score([row])[0].value)
    return values


def together(spec: str, examples: list[Example]) -> list[float]:
    nothing_remembered()
    run = Run([spec])
    [measure] = run.measures
    return [result.scores[measure.label].value for result in run.score(examples)]


def nothing_remembered() -> None:
    forget()


def timed(works: list[Work], repeat: int) -> list[float]:
    """The median CPU time of each, run in turns so that a busy machine disturbs them alike."""
    _ = Supert().encoder  # loading is not what is compared
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(repeat):
        values = []
        for work, times in zip(works, taken, strict=True):
            gc.collect()
            start = time.process_time()
            values.append(work())
            times.append(time.process_time() - start)
        for other in values[1:]:
            np.testing.assert_allclose(other, values[0], atol=1e-5)
    return [median(times) for times in taken]


if __name__ == "__main__":
    main()
