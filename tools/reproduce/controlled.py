"""What is left of each measure's agreement once copying and length are known.

Spearman's ρ with human scores, and the same as a partial correlation, controlled for the share of
novel trigrams and the number of words. To add a row, add its spec to `MEASURES` (a part follows a
dot) and make the tables again: `python -m tools.reproduce controlled-summeval`.
"""

from __future__ import annotations

from functools import partial

from tools.reproduce.claims import load, results
from tricolore.api.agreement import AgreementResult, agreement
from tricolore.data.score_table import ScoreTable
from tricolore.meta.choices import Level
from tricolore.report.result_table import Number, ResultTable

CONTROLS = ("novelty:n=3", "length")
WITHOUT_REFERENCES = (
    *CONTROLS,
    "novelty",
    "coverage",
    "density",
    "compression",
    "redundancy",
    "jensen-shannon",
    "importance",
    "importance.matched",
    "grounding",
    "grounding.support",
    "sbert",
    "supert",
    "supert:reference_from=sd",
    "supert:reference_from=sd.precision",
)
WITH_REFERENCES = ("rouge-1", "rouge-2", "rouge-l", "chrf")
MEASURES = {
    "summeval": (*WITHOUT_REFERENCES, *WITH_REFERENCES),
    "newsroom": (*WITHOUT_REFERENCES, *WITH_REFERENCES),
    "cnndm555": WITHOUT_REFERENCES,
}
QUALITIES = {"summeval": "consistency", "newsroom": "relevance", "cnndm555": "overall"}
LEVELS: dict[str, tuple[Level, ...]] = {
    "summeval": ("summary", "document", "system"),
    "newsroom": ("summary", "document"),  # seven systems are too few for two controls
    "cnndm555": ("summary",),  # one summary per document, and no systems
}


def table(dataset: str) -> str:
    """Plain and partial ρ of every measure, the highest partial ρ first."""
    scores = _scores(dataset)
    quality, levels = QUALITIES[dataset], LEVELS[dataset]
    columns = MEASURES[dataset]
    plain = agreement(scores, quality, measures=columns)
    controlled = agreement(scores, quality, measures=columns, control=CONTROLS)
    heads = [head for level in levels for head in (f"{level} ρ", f"{level} partial ρ")]
    sheet = ResultTable(["measure", *heads])

    def place(column: str) -> tuple[bool, float]:
        value = controlled.value(column, level="summary")
        return value != value, -value

    for column in sorted(columns, key=place):
        cells = [_number(found, column, level) for level in levels for found in (plain, controlled)]
        sheet.add(column, *cells)
    lacking = {e.measure: e.agreement.left_out for e in controlled.entries if e.agreement.left_out}
    if lacking:
        counts = ", ".join(f"{name} {count}" for name, count in lacking.items())
        sheet.notes.append(f"Rows left out of the partial correlations: {counts}.")
    return sheet.markdown()


def _number(found: AgreementResult, column: str, level: Level) -> Number:
    [entry] = [
        entry
        for entry in found.entries
        if (entry.measure, entry.level, entry.statistic) == (column, level, "spearman")
    ]
    return Number(entry.agreement.value, entry.low, entry.high)


def _scores(dataset: str) -> ScoreTable:
    examples = load(dataset)
    return ScoreTable.of(
        [example.doc_id for example in examples],
        [example.system for example in examples],
        {column: _values(dataset, column) for column in MEASURES[dataset]},
        {name: [e.human[name] for e in examples] for name in examples[0].human},
    )


def _values(dataset: str, column: str) -> list[float]:
    spec, _, part = column.partition(".")
    found = results(dataset, spec)
    return [score.parts.get(part, float("nan")) if part else score.value for score in found]


TABLES = {f"controlled-{dataset}": partial(table, dataset) for dataset in MEASURES}
