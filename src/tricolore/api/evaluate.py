"""Score the summaries of a file, a data frame or a list, and look at the result."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricolore.api.inputs import inputs_of
from tricolore.api.parted import PART_ROWS, is_directory, score_parts
from tricolore.api.recommended import meaning_line, recommended_for
from tricolore.api.run_summary import RunSummary
from tricolore.api.running import (
    CacheChoice,
    Measures,
    ProgressChoice,
    notes_on_columns,
    scoring,
    specs_of,
)
from tricolore.arguments import check_arguments
from tricolore.data.columns import Columns
from tricolore.data.empty import Empty
from tricolore.data.examples import ExampleFile, Examples
from tricolore.data.frames import examples_from
from tricolore.data.outputs import STANDARD, reserved
from tricolore.data.score_files import parts_table
from tricolore.data.score_table import ScoreTable
from tricolore.data.scores import ScoreFile, ScoreStream, problem, scores_table, written_files
from tricolore.data.separated import CsvFormulas
from tricolore.errors import TricoloreError
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.report.example_browser import JudgedRow, static_examples
from tricolore.report.notebook import MOST_SHOWN, NotebookExample, evidence_html
from tricolore.report.result_table import ResultTable
from tricolore.report.system_rows import system_rows_of_file
from tricolore.report.systems import SystemTable
from tricolore.run.engine import Engine
from tricolore.run.part_engines import PartEngine
from tricolore.run.processes import local_engine
from tricolore.run.run import Result
from tricolore.run.table import results_table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Evaluation:
    """The scores of many summaries.

    `results` has one entry per row of the data, in its order; `measures` are the measures in the
    order in which they were named. In a notebook it shows the table of systems, and the worst
    summaries if the scores have evidence.
    """

    results: Sequence[Result]
    measures: Sequence[Measure]
    summary: RunSummary
    empty: Empty = "worst"
    """How empty summaries count in the table of systems."""
    directory: Path | None = None
    """Where the scores are, if they were written in parts; `results` are not kept then."""

    @property
    def systems(self) -> ResultTable:
        """The mean of every system and measure with its 95 % interval."""
        return self.summary.systems

    @property
    def meanings(self) -> list[str]:
        """What each measure says, in one line."""
        return [meaning_line(measure) for measure in self.measures]

    @cached_property
    def table(self) -> ScoreTable:
        """All values by column, for `compare`, `agreement` and studies."""
        if self.directory is not None:
            return ScoreTable.read(self.directory)
        return results_table(self._all(), self.measures).table

    def worst(self, count: int = 10, measure: str = "") -> list[Result]:
        """The summaries with the worst values of a measure, the worst first.

        Args:
            count: How many.
            measure: The label of a measure; the first one if not given.
        """
        labels = {each.label: each for each in self.measures}
        chosen = labels.get(measure or self.measures[0].label)
        if chosen is None:
            raise TricoloreError(f"there is no measure '{measure}' here; there are {[*labels]}")
        if chosen.direction == "neither":
            raise TricoloreError(f"neither way is better in {chosen.label}, so none is the worst")
        sign = -1.0 if chosen.direction == "lower" else 1.0
        known = [r for r in self._all() if not math.isnan(r.scores[chosen.label].value)]
        return sorted(known, key=lambda r: sign * r.scores[chosen.label].value)[:count]

    def problems(self) -> list[tuple[int, str]]:
        """The rows without a value, numbered from 1, and why."""
        return [
            (number, words)
            for number, result in enumerate(self._all(), 1)
            for words in dict.fromkeys(s.problem for s in result.scores.values() if s.problem)
        ]

    def to_arrow(self, *, evidence: bool = False) -> pyarrow.Table:
        """One row per summary, with the columns of the files that `save` writes."""
        if self.directory is not None:
            return parts_table(self.directory, evidence=evidence)
        rows = ((result.example, result.scores) for result in self._all())
        return scores_table(rows, self.measures, evidence=evidence)

    def to_pandas(self, *, evidence: bool = False) -> pandas.DataFrame:
        """The same as a data frame of pandas, which must be installed."""
        return self.to_arrow(evidence=evidence).to_pandas()

    def to_polars(self, *, evidence: bool = False) -> polars.DataFrame:
        """The same as a data frame of polars, which must be installed."""
        import polars

        frame = polars.from_arrow(self.to_arrow(evidence=evidence))
        assert isinstance(frame, polars.DataFrame)
        return frame

    def save(
        self,
        path: str | Path,
        *,
        evidence: bool = False,
        csv_formulas: CsvFormulas = "protect",
    ) -> None:
        """Write a score file: .jsonl, .csv, .tsv or .parquet.

        Args:
            path: The file; its ending chooses the format.
            evidence: Whether to write the spans of text that the scores rest on.
            csv_formulas: As in `evaluate`.
        """
        with ScoreFile(
            str(path), self.measures, evidence=evidence, csv_formulas=csv_formulas
        ) as file:
            for result in self._all():
                file.add(result.example, result.scores)

    def _repr_html_(self) -> str:
        lines = (*self.summary.notes, *self.summary.problem_lines)
        notes = "".join(f"<p>{escape(line)}</p>" for line in lines)
        return self.systems.cut().html() + notes + evidence_html(self._shown())

    def _shown(self) -> list[NotebookExample]:
        """The worst summaries by the measure whose evidence says most."""
        rows = [
            JudgedRow(number, result.example, result.scores)
            for number, result in enumerate(self.results, 1)
            if isinstance(result.example, Example)
            and any(score.evidence for score in result.scores.values())
        ]
        directions = {measure.label: measure.direction for measure in self.measures}
        return [
            NotebookExample(
                f"{each.heading or f'row {each.row.number}'}: {each.painting.label} "
                f"{each.row.scores[each.painting.label].value:.3f}",
                each.row.example.summary,
                each.painting,
            )
            for each in static_examples(rows, directions, MOST_SHOWN)
        ]

    def _all(self) -> Sequence[Result]:
        if len(self.results) < self.summary.rows:
            raise TricoloreError(
                f"only {len(self.results)} of {self.summary.rows} results were kept",
                "evaluate without `keep`, or read the file that was written",
            )
        return self.results

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)


def evaluate(
    data: Any,
    measures: Measures | None = None,
    *,
    columns: Columns | Mapping[str, str] | None = None,
    encoding: str = "",
    limit: int | None = None,
    evidence: bool = False,
    empty: Empty = "worst",
    output: str | Path = "",
    write_evidence: bool | None = None,
    csv_formulas: CsvFormulas = "protect",
    part_rows: int = PART_ROWS,
    keep: int | None = None,
    cache: CacheChoice = None,
    jobs: int = 1,
    timeout: float | None = None,
    engine: Engine | PartEngine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
    max_cost: float | None = None,
    seed: int = 0,
) -> Evaluation:
    """Score all summaries of a file, a data frame or a list.

    Args:
        data: A list of `Example` or of dicts, a data frame of pandas or polars, an Arrow table, a
            Hugging Face dataset, or the path of a file, several paths or a pattern: "data/*.jsonl".
        measures: Measures, or specs that name them: "rouge,coverage"; the recommended ones if not
            given.
        columns: Which columns are what, where their names do not tell: {"summary": "abstract"}.
        encoding: Encoding of a text file that is not UTF-8, such as "cp1252".
        limit: Read only the first so many rows.
        evidence: Whether scores have the spans of text that they rest on.
        empty: How an empty summary counts in the table of systems: as the worst possible value
            ("worst"), or not at all ("skip").
        output: A file to which every row is written as soon as it is scored: .jsonl, .csv, .tsv
            or .parquet; "-" is standard output. Or a directory, as in "scores/": then files are
            scored in parts, each part is written when it is done, and the same call goes on with
            what is not finished. No results are kept in memory.
        write_evidence: Whether the evidence is written, too; as `evidence` if not given.
        csv_formulas: Whether an apostrophe is written before text that a spreadsheet would take
            for a formula in a .csv or .tsv file ("protect"), or not ("keep"). It is removed when
            `compare`, `agreement` and others read the file.
        part_rows: Rows of a part, if the output is a directory.
        keep: Keep only the first results in memory, at most this many, for files of any size.
        cache: Where scores are looked up and kept: a directory, "user" for the one that the
            command line uses, or none.
        jobs: Number of processes.
        timeout: The seconds that a batch of rows may take, and loading a model with it. A row that
            takes longer gets a problem. The work is then done in at least one other process.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress on standard error: "bar", "log" (a line per minute), "auto"
            or True (a bar on a terminal, a log elsewhere), "off" or False. Or a function that is
            called after every row, or batch of rows, with the number of rows that are done and, if
            known, of all rows.
        max_cost: The most that measures such as `judge` may spend, in the currency of their prices.
            Rows that are left when it is reached get a problem.
        seed: Seed of the random resampling for the intervals.

    >>> rows = [
    ...     {"document": "A cat sat on a mat.", "summary": "A cat sat.", "system": "a"},
    ...     {"document": "A cat sat on a mat.", "summary": "A dog ran.", "system": "b"},
    ... ]
    >>> result = evaluate(rows, "coverage")
    >>> [round(r.scores["coverage"].value, 2) for r in result]
    [1.0, 0.5]
    >>> result.worst(1)[0].example.system
    'b'
    """
    check_arguments(evaluate, locals())
    rows = data
    skipped: tuple[str, ...] = ()
    is_recommended = measures is None
    if measures is None:
        rows = examples_from(data, columns, limit=limit, encoding=encoding)
        measures, skipped = _recommended(rows)
    specs = specs_of(measures)
    if is_directory(output):
        if keep:
            raise TricoloreError(
                "no results are kept of scores that are written in parts",
                "score some rows without an output to look at them",
                argument="keep",
            )
        if max_cost is not None:
            raise TricoloreError(
                "no cost limit holds for scores that are written in parts",
                "write them to one file",
                argument="max_cost",
            )
        return _evaluate_parts(
            examples_from(rows, columns, limit=limit, encoding=encoding),
            specs,
            Path(output),
            part_rows=part_rows,
            evidence=evidence if write_evidence is None else write_evidence,
            cache=cache,
            engine=engine or local_engine(jobs, timeout),
            device=device,
            offline=offline,
            progress=progress,
            systems=lambda measures: SystemTable(
                measures, empty=empty, seed=seed, note_correlates=not is_recommended
            ),
            notes=skipped,
        )
    if isinstance(engine, PartEngine):
        raise TricoloreError(
            "this engine writes scores in parts: the output must be a directory", argument="output"
        )
    written = written_files(Path(output)) if str(output) not in STANDARD else [output]
    with (
        reserved([(path, "output") for path in written], inputs_of(data, specs, cache)),
        scoring(
            rows,
            specs,
            columns=columns,
            encoding=encoding,
            limit=limit,
            evidence=evidence,
            cache=cache,
            jobs=jobs,
            timeout=timeout,
            engine=engine,
            device=device,
            offline=offline,
            progress=progress,
            max_cost=max_cost,
        ) as scored,
    ):
        run = scored.run
        # The meanings of recommended measures say what they follow.
        systems = SystemTable(
            run.measures, empty=empty, seed=seed, note_correlates=not is_recommended
        )
        tally = _Tally(systems, keep)
        has_spans = evidence if write_evidence is None else write_evidence
        with _writer(str(output), run.measures, has_spans, csv_formulas) as writer:
            for result in scored.results:
                tally.add(result)
                if writer:
                    writer.add(result.example, result.scores)
    summary = RunSummary(
        systems=tally.systems.table(),
        rows=tally.rows,
        rows_with_problem=tally.rows_with_problem,
        first_problem=tally.first_problem,
        unusable_human=scored.examples.odd_human,
        notes=[*notes_on_columns(scored.examples), *skipped],
        reused=run.reused,
        scored=run.scored,
        usage=run.usage,
    )
    return Evaluation(tally.kept, run.measures, summary, empty)


def _evaluate_parts(
    examples: Examples,
    specs: Sequence[str | Measure],
    output: Path,
    *,
    cache: CacheChoice,
    systems: Callable[[Sequence[Measure]], SystemTable],
    notes: Sequence[str],
    **options: Any,
) -> Evaluation:
    """Score files in parts, and make the table from what was written."""
    if not isinstance(examples, ExampleFile):
        raise TricoloreError(
            "only files can be scored in parts: the rows are read by several processes, and again "
            "when a run goes on",
            "write the data to a file first, or name a file as the output",
            argument="output",
        )
    with reserved([(output, "output")], inputs_of(examples, specs, cache)):
        scores = score_parts(examples, specs, output, cache=cache, **options)
        table = systems(scores.measures)
        for part in scores.parts:
            for rows in system_rows_of_file(output / part.file, scores.measures):
                table.add_rows(rows)
    parts = scores.parts
    summary = RunSummary(
        systems=table.table(),
        rows=scores.manifest.rows,
        rows_with_problem=sum(part.rows_with_problem for part in parts),
        first_problem=next((part.first_problem for part in parts if part.first_problem), ""),
        unusable_human=scores.unusable_human,
        notes=[*notes_on_columns(examples), *notes],
        reused=scores.reused,
        scored=scores.scored,
        parts=len(parts),
        parts_before=scores.parts_before,
        passing_problems=sum(part.passing_problems for part in parts),
        usage=scores.usage,
    )
    return Evaluation((), scores.measures, summary, table.empty, output)


def _recommended(rows: Examples) -> tuple[Measures, tuple[str, ...]]:
    """Measures that suit the rows, and notes on what was left out."""
    found = recommended_for(rows)
    for note in found.notes:
        _log.warning(note)
    return found.measures, found.notes


@dataclass
class _Tally:
    systems: SystemTable
    keep: int | None
    kept: list[Result] = field(default_factory=list)
    rows: int = 0
    rows_with_problem: int = 0
    first_problem: str = ""

    def add(self, result: Result) -> None:
        self.systems.add(result.example, result.scores)
        self.rows += 1
        if words := problem(result.scores):
            self.rows_with_problem += 1
            self.first_problem = self.first_problem or words
        if self.keep is None or len(self.kept) < self.keep:
            self.kept.append(result)


def _writer(
    output: str, measures: Sequence[Measure], evidence: bool, csv_formulas: CsvFormulas
) -> ScoreFile | ScoreStream | nullcontext[None]:
    if not output:
        return nullcontext()
    if output == "-":
        return ScoreStream(measures, evidence=evidence)
    return ScoreFile(output, measures, evidence=evidence, csv_formulas=csv_formulas)
