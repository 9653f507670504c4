"""BLANC and ESTIME against blanc 0.3.4: one process, the same nets, texts and threads.

    python benchmarks/masked.py [--sentences 8] [--repeat 3] [--batch 1] [--only blanc-help]

The nets are random, of the size of BERT base (12 layers of 768) and a small one (6 of 384). Those
for ESTIME mix little: were all places alike, as after many layers of plain noise, everything would
be a near tie and be computed twice, which in a trained net is rare. Values are checked to be equal
before a ratio is printed. CPU seconds; absolute times mean little on a shared machine.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import torch
import transformers
from rich.console import Console
from scipy.stats import spearmanr

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "peers"))
import blanc034

from tricolore import Example
from tricolore.data.examples import ExampleFile
from tricolore.measures.blanc import BlancMeasure
from tricolore.measures.blanc_help import BlancHelp
from tricolore.measures.blanc_tune import BlancTune
from tricolore.measures.estime import Estime
from tricolore.memo import forget
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.queries import Query
from tricolore.report.terminal import plain_table
from tricolore.text.sentences import sentence_spans

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[2] / "shared" / "data"))
SIZES = {"base": {"layers": 12, "width": 768}, "small": {"layers": 6, "width": 384}}
WANTED = ["blanc-help", "estime", "blanc-tune", "flops", "filler", "growth"]
PLOT = Path(__file__).parents[1] / "docs" / "images" / "growth.svg"
OUT = Console(width=110)
Work = Callable[[], list[Any]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sentences", type=int, default=8, help="of each source")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--batch", type=int, default=1, help="inference_batch_size of the peer")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--documents", type=int, default=5, help="for the rank correlation")
    parser.add_argument("--epochs", type=int, default=10, help="of BLANC-tune")
    parser.add_argument("--only", choices=WANTED)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    documents = load(options.sentences)
    wanted = [options.only] if options.only else WANTED
    with TemporaryDirectory() as directory:
        models = {
            (name, mixing): blanc034.random_bert(
                Path(directory) / f"{name}-{mixing}", mixing=mixing, **shape
            )
            for name, shape in SIZES.items()
            for mixing in (1.0, 0.3)
        }
        OUT.print(
            f"sources of {options.sentences} sentences, {options.threads} threads, CPU seconds, "
            f"median of {options.repeat}; the peer's batches of {options.batch}"
        )
        ratios(documents[0], models, options, wanted)
        if "flops" in wanted:
            for name in SIZES:
                flops(documents[0], name, models[name, 1.0])
    if "filler" in wanted:
        one_filler(documents[: options.documents])
    if "growth" in wanted:
        growth(documents)


def load(count: int) -> list[list[Example]]:
    """SummEval, 16 summaries a document; of each source the first sentences."""
    path = DATA / "summeval.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    found: dict[str, list[Example]] = {}
    for row in ExampleFile(str(path)):
        if isinstance(row, Example):
            spans = sentence_spans(row.source[0])[:count]
            start = Example(source=row.source[0][: spans[-1][1]], summary=row.summary)
            found.setdefault(row.doc_id, []).append(start)
    return list(found.values())


# Against the peer.


def ratios(
    document: list[Example],
    models: dict[tuple[str, float], str],
    options: argparse.Namespace,
    wanted: list[str],
) -> None:
    table = plain_table("what", "net", "peer", "ours", "ratio", "lowest and highest")
    for measure, pairs, size in (
        ("blanc-help", 1, "base"),
        ("blanc-help", 1, "small"),
        ("blanc-help", 16, "small"),
        ("estime", 1, "base"),
        ("estime", 1, "small"),
        ("estime", 16, "small"),
        ("blanc-tune", 1, "base"),
        ("blanc-tune", 1, "small"),
    ):
        if measure not in wanted:
            continue
        model = models[size, 0.3 if measure == "estime" else 1.0]
        peer, ours = COMPARED[measure](document[:pairs], model, options)
        theirs, mine = measured(peer, ours, options.repeat)
        each = [a / b for a, b in zip(theirs, mine, strict=True)]
        what = f"{measure}, {pairs} summar{'y' if pairs == 1 else 'ies'} of one source"
        table.add_row(
            what,
            size,
            f"{median(theirs):.2f}",
            f"{median(mine):.2f}",
            f"{median(each):.1f}×",
            f"{min(each):.1f} to {max(each):.1f}",
        )
    if table.rows:
        OUT.print(table)


def blanc_help(
    examples: list[Example], model: str, options: argparse.Namespace
) -> tuple[Work, Work]:
    peer = blanc034.load().BlancHelp(
        model,
        measure="relative-counts",
        show_progress_bar=False,
        inference_batch_size=options.batch,
    )
    measure = BlancHelp(model=model)

    return partial(peer_counts, peer, examples), partial(our_counts, measure, examples)


def blanc_tune(
    examples: list[Example], model: str, options: argparse.Namespace
) -> tuple[Work, Work]:
    """Without chance, so that both learn the same: no dropout in the nets, no token replaced."""
    peer = blanc034.load().BlancTune(
        model,
        measure="relative-counts",
        show_progress_bar=False,
        inference_batch_size=options.batch,
        finetune_epochs=options.epochs,
        p_token_replace=0.0,
        p_token_original=0.0,
    )
    measure = BlancTune(
        model=model, epochs=options.epochs, p_replace=0.0, p_keep=0.0, threads=options.threads
    )
    return partial(peer_counts, peer, examples), partial(our_counts, measure, examples)


def peer_counts(peer: Any, examples: list[Example]) -> list[Any]:
    [scores] = peer.eval_summaries_for_docs(
        [examples[0].source[0]], [[row.summary for row in examples]]
    )
    return [[*s[0], *s[1]] for _, s in scores]


def our_counts(measure: BlancMeasure, examples: list[Example]) -> list[Any]:
    names = ("s00", "s01", "s10", "s11")
    return [[score.parts[name] for name in names] for score in measure.score(examples)]


def estime(examples: list[Example], model: str, _: argparse.Namespace) -> tuple[Work, Work]:
    """The peer reads one window at a time, whatever the batch, and a source once a call."""
    measure = Estime(**Estime.presets["released"], model=model)
    layer = int(measure.signature()["layer"])
    output = ["alarms", "alarms_alltokens", "soft", "coherence"]
    peer = blanc034.load().Estime(
        path_mdl=model, path_mdl_raw=model, i_layer_context=layer, output=output
    )

    def theirs() -> list[Any]:
        return [peer.evaluate_claims(row.source[0], [row.summary])[0][:2] for row in examples]

    def ours() -> list[Any]:
        found = measure.score(examples)
        return [[score.parts["alarms"], score.parts["alarms_all"]] for score in found]

    return theirs, ours


COMPARED = {"blanc-help": blanc_help, "estime": estime, "blanc-tune": blanc_tune}


def measured(peer: Work, ours: Work, repeat: int) -> tuple[list[float], list[float]]:
    """The CPU seconds of both, run in turns so that a busy machine disturbs them alike."""
    theirs, mine = [], []
    for turn in range(repeat + 1):
        peer_time, expected = timed(peer)
        our_time, found = timed(ours)
        if found != expected:
            sys.exit(f"the values differ: {expected} and {found}")
        if turn:  # the first warms up
            theirs.append(peer_time)
            mine.append(our_time)
    return theirs, mine


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    forget()
    gc.collect()
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


# How well the machine is used.


def flops(examples: list[Example], size: str, model: str) -> None:
    """What the queries of some summaries need, by the second, against plain products."""
    measure = BlancHelp(model=model)
    asked: list[Query] = []
    predict = measure.lm.predict

    def listen(queries: Sequence[Query]) -> Any:
        asked.extend(queries)
        return predict(queries)

    measure.lm.predict = listen  # type: ignore[method-assign]
    measure.score(examples[:4])
    measure.lm.predict = predict  # type: ignore[method-assign]
    different = list(dict.fromkeys(asked))
    seconds = min(timed(lambda: predict(different))[0] for _ in range(3))
    useful = sum(needed(measure.lm, query) for query in different) / seconds / 1e9
    best = gemm(measure.lm.width)
    OUT.print(
        f"{size}: {useful:.1f} GFLOP/s of CPU time on useful tokens, plain matrix products "
        f"{best:.1f}: {useful / best:.0%}"
    )


def needed(lm: MaskedLM, query: Query) -> float:
    """Multiplications and additions that no way of computing the guesses can spare.

    All layers at all tokens but the last, which needs keys and values of all and the rest at the
    masks only; the head at the masks.
    """
    n, k, w = len(query.ids), len(query.positions), lm.width
    wide, vocabulary = int(lm.net.config.intermediate_size), int(lm.net.config.vocab_size)

    def layer(rows: int) -> float:
        projections = 2 * w * w * (2 * n + 2 * rows)
        attention = 2 * 2 * rows * n * w
        return projections + attention + 2 * 2 * rows * w * wide

    return (lm.layers - 1) * layer(n) + layer(k) + 2 * k * w * (w + vocabulary)


def gemm(width: int) -> float:
    """GFLOP/s of CPU time in products of the shape of a feed-forward layer, the best of ten."""
    a, b = torch.randn(2048, width), torch.randn(4 * width, width)
    with torch.inference_mode():
        torch.nn.functional.linear(a, b)
        seconds = min(
            timed(lambda: [torch.nn.functional.linear(a, b) for _ in range(5)])[0]
            for _ in range(10)
        )
    return 5 * 2 * a.numel() * b.shape[0] / seconds / 1e9


# One filler for all summaries of a source.


def one_filler(documents: list[list[Example]]) -> None:
    """Time, and rank correlation with the exact values within a document, embedded model."""
    examples = [row for rows in documents for row in rows]
    exact_time, exact = timed(lambda: values(BlancHelp(), examples))
    table = plain_table("filler_step", "CPU s", "faster", "Spearman with exact, mean of documents")
    table.add_row("1 (exact)", f"{exact_time:.1f}", "", "")
    for step in (32, 128, 512):
        seconds, found = timed(lambda step=step: values(BlancHelp(filler_step=step), examples))
        ranks, at = [], 0
        for rows in documents:
            some = slice(at, at + len(rows))
            ranks.append(float(spearmanr(exact[some], found[some]).statistic))
            at += len(rows)
        table.add_row(
            str(step),
            f"{seconds:.1f}",
            f"{exact_time / seconds:.2f}×",
            f"{sum(ranks) / len(ranks):.3f} (lowest {min(ranks):.3f})",
        )
    OUT.print(f"{len(documents)} documents, {len(examples)} summaries, embedded model")
    OUT.print(table)


# How the cost grows.


def growth(documents: list[list[Example]]) -> None:
    """CPU seconds against the length of the source and the number of summaries; a plot of both."""
    from matplotlib import pyplot

    summary = documents[0][0].summary
    measures = {"blanc-help": BlancHelp(), "estime": Estime()}
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3), layout="constrained")
    table = plain_table("what", "how many", "CPU s", "one of them, the first being 1")
    for axes, what, counts in (
        (left, "articles in the source", (1, 2, 4, 8)),
        (right, "summaries of one source", (1, 4, 8, 16)),
    ):
        for name, measure in measures.items():
            seconds = []
            for count in counts:
                if axes is left:
                    # Different ones: what is repeated is run once.
                    articles = [rows[0].source[0] for rows in documents[:count]]
                    examples = [Example(source=" ".join(articles), summary=summary)]
                else:
                    examples = documents[0][:count]
                seconds.append(
                    min(timed(lambda m=measure, e=examples: m.score(e))[0] for _ in "12")
                )
            axes.plot(counts, seconds, marker="o", label=name)
            each = [s / c / seconds[0] for s, c in zip(seconds, counts, strict=True)]
            table.add_row(
                f"{name}, {what}",
                " ".join(map(str, counts)),
                " ".join(f"{s:.1f}" for s in seconds),
                " ".join(f"{e:.2f}" for e in each),
            )
        axes.set(xlabel=what, ylabel="CPU seconds", ylim=0, xlim=0)
        axes.legend(frameon=False)
    figure.savefig(PLOT)
    OUT.print(table)


def values(measure: BlancHelp, examples: list[Example]) -> list[float]:
    return [score.value for score in measure.score(examples)]


if __name__ == "__main__":
    main()
