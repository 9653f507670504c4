"""An atlas: all measures on all judged sets, and which measure answers which question."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tricolore.api.atlas_sets import SetFigures
from tricolore.api.inputs import inputs_of
from tricolore.api.running import (
    CacheChoice,
    Measures,
    ProgressChoice,
    opened_cache,
    placed_on,
    specs_of,
)
from tricolore.arguments import check_arguments
from tricolore.data.atomic import write_directory
from tricolore.data.columns import Columns
from tricolore.data.empty import Empty
from tricolore.data.json_lines import to_json_text
from tricolore.data.judged_sets import find_judged_sets
from tricolore.data.outputs import reserved
from tricolore.errors import TricoloreError, WriteError
from tricolore.measure import Measure, flatten
from tricolore.measures.neural import NeuralMeasure
from tricolore.meta.atlas_choices import MeasureChoice, choices
from tricolore.meta.atlas_figures import AtlasFigures
from tricolore.meta.choices import Over
from tricolore.models.loading import missing_for
from tricolore.registry import entries, get_measures
from tricolore.report.atlas import (
    atlas_html,
    atlas_markdown,
    choice_table,
    figure_rows,
    figure_table,
)
from tricolore.report.pages import templates
from tricolore.report.result_table import ResultTable
from tricolore.run.engine import Engine
from tricolore.run.processes import local_engine

CONTROLS = "novelty:n=3,length"
"""What is held constant by default: copying and length."""
KINDS = "subtle-errors,entity-swap,number-swap,negation-swap,sentence-shuffle"
"""The kinds of planted errors by default."""
FILES = ("atlas.csv", "atlas.json", "atlas.parquet", "atlas.md", "atlas.html")
"""The files of an atlas: the table of all figures in three formats, and the page in two."""


@dataclass(frozen=True)
class AtlasResult:
    """All figures of measures on judged sets, and the choices that follow from them.

    In a notebook it shows the choices.
    """

    figures: AtlasFigures

    @property
    def table(self) -> ResultTable:
        """All figures, one per row."""
        return figure_table(self.figures)

    @property
    def choices(self) -> list[MeasureChoice]:
        """Which measure answers which question, by the rules that the page states."""
        return choices(self.figures)

    @property
    def choice_table(self) -> ResultTable:
        """The choices, one per row."""
        return choice_table(self.choices)

    def markdown(self) -> str:
        """The page as Markdown."""
        return atlas_markdown(self.figures)

    def html(self) -> str:
        """The page as one HTML file."""
        return atlas_html(self.figures)

    def save(self, directory: str | Path) -> None:
        """Write the table (CSV, JSON, Parquet) and the page (Markdown, HTML) to a directory."""
        rows = figure_rows(self.figures)
        texts = {
            "atlas.csv": self.table.csv() + "\n",
            "atlas.json": to_json_text(rows, indent=1) + "\n",
            "atlas.md": self.markdown(),
            "atlas.html": self.html(),
        }
        contents = {name: text.encode() for name, text in texts.items()}
        contents["atlas.parquet"] = _parquet(rows)
        write_directory(directory, contents, _replaceable)

    def _repr_html_(self) -> str:
        return self.choice_table.html()


def atlas(
    places: str | Path | Sequence[str | Path],
    measures: Measures | None = None,
    *,
    output: str | Path = "",
    control: str | Sequence[str] = CONTROLS,
    kinds: str = KINDS,
    damaged: int = 50,
    max_seconds: float = 600.0,
    columns: Columns | None = None,
    encoding: str = "",
    limit: int | None = None,
    empty: Empty = "worst",
    resamples: int = 1000,
    over: Over = "both",
    cache: CacheChoice = None,
    jobs: int = 1,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
    seed: int = 0,
) -> AtlasResult:
    """Run measures on judged sets, and say which measure answers which question.

    With a cache, a run that was stopped goes on where it was.

    Args:
        places: Files of summaries with human scores, or directories in which to look for them; also
            public datasets as they are published.
        measures: Measures, or specs that name them; all that run without a download if not given.
        output: A directory to write the table and the page to; it must be new or an atlas.
        control: Specs of what is held constant in partial correlations.
        kinds: Specs of kinds of planted errors, separated by commas; empty for none.
        damaged: The most summaries per set in which errors are planted.
        max_seconds: The CPU seconds that a measure may take per set, as far as its measured cost
            tells: one that needs more is run on fewer, randomly chosen documents.
        columns: The names of the columns, if they are not the usual ones.
        encoding: The encoding of text files, such as "cp1252"; UTF-8 if empty.
        limit: Read at most this many rows of each set.
        empty: How an empty summary counts: as the worst possible value ("worst"), or not at all.
        resamples: Number of bootstrap resamples for the intervals.
        over: What is resampled: "documents", "systems" or "both".
        cache: Where scores are looked up and kept, as in `evaluate`.
        jobs: Number of processes.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress, or a function, as in `evaluate`.
        seed: Seed of the random documents, errors and resamples.
    """
    check_arguments(atlas, locals())
    given = [places] if isinstance(places, str | Path) else list(places)
    specs = specs_of(measures) if measures is not None else None
    if output:
        templates()  # so that an error comes before anything is computed
    inputs = [*map(Path, given), *inputs_of(None, specs or (), cache)]
    with (
        reserved([(output, "output")] if output else [], inputs),
        placed_on(device, offline),
        opened_cache(cache) as opened,
    ):
        if output:
            _replaceable(Path(output))
        found = find_judged_sets(given, columns, encoding=encoding, limit=limit)
        chosen, absent = _runnable() if specs is None else (get_measures(specs), [])
        _refuse_remote(chosen)
        controls = [measure.label for measure in get_measures(specs_of(control))]
        figures = AtlasFigures(
            {measure.label: measure.direction for measure in chosen},
            controls,
            skipped=found.skipped,
        )
        figures.left_out += [("all sets", *each) for each in absent]
        for judged_set in found.sets:
            maker = SetFigures(
                judged_set,
                figures,
                cache=opened,
                engine=engine or local_engine(jobs),
                progress=progress,
                is_named=specs is not None,
                max_seconds=max_seconds,
                seed=seed,
            )
            maker.add_facts()
            maker.add_agreements(chosen, resamples=resamples, over=over, empty=empty)
            if kinds and damaged:
                maker.add_sensitivities(kinds, damaged)
        result = AtlasResult(figures)
        if output:
            result.save(output)
    return result


def _runnable() -> tuple[list[Measure], list[tuple[str, str]]]:
    """All measures whose models are here, and the others with the reason."""
    kept, absent = [], []
    for measure in get_measures(list(entries())):
        missing = missing_for(measure.model) if isinstance(measure, NeuralMeasure) else ""
        if measure.is_remote:
            absent.append((measure.label, "it sends the texts to a service"))
        elif missing:
            absent.append((measure.label, f"{missing} is not here"))
        else:
            kept.append(measure)
    return kept, absent


def _refuse_remote(measures: Iterable[Measure]) -> None:
    """Raise an error for a measure that may charge for each of many requests."""
    for measure in flatten(measures):
        if measure.is_remote:
            raise TricoloreError(
                f"{measure.label} sends every text to a service, which an atlas does often",
                "score the set with it, and look at its agreement with `tricolore meta`",
                argument="measures",
            )


def _parquet(rows: Sequence[dict[str, str | float | int | None]]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(list(rows)), out)
    return out.getvalue()


def _replaceable(directory: Path) -> list[str]:
    """The files of an atlas that may be replaced; an error if there is anything else."""
    if not directory.exists():
        return []
    if not directory.is_dir():
        raise WriteError(f"{directory} is a file; an atlas is a directory", argument="output")
    names = sorted(os.listdir(directory))
    if other := [name for name in names if name not in FILES]:
        words = f"{directory} is there and has what is not part of an atlas: {other[0]}"
        raise WriteError(words, argument="output")
    return names
