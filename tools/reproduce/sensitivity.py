"""What measures make of damaged summaries: ESTIME paper §4, BLANC paper §3.

    python -m tools.reproduce.sensitivity [subtle-errors subtle-errors-by-number ...]

prints the tables; the scores are kept in out/reproduce, so a stopped run goes on where it was.
The figures go to docs/images.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import isfinite, nan
from pathlib import Path
from statistics import fmean

from tools.reproduce.claims import CACHE, load
from tricolore import Example, Run, Score
from tricolore.meta.sensitivity import DamagedPairs, Sensitivity
from tricolore.perturb.damage import Damaged, apply
from tricolore.perturb.kinds import get_perturbation
from tricolore.perturb.spoiled import SpoiledSentences
from tricolore.registry import direction_of
from tricolore.report.plots import Labels, save, sorted_points
from tricolore.run.cache import Cache
from tricolore.text.sentences import sentence_spans

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SEED = 1
SWEEP = "estime:layers=all"
DATASET = "cnndm555@300"


@dataclass(frozen=True)
class Row:
    """A line of table 3: a measure, or a part of one, and what the paper has for its like."""

    name: str
    spec: str
    part: str = ""
    published: tuple[float, float] = (nan, nan)
    errors: tuple[int, ...] = (1, 2, 3)
    """So many in a summary; BLANC-help takes seconds a summary, so only as many as in the paper."""


TABLE_3 = [
    *(
        Row(f"(-)ESTIME, layer {layer} of 5", SWEEP, f"alarms_l{layer}", published)
        for layer, published in (
            (1, (nan, nan)),
            (2, (0.138, 0.159)),  # ESTIME-12 of 24
            (3, (nan, nan)),
            (4, (0.163, 0.188)),  # ESTIME-21
            (5, (0.169, 0.195)),  # ESTIME-24
        )
    ),
    Row("(-)ESTIME, layer 4, alarms per checked token", SWEEP, "alarms_per_checked"),
    Row("ESTIME, layer 4, soft", SWEEP, "soft"),
    Row("BLANC-help", "blanc-help", "", (0.076, 0.087), (3,)),
    Row("(-)Jensen-Shannon", "jensen-shannon", "", (0.048, 0.055)),
    Row("SUPERT", "supert", "", (0.107, 0.123)),
    Row("importance", "importance"),
    Row("grounding", "grounding"),
]
"""The paper's BLANC is BLANC-BLU, a large BERT; ESTIME's layers are those of one of 24."""


@cache
def damaged() -> tuple[tuple[Damaged, ...], ...]:
    """Summaries with 1, 2 and 3 subtle errors; those with room for fewer are left out."""
    perturbation = get_perturbation("subtle-errors", seed=SEED)
    made = perturbation.damage_by(load(DATASET), [1, 2, 3])
    found = [[one for one in some if isinstance(one, Damaged)] for some in made]
    return tuple(tuple(some) for some in found if len(some) == 3 and not some[-1].problem)


def score(spec: str, examples: Iterable[Example], corpus: str = DATASET) -> list[Score]:
    """The scores of a measure, kept; `corpus` is what a measure that needs one is shown."""
    with Cache(CACHE) as cached:
        run = Run([spec], cache=cached, evidence=spec in (SWEEP, "jensen-shannon", "grounding"))
        if run.needs_corpus:
            run.fit(["\n".join(example.source) for example in load(corpus)])
        [measure] = run.measures
        return [result.scores[measure.label] for result in run.score(examples)]


@cache
def scored(spec: str, errors: tuple[int, ...]) -> list[list[Score]]:
    """Of each document the clean summary and its twins; together, since they share the source."""
    rows = [
        example
        for twins in damaged()
        for example in (twins[0].clean, *(twins[count - 1].example for count in errors))
    ]
    found = iter(score(spec, rows))
    return [[next(found) for _ in range(1 + len(errors))] for _ in damaged()]


def sensitivity(row: Row, count: int) -> Sensitivity:
    name = "alarms" if row.part.startswith("alarms_l") else row.part
    pairs = DamagedPairs(direction_of(f"{row.spec}.{name}" if name else row.spec))
    which = 1 + row.errors.index(count)
    for twins, scores in zip(damaged(), scored(row.spec, row.errors), strict=True):
        worse = twins[count - 1]
        stretches = [(edit.start, edit.end) for edit in worse.edits]
        a, b = (_part(scores[at], row.part) for at in (0, which))
        pairs.add(a, b, worse.example.summary, stretches)
    return pairs.sensitivity()


def _part(score: Score, part: str) -> Score:
    return Score(score.parts.get(part, nan), evidence=score.evidence) if part else score


def table_3() -> str:
    """ESTIME paper, table 3, with three errors a summary."""
    lines = [
        "| measure | pairs | ρ, paper | here | τ-c, paper | here | p | AUC | worse | tied |",
        "| --- |" + " ---: |" * 9,
    ]
    for row in TABLE_3:
        found = sensitivity(row, 3)
        p = found.spearman.p
        cells = [row.name, str(found.pairs), _figure(row.published[0])]
        cells += [_figure(found.spearman.value), _figure(row.published[1])]
        cells += [_figure(found.kendall.value), f"{p:.3f}" if p >= 0.001 else "<0.001"]
        cells += [_figure(x) for x in (found.auc.value, found.worse, found.share.tied)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def by_number() -> str:
    """The same against the number of errors, and where ESTIME's alarms point."""
    lines = [
        "| measure | errors | pairs | ρ | AUC | worse | precision | recall | chance |",
        "| --- |" + " ---: |" * 8,
    ]
    names = ("(-)ESTIME, layer 4 of 5", "(-)Jensen-Shannon", "SUPERT", "importance", "grounding")
    for row in TABLE_3:
        if row.name not in names:
            continue
        for count in (1, 2, 3):
            found = sensitivity(row, count)
            where = found.location
            cells = [row.name, str(count), str(found.pairs), _figure(found.spearman.value)]
            cells += [_figure(found.auc.value), _figure(found.worse)]
            located = (where.precision, where.recall, where.chance) if where else (nan,) * 3
            lines.append(f"| {' | '.join([*cells, *map(_figure, located)])} |")
    return "\n".join(lines)


