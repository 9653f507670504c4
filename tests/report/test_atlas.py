"""The table and the page of an atlas."""

import math
from dataclasses import replace

from tests.meta.test_atlas_choices import figures
from tricolore.meta.atlas_choices import choices
from tricolore.report.atlas import (
    COLUMNS,
    atlas_html,
    atlas_markdown,
    choice_table,
    figure_rows,
    figure_table,
)
from tricolore.report.result_table import Number


def test_one_row_per_figure():
    rows = figure_rows(figures())
    assert all(tuple(row) == COLUMNS for row in rows)
    # two per agreement and per kind of errors, three per cost
    assert len(rows) == 2 * 4 + 2 * 2 + 3 * 2
    [sure] = [row for row in rows if (row["measure"], row["figure"]) == ("sure", "spearman")]
    assert (sure["value"], sure["low"], sure["high"]) == (0.4, 0.3, 0.5)
    table = figure_table(figures())
    assert len(table.rows) == len(rows)
    assert table.rows[0][-2] == Number(0.4, 0.3, 0.5)
    assert (
        table.csv().splitlines()[0] == "set,measure,figure,of,level,value,value low,value high,rows"
    )


def test_choices():
    [plain, beyond, errors] = choice_table(choices(figures())).rows
    assert plain[3:] == ["sure", Number(0.4, 0.3, 0.5), "few 0.600", "few (100 ms)"]
    assert beyond[3] == "few"
    assert errors[2:4] == ["swap", "few"]
    weak = figures()
    weak.agreements = [a for a in weak.agreements if a.measure == "none"]
    row = choice_table(choices(weak)).rows[0]
    assert row[3] == "none of 1 measure"
    assert math.isnan(row[4].value)
    assert len(choice_table(choices(weak), is_brief=True).headers) == 5


def test_the_page_says_what_follows():
    page = atlas_markdown(figures())
    assert (
        "Which summaries of a collection are bad? Most often first: sure, in 1 of 1 case." in page
    )
    assert "Most often first or near the first: few (1)." in page
    assert "Rule: " in page
    assert "| few ↑ | 0.600 [0.100, 0.900] | 0.100 [0.050, 0.200] |" in page
    assert "| few | 0.700 [0.550, 0.800] | 50 |" in page
    assert "| few | 100 ms | 90 | 0% |" in page


def test_what_keeps_more_than_copying_in_every_set():
    two = figures()
    two.controls = ("novelty:n=3", "length")
    two.sets += [replace(facts, name="t") for facts in two.sets]
    two.agreements += [replace(a, dataset="t") for a in two.agreements]
    assert "has an interval above 0 for: few." in atlas_markdown(two)
    two.agreements = [a for a in two.agreements if (a.dataset, a.measure) != ("t", "few")]
    assert "No measure keeps a partial correlation above 0" in atlas_markdown(two)


def test_html_escapes_names():
    odd = figures()
    odd.skipped = [("<script>alert(1)</script>.csv", "it is odd")]
    page = atlas_html(odd)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "script-src &#39;none&#39;" in page
    assert page.count("<h2") == 6
