"""FRANK (Pagnoni et al. 2021): 2246 summaries of CNN/DM and XSum, factual errors by kind.

Two files of the repository's `data`: `benchmark_data.json` has the texts, `human_annotations.json`
the scores: 1 for no such error, 0 for one in every sentence. A sentence that annotators found wrong
without agreeing on the kind counts against every kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged
from tricolore.data.published.parse import field, rows_of
from tricolore.errors import ReadError
from tricolore.example import Example

TEXTS, SCORES = "benchmark_data.json", "human_annotations.json"


def read(path: Path, *, split: str = "") -> Iterator[Judged]:
    """The rows in the order of the texts; `split` is `test`, `valid`, or both."""
    folder = path if path.is_dir() else path.parent
    scores = {_key(row, folder / SCORES): row for row in rows_of(folder / SCORES)}
    for row in rows_of(folder / TEXTS):
        key = _key(row, folder / TEXTS)
        if key not in scores:
            raise ReadError(f"{folder / SCORES} has nothing about {' by '.join(key)}")
        if split and field(scores[key], "split", folder / SCORES) != split:
            continue
        yield Judged(
            Example(
                source=field(row, "article", folder / TEXTS),
                summary=field(row, "summary", folder / TEXTS),
                references=row.get("reference") or (),
                doc_id=key[0],
                system=key[1],
                human=_human(scores[key]),
            ),
            {},
        )


def _key(row: dict[str, Any], path: Path) -> tuple[str, str]:
    return str(field(row, "hash", path)), str(field(row, "model_name", path))


def _human(row: dict[str, Any]) -> dict[str, float]:
    # The flipped labels are for their ablation study, not separate judgements.
    return {
        name.lower(): float(value)
        for name, value in row.items()
        if isinstance(value, (int, float)) and not name.startswith("Flip_")
    }
