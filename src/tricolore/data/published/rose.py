"""RoSE (Liu et al. 2023): summaries of CNN/DM, XSum and SamSum by several protocols.

A file of `rose_data.tar.gz` at `Salesforce/rose` a part (`cnndm.test.acus.aggregated.jsonl`,
`cnndm.test.protocols.aggregated.jsonl`, …), or its Parquet: a row a document, systems as keys
inside. Every score is one number: where several people judged, their mean is published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged
from tricolore.data.published.parse import field, rows_of
from tricolore.errors import ReadError
from tricolore.example import Example

# The hub's first loader put the texts in by itself, from the sets they are of.
ADVICE = "take the file from the rose_data.tar.gz that Salesforce/rose holds now"


def read(path: Path) -> Iterator[Judged]:
    """A row a summary: documents in order, and in each the systems as they come."""
    if path.is_dir():
        files = ", ".join(sorted(file.name for file in path.iterdir())) or "nothing"
        raise ReadError(f"{path} is a directory; name one file of RoSE in it (there is: {files})")
    for row in rows_of(path):
        said_of = field(row, "annotations", path)
        # The reference is judged in `cnndm_protocol_gpt3` (-1 or [] where it was not asked), but
        # is no system: it has no place here.
        for system, summary in field(row, "system_outputs", path).items():
            yield Judged(
                Example(
                    source=field(row, "source", path, ADVICE),
                    references=field(row, "reference", path, ADVICE),
                    summary=summary,
                    doc_id=str(field(row, "example_id", path)),
                    system=system,
                    human=_human(field(said_of, system, path)),
                ),
                {},
            )


def _human(said: Mapping[str, Any]) -> dict[str, float]:
    # All but `acu_labels`, which are single facts.
    return {name: float(value) for name, value in said.items() if isinstance(value, (int, float))}
