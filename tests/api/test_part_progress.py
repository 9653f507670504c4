"""How far a run in parts is."""

from tests.data.test_manifest import FINISHED, IDENTITY, PARTS
from tricolore.api.part_progress import PartProgress, parts_shown
from tricolore.data.manifest import FinishedPart, Manifest
from tricolore.run.part_work import PartStep


def test_rows_of_finished_parts_and_those_under_way():
    rows = PartProgress(Manifest(IDENTITY, 3, PARTS, {1: FINISHED}))
    assert (rows.total, rows.done, rows.problems) == (5, 2, 1)
    rows.step(PARTS[0], PartStep(1, 1, "grounding"))
    assert (rows.done, rows.problems) == (3, 2)
    assert rows.working == "row 2: grounding"
    rows.step(PARTS[0], PartStep(2, 1, "", True))
    assert (rows.done, rows.working) == (4, "row 2: grounding")
    rows.finish(FinishedPart(0, "part-00000.parquet", 3, 1, "d", 1))
    assert (rows.done, rows.problems) == (5, 2)


def test_a_part_that_begins_again_is_not_counted_twice():
    rows = PartProgress(Manifest(IDENTITY, 3, PARTS))
    rows.step(PARTS[0], PartStep(2, 0, "coverage"))
    rows.step(PARTS[0], PartStep(0, 0, "", True))
    assert rows.done == 0


def test_a_function_is_told():
    seen = []
    with parts_shown(Manifest(IDENTITY, 3, PARTS), lambda *counts: seen.append(counts)) as parts:
        parts.step(PARTS[0], PartStep(2, 0, "coverage"))
        parts.finish(FinishedPart(0, "part-00000.parquet", 3, 1, "d"))
    assert seen == [(2, 5), (3, 5)]
