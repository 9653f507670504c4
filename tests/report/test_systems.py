import numpy as np
import pytest

from tricolore import Example, Score, get_measure, get_measures
from tricolore.data.score_table import ScoreTable
from tricolore.example import Unreadable
from tricolore.meta.system_tests import ranking
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
    # one document tells nothing of others
    assert np.isnan(table.cell("B", COVERAGE).low)


def filled(rows, **settings):
    """A table of rows (system, document, value of coverage); None is an empty summary."""
    table = SystemTable([COVERAGE], **settings)
    for system, doc, value in rows:
        if value is None:
            example = Example(source="a", summary=" ", doc_id=doc, system=system)
            table.add(example, {"coverage": Score.missing("the summary is empty")})
        else:
            add(table, system, doc, value)
    return table


ROWS = [("A", "1", 0.5), ("A", "2", 0.7), ("C", "1", 0.8), ("C", "2", None)]


def test_an_empty_summary_has_the_worst_value():
    table = filled(ROWS)
    cell = table.cell("C", COVERAGE)
    assert cell.value == pytest.approx(0.4)  # (0.8 + 0) / 2
    assert (cell.count, cell.missing, cell.empty) == (2, 0, 1)
    sheet = table.table()
    assert sheet.headers == ["system", "coverage ↑", "rows", "empty"]
    assert [row[-2:] for row in sheet.rows] == [[2, 0], [2, 1]]
    assert "1 empty summary, which counts as the worst possible value: C 1." in sheet.notes


def test_columns_that_follow_copying_say_so():
    measures = get_measures("coverage,density,novelty,length,rouge-1")
    table = SystemTable(measures)
    table.add(Example(summary="a"), {measure.label: Score(1.0) for measure in measures})
    # Novelty and length have no arrow that could be taken for a judgement.
    assert table.table().notes[-1] == "coverage, density follow copying more than quality."
    assert "follow" not in str(SystemTable(measures[2:]).table().notes)
    assert "follow" not in str(SystemTable(measures, note_correlates=False).table().notes)


def test_empty_summaries_can_be_left_out():
    table = filled(ROWS, empty="skip")
    cell = table.cell("C", COVERAGE)
    assert (cell.value, cell.count, cell.missing, cell.empty) == (0.8, 1, 1, 0)
    assert cell.documents == 1
    assert '"missing": 1' in table.table().json()
    assert "coverage ↑ missing" in table.table().csv()
    assert "1 empty summary, left out: C 1." in table.table().notes
    with pytest.raises(ValueError, match="worst, skip"):
        SystemTable([COVERAGE], empty="zero")


def test_where_no_bound_is_finite_the_worst_observed_value_counts():
    estime, length = get_measures("estime,length")
    table = SystemTable([estime, length])
    for system, doc, alarms in [("A", "1", 3.0), ("B", "1", 11.0), ("B", "2", None)]:
        empty = alarms is None
        score = Score.missing("the summary is empty") if empty else Score(alarms)
        example = Example(source="a", summary="" if empty else "a", doc_id=doc, system=system)
        table.add(example, {"estime": score, "length": score})
    assert table.cell("B", estime).value == 11  # (11 + 11) / 2
    # Of length neither way is better: no value is the worst.
    assert table.cell("B", length).missing == 1
    assert table.cell("B", length).value == 11
    assert "so empty summaries are left out: length." in table.table().notes[-1]


def test_the_same_value_as_a_table_of_scores_gives():
    docs, systems = [doc for _, doc, _ in ROWS], [system for system, _, _ in ROWS]
    values = [np.nan if value is None else value for _, _, value in ROWS]
    is_empty = [value is None for _, _, value in ROWS]
    scores = ScoreTable.of(docs, systems, {"coverage": values}, is_empty=is_empty)
    places = ranking(scores.with_empty("worst"), "coverage", [])
    cells = {name: filled(ROWS).cell(name, COVERAGE).value for name in "AC"}
    assert {place.system: place.value for place in places} == pytest.approx(cells)


def test_the_sheet_has_every_form():
    sheet = filled([("<b>", "1", 0.5)]).table()
    assert sheet.markdown().splitlines()[2] == "| \\<b> | 0.500 | 1 |"
    assert "coverage $\\uparrow$" in sheet.latex()
    assert "<td>&lt;b&gt;</td><td>0.500</td><td>1</td>" in sheet.html()


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
    # An empty summary beside them counts by its share: one of three rows has the worst value.
    table.add(Example(source="z", summary=""), {bleu.label: Score.missing("it is empty")})
    assert table.cell("", bleu).value == pytest.approx(expected.score * 2 / 3, abs=1e-9)


def test_memory_hardly_grows_with_the_number_of_systems():
    import tracemalloc

    tracemalloc.start()
    table = SystemTable([COVERAGE], memory=1 << 20)
    for number in range(4000):
        add(table, f"s{number % 2000}", str(number), 0.25 + 0.5 * (number >= 2000))
    sheet = table.table()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The resamples of one system: 1000 times count, empty and value, 24 kB. So 43 fit a megabyte.
    assert not table.has_intervals
    assert peak < 8 << 20  # 48 MB with all resamples
    assert sheet.notes == [
        "Without intervals, which are computed for at most 43 systems here.",
        "coverage follows copying more than quality.",
    ]
    assert [row[1].value for row in sheet.rows] == [0.5] * 2000
    assert [row[2] for row in sheet.rows] == [2] * 2000


def test_one_system_too_many_for_the_memory_leaves_the_means():
    rows = [(f"s{number}", str(doc), doc / 7) for number in range(300) for doc in range(3)]
    few = SystemTable([COVERAGE], memory=300 * 24_000)
    many = SystemTable([COVERAGE], memory=299 * 24_000)
    for table in (few, many):
        for row in reversed(rows):
            add(table, *row)
    assert few.has_intervals
    assert not many.has_intervals
    assert few.cell("s5", COVERAGE).value == many.cell("s5", COVERAGE).value
    assert not np.isnan(few.cell("s5", COVERAGE).low)
    assert np.isnan(many.cell("s5", COVERAGE).low)


def test_the_screen_shows_the_first_systems_and_says_how_many_more_there_are():
    from io import StringIO

    from rich.console import Console

    table = filled([(f"s{number:03}", "1", None if number < 30 else 0.5) for number in range(150)])
    sheet = table.table()
    stream = StringIO()
    sheet.write(Console(file=stream, width=500), "table")
    assert "s099" in stream.getvalue()
    assert "s100" not in stream.getvalue()
    assert "50 more rows are not shown." in stream.getvalue()
    assert len(sheet.csv().splitlines()) == 151, "files have all rows"
    assert "s019 1, and 10 more systems." in sheet.notes[0]
