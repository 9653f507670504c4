"""MoverScore and YiSi-1 on SummEval, and the published values of MoverScore beside ours."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from math import nan

import numpy as np
from scipy.stats import pearsonr, spearmanr

from tools.reproduce.claims import DATA, across, load, scores

QUALITIES = dict.fromkeys(("consistency", "relevance", "coherence", "fluency"), nan)
SET = "summeval-1@320"
MOVERS = ("mover-score", "mover-score:preset=released")
SPECS = (*MOVERS, "yisi")

CLAIMS = [
    claim
    for spec in SPECS
    for level in ("summary", "system")
    for claim in across(spec, SET, level, "ρ", **QUALITIES)
]


def published() -> str:
    """The correlation of our MoverScore with the values in SummEval's release."""
    examples = load(SET)
    with gzip.open(DATA / "summeval.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, len(examples))]
    names = [(row["doc_id"], row["system"]) for row in rows]
    if names != [(example.doc_id, example.system) for example in examples]:
        raise ValueError("the rows of the file are not those of the examples")
    theirs = np.array([row["published"]["MoverScore"] for row in rows], dtype=float)
    table = ["| ours | summaries | r | ρ |", "| --- | ---: | ---: | ---: |"]
    for spec in MOVERS:
        ours = scores(SET, spec)
        r, rho = pearsonr(ours, theirs).statistic, spearmanr(ours, theirs).statistic
        table.append(f"| {spec} | {len(ours)} | {r:.3f} | {rho:.3f} |")
    return "\n".join(table)


SECTIONS = {"movers": CLAIMS}
TABLES = {"movers-published": published}
