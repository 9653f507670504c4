"""What bad references do to measures that use them (importance paper §5.2, figure 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tricolore.api.evaluate import Evaluation, evaluate
from tricolore.api.running import (
    CacheChoice,
    ProgressChoice,
    names_of,
    opened_cache,
    read_examples,
)
from tricolore.api.score_tables import check_systems, one_human_score, settled_table
from tricolore.api.studies.study import Study
from tricolore.arguments import check_arguments
from tricolore.arrays import Floats
from tricolore.data.columns import Columns
from tricolore.data.empty import Empty
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.meta.choices import SYMBOLS, Coefficient
from tricolore.meta.intervals import few_systems_note
from tricolore.meta.mixes import scaled
from tricolore.meta.numeric.document_draws import Curve
from tricolore.meta.robustness import SHARES, with_lead_reference
from tricolore.meta.robustness import robustness as curve_over_shares
from tricolore.registry import get_measures
from tricolore.report.curves import curve_table, lines
from tricolore.report.plots import Labels, curves
from tricolore.report.statistics import note_sentences
from tricolore.run.engine import Engine


def robustness(
    data: Any,
    human: str = "",
    *,
    measures: str | Sequence[str | Measure] = "rouge-1",
    partners: str | Sequence[str | Measure] = (),
    keep_references: int = 0,
    sentences: int = 3,
    shares: Sequence[float] = (),
    coefficient: Coefficient = "spearman",
    columns: Columns | None = None,
    limit: int | None = None,
    empty: Empty = "worst",
    cache: CacheChoice = None,
    jobs: int = 1,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
    resamples: int = 1000,
    seed: int = 0,
) -> Study[dict[str, Curve]]:
    """Replace a growing share of the references by the first sentences of the source.

    The data of the study has one curve per measure, and one per measure with a partner added: the
    system-level correlation with a human score.

    Args:
        data: Examples with references and human scores: whatever `evaluate` takes.
        human: The human score to agree with; not needed if there is only one. It may also be the
            name of a column.
        measures: Measures that use references.
        partners: Measures without references, to be added to each of the others.
        keep_references: How many references of each summary are used; 0 for all.
        sentences: How many sentences of the source replace the references.
        shares: Shares of the documents, from 0 to 1; steps of 0.1 if not given.
        coefficient: Correlation coefficient.
        columns: The names of the columns, if they are not the usual ones.
        limit: Read at most this many rows.
        empty: How an empty summary counts: as the worst possible value ("worst") or not at all
            ("skip").
        cache: Where scores are looked up and kept, as in `evaluate`.
        jobs: Number of processes.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress, or a function, as in `evaluate`.
        resamples: Number of random choices of the documents whose references are replaced.
        seed: Seed of the random resampling.
    """
    check_arguments(robustness, locals())
    based = get_measures(measures)
    free = get_measures(partners) if partners else []
    rows = read_examples(data, columns, needs={"source"}, human=names_of(human), limit=limit)
    examples = [row for row in rows.at_least_one() if isinstance(row, Example)]
    if keep_references:
        examples = [replace(row, references=row.references[:keep_references]) for row in examples]
    leads = [with_lead_reference(row, sentences) for row in examples]
    clean, spoiled = (
        replace(settled_table(scored, empty), name=rows.name)
        for scored in _scored(
            (examples, leads),
            [*based, *free],
            cache,
            jobs=jobs,
            engine=engine,
            device=device,
            offline=offline,
            progress=progress,
        )
    )
    quality = one_human_score(clean, human)
    check_systems(clean)
    names = [measure.label for measure in based], [measure.label for measure in free]
    try:
        found = {
            name: curve_over_shares(
                before,
                after,
                clean.human[quality],
                clean.grid,
                shares=shares or SHARES,
                draws=resamples,
                seed=seed,
                coefficient=coefficient,
            )
            for name, before, after in _alone_and_mixed(clean, spoiled, *names)
        }
    except ValueError as error:
        raise ReadError(f"{rows.name}: {error}") from error
    symbol = SYMBOLS[coefficient]
    sheet = curve_table("replaced", found, percent=True)
    sheet.notes.insert(
        0,
        f"System-level {symbol} with {quality}; mean and 95 % of {resamples} random choices of "
        "documents.",
    )
    sheet.notes += note_sentences([few_systems_note(len(clean.grid.systems), "system")])
    labels = Labels("replaced references (%)", f"system-level {symbol} with {quality}")
    warnings = clean.notes_on([label for each in names for label in each])
    return Study.of(found, sheet, lambda: curves(lines(found, factor=100), labels), warnings)


def _scored(
    sets: Iterable[list[Example]],
    measures: Sequence[Measure],
    cache: CacheChoice,
    **settings: Any,
) -> list[Evaluation]:
    """The scores of several sets of examples, with one cache."""
    with opened_cache(cache) as opened:
        return [evaluate(some, measures, cache=opened, **settings) for some in sets]


def _alone_and_mixed(
    clean: ScoreTable, spoiled: ScoreTable, based: list[str], free: list[str]
) -> list[tuple[str, Floats, Floats]]:
    """Each measure alone and with each partner; before and after."""
    found = [(label, clean.signed(label), spoiled.signed(label)) for label in [*based, *free]]
    for label in based:
        for partner in free:
            other = -scaled(clean, partner) if clean.lower(partner) else scaled(clean, partner)
            sign = "-" if clean.lower(partner) else "+"
            both = [
                (-1 if table.lower(label) else 1) * scaled(table, label) + other
                for table in (clean, spoiled)
            ]
            found.append((f"{label} {sign} {partner}", both[0], both[1]))
    return found
