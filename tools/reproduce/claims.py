"""A figure that a paper claims, and the same figure by this package."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tools.reproduce.levels import Level, Statistic, correlation
from tricolore import Example, Run, Score, get_measure
from tricolore.data.examples import ExampleFile
from tricolore.run.cache import Cache

CACHE = Path(__file__).parents[2] / "out" / "reproduce"
LOWER = ("alarms", "winners")
DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[3] / "shared" / "data"))


@dataclass(frozen=True)
class Claim:
    """A measure may be followed by a part of it: `estime/soft`.

    `against` is a human quality, or the spec of another measure. A figure that no paper has is
    NaN.
    """

    measure: str
    dataset: str
    level: Level
    statistic: Statistic
    against: str
    published: float

    def ours(self) -> tuple[float, int]:
        """Our figure, and the number of documents where it is undefined."""
        examples = load(self.dataset)
        values = scores(self.dataset, self.measure)
        if self.against in examples[0].human:
            other = [example.human[self.against] for example in examples]
        else:
            other = scores(self.dataset, self.against, signed=False)
        doc_ids = [example.doc_id for example in examples]
        systems = [example.system for example in examples]
        return correlation(values, other, doc_ids, systems, self.level, self.statistic)


def across(
    measure: str, dataset: str, level: Level, statistic: Statistic, **published: float
) -> list[Claim]:
    """The same measure against several qualities."""
    return [
        Claim(measure, dataset, level, statistic, quality, figure)
        for quality, figure in published.items()
    ]


@cache
def load(dataset: str) -> list[Example]:
    """A judged set; `-1` behind its name keeps the first reference only, `@320` the first rows."""
    name, _, first = dataset.partition("@")
    name, _, one = name.partition("-")
    path = DATA / f"{name}.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    limit = int(first) if first else None
    rows = [row for row in ExampleFile(str(path), limit=limit) if isinstance(row, Example)]
    return [replace(row, references=row.references[:1]) for row in rows] if one else rows


@cache
def results(dataset: str, spec: str) -> list[Score]:
    """The scores of a measure, kept in a cache: a run that was stopped goes on where it was."""
    examples = load(dataset)
    with Cache(CACHE) as cached:
        run = Run([spec], cache=cached)
        if run.needs_corpus:
            run.fit(["\n".join(example.source) for example in examples])
        [measure] = run.measures
        return [result.scores[measure.label] for result in run.score(examples)]


def scores(dataset: str, measure: str, signed: bool = True) -> list[float]:
    """The values of a measure, or of a part; negated where lower is better, as the papers do."""
    spec, _, part = measure.partition("/")
    found = results(dataset, spec)
    lower = part.startswith(LOWER) if part else get_measure(spec).direction == "lower"
    sign = -1.0 if signed and lower else 1.0
    return [sign * (score.parts[part] if part else score.value) for score in found]


def table(claims: list[Claim]) -> str:
    """The claims as a Markdown table."""
    lines = [
        "| measure | data | level | | against | paper | here |",
        "| --- | --- | --- | --- | --- | ---: | ---: |",
    ]
    for claim in claims:
        figure, undefined = claim.ours()
        published = "" if math.isnan(claim.published) else f"{claim.published:.3g}"
        note = f" ({undefined} documents undefined)" if undefined else ""
        lines.append(
            f"| {claim.measure} | {claim.dataset} | {claim.level} | {claim.statistic} "
            f"| {claim.against} | {published} | {figure:.3f}{note} |"
        )
    return "\n".join(lines)
