"""Long summaries of arXiv and GovReport (Koh et al. 2022): relevance and factual consistency.

The file is `robust_long_abstractive_human_annotation_dataset.jsonl` (or `.csv`). It has the ids of
the documents only. Sources and references are taken from `arxiv.jsonl` and `govreport.jsonl` beside
it, if they are there: rows of the original datasets, with an id, the text and the summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged
from tricolore.data.published.parse import field, rows_of
from tricolore.errors import ReadError
from tricolore.example import Example

FILE = "robust_long_abstractive_human_annotation_dataset"
QUALITIES = {"relevance": "relevance", "factual consistency": "factual_consistency"}
# Names of the original releases, and of the copies on the hub.
_IDS = ("article_id", "id", "dataset_id")
_SOURCES = ("article_text", "article", "report", "document")
_REFERENCES = ("abstract_text", "abstract", "summary")
_TAGS = re.compile(r"</?S>")


def read(path: Path) -> Iterator[Judged]:
    """One row per summary, in the order of the file."""
    path = _file(path)
    texts: dict[str, dict[str, tuple[str, str]]] = {}
    for row in rows_of(path):
        dataset = str(field(row, "dataset", path))
        document = str(field(row, "dataset_id", path))
        name = dataset.strip().lower()
        if name not in texts:
            texts[name] = _texts(path.parent, name)
        source, reference = texts[name].get(document, ("", ""))
        yield Judged(
            Example(
                source=source or (),
                references=reference or (),
                summary=str(field(row, "model_summary", path)),
                doc_id=f"{name}:{document}",
                system=str(field(row, "model_type", path)),
                human={ours: float(field(row, name, path)) for name, ours in QUALITIES.items()},
            ),
            {},
        )


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = [path / f"{FILE}.{ending}" for ending in ("jsonl", "csv")]
    there = [file for file in found if file.is_file()]
    if not there:
        raise ReadError(f"{path} has no '{FILE}.jsonl' or .csv")
    return there[0]


def _texts(folder: Path, dataset: str) -> dict[str, tuple[str, str]]:
    """Source and reference of each document of an original dataset."""
    path = folder / f"{'arxiv' if 'arxiv' in dataset else 'govreport'}.jsonl"
    if not path.is_file():
        return {}
    return {
        _first(row, _IDS, path): (_first(row, _SOURCES, path), _first(row, _REFERENCES, path))
        for row in rows_of(path)
    }


def _first(row: Mapping[str, Any], names: tuple[str, ...], path: Path) -> str:
    """The first of some fields; the sentences of arXiv are lists, with tags in the abstract."""
    value = next((row[name] for name in names if name in row), None)
    if value is None:
        raise ReadError(f"{path} has no '{names[0]}' in a row, nor {', '.join(names[1:])}")
    text = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
    return "\n".join(line.strip() for line in _TAGS.sub("", text).split("\n"))
