"""The figures that the papers give for SBERT cosine and BERTScore, and those of all-MiniLM-L6-v2.

The thesis used BERTs that were trained on entailment, the ESTIME paper roberta-large.
"""

from __future__ import annotations

import gzip
import json
from math import nan

from tools.reproduce.claims import DATA, Claim, across, load, results
from tools.reproduce.levels import Statistic as Coefficient
from tools.reproduce.levels import correlation
from tricolore import Example
from tricolore.data.grid import Grid
from tricolore.meta.choices import Statistic
from tricolore.meta.levels import agreement

Figures = tuple[float, ...]

QUALITIES = ("consistency", "relevance", "coherence", "fluency")
DOCUMENT: tuple[Statistic, ...] = ("mae", "spearman", "kendall-b", "pearson")
POOLED = {
    "sbert": {
        "informativeness": (0.270, 0.711, 0.607, 0.773),
        "relevance": (0.204, 0.625, 0.522, 0.780),
    },
    "sbert:pooling=max": {
        "informativeness": (0.352, 0.727, 0.617, 0.783),
        "relevance": (0.282, 0.633, 0.533, 0.788),
    },
    "sbert:pooling=cls": {
        "informativeness": (0.279, 0.735, 0.627, 0.767),
        "relevance": (0.211, 0.640, 0.536, 0.772),
    },
    "sbert:long=chunk": {},
}
"""Thesis, table A.2 (5.1 has the best of it): MAE, ρ, τ, r of BERT-BASE-NLI-*, by pooling.

That of all-MiniLM-L6-v2 itself is the mean."""


def document_level(dataset: str, specs: dict[str, dict[str, Figures]], *qualities: str) -> str:
    """MAE and correlations of each document's summaries, averaged, ± SEM; people's scale to 0-1."""
    examples = load(dataset)
    grid = Grid.of([e.doc_id for e in examples], [e.system for e in examples])
    lines = [
        "| against | measure | | MAE | ρ | τ | r |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for quality in qualities:
        human = [(example.human[quality] - 1) / 4 for example in examples]
        for spec, published in specs.items():
            values = [score.value for score in results(dataset, spec)]
            cells = []
            for statistic in DOCUMENT:
                found = agreement(values, human, grid, "document", statistic)
                cells.append(f"{found.value:.3f} ± {found.sem:.3f}")
            lines.append(f"| {quality} | {spec} | here | " + " | ".join(cells) + " |")
            if quality in published:
                paper = " | ".join(f"{figure:.3f}" for figure in published[quality])
                lines.append(f"| {quality} | {spec} | thesis | {paper} |")
    return "\n".join(lines)


def newsroom() -> str:
    """Thesis, tables 5.1 and A.2."""
    return document_level("newsroom", POOLED, "informativeness", "relevance")


def summeval() -> str:
    """The same of another set, for which the thesis has no figures."""
    return document_level("summeval", {spec: {} for spec in POOLED}, *QUALITIES)


def _each(measure: str, *published: float, statistic: Coefficient = "ρ") -> list[Claim]:
    named = dict(zip(QUALITIES, published or (nan,) * 4, strict=True))
    return across(measure, "summeval", "summary", statistic, **named)


PARTS = {
    "f1": ((0.109, 0.371, 0.377, 0.142), -0.029),
    "precision": ((0.055, 0.268, 0.323, 0.126), -0.329),
    "recall": ((0.164, 0.423, 0.345, 0.120), 0.885),
}
"""ESTIME paper, tables 1 (summary level) and 2 (system level, consistency): roberta-large."""

BERTSCORE = [
    *(claim for part, (four, _) in PARTS.items() for claim in _each(f"bert-score/{part}", *four)),
    *(
        claim
        for part, (_, system) in PARTS.items()
        for claim in across(
            f"bert-score/{part}", "summeval", "system", "ρ", consistency=system, relevance=nan
        )
    ),
    *across("bert-score", "summeval-1", "system", "ρ", relevance=0.40),
    *(claim for part in PARTS for claim in _each(f"bert-score:against=source/{part}")),
    *across("bert-score:against=source", "summeval", "system", "ρ", consistency=nan, relevance=nan),
]
"""And the importance paper's table 1: one reference, relevance."""


def layers() -> str:
    """BERTScore F1 with eleven references at every layer, Spearman over all summaries."""
    examples = load("summeval")
    lines = [
        "| layer | " + " | ".join(QUALITIES) + " |",
        "| --- |" + " ---: |" * len(QUALITIES),
    ]
    for layer in range(1, 7):
        values = [score.value for score in results("summeval", f"bert-score:layer={layer}")]
        lines.append(f"| {layer} | " + " | ".join(_with_people(values, examples)) + " |")
    return "\n".join(lines)


def published() -> str:
    """The BERTScore values that came with SummEval, and ours, against them and against people."""
    with gzip.open(DATA / "summeval.jsonl.gz", "rt", encoding="utf-8") as rows:
        given = [json.loads(row)["published"]["bertscore"] for row in rows]
    examples = load("summeval")
    names = [example.doc_id for example in examples]
    lines = [
        "| | ρ of ours with theirs | " + " | ".join(QUALITIES) + " |",
        "| --- | ---: |" + " ---: |" * len(QUALITIES),
    ]
    for part in PARTS:
        theirs = [row[part] for row in given]
        lines.append(f"| published {part} | | " + " | ".join(_with_people(theirs, examples)) + " |")
        for dataset in ("summeval-1", "summeval"):
            ours = [score.parts[part] for score in results(dataset, "bert-score")]
            alike, _ = correlation(ours, theirs, names, names, "summary", "ρ")
            people = " | ".join(_with_people(ours, examples))
            which = "first reference" if dataset == "summeval-1" else "eleven references"
            lines.append(f"| here {part}, {which} | {alike:.3f} | {people} |")
    return "\n".join(lines)


def _with_people(values: list[float], examples: list[Example]) -> list[str]:
    names = [example.doc_id for example in examples]
    human = [[example.human[quality] for example in examples] for quality in QUALITIES]
    found = [correlation(values, people, names, names, "summary", "ρ")[0] for people in human]
    return [f"{figure:.3f}" for figure in found]


TOP20 = ("supert:preset=released,max_sentences=20",)
SUPERT = [
    claim
    for spec in TOP20
    for claim in [
        *_each(spec, 0.297, 0.306, 0.236, 0.175),
        *_each(spec, 0.147, 0.222, 0.175, 0.101, statistic="τ-c"),
        *across(spec, "summeval", "system", "ρ", consistency=0.832),
        *across(spec, "summeval", "system", "τ-c", consistency=0.633),
    ]
]
"""ESTIME paper, tables 1 and 2: SUPERT with the first 20 sentences ("top20"), a large BERT."""

BERTSCORE_TAU = [
    claim
    for part, published, system in [
        ("f1", (0.053, 0.273, 0.277, 0.082), -0.017),
        ("precision", (0.027, 0.196, 0.238, 0.072), -0.217),
        ("recall", (0.081, 0.309, 0.253, 0.069), 0.733),
    ]
    for claim in [
        *_each(f"bert-score/{part}", *published, statistic="τ-c"),
        *across(f"bert-score/{part}", "summeval", "system", "τ-c", consistency=system),
    ]
]
"""ESTIME paper, tables 1 and 2, the columns of τ."""

SECTIONS = {"bert-score": BERTSCORE, "bert-score-tau": BERTSCORE_TAU, "supert-top20": SUPERT}
TABLES = {
    "sbert-newsroom": newsroom,
    "sbert-summeval": summeval,
    "bert-score-published": published,
    "bert-score-layers": layers,
}
