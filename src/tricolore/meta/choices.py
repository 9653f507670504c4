"""The options of meta-evaluation: coefficients, statistics, levels, what is resampled."""

from __future__ import annotations

from typing import Literal, get_args

Coefficient = Literal["spearman", "kendall-a", "kendall-b", "kendall-c", "pearson"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)
USUAL_COEFFICIENTS = tuple(name for name in COEFFICIENTS if name != "kendall-a")
"""Those that allow for ties in ranks, which summaries with equal human scores are."""
PartialCoefficient = Literal["spearman", "pearson"]
"""The coefficients that are correlations of residuals, so that controls can be held constant."""
PARTIAL_COEFFICIENTS: tuple[PartialCoefficient, ...] = get_args(PartialCoefficient)
Statistic = Literal["spearman", "kendall-a", "kendall-b", "kendall-c", "pearson", "mae"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
SYMBOLS: dict[str, str] = {
    "spearman": "ρ",
    "kendall-a": "τ-a",
    "kendall-b": "τ-b",
    "kendall-c": "τ-c",
    "pearson": "r",
    "mae": "MAE",
}
Level = Literal["summary", "document", "system"]
"""Where agreement is computed: over summaries, within each document, or over systems' means."""
LEVELS: tuple[Level, ...] = get_args(Level)
Over = Literal["documents", "systems", "both"]
"""What is resampled or permuted."""
OVERS: tuple[Over, ...] = get_args(Over)
