"""ESTIME paper, appendices A to F: every layer of the model, and what one setting changes.

A sweep over the layers is one pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tools.reproduce.claims import load, results
from tools.reproduce.levels import Statistic, correlation
from tools.reproduce.masked import QUALITIES, SWEEP
from tricolore import Score
from tricolore.report.plots import Labels, Line, curves, save

COEFFICIENTS: tuple[Statistic, ...] = ("ρ", "τ-c")
IMAGES = Path(__file__).parents[2] / "docs" / "images"


@dataclass(frozen=True)
class Varied:
    """What the thin lines of a figure show beside the thick ones, which are ESTIME's alarms."""

    name: str
    spec: str
    part: str = "alarms"
    dataset: str = "summeval@400"
    """A pass over all of SummEval takes a quarter of an hour: 25 of its 100 documents."""


APPENDICES = {
    "estime-winners": Varied("winners", SWEEP, "winners", "summeval"),
    "estime-normalised": Varied("normalised", f"{SWEEP},similarity=cosine"),
    "estime-no-determiners": Varied("no determiners", f"{SWEEP},pos_exclude=DT"),
    "estime-margin": Varied("margin 100", f"{SWEEP},margin=100"),
    "estime-distance": Varied("distance 16", f"{SWEEP},distance=16"),
}
"""B (figures 4 and 5), C (6 and 7), E (10 and 11), F (12 and 13)."""


Value = Callable[[Score, int], float]
"""What a summary gets at a layer; the higher, the better."""


def by_layer(dataset: str, spec: str, value: Value, statistic: Statistic) -> dict[str, list[float]]:
    """Of each quality the agreement with a value at every layer, over all summaries."""
    examples = load(dataset)
    found = results(dataset, spec)
    depth = sum(name.startswith("alarms_l") for name in found[0].parts)
    names = [example.doc_id for example in examples]
    made: dict[str, list[float]] = {quality: [] for quality in QUALITIES}
    for layer in range(1, depth + 1):
        values = [value(score, layer) for score in found]
        for quality, figures in made.items():
            human = [example.human[quality] for example in examples]
            figure, _ = correlation(values, human, names, names, "summary", statistic)
            figures.append(figure)
    return made


def part(name: str) -> Value:
    """A part of which there are fewer in a better summary."""
    return lambda score, layer: -score.parts[f"{name}_l{layer}"]


def rate(score: Score, layer: int) -> float:
    """Alarms per checked token."""
    return -score.parts[f"alarms_l{layer}"] / score.parts["checked"]


def sweep() -> str:
    """Appendix A: Spearman with each quality at every layer."""
    both = [by_layer("summeval", SWEEP, value, "ρ") for value in (part("alarms"), rate)]
    return "\n".join([*_heads("layer", "per checked token"), *_rows(both)])


def systems() -> str:
    """Figure 3: the means of systems with consistency, at every layer."""
    examples = load("summeval")
    found = results("summeval", SWEEP)
    names = [example.doc_id for example in examples], [example.system for example in examples]
    human = [example.human["consistency"] for example in examples]
    lines = ["| layer | ρ | τ-c | ρ, per checked token | τ-c, per checked token |"]
    lines.append("|" + " ---: |" * 5)
    for layer in range(1, 1 + sum(name.startswith("alarms_l") for name in found[0].parts)):
        figures = []
        for value in (part("alarms"), rate):
            values = [value(score, layer) for score in found]
            for statistic in COEFFICIENTS:
                figures.append(correlation(values, human, *names, "system", statistic)[0])
        lines.append(f"| {layer} | {' | '.join(f'{figure:.3f}' for figure in figures)} |")
    return "\n".join(lines)


def _heads(first: str, other: str) -> list[str]:
    heads = [*first.split(), *(f"{q}{kind}" for q in QUALITIES for kind in ("", f", {other}"))]
    return [f"| {' | '.join(heads)} |", "|" + " ---: |" * len(heads)]


def _rows(both: Sequence[dict[str, list[float]]], *before: str) -> Iterator[str]:
    for at in range(len(both[0][QUALITIES[0]])):
        figures = (f"{each[quality][at]:.3f}" for quality in QUALITIES for each in both)
        yield f"| {' | '.join([*before, str(at + 1), *figures])} |"


def appendix(name: str) -> str:
    """A table of a figure's thick and thin lines, and the figure."""
    varied = APPENDICES[name]
    lines = _heads("of layer", varied.name)
    for statistic, word in (("ρ", "spearman"), ("τ-c", "kendall")):
        thick = by_layer(varied.dataset, SWEEP, part("alarms"), statistic)
        thin = by_layer(varied.dataset, varied.spec, part(varied.part), statistic)
        lines += _rows([thick, thin], statistic)
        drawn = [
            Line(quality, range(1, len(each[quality]) + 1), each[quality], is_thin=each is thin)
            for quality in QUALITIES
            for each in (thick, thin)
        ]
        labels = Labels("layer of the embedded model", f"summary-level {statistic}")
        save(curves(drawn, labels), str(IMAGES / f"{name}-{word}.svg"))
    return "\n".join(lines)


TABLES: dict[str, Callable[[], str]] = {
    "estime-layers": sweep,
    "estime-system-layers": systems,
    **{name: partial(appendix, name) for name in APPENDICES},
}