# BLANC paper, section 3.

FIGURE_5, FIGURE_6 = 20, 10
SHORT = 2000
"""Characters of a source. BLANC-help's cost grows with it, and figures want many scores."""
DRAWS = {"random-words": 1, "random-sentences": 3}
"""The paper draws random sentences ten times."""


def figure_5() -> str:
    """BLANC-help of summaries, of random words and of random sentences, which are copies."""
    examples = short()[:FIGURE_5]
    lines = [
        "| summary | pairs | mean of the summaries | mean of the random ones | summary higher |",
        "| --- |" + " ---: |" * 4,
    ]
    clean = [one.value for one in score("blanc-help", examples)]
    groups: list[tuple[str, Sequence[float]]] = [("summaries", clean)]
    for kind, draws in DRAWS.items():
        spec = "blanc-help:guard=replace" if kind == "random-sentences" else "blanc-help"
        own = [one.value for one in score(spec, examples)]
        each = [get_perturbation(kind, seed=SEED, copy=n).damage(examples, 1) for n in range(draws)]
        rows = [
            [one for one in some if isinstance(one, Damaged)] for some in zip(*each, strict=True)
        ]
        means = _means(spec, [[one.example for one in some] for some in rows])
        pairs = [(a, b) for a, b in zip(own, means, strict=True) if isfinite(a) and isfinite(b)]
        higher = fmean(a > b for a, b in pairs)
        figures = map(_figure, (fmean(a for a, _ in pairs), fmean(b for _, b in pairs), higher))
        lines.append(f"| {kind} | {len(pairs)} | {' | '.join(figures)} |")
        groups.append((kind, means))
    labels = Labels("summaries, sorted", "BLANC-help")
    save(sorted_points(groups, labels), str(IMAGES / "random-summaries.svg"))
    return "\n".join(lines)


def figure_6() -> str:
    """BLANC-help of summaries of three sentences with none to all of them spoiled.

    Every choice of the sentences twice, as in the paper.
    """
    examples = [e for e in short() if len(sentence_spans(e.summary)) == 3][:FIGURE_6]
    groups: list[tuple[str, Sequence[float]]] = []
    for count in range(4):
        variants = [list(_spoiled(example, count)) for example in examples]
        groups.append((f"{count} spoiled", _means("blanc-help", variants)))
    first = groups[0][1]
    lines = [
        "| sentences spoiled | summaries | mean BLANC-help | below the whole summary |",
        "| --- |" + " ---: |" * 3,
    ]
    for name, values in groups:
        below = fmean(b < a for a, b in zip(first, values, strict=True))
        lines.append(f"| {name} | {len(values)} | {_figure(fmean(values))} | {_figure(below)} |")
    save(sorted_points(groups, Labels("summaries, sorted", "BLANC-help")), _image("spoiled"))
    return "\n".join(lines)


def short() -> list[Example]:
    """The pairs whose source is short, so that BLANC takes seconds."""
    return [e for e in load("cnndm555") if sum(map(len, e.source)) <= SHORT]


def _image(name: str) -> str:
    return str(IMAGES / f"{name}-sentences.svg")


def _spoiled(example: Example, count: int) -> Iterable[Example]:
    if not count:
        yield example
        return
    for copy in range(2):
        [plan] = SpoiledSentences(seed=SEED, copy=copy).plans([example], 3)
        for chosen in combinations(plan.changes, count):
            summary, _ = apply(example.summary, chosen)
            yield Example(source=example.source, summary=summary, doc_id=example.doc_id)


def _means(spec: str, groups: Sequence[Sequence[Example]]) -> list[float]:
    """The mean score of each group."""
    found = iter(score(spec, [example for some in groups for example in some]))
    return [fmean(next(found).value for _ in some) if some else nan for some in groups]


def _figure(value: float) -> str:
    return f"{value:.3f}" if isfinite(value) else ""


TABLES: dict[str, Callable[[], str]] = {
    "subtle-errors": table_3,
    "subtle-errors-by-number": by_number,
    "random-summaries": figure_5,
    "spoiled-sentences": figure_6,
}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or TABLES:
        print(f"{wanted}\n{TABLES[wanted]()}\n", flush=True)
