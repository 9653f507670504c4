"""`sweep` from Python."""

import pytest

from tricolore import TricoloreError, sweep

# ROUGE-1 recall: 1/4, 2/4, 3/4. Precision: 1, 2/3, 3/3: human scores agree with recall alone.
ROWS = [
    {"source": "s", "references": "a b c d", "summary": words, "human": {"good": grade}, "fine": 1}
    for words, grade in (("a", 1), ("a b x", 2), ("a b c", 3))
]


def test_a_setting_that_agrees_and_one_that_does_not():
    result = sweep(ROWS, "rouge-1:value=recall|precision", "good", resamples=10)
    assert [point.label for point in result.points] == ["value=recall", "value=precision"]
    # By hand: ranks 1 2 3 against 1 2 3; and against 2.5 1 2.5 (Spearman 0).
    assert [row[0].value for row in result.agreements] == pytest.approx([1, 0])
    assert result.table.headers == ["setting", "good"]
    assert result.table.rows[0][1].value == 1
    assert "Summary-level ρ with human scores, over 3 summaries" in result.table.notes[0]
    axes = result.figure().axes[0]
    assert list(axes.lines[0].get_ydata()) == pytest.approx([1, 0])
    assert "<table>" in result._repr_html_()


def test_numbers_are_on_a_number_axis_and_all_human_scores_are_taken():
    result = sweep(ROWS, "chrf:beta=1..3", resamples=10)
    assert result.human == ["good"]
    assert list(result.figure().axes[0].lines[0].get_xdata()) == [1, 2, 3]
    with pytest.raises(TricoloreError, match="no column 'bad' of human scores"):
        sweep(ROWS, "chrf:beta=1..3", "bad")


def test_few_documents_and_few_systems_are_noted():
    rows = [
        {**row, "system": str(at), "doc_id": doc} for doc in "12" for at, row in enumerate(ROWS)
    ]
    notes = sweep(rows, "chrf:beta=1..2", level="system", resamples=9).table.notes
    assert "Only 2 documents: the interval says little." in notes
    assert "Only 3 systems: a correlation over systems says little." in notes
    notes = sweep(rows, "chrf:beta=1..2", resamples=9).table.notes
    assert "Only 2 documents: the interval says little." in notes
    assert not any("systems" in note for note in notes)
