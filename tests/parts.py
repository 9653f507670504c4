"""Files of examples for tests of runs in parts."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = "the cat sat on a mat and saw seven red dogs run past an old house by the sea".split()


def rows(count: int) -> list[dict[str, object]]:
    """Rows of documents with the summaries of two systems each."""
    found: list[dict[str, object]] = []
    for at in range(count):
        document = at // 2
        source = " ".join(WORDS[(document + k) % len(WORDS)] for k in range(12))
        summary = " ".join([*source.split()[at % 5 : at % 5 + 4], f"new{at}"])
        found.append(
            {
                "doc_id": f"d{document}",
                "system": "ab"[at % 2],
                "source": source,
                "summary": summary,
                "references": [" ".join(source.split()[:5])],
                "human": {"quality": at % 5},
            }
        )
    return found


def write_rows(path: Path, count: int) -> Path:
    """A file of rows as lines of JSON."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(count)))
    return path
