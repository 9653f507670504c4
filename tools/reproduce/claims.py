"""A figure that a paper claims, and the same figure by this package."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.reproduce.levels import Level, Statistic, correlation
from tricolore import Example, Run
from tricolore.data.examples import ExampleFile

DATA = Path(os.environ.get("TRICOLORE_DATA", Path(__file__).parents[3] / "shared" / "data"))


@dataclass(frozen=True)
class Claim:
    """`against` is a human quality, or the spec of another measure."""

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
    """A judged set; `-1` behind its name keeps the first reference only."""
    name, _, one = dataset.partition("-")
    path = DATA / f"{name}.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there; TRICOLORE_DATA names the directory that holds it")
    rows = [row for row in ExampleFile(str(path)) if isinstance(row, Example)]
    if not one:
        return rows
    return [
        Example(
            source=row.source,
            summary=row.summary,
            references=row.references[:1],
            doc_id=row.doc_id,
            system=row.system,
            human=row.human,
        )
        for row in rows
    ]


@cache
def scores(dataset: str, spec: str, signed: bool = True) -> list[float]:
    """The values of a measure; negated where lower is better, as the papers do."""
    examples = load(dataset)
    run = Run([spec])
    if run.needs_corpus:
        run.fit(["\n".join(example.source) for example in examples])
    [measure] = run.measures
    sign = -1.0 if signed and measure.direction == "lower" else 1.0
    return [sign * result.scores[measure.label].value for result in run.score(examples)]


def table(claims: list[Claim]) -> str:
    """The claims as a Markdown table."""
    lines = [
        "| measure | data | level | | against | paper | here |",
        "| --- | --- | --- | --- | --- | ---: | ---: |",
    ]
    for claim in claims:
        figure, undefined = claim.ours()
        note = f" ({undefined} documents undefined)" if undefined else ""
        lines.append(
            f"| {claim.measure} | {claim.dataset} | {claim.level} | {claim.statistic} "
            f"| {claim.against} | {claim.published:.3g} | {figure:.3f}{note} |"
        )
    return "\n".join(lines)
