"""Curves as a table and as lines."""

from tricolore.meta.numeric.document_draws import Curve
from tricolore.report.curves import curve_table, lines

CURVE = Curve(x=[0, 0.5], mean=[0.9, 0.4], low=[0.8, 0.1], high=[1.0, 0.6], undefined=[0, 3])


def test_one_row_per_point():
    table = curve_table("replaced", {"chrf": CURVE}, percent=True)
    assert table.headers == ["replaced", "chrf"]
    assert [row[0] for row in table.rows] == ["0 %", "50 %"]
    number = table.rows[1][1]
    assert (number.value, number.low, number.high) == (0.4, 0.1, 0.6)
    assert table.notes == ["3 draws gave no correlation and are left out."]
    assert curve_table("documents", {"chrf": CURVE}).rows[1][0] == "0.5"
    assert curve_table("documents", {}).rows == []


def test_lines_in_percent():
    [line] = lines({"chrf": CURVE}, factor=100)
    assert (line.name, line.x, line.y) == ("chrf", [0, 50], [0.9, 0.4])
