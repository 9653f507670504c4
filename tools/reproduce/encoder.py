"""The figures that the thesis gives for SUPERT and its alternatives, and those of a small encoder.

Thesis, tables 5.1, A.11 and A.12, with bert-large-nli-stsb-mean-tokens, which is SUPERT's own (24
layers of 1024). Ours: all-MiniLM-L6-v2 (6 of 384). Each spec is one pass: precision, recall and F1
are its parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan

from tools.reproduce.claims import load, results
from tricolore.data.grid import Grid
from tricolore.meta.choices import Statistic
from tricolore.meta.error import mean_absolute_error
from tricolore.meta.levels import agreement

Figures = tuple[float, float, float, float]
"""MAE, ρ, τ, r."""

RELEASED = "supert:preset=released"
SPECS = ("supert", RELEASED)
ALTERNATIVES = {"mech": "", "sd": "reference_from=sd", "ref": "reference_from=ref"}
STATISTICS: tuple[Statistic, ...] = ("spearman", "kendall-b", "pearson")
NONE: Figures = (nan, nan, nan, nan)

INFORMATIVENESS: dict[tuple[str, str], Figures] = {
    ("mech", "recall"): (0.194, 0.715, 0.611, 0.779),
    ("mech", "f1"): (0.135, 0.684, 0.574, 0.762),
    ("sd", "recall"): (0.205, 0.723, 0.623, 0.784),
    ("sd", "f1"): (0.136, 0.688, 0.580, 0.778),
    ("ref", "recall"): (0.251, 0.283, 0.235, 0.309),
    ("ref", "f1"): (0.268, 0.197, 0.164, 0.200),
}
"""Table A.11; (mech, recall) is SUPERT of table 5.1."""
RELEVANCE: dict[tuple[str, str], Figures] = {
    ("mech", "precision"): (0.137, 0.530, 0.451, 0.726),
    ("mech", "f1"): (0.180, 0.588, 0.488, 0.767),
    ("sd", "precision"): (0.132, 0.578, 0.487, 0.768),
    ("sd", "f1"): (0.180, 0.624, 0.515, 0.791),
    ("ref", "precision"): (0.320, 0.174, 0.145, 0.144),
    ("ref", "f1"): (0.303, 0.196, 0.156, 0.223),
}
"""Table A.12; (mech, precision) is SUPERT of table 5.1."""
UNPUBLISHED: dict[tuple[str, str], Figures] = {
    (against, part): NONE for against in ("mech", "sd") for part in ("precision", "recall", "f1")
}


def newsroom() -> str:
    """Informativeness and relevance of the Newsroom summaries."""
    return _table("newsroom", {"informativeness": INFORMATIVENESS, "relevance": RELEVANCE})


def summeval() -> str:
    """The same on SummEval, for which nothing is published."""
    return _table("summeval", {"relevance": UNPUBLISHED, "consistency": UNPUBLISHED})


def _table(dataset: str, published: Mapping[str, Mapping[tuple[str, str], Figures]]) -> str:
    lines = [
        "| human score | spec | part | MAE, thesis | MAE | ρ, thesis | ρ | τ, thesis | τ "
        "| r, thesis | r |",
        "| --- | --- | --- |" + " ---: |" * 8,
    ]
    for quality, claims in published.items():
        for (against, part), figures in claims.items():
            for spec in SPECS:
                whole = _joined(spec, ALTERNATIVES[against])
                cells = _cells(figures, _ours(dataset, whole, part, quality))
                lines.append(f"| {quality} | {whole} | {part} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _joined(spec: str, setting: str) -> str:
    """A spec with a setting more."""
    return spec + ("," if ":" in spec else ":") * bool(setting) + setting


def _ours(dataset: str, spec: str, part: str, quality: str) -> list[str]:
    """MAE, and the three correlations at the document level ± SEM."""
    examples = load(dataset)
    values = [score.parts.get(part, nan) for score in results(dataset, spec)]
    human = [(example.human[quality] - 1) / 4 for example in examples]
    grid = Grid.of([e.doc_id for e in examples], [e.system for e in examples])
    error = mean_absolute_error(values, human, grid.doc)
    found = [f"{error.micro:.3f}" + (f" ({error.left_out} left out)" if error.left_out else "")]
    for statistic in STATISTICS:
        mean = agreement(values, human, grid, "document", statistic)
        found.append(f"{mean.value:.3f} ± {mean.sem:.3f}")
    return found


def _cells(published: Sequence[float], ours: Sequence[str]) -> list[str]:
    cells = []
    for figure, mine in zip(published, ours, strict=True):
        cells += ["" if figure != figure else f"{figure:.3f}", mine]
    return cells


TABLES = {"supert-newsroom": newsroom, "supert-summeval": summeval}
