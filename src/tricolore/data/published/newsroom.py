"""Newsroom human evaluation (Grusky et al. 2018): 60 articles × 7 systems × 3 workers.

The file is `newsroom-human-eval.csv`: one row per judgement, texts as HTML, no references.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged, judged
from tricolore.data.published.parse import field, only_file, rows_of
from tricolore.errors import ReadError

FILE = "newsroom-human-eval.csv"
QUALITIES = ("coherence", "fluency", "informativeness", "relevance")

_BREAKS = re.compile(r"(?i)(?:\s*(?:</?p\s*/?>|<br\s*/?>)\s*)+")


def read(path: Path) -> Iterator[Judged]:
    """One row per summary, in the order of first occurrence."""
    path = only_file(path, FILE)
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of(path):
        key = (str(field(row, "ArticleID", path)), str(field(row, "System", path)))
        groups[key].append(row)
    for (article, system), rows in groups.items():
        yield judged(
            {
                quality: [(str(n), _rating(row, quality, path)) for n, row in enumerate(rows, 1)]
                for quality in QUALITIES
            },
            source=plain(field(rows[0], "ArticleText", path)),
            summary=plain(field(rows[0], "SystemSummary", path)),
            doc_id=article,
            system=system,
        )


def plain(text: str) -> str:
    """The text that the HTML shows.

    >>> plain("<p>Bread &amp; butter.</p><p>Tea.</p>")
    'Bread & butter.\\nTea.'
    """
    return html.unescape(_BREAKS.sub("\n", text)).strip()


def _rating(row: dict[str, Any], quality: str, path: Path) -> float:
    given = field(row, f"{quality.capitalize()}Rating", path)
    try:
        return float(given)
    except (TypeError, ValueError):
        raise ReadError(f"{path}: the {quality} rating '{given}' is not a number") from None
