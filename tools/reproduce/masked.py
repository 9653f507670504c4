"""The figures that the papers give for BLANC and ESTIME, and those of the embedded model.

The papers used BERTs of 24 layers; ours has 5.
"""

from __future__ import annotations

from math import nan

from tools.reproduce.claims import Claim, across, load, scores
from tools.reproduce.levels import Statistic, correlation

QUALITIES = ("consistency", "relevance", "coherence", "fluency")
SWEEP = "estime:layers=all"
HELP = "blanc-help"


def _each(measure: str, dataset: str, *published: float, statistic: Statistic = "ρ") -> list[Claim]:
    named = dict(zip(QUALITIES, published or (nan,) * 4, strict=True))
    return across(measure, dataset, "summary", statistic, **named)


ESTIME = [
    *_each(f"{SWEEP}/alarms", "summeval", 0.404, 0.188, 0.300, 0.399),
    *_each(f"{SWEEP}/alarms", "summeval", 0.200, 0.134, 0.217, 0.232, statistic="τ-c"),
    *across(f"{SWEEP}/alarms", "summeval", "system", "ρ", consistency=0.821),
    *across(f"{SWEEP}/alarms", "summeval", "system", "τ-c", consistency=0.633),
    *_each(f"{SWEEP}/alarms_per_checked", "summeval"),
    *across(f"{SWEEP}/alarms_per_checked", "summeval", "system", "ρ", consistency=nan),
    *_each(f"{SWEEP}/winners", "summeval"),
    *_each(f"{SWEEP}/alarms_all", "summeval"),
    *_each(f"{SWEEP}/soft", "summeval"),
    *_each(f"{SWEEP}/coherence", "summeval"),
]
"""ESTIME paper, tables 1 and 2: (-)ESTIME-21 of the large BERT."""

BLANC = [
    *_each(HELP, "summeval@320", 0.207, 0.217, 0.116, 0.112),
    *_each(HELP, "summeval@320", 0.102, 0.156, 0.085, 0.065, statistic="τ-c"),
    *across(HELP, "summeval@320", "system", "ρ", consistency=0.724),
    *across(HELP, "summeval@320", "system", "τ-c", consistency=0.567),
]
"""ESTIME paper, tables 1 and 2: BLANC-BLU, the large BERT. Ours: 20 of the 100 documents."""

CNNDM = [
    Claim(HELP, "cnndm555@150", "summary", "ρ", "overall", nan),
    Claim(HELP, "cnndm555@150", "summary", "r", "overall", nan),
    Claim(f"{HELP}/improve", "cnndm555@150", "summary", "ρ", "overall", nan),
]
"""BLANC paper, figure 7, which gives no numbers."""


def lengths() -> str:
    """BLANC paper, table 1: correlation with length and compression, in characters."""
    examples = load("cnndm555@150")
    length = [float(len(example.summary)) for example in examples]
    compression = [len(e.summary) / sum(map(len, e.source)) for e in examples]
    rows = {
        "blanc-help": (scores("cnndm555@150", HELP), (0.47, 0.75), (0.51, 0.76)),
        "human scores": ([e.human["overall"] for e in examples], (0.41, 0.31), (0.41, 0.43)),
    }
    lines = [
        "| | | length, paper | length, here | compression, paper | compression, here |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    names = [str(number) for number in range(len(examples))]
    for name, (values, *published) in rows.items():
        for statistic, (of_length, of_compression) in zip(("r", "ρ"), published, strict=True):
            found = [
                correlation(values, other, names, names, "summary", statistic)[0]
                for other in (length, compression)
            ]
            lines.append(
                f"| {name} | {statistic} | {of_length} | {found[0]:.2f} "
                f"| {of_compression} | {found[1]:.2f} |"
            )
    return "\n".join(lines)


CASED = [
    *_each(HELP, "summeval@320", 0.190, 0.278, 0.197, 0.108),
    *across(HELP, "summeval@320", "system", "ρ", consistency=0.759),
]
"""The authors' figures for bert-base-cased with the same settings, on all 1600 summaries."""

SECTIONS = {"estime": ESTIME, "blanc": BLANC, "blanc-cased": CASED, "blanc-people": CNNDM}
TABLES = {"blanc-length": lengths}
