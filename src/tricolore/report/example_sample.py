"""Which examples a report shows, if there are too many for a page."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tricolore.report.example_browser import JudgedRow


def sampled(rows: Sequence[JudgedRow], most: int, seed: int = 0) -> tuple[list[JudgedRow], str]:
    """At most so many rows in their order, and a note if that is not all of them.

    Whole documents are sampled, so that systems can be compared on the same documents; single rows
    only if every document has more rows than that.
    """
    if len(rows) <= most:
        return list(rows), ""
    by_document: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        by_document.setdefault(row.example.doc_id, []).append(place)
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
        f"{len(kept)} of {len(rows)} summaries are shown here; {what} sampled at random (seed "
        f"{seed}). All other sections are about all of them."
    )
    return [rows[place] for place in sorted(kept)], note
