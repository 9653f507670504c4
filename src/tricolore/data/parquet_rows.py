"""Rows from Parquet files and Arrow tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any

from tricolore.data.unusable import NOT_UTF_8, REPEATED, UnusableFileError, UnusableValue

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_BATCH = 256


def parquet_rows(
    source: str | IO[bytes], only: Collection[str] | None = None, first: int = 0
) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, with some of its columns if `only` names them.

    A column that cannot be read is an error only if `only` names it. `first` is the number of the
    first row, from 0; the groups of rows before it are not read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(source) as file:
            names = list(dict.fromkeys(file.schema_arrow.names))
            broken: dict[str, UnusableValue] = {}
            if only is None:
                broken = _broken_columns(file, names)
            else:
                names = [name for name in names if _is_asked_for(name, only)]
            readable = [name for name in names if name not in broken]
            groups, skipped = _groups_from(file, first)
            batches = file.iter_batches(batch_size=_BATCH, row_groups=groups, columns=readable)
            for row in islice(chain.from_iterable(map(arrow_rows, batches)), skipped, None):
                yield row | broken
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise UnusableFileError(f"cannot be read as Parquet: {_brief(error)}") from error


def _groups_from(file: pq.ParquetFile, first: int) -> tuple[list[int], int]:
    """The groups of rows from a row on, and how many rows of the first group come before it."""
    before = 0
    for group in range(file.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        if before + rows > first:
            return list(range(group, file.num_row_groups)), first - before
        before += rows
    return [], 0


def arrow_rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """The rows of an Arrow batch as plain values."""
    names = batch.schema.names
    repeated = {name: REPEATED for name, count in Counter(names).items() if count > 1}
    if not names:
        yield from ({} for _ in range(batch.num_rows))
        return
    for values in zip(*map(_values, batch.columns), strict=True):
        yield {**dict(zip(names, values, strict=True)), **repeated}


def _is_asked_for(name: str, only: Collection[str]) -> bool:
    return any(column == name or column.startswith(f"{name}.") for column in only)


def _broken_columns(file: pq.ParquetFile, names: list[str]) -> dict[str, UnusableValue]:
    """The columns of which not even the first rows can be read."""
    import pyarrow as pa

    def problem(columns: list[str]) -> str:
        try:
            next(file.iter_batches(batch_size=_BATCH, columns=columns), None)
        except (pa.ArrowException, OSError) as error:
            return _brief(error)
        return ""

    if not problem(names):
        return {}
    found = {name: problem([name]) for name in names}
    return {
        name: UnusableValue(f"data that cannot be read ({words})")
        for name, words in found.items()
        if words
    }


def _values(column: pa.Array) -> list[Any]:
    try:
        return list(column.to_pylist())
    except Exception:  # what Python cannot hold raises errors of many kinds
        return [_value(scalar) for scalar in column]


def _value(scalar: pa.Scalar) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return NOT_UTF_8
    except Exception as error:
        return UnusableValue(f"a value that cannot be read ({_brief(error)})")


def _brief(error: Exception) -> str:
    """The first line of an error."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
