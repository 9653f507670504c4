"""The cost of a measure is measured on whole documents, without a cache."""

import math
from dataclasses import dataclass
from time import process_time

from tricolore import Example, Measure, Score
from tricolore.run.cost import measured_cost

SEEN = []


@dataclass(frozen=True, kw_only=True)
class Busy(Measure):
    """Keeps the processor busy for a while, per row."""

    name = "busy"
    needs = frozenset()

    def compute(self, examples, *, evidence):
        for example in examples:
            SEEN.append(example.summary)
            end = process_time() + 0.02
            while process_time() < end:
                pass
            yield Score(1.0)


def rows(documents, each=2):
    return [
        Example(source="s", summary=f"{d} {n}", doc_id=str(d))
        for d in range(documents)
        for n in range(each)
    ]


def test_cost():
    SEEN.clear()
    found = measured_cost(Busy(), rows(50), [], enough=0.1)
    # 0.04 seconds a document: three of them take more than 0.1, and the first row warms up
    assert 2 <= found.rows <= 6
    assert found.rows % 2 == 0
    assert len(SEEN) == found.rows + 1
    assert found.seconds >= 0.02


def test_a_row_that_takes_very_long_is_scored_once():
    SEEN.clear()
    found = measured_cost(Busy(), rows(3), [], enough=0.001)
    assert (found.rows, len(SEEN)) == (1, 1)


def test_rows_without_ids_are_documents_of_their_own():
    given = [Example(source="s", summary=str(n)) for n in range(5)]
    assert measured_cost("length", given, []).rows == 5


def test_nothing():
    assert math.isnan(measured_cost("length", [], []).seconds)
