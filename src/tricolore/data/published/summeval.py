"""SummEval (Fabbri et al. 2021): 100 articles of CNN/Daily Mail × 16 systems, 3 experts.

The file is `model_annotations.aligned.paired.jsonl`, with the articles included; or
`model_annotations.aligned.jsonl`, as it is hosted, with the story files of CNN/Daily Mail
beside it. The judgements of crowd workers are left out, as in the paper's tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged, judged
from tricolore.data.published.parse import field, rows_of
from tricolore.errors import ReadError

FILES = ("model_annotations.aligned.paired.jsonl", "model_annotations.aligned.jsonl")
QUALITIES = ("coherence", "consistency", "fluency", "relevance")


def read(path: Path) -> Iterator[Judged]:
    """The rows in the order of the file."""
    path = _file(path)
    for row in rows_of(path):
        experts = field(row, "expert_annotations", path)
        yield judged(
            {
                quality: [(str(n), field(said, quality, path)) for n, said in enumerate(experts, 1)]
                for quality in QUALITIES
            },
            source=row["text"] if "text" in row else _story(row, path),
            summary=field(row, "decoded", path),
            references=row.get("references") or (),
            doc_id=str(field(row, "id", path)),
            system=str(field(row, "model_id", path)),
        )


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = [path / name for name in FILES if (path / name).is_file()]
    if not found:
        raise ReadError(f"{path} holds neither {' nor '.join(FILES)}")
    return found[0]


def _story(row: Mapping[str, Any], path: Path) -> str:
    """The article without its highlights, as the authors' pairing makes it."""
    story = path.parent / str(field(row, "filepath", path))
    if not story.is_file():
        raise ReadError(
            f"{path} has no articles, and {story} is not there: put the story files of CNN/Daily "
            f"Mail beside it, or use {FILES[0]}"
        )
    article = story.read_text(encoding="utf-8").split("@highlight")[0]
    # Not `splitlines`: a line separator inside a sentence stays, as in the authors' script.
    return " ".join(line.strip() for line in article.split("\n") if line.strip())
