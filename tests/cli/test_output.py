"""Where tables go, and in which form."""

import csv
import io

import pytest


@pytest.mark.parametrize(
    ("form", "begins"), [("markdown", "### relevance"), ("latex", "% relevance"), ("csv", "human,")]
)
def test_forms(tricolore, scores, form, begins):
    out, _ = tricolore("meta", scores, "--human", "relevance", "--format", form)
    assert out.startswith(begins)


def test_output_file_by_its_ending(tricolore, scores, tmp_path):
    out, _ = tricolore("meta", scores, "--human", "relevance", "-o", "table.csv")
    assert out == ""
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text())))
    assert rows[0]["measure"] == "rouge-1"
    tricolore("compare", scores, "-o", "table.md")
    assert (tmp_path / "table.md").read_text().startswith("| system |")
