"""Where scores are read from: a file, or a directory with the parts of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tricolore.data.manifest import MANIFEST, is_parted, read_manifest
from tricolore.data.scores import is_evidence
from tricolore.errors import ReadError
from tricolore.text.plural import plural

if TYPE_CHECKING:
    import pyarrow as pa


def score_files(path: str | Path) -> list[str]:
    """The files of scores at a path: itself, or the parts in a directory, in the order of rows.

    A directory is read only if all of its parts are finished and there.
    """
    directory = Path(path)
    if not directory.is_dir():
        return [str(path)]
    if not is_parted(directory):
        raise ReadError(f"{path} is a directory without {MANIFEST}: it has no scores")
    manifest = read_manifest(directory)
    again = "start the run that wrote it again: it goes on where it was"
    if not manifest.is_complete:
        count = plural(len(manifest.missing), "part")
        raise ReadError(f"{path} is not complete: {count} of {len(manifest.parts)} missing", again)
    parts = manifest.in_order()
    for part in parts:
        file = directory / part.file
        if not file.is_file() or file.stat().st_size != part.size:
            raise ReadError(f"{file} is missing or damaged", again)
    return [str(directory / part.file) for part in parts]


def parts_table(directory: Path, *, evidence: bool = False) -> pa.Table:
    """All rows of a directory as one Arrow table; without evidence unless it is asked for."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = [pq.read_table(path) for path in score_files(directory)]
    whole = pa.concat_tables(tables, promote_options="default")
    names = [name for name in whole.column_names if evidence or not is_evidence(name)]
    return whole.select(names).replace_schema_metadata(tables[0].schema.metadata)
