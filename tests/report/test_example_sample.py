"""Which examples are shown if there are too many."""

from __future__ import annotations

from tricolore import Example
from tricolore.report.example_browser import JudgedRow
from tricolore.report.example_sample import sampled

ROWS = [
    JudgedRow(n, Example(summary="s", doc_id=f"d{n // 4}", system=str(n % 4)), {})
    for n in range(40)
]


def test_few_rows_are_all_shown() -> None:
    assert sampled(ROWS, 40) == (ROWS, "")


def test_whole_documents_are_sampled_in_their_order() -> None:
    kept, note = sampled(ROWS, 14)
    assert len(kept) == 12
    documents = [row.example.doc_id for row in kept]
    assert all(documents.count(document) == 4 for document in documents)
    assert [row.number for row in kept] == sorted(row.number for row in kept)
    assert note.startswith("12 of 40 summaries are shown here; whole documents were sampled")
    assert "seed 0" in note


def test_the_seed_chooses_the_sample() -> None:
    assert sampled(ROWS, 12, seed=3) == sampled(ROWS, 12, seed=3)
    assert len({str(sampled(ROWS, 12, seed=seed)[0]) for seed in range(5)}) > 1


def test_rows_are_sampled_if_no_document_fits() -> None:
    kept, note = sampled(ROWS, 3)
    assert len(kept) == 3
    assert "they were sampled" in note
    assert sampled(ROWS, 0)[0] == []
