import io
import json
import math

import pytest

from tricolore.report.result_table import Number, ResultTable
from tricolore.report.terminal import SafeConsole


def sheet():
    made = ResultTable(["mix_a", "ρ", "n"])
    made.add("x + y", Number(0.5, 0.25, 0.75), 3)
    made.add("a|b & 1 %", Number(-0.0001, is_marked=True), 4)
    made.add("none", Number(math.nan), 5)
    made.notes = ["A [note]."]
    return made


def printed(form):
    out = SafeConsole(width=80, file=io.StringIO())
    sheet().write(out, form)
    return out.file.getvalue()


def test_table():
    text = printed("table")
    assert "0.500 [0.250, 0.750]" in text
    assert "0.000 !" in text  # no minus before nothing, and marked
    assert "A [note]." in text


def narrow(made, width):
    out = SafeConsole(width=width, file=io.StringIO())
    made.write(out, "table")
    lines = out.file.getvalue().splitlines()
    return [" ".join(line.split()) for line in lines if line.strip() and "──" not in line]


def test_a_narrow_terminal_repeats_all_names_of_a_row_and_keeps_p_beside_its_value():
    made = ResultTable(["measure", "than", "ρ", "p", "τ-b", "p", "n"])
    made.add("rouge-1", "bleu", Number(0.5, 0.25, 0.75), "0.010", Number(0.4), "<0.001", 12)
    assert narrow(made, 60) == [
        "measure than ρ p",
        "rouge-1 bleu 0.500 [0.250, 0.750] 0.010",
        "measure than τ-b p n",
        "rouge-1 bleu 0.400 <0.001 12",
    ]


def test_a_column_of_empty_cells_is_no_name():
    made = ResultTable(["better than", "a", "b"])
    made.add("a", "", Number(0.01))
    made.add("b", "", "")
    assert narrow(made, 22) == ["better than a", "a", "b", "better than b", "a 0.010", "b"]


def test_a_sheet_without_rows_has_its_headers():
    assert narrow(ResultTable(["a", "b"]), 40) == ["a b"]


def test_markdown():
    assert sheet().markdown().splitlines() == [
        "| mix_a | ρ | n |",
        "| --- | ---: | ---: |",
        "| x + y | 0.500 [0.250, 0.750] | 3 |",
        "| a\\|b & 1 % | **0.000** | 4 |",
        "| none | – | 5 |",
        "",
        "A \\[note].",
    ]


def test_latex():
    lines = sheet().latex().splitlines()
    assert lines[0].startswith("% Needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}.")
    assert lines[1] == "\\begin{tabular}{lrr}"
    assert lines[3] == "mix\\_a & $\\rho$ & n \\\\"
    assert lines[6] == "a\\textbar{}b \\& 1 \\% & \\textbf{0.000} & 4 \\\\"
    assert lines[-1] == "{\\footnotesize\\noindent A [note].\\par}"


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
