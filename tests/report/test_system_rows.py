"""Rows by column for the table of systems."""

from collections import Counter

import numpy as np

from tests.parts import write_rows
from tricolore import Example, Score, evaluate
from tricolore.registry import get_measures
from tricolore.report.system_rows import SystemRows, system_rows_of_file


def test_columns_by_hand():
    [coverage] = get_measures("coverage")
    rows = [
        (Example(summary="a", doc_id="1", system="x"), {"coverage": Score(0.5, flags=("case",))}),
        (Example(summary=" ", doc_id="2", system="y"), {"coverage": Score.missing("empty")}),
    ]
    found = SystemRows.of(rows, [coverage])
    assert found.systems == ["x", "y"]
    assert found.documents == ["1", "2"]
    assert found.is_empty.tolist() == [False, True]
    assert found.values["coverage"].tolist()[0] == [0.5]
    assert np.isnan(found.values["coverage"][1, 0])
    assert found.flags == Counter({("coverage", "case"): 1})


def test_a_file_has_the_rows_that_were_written(tmp_path):
    path = write_rows(tmp_path / "in.jsonl", 1200)
    lines = path.read_text().splitlines(keepends=True)
    lines[5] = "{\n"
    lines[7] = lines[7].replace('"summary": "', '"summary": "", "was": "')
    path.write_text("".join(lines))
    result = evaluate(path, "coverage,bleu:level=corpus", output=tmp_path / "out.parquet")
    known = [(r.example, r.scores) for r in result if isinstance(r.example, Example)]
    wanted = SystemRows.of(known, result.measures)
    found = list(system_rows_of_file(tmp_path / "out.parquet", result.measures))
    assert [s for rows in found for s in rows.systems] == wanted.systems
    assert [d for rows in found for d in rows.documents] == wanted.documents
    assert np.concatenate([rows.is_empty for rows in found]).sum() == 1
    for label, values in wanted.values.items():
        joined = np.concatenate([rows.values[label] for rows in found])
        assert np.array_equal(joined, values, equal_nan=True)
    assert wanted.values["bleu:level=corpus"].shape[1] > 1  # the parts of a corpus-level value


def test_flags_are_read_back(tmp_path):
    [measure] = get_measures("coverage:lowercase=false")
    from tricolore.data.manifest import Part
    from tricolore.data.part_files import PartFile
    from tricolore.data.row_positions import RowPosition

    file = PartFile(Part(0, 1, 2, RowPosition(0)), [measure], "{}")
    for flags in (("truncated", "case"), ()):
        file.add(Example(summary="a"), {measure.label: Score(0.5, flags=flags)})
    file.write(tmp_path, {})
    [rows] = system_rows_of_file(tmp_path / "part-00000.parquet", [measure])
    assert rows.flags == {(measure.label, "truncated"): 1, (measure.label, "case"): 1}
