"""Claims of the BLANC paper about its own variants, measured with the embedded model.

BLANC-help takes seconds per pair and BLANC-tune many, so that these are studies of few pairs: the
first of the paper's 555 whose source is short. The tables say how many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from statistics import fmean

from tools.reproduce.sensitivity import score, short
from tricolore import Score
from tricolore.meta.correlation import correlate

HELP, TUNE = "blanc-help", "blanc-tune"
PAPER = "blanc-help:preset=paper"
PAIRS = 40
VARIANTS: dict[str, Sequence[str]] = {
    "filler": (HELP, f"{HELP}:filler=the", f"{HELP}:filler=-"),
    "M": (PAPER, f"{PAPER},gap=5", f"{PAPER},gap=7", f"{PAPER},gap=8"),
    "tokens or words": (HELP, f"{HELP}:unit=words"),
}
"""Each claim: the spec that is compared with, and those that the paper says make no difference."""


def tune_and_help() -> str:
    """§2.3: "correlate with more than 90% Pearson correlation"."""
    examples = short()[:PAIRS]
    helped, tuned = ([one.value for one in score(spec, examples)] for spec in (HELP, TUNE))
    known = [(a, b) for a, b in zip(helped, tuned, strict=True) if isfinite(a) and isfinite(b)]
    columns = tuple(zip(*known, strict=True))
    lines = [
        "| | pairs | r, paper | r, here | ρ, here | mean BLANC-help | mean BLANC-tune |",
        "| --- |" + " ---: |" * 6,
    ]
    r, rho = (correlate(*columns, name).value for name in ("pearson", "spearman"))  # type: ignore[arg-type]
    means = " | ".join(f"{fmean(column):.3f}" for column in columns)
    figures = f"{len(known)} | > 0.9 | {r:.3f} | {rho:.3f} | {means}"
    lines.append(f"| BLANC-tune with BLANC-help | {figures} |")
    return "\n".join(lines)


def variants() -> str:
    """§2.2: the filler, M from 5 to 8, tokens or words."""
    examples = short()[:PAIRS]
    human = [example.human["overall"] for example in examples]
    lines = [
        "| claim | spec | pairs | mean | r with the first | ρ with the first | ρ with people |",
        "| --- | --- |" + " ---: |" * 5,
    ]
    for claim, specs in VARIANTS.items():
        first: list[float] = []
        for spec in specs:
            values = [one.value for one in score(spec, examples)]
            first = first or values
            alike = [correlate(values, first, name).value for name in ("pearson", "spearman")]
            people = correlate(values, human, "spearman").value
            figures = " | ".join(f"{figure:.3f}" for figure in (fmean(values), *alike, people))
            lines.append(f"| {claim} | {spec} | {len(values)} | {figures} |")
    return "\n".join(lines)


def relative_and_improve() -> str:
    """§4: the two versions differ by 0.001 in the paper: by what the summary spoils."""
    examples = short()[:PAIRS]
    found = score(HELP, examples)
    human = [example.human["overall"] for example in examples]
    lines = ["| | pairs | r with human scores | ρ with human scores |", "| --- |" + " ---: |" * 3]
    for part in ("relative", "improve"):
        values = [one.parts[part] for one in found]
        figures = (correlate(values, human, name).value for name in ("pearson", "spearman"))
        lines.append(f"| {part} | {len(values)} | {' | '.join(f'{f:.3f}' for f in figures)} |")
    spoiled, gained = _total(found, "s10"), _total(found, "s01")
    lines += [
        "",
        f"Tokens that are right only with the filler: {spoiled:.0f}; only with the summary: "
        f"{gained:.0f}.",
    ]
    return "\n".join(lines)


def _total(found: Sequence[Score], part: str) -> float:
    return sum(one.parts[part] for one in found)


TABLES: dict[str, Callable[[], str]] = {
    "blanc-tune": tune_and_help,
    "blanc-variants": variants,
    "blanc-versions": relative_and_improve,
}
