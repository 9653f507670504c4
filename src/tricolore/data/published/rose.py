"""RoSE (Liu et al. 2023): summaries of CNN/DM, XSum and SamSum by several protocols.

`rose_data.tar.gz` at `Salesforce/rose` has one file per part (`cnndm.test.acus.aggregated.jsonl`,
`cnndm.test.protocols.aggregated.jsonl`, …), also as Parquet: one row per document, systems as keys
inside. Every score is one number: for several annotators, their mean is published. The content
units are kept with their labels; a label that is a mean of annotators counts as theirs above 0.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged
from tricolore.data.published.parse import field, rows_of
from tricolore.errors import ReadError
from tricolore.example import ContentUnit, Example

# The hub's first loader added the texts itself, from the original datasets.
ADVICE = "take the file from the rose_data.tar.gz that Salesforce/rose holds now"


def read(path: Path) -> Iterator[Judged]:
    """One row per summary: documents in file order, and the systems of each in file order."""
    if path.is_dir():
        files = ", ".join(sorted(file.name for file in path.iterdir())) or "nothing"
        raise ReadError(f"{path} is a directory; name one file of RoSE in it (there is: {files})")
    for row in rows_of(path):
        said_of = field(row, "annotations", path)
        # The reference is judged in `cnndm_protocol_gpt3` (-1 or [] where it was not), but it is
        # not a system, so it is left out.
        for system, summary in field(row, "system_outputs", path).items():
            yield Judged(
                Example(
                    source=field(row, "source", path, ADVICE),
                    references=field(row, "reference", path, ADVICE),
                    summary=summary,
                    doc_id=str(field(row, "example_id", path)),
                    system=system,
                    human=_human(field(said_of, system, path)),
                    units=_units(row, said_of[system], path),
                ),
                {},
            )


def _units(row: Mapping[str, Any], said: Mapping[str, Any], path: Path) -> list[ContentUnit]:
    """The atomic content units of the reference, with the label that the summary got for each."""
    texts, labels = row.get("reference_acus") or (), said.get("acu_labels") or ()
    if labels and len(labels) != len(texts):
        raise ReadError(
            f"{path}: {len(labels)} acu_labels for {len(texts)} reference_acus in a row"
        )
    present = [label > 0.5 for label in labels] or [None] * len(texts)
    # A few units of the published files are empty.
    pairs = zip(texts, present, strict=True)
    return [ContentUnit(text, present=label) for text, label in pairs if text.strip()]


def _human(said: Mapping[str, Any]) -> dict[str, float]:
    # All except `acu_labels`, which are kept with the content units.
    return {name: float(value) for name, value in said.items() if isinstance(value, (int, float))}
