"""Files of parts."""

import math

import pyarrow.parquet as pq

from tricolore import Example, Score
from tricolore.data.manifest import Part, digest_of
from tricolore.data.part_files import PartFile
from tricolore.data.row_positions import RowPosition
from tricolore.example import Unreadable
from tricolore.registry import get_measures

MEASURES = get_measures("coverage")
PART = Part(3, 41, 4, RowPosition(0))
ROWS = [
    (Example(summary="a", doc_id="1"), {"coverage": Score(0.5)}),
    (Example(summary="b", doc_id="1", human={"q": 2.0}), {"coverage": Score(0.25)}),
    (Unreadable("line 3 is not JSON"), {"coverage": Score.missing("line 3 is not JSON")}),
    (Example(summary="c", doc_id="2"), {"coverage": Score.missing("too slow", is_final=False)}),
]


def test_a_part_and_what_is_told_of_it(tmp_path):
    file = PartFile(PART, MEASURES, '{"signatures": {}}')
    for row in ROWS:
        file.add(*row)
    found = file.write(tmp_path, {"odd": 2})
    path = tmp_path / "part-00003.parquet"
    assert found.file == path.name
    assert (found.number, found.rows, found.readable) == (3, 4, 3)
    assert (found.size, found.digest) == (path.stat().st_size, digest_of(path))
    assert (found.rows_with_problem, found.first_problem) == (2, "line 3 is not JSON")
    assert found.passing_problems == 1
    assert found.unusable_human == {"odd": 2}
    table = pq.read_table(path)
    assert table.column("row").to_pylist() == [41, 42, 43, 44]
    assert table.column("coverage").to_pylist() == [0.5, 0.25, None, None]
    assert table.column("human.q").to_pylist() == [None, 2.0, None, None]
    assert table.schema.metadata[b"tricolore"] == b'{"signatures": {}}'
    assert [path.name for path in tmp_path.iterdir()] == ["part-00003.parquet"]


def test_human_scores_that_come_late(tmp_path):
    """Rows are turned into columns by the thousand; a new column may follow."""
    rows = 2100
    file = PartFile(Part(0, 1, rows, RowPosition(0)), MEASURES, "{}")
    for at in range(rows):
        human = {"late": 1.0} if at == 2050 else {"early": float(at)} if at < 2 else {}
        example = Example(summary="a", doc_id=str(at), human=human)
        file.add(example, {"coverage": Score(at / rows)})
    file.write(tmp_path, {})
    table = pq.read_table(tmp_path / "part-00000.parquet")
    assert table.column("row").to_pylist() == list(range(1, rows + 1))
    late = table.column("human.late").to_pylist()
    assert [at for at, value in enumerate(late) if value is not None] == [2050]
    assert table.column("human.early").to_pylist()[:3] == [0.0, 1.0, None]
    assert math.isclose(table.column("coverage").to_pylist()[-1], 2099 / 2100)
