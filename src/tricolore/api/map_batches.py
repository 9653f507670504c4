"""Score tables in memory, batch by batch: for Spark, Dask and other engines with data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tricolore.api.running import Measures, placed_on, specs_of
from tricolore.arguments import check_arguments
from tricolore.data.columns import Columns, columns_of
from tricolore.data.frames import examples_from
from tricolore.data.json_lines import to_json_text
from tricolore.data.scores import (
    ScoreRows,
    check_columns,
    metadata,
    score_columns,
    score_schema,
    table_of_rows,
)
from tricolore.errors import ReadError, TricoloreError
from tricolore.measure import Measure
from tricolore.models.placement import Placement
from tricolore.run.run import Run

if TYPE_CHECKING:
    import pyarrow

_REMEMBERED = 8
"""Sets of measures that a process keeps ready."""


def map_batches(
    data: Any,
    measures: Measures,
    *,
    columns: Columns | Mapping[str, str] | None = None,
    evidence: bool = False,
    device: str = "",
    offline: bool = False,
) -> Any:
    """Scores of a table, or of each table of an iterable, with one row per row of the table.

    A process prepares measures and loads models once, with its first table. Rows have the columns
    of a score file without their number: `doc_id`, `system`, `status`, for each measure its value
    and its parts, `problem` and `flags`.

    Args:
        data: A data frame of pandas, or a table or record batch of Arrow; or an iterable of them,
            which gives an iterator. Results are of the same kind; those of pandas keep the index.
        measures: Measures, or specs that name them: "rouge-1,coverage".
        columns: Which columns are what, where their names do not tell: {"summary": "abstract"}.
        evidence: Whether rows have the spans of text that the scores rest on, as JSON.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.

    >>> import pyarrow as pa
    >>> table = pa.table({"source": ["A cat sat on a mat."], "summary": ["A dog sat."]})
    >>> map_batches(table, "coverage").column("coverage").to_pylist()
    [0.75]
    """
    check_arguments(map_batches, locals())
    if isinstance(columns, Mapping):
        columns = columns_of(columns)
    with placed_on(device, offline) as placement:
        run = _prepared(tuple(specs_of(measures)), evidence, placement)
    batches = _Batches(run, columns)
    if _is_table(data):
        return batches.scored(data)
    if isinstance(data, str | Mapping) or not isinstance(data, Iterable):
        raise ReadError(
            f"{type(data).__name__} is not a table",
            "give a data frame of pandas, a table of Arrow, or an iterable of them",
            argument="data",
        )
    return map(batches.scored, data)


def batch_schema(measures: Measures, *, evidence: bool = False) -> Any:
    """The Arrow schema of what `map_batches` returns, for engines that want to know it before.

    Args:
        measures: Measures, or specs that name them.
        evidence: Whether rows have evidence.

    >>> batch_schema("compression").names[:5]
    ['doc_id', 'system', 'status', 'compression', 'compression.source_words']
    """
    check_arguments(batch_schema, locals())
    with placed_on() as placement:
        return _schema(_prepared(tuple(specs_of(measures)), evidence, placement))


@lru_cache(maxsize=_REMEMBERED)
def _prepared(specs: tuple[str | Measure, ...], evidence: bool, placement: Placement) -> Run:
    """A run whose measures are ready; an error if one of them must see all sources first."""
    run = Run(specs, evidence=evidence, placement=placement)
    check_columns(run.measures, evidence=evidence)
    for measure in run.measures:
        if "corpus" in measure.needs and getattr(measure, "corpus", "run") == "run":
            raise TricoloreError(
                f"{measure.label} must see all sources before the first score, but here it would "
                "see those of one batch",
                "count their words once by `fit_corpus`, and name the file, as in "
                "importance:corpus=FILE; or take importance:corpus=background",
                argument="measures",
            )
    run.fit(())
    return run


def _schema(run: Run) -> pyarrow.Schema:
    columns = score_columns(run.measures, {}, evidence=run.evidence)[1:]  # without `row`
    return score_schema(columns, to_json_text(metadata(run.measures)))


class _Batches:
    def __init__(self, run: Run, columns: Columns | None) -> None:
        self._run = run
        self._columns = columns

    def scored(self, table: Any) -> Any:
        if not _is_table(table):
            raise ReadError(
                f"{type(table).__name__} is not a table",
                "give data frames of pandas, or tables of Arrow",
                argument="data",
            )
        rows = list(self._rows(table))
        schema = _schema(self._run)
        found = table_of_rows(rows, schema)
        return _like(table, found)

    def _rows(self, table: Any) -> Iterator[dict[str, Any]]:
        if not len(table):
            return
        run = self._run  # threads may share it: all that a run notes down is counts
        examples = examples_from(table, self._columns, needs=run.needs - {"corpus"})
        made = ScoreRows(run.measures, evidence=run.evidence)
        names = set(_schema(run).names)
        for number, result in enumerate(run.score(examples), 1):
            row = made.row(number, result.example, result.scores)
            yield {name: value for name, value in row.items() if name in names}


def _is_table(data: Any) -> bool:
    import pyarrow as pa

    if isinstance(data, pa.Table | pa.RecordBatch):
        return True
    kind = type(data)
    return kind.__module__.partition(".")[0] == "pandas" and kind.__name__ == "DataFrame"


def _like(table: Any, found: pyarrow.Table) -> Any:
    """The scores as the same kind of table."""
    import pyarrow as pa

    if isinstance(table, pa.Table):
        return found
    if isinstance(table, pa.RecordBatch):
        columns = [column.combine_chunks() for column in found.columns]
        return pa.RecordBatch.from_arrays(columns, schema=found.schema)
    return found.to_pandas().set_index(table.index)
