import io
import json
import math

import pytest
from rich.console import Console

from tricolore.report.sheets import Figure, Sheet


def sheet():
    made = Sheet(["mix_a", "ρ", "n"])
    made.add("x + y", Figure(0.5, 0.25, 0.75), 3)
    made.add("a|b & 1 %", Figure(-0.0001, is_marked=True), 4)
    made.add("none", Figure(math.nan), 5)
    made.notes = ["A [note]."]
    return made


def printed(form):
    out = Console(width=80, file=io.StringIO())
    sheet().write(out, form)
    return out.file.getvalue()


def test_table():
    text = printed("table")
    assert "0.500 [0.250, 0.750]" in text
    assert "0.000 !" in text  # no minus before nothing, and marked
    assert "A [note]." in text


def test_markdown():
    assert sheet().markdown().splitlines() == [
        "| mix_a | ρ | n |",
        "| --- | ---: | ---: |",
        "| x + y | 0.500 [0.250, 0.750] | 3 |",
        "| a\\|b & 1 % | **0.000** | 4 |",
        "| none | – | 5 |",
    ]


def test_latex():
    lines = sheet().latex().splitlines()
    assert lines[0] == "\\begin{tabular}{lrr}"
    assert lines[2] == "mix\\_a & $\\rho$ & n \\\\"
    assert lines[5] == "a|b \\& 1 \\% & \\textbf{0.000} & 4 \\\\"


def test_csv_has_all_digits():
    assert sheet().csv().splitlines() == [
        "mix_a,ρ,ρ low,ρ high,n",
        "x + y,0.5,0.25,0.75,3",
        "a|b & 1 %,-0.0001,,,4",
        "none,,,,5",
    ]


def test_json():
    assert json.loads(printed("json")) == [
        {"mix_a": "x + y", "ρ": {"value": 0.5, "low": 0.25, "high": 0.75}, "n": 3},
        {"mix_a": "a|b & 1 %", "ρ": -0.0001, "n": 4},
        {"mix_a": "none", "ρ": None, "n": 5},
    ]


def test_a_row_that_does_not_fit():
    with pytest.raises(ValueError, match="2 cells for 3 headers"):
        sheet().add("a", 1)
