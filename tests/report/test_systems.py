import numpy as np
import pytest

from tricolore import Example, Score, get_measure, get_measures
from tricolore.example import Unreadable
from tricolore.report.systems import SystemTable

COVERAGE = get_measure("coverage")


def add(table, system, doc, value):
    score = Score(value, dict.fromkeys(COVERAGE.part_names, 0.0))
    if value is None:
        score = Score.missing("no words")
    table.add(Example(source="a", summary="a", doc_id=doc, system=system), {"coverage": score})


def test_means_counts_and_rows_without_a_value():
    table = SystemTable([COVERAGE])
    for doc, value in [("1", 0.2), ("2", 0.4), ("3", None)]:
        add(table, "A", doc, value)
    add(table, "B", "1", 1.0)
    table.add(Unreadable("line 9 is not JSON"), {})
    cell = table.cell("A", COVERAGE)
    assert table.systems == ["A", "B"]
    assert cell.value == pytest.approx(0.3)
    assert (cell.count, cell.missing) == (2, 1)
    assert table.unreadable == 1
    # one document tells nothing of others
    assert np.isnan(table.cell("B", COVERAGE).low)


def test_documents_are_counted_until_there_are_enough():
    # Rows are taken in by 256. A: one document, then two more. B: four, then five more.
    table = SystemTable([COVERAGE])
    rows = [("A", "1")] * 256
    rows += [("A", "2"), ("A", "3"), ("B", "1"), ("B", "2"), ("B", "3"), *[("B", "4")] * 251]
    rows += [("B", str(doc)) for doc in range(5, 10)]
    for system, doc in rows:
        add(table, system, doc, 0.5)
    assert [table.cell(name, COVERAGE).documents for name in "AB"] == [3, 5]


def test_the_interval_is_that_of_the_normal_law_for_many_documents():
    # 400 documents, values 0 and 1 in turn: standard error 0.5 / 20 = 0.025
    table = SystemTable([COVERAGE], resamples=4000)
    for doc in range(400):
        add(table, "A", str(doc), float(doc % 2))
    cell = table.cell("A", COVERAGE)
    assert cell.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.004)
    assert cell.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.004)


def test_summaries_of_one_document_are_resampled_together():
    # Two documents, a hundred equal rows each: as wide as with two rows, not as with two hundred.
    many, few = SystemTable([COVERAGE]), SystemTable([COVERAGE])
    for doc, value in [("1", 0.0), ("2", 1.0)]:
        add(few, "A", doc, value)
        for _ in range(100):
            add(many, "A", doc, value)
    wide, narrow = few.cell("A", COVERAGE), many.cell("A", COVERAGE)
    assert (wide.low, wide.high) == (narrow.low, narrow.high)


def test_the_seed_decides():
    def low(seed):
        table = SystemTable([COVERAGE], seed=seed)
        for doc in range(50):
            add(table, "A", str(doc), doc / 50)
        return table.cell("A", COVERAGE).low

    assert low(1) == low(1) != low(2)


def test_a_corpus_level_measure_is_pooled_not_averaged():
    [bleu] = get_measures("bleu:level=corpus")
    table = SystemTable([bleu])
    rows = [
        Example(source="x", summary="the cat sat on the mat", references="the cat sat on the mat"),
        Example(source="y", summary="a dog ran off today", references="no word in common here"),
    ]
    for row, score in zip(rows, bleu.score(rows), strict=True):
        table.add(row, {bleu.label: score})
    import sacrebleu

    expected = sacrebleu.corpus_bleu(
        [row.summary for row in rows], [[row.references[0] for row in rows]]
    )
    assert table.cell("", bleu).value == pytest.approx(expected.score, abs=1e-9)
