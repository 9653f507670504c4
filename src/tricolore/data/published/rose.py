"""RoSE (Liu et al. 2023): summaries of CNN/DM, XSum and SamSum by several protocols.

A file of `Salesforce/rose` a part (`cnndm_test`, `cnndm_validation`, `xsum`, `samsum`,
`cnndm_protocol`, …), JSON Lines or Parquet: a row a document, systems as keys inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged, Rating, judged
from tricolore.data.published.parse import field, rows_of
from tricolore.data.records import ReadError
from tricolore.example import Example


def read(path: Path) -> Iterator[Judged]:
    """A row a summary: documents in order, and in each the systems as they come."""
    if path.is_dir():
        files = ", ".join(sorted(file.name for file in path.iterdir())) or "nothing"
        raise ReadError(f"{path} is a directory; name one file of RoSE in it (there is: {files})")
    for row in rows_of(path):
        said_of = field(row, "annotations", path)
        for system, summary in field(row, "system_outputs", path).items():
            if summary is None:  # Parquet has a place for every system of the set
                continue
            yield _summary(row, path, system, summary, said_of.get(system) or {})


def _summary(
    row: Mapping[str, Any], path: Path, system: str, summary: str, said: Mapping[str, Any]
) -> Judged:
    texts: dict[str, Any] = {
        "source": field(row, "source", path),
        "references": row.get("reference") or (),
        "summary": summary,
        "doc_id": str(field(row, "example_id", path)),
        "system": system,
    }
    # `acu_labels` are single facts, not people; any other list is one score a person.
    several: dict[str, list[Rating]] = {
        name: [(str(n), float(score)) for n, score in enumerate(value, 1) if score is not None]
        for name, value in said.items()
        if isinstance(value, list) and name != "acu_labels"
    }
    one = {name: float(value) for name, value in said.items() if isinstance(value, (int, float))}
    means = judged(several, summary=summary).example.human
    return Judged(Example(human={**one, **means}, **texts), several)
