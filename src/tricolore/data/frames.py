"""Examples from what is in memory: lists, data frames, Arrow tables, Hugging Face datasets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.columns import Columns, columns_of
from tricolore.data.examples import Examples, example_file
from tricolore.data.parquet_rows import arrow_rows
from tricolore.data.records import MAX_ROW_MB, Record
from tricolore.errors import ReadError
from tricolore.example import Example, Unreadable


def examples_from(
    data: Any,
    columns: Columns | Mapping[str, str] | None = None,
    *,
    needs: Iterable[str] = (),
    limit: int | None = None,
    encoding: str = "",
    max_row_mb: float = MAX_ROW_MB,
    twice: bool = True,
) -> Examples:
    """Examples from any kind of table, which can be iterated repeatedly.

    `data` is a list of examples or of dicts, a data frame of pandas or polars, an Arrow table, a
    dataset of Hugging Face, or the path of a file, several paths or a pattern. Columns are found as
    in files: by their usual names, or as `columns` says: {"summary": "abstract"}. `needs` names the
    columns that must be there, `encoding` that of a text file, `max_row_mb` the longest row of a
    text file in millions of bytes. Without `twice`, a stream is not copied and can be gone through
    once only.

    >>> rows = examples_from([{"document": "A cat sat.", "generated": "Cat sits.", "model": "m"}])
    >>> rows.describe_columns()
    'read: source=document, summary=generated, system=model'
    >>> [example.summary for example in rows]
    ['Cat sits.']
    """
    if isinstance(columns, Mapping):
        columns = columns_of(columns)
    if isinstance(data, Examples):
        data.require(needs, twice=twice)
        return data
    if paths := paths_of(data):
        return example_file(
            paths,
            columns,
            needs=needs,
            limit=limit,
            encoding=encoding,
            max_row_mb=max_row_mb,
            twice=twice,
        )
    return Examples(_records(data), columns, needs=needs, limit=limit)


def paths_of(data: Any) -> list[str]:
    """The paths in data that are one path, or a list of them; none if they are something else."""
    if isinstance(data, str | Path):
        return [str(data)]
    if isinstance(data, list | tuple) and all(isinstance(item, str | Path) for item in data):
        return [str(item) for item in data]
    return []


def _records(data: Any) -> Iterable[Record | Example | Unreadable]:
    if isinstance(data, Mapping):
        raise ReadError(
            "a mapping is not a table of examples",
            "give a list of dicts, a data frame, or one split of a dataset",
        )
    if hasattr(data, "__arrow_c_stream__"):
        return _ArrowRows(data)
    if not isinstance(data, Iterable):
        raise ReadError(
            f"{type(data).__name__} is not a table of examples",
            "give a list of dicts, a data frame (of polars: collected), a dataset or a path",
        )
    # An iterator can be read only once, so its items are kept.
    return _Items(list(data) if isinstance(data, Iterator) else data)


class _ArrowRows:
    """The rows of anything with the Arrow interface: pandas, polars, pyarrow, DuckDB…"""

    def __init__(self, data: Any) -> None:
        import pyarrow as pa

        try:
            self._table = pa.table(data)
        except pa.ArrowException as error:
            raise ReadError(
                f"the table cannot be read: {error}", "make each column of one type"
            ) from error
        except ValueError as error:  # from pandas, about columns with the same name
            raise ReadError(f"the table cannot be read: {error}") from error

    def __iter__(self) -> Iterator[Record]:
        for batch in self._table.to_batches(max_chunksize=256):
            yield from arrow_rows(batch)


class _Items:
    """Examples and dicts; anything else is a row that cannot be read."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Record | Example | Unreadable]:
        for number, item in enumerate(self._items, 1):
            if isinstance(item, Example | Unreadable):
                yield item
            elif isinstance(item, Mapping):
                yield {str(name): value for name, value in item.items()}
            else:
                yield f"item {number} is not an example or a dict, but {type(item).__name__}"
