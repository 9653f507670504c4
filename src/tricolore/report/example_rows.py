"""The rows of a report: texts, values and evidence, as the page that shows examples takes them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from tricolore.example import Example
from tricolore.measure import Direction
from tricolore.report.painting import Painting, painted
from tricolore.score import Score


@dataclass(frozen=True)
class ReportRow:
    """One summary with its scores, and its texts if they are known."""

    number: int
    """Its number in the data, from 1."""
    doc_id: str
    system: str
    scores: Mapping[str, Score]
    example: Example | None = None
    problem: str = ""
    flags: str = ""

    @property
    def values(self) -> dict[str, float | None]:
        """The value of each measure; None if it has none."""
        return {
            label: score.value if math.isfinite(score.value) else None
            for label, score in self.scores.items()
        }

    @cached_property
    def paintings(self) -> dict[str, Painting]:
        """What to paint on the texts, by measure; only measures with evidence are there."""
        if self.example is None:
            return {}
        return {
            label: painted(self.example, label, score)
            for label, score in self.scores.items()
            if score.evidence
        }


@dataclass(frozen=True)
class ReportExamples:
    """The rows that a report shows, and what it says about those that it does not show."""

    rows: Sequence[ReportRow]
    total: int
    """The number of rows that were judged."""
    directions: Mapping[str, Direction]
    """The measures, and whether higher or lower is better."""
    notes: Sequence[str] = ()
    """What is not shown, and what is missing and how to get it."""

    @property
    def has_texts(self) -> bool:
        """Whether the texts of any row are known."""
        return any(row.example is not None for row in self.rows)

    @property
    def has_evidence(self) -> bool:
        """Whether any row has something to paint."""
        return any(score.evidence for row in self.rows for score in row.scores.values())

    @property
    def measures(self) -> list[str]:
        """The labels of the measures."""
        return list(self.directions)

    def to_json(self) -> dict[str, Any]:
        """All rows as plain values; a source or reference that rows share is there once.

        `values` are in the order of `measures`; `source` and `references` are indexes of `texts`.
        """
        texts: dict[str, int] = {}

        def places(of: Sequence[str]) -> list[int]:
            return [texts.setdefault(text, len(texts)) for text in of]

        rows = []
        for row in self.rows:
            known = row.values
            plain: dict[str, Any] = {
                "row": row.number,
                "doc_id": row.doc_id,
                "system": row.system,
                "values": [known.get(label) for label in self.directions],
                "problem": row.problem,
                "flags": row.flags,
            }
            if row.example is not None:
                plain |= {
                    "summary": row.example.summary,
                    "source": places(row.example.source),
                    "references": places(row.example.references),
                    "paintings": {
                        label: painting.to_json() for label, painting in row.paintings.items()
                    },
                }
            rows.append(plain)
        return {
            "measures": [
                {"label": label, "direction": direction}
                for label, direction in self.directions.items()
            ],
            "texts": list(texts),
            "rows": rows,
        }


def sampled(rows: Sequence[ReportRow], most: int, seed: int = 0) -> tuple[list[ReportRow], str]:
    """At most so many rows in their order, and a note if that is not all of them.

    Whole documents are sampled, so that systems can be compared on the same documents; single rows
    only if the smallest document has more rows than that.
    """
    if len(rows) <= most:
        return list(rows), ""
    by_document: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        by_document.setdefault(row.doc_id, []).append(place)
    documents = sorted(by_document)
    Random(seed).shuffle(documents)
    kept: list[int] = []
    for document in documents:
        if len(kept) + len(by_document[document]) <= most:
            kept += by_document[document]
    what = "whole documents were"
    if not kept:
        kept, what = Random(seed).sample(range(len(rows)), most), "they were"
    note = (
        f"{len(kept)} of {len(rows)} summaries are shown; {what} sampled at random (seed {seed}). "
        "All other sections are about all of them."
    )
    return [rows[place] for place in sorted(kept)], note
