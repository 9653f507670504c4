"""The figures that the papers give for lexical measures, and ours."""

from __future__ import annotations

from tools.reproduce.claims import Claim, across
from tools.reproduce.levels import Statistic

CONSISTENCY_TO_FLUENCY = ("consistency", "relevance", "coherence", "fluency")

NEWSROOM = [
    *across("density", "newsroom", "document", "ρ", coherence=0.675, fluency=0.636),
    *across("density:preset=released", "newsroom", "document", "ρ", coherence=0.675, fluency=0.636),
    *across("coverage", "newsroom", "document", "ρ", coherence=0.379, fluency=0.334),
    *across(
        "coverage:preset=released", "newsroom", "document", "ρ", coherence=0.379, fluency=0.334
    ),
    *(
        Claim(f"{name}:against={other}", "newsroom", "document", "ρ", quality, published)
        for other in ("references", "source")
        for name, quality, published in [
            ("rouge-w-stop-p", "informativeness", 0.434),
            ("rouge-l-stem-stop-p", "relevance", 0.440),
        ]
    ),
]
"""Thesis, tables 4.1 and 5.1."""


def _table_1(measure: str, *published: float, statistic: Statistic = "ρ") -> list[Claim]:
    named = dict(zip(CONSISTENCY_TO_FLUENCY, published, strict=True))
    return across(measure, "summeval", "summary", statistic, **named)


RANKS_AND_VALUES: tuple[Statistic, ...] = ("ρ", "r")
CASED = "jensen-shannon:stem=false,lowercase=false"
MEAN = "references=mean,stem=true"

ESTIME = [
    *_table_1("jensen-shannon", 0.193, 0.406, 0.289, 0.125),
    *_table_1(CASED, 0.193, 0.406, 0.289, 0.125),
    *_table_1(CASED, 0.095, 0.298, 0.213, 0.072, statistic="τ-c"),
    *_table_1("bleu", 0.095, 0.213, 0.176, 0.140),
    *_table_1(f"rouge-lsum:{MEAN}", 0.115, 0.241, 0.170, 0.079),
    *_table_1(f"rouge-1:{MEAN}", 0.137, 0.302, 0.184, 0.080),
    *_table_1(f"rouge-2:{MEAN}", 0.129, 0.245, 0.146, 0.063),
    *_table_1(f"rouge-3:{MEAN}", 0.149, 0.251, 0.160, 0.066),
    *_table_1("bleu", 0.047, 0.153, 0.128, 0.080, statistic="τ-c"),
    *_table_1(f"rouge-lsum:{MEAN}", 0.057, 0.174, 0.124, 0.045, statistic="τ-c"),
    *_table_1(f"rouge-1:{MEAN}", 0.067, 0.220, 0.134, 0.046, statistic="τ-c"),
    *_table_1(f"rouge-2:{MEAN}", 0.063, 0.177, 0.105, 0.036, statistic="τ-c"),
    *_table_1(f"rouge-3:{MEAN}", 0.073, 0.180, 0.116, 0.038, statistic="τ-c"),
    *across(CASED, "summeval", "system", "ρ", consistency=0.753),
    *across(f"rouge-lsum:{MEAN}", "summeval", "system", "ρ", consistency=0.376),
    *across(f"rouge-1:{MEAN}", "summeval", "system", "ρ", consistency=0.694),
    *across(f"rouge-2:{MEAN}", "summeval", "system", "ρ", consistency=0.779),
    *across(f"rouge-3:{MEAN}", "summeval", "system", "ρ", consistency=0.888),
    *across("bleu", "summeval", "system", "ρ", consistency=-0.150),
    *(
        claim
        for spec, published in [
            (CASED, 0.533),
            ("bleu", -0.017),
            (f"rouge-lsum:{MEAN}", 0.283),
            (f"rouge-1:{MEAN}", 0.517),
            (f"rouge-2:{MEAN}", 0.600),
            (f"rouge-3:{MEAN}", 0.717),
        ]
        for claim in across(spec, "summeval", "system", "τ-c", consistency=published)
    ),
]
"""ESTIME paper, tables 1 and 2; eleven references."""

IMPORTANCE = [
    *across("importance", "summeval", "system", "ρ", relevance=0.73),
    *across("importance:preset=released", "summeval", "system", "ρ", relevance=0.73),
    *across("rouge-1", "summeval-1", "system", "ρ", relevance=0.59),
    *across("rouge-2", "summeval-1", "system", "ρ", relevance=0.61),
    *across("rouge-l", "summeval-1", "system", "ρ", relevance=0.47),
    *across("chrf", "summeval-1", "system", "ρ", relevance=0.75),
    *(
        claim
        for spec in ("importance", "importance:preset=released")
        for claim in [
            *across(
                *(spec, "summeval", "summary", "ρ"),
                relevance=0.23,
                coherence=0.23,
                consistency=0.04,
                fluency=-0.01,
            ),
            *across(
                *(spec, "summeval", "summary", "r"),
                relevance=0.24,
                coherence=0.20,
                consistency=0.03,
                fluency=0.01,
            ),
            *(
                Claim(spec, "summeval", "summary", statistic, other, published)
                for other, both in [
                    ("coverage:preset=released", (0.28, 0.26)),
                    ("density:preset=released", (0.22, 0.18)),
                    ("compression", (-0.06, -0.03)),
                    ("length", (0.28, 0.32)),
                ]
                for statistic, published in zip(RANKS_AND_VALUES, both, strict=True)
            ),
        ]
    ),
]
"""Importance paper, tables 1 and 2; one reference."""

SECTIONS = {"newsroom": NEWSROOM, "estime-lexical": ESTIME, "importance": IMPORTANCE}
