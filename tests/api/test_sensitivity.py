"""`sensitivity` from Python."""

import pytest

from tricolore import TricoloreError, sensitivity
from tricolore.meta.sensitivity import DamageCase

ROWS = [
    {"source": "Anna is here. Tom was there. It is late.", "summary": text}
    for text in ("Anna is here.", "Tom was there.", "It is late.", "😀", 5)
]


def test_figures_and_a_table(tmp_path):
    result = sensitivity(ROWS, "coverage", "negation-swap", errors_per_summary=(1, 2))
    found = result.found[DamageCase("negation-swap", 1, "coverage")]
    # "not" is not in the source: all three damaged twins are covered worse.
    assert (found.pairs, found.auc.value, found.worse) == (3, 1, 1)
    assert result.found[DamageCase("negation-swap", 2, "coverage")].pairs == 0
    assert result.left_out["'summary' is a number, not text"] == 1
    assert result.table.rows[0][:3] == ["coverage", "negation-swap", "1"]
    assert "Not damaged as asked for: 6" in result.table.notes[-1]
    assert "<table>" in result._repr_html_()
    written = result.save_figures(tmp_path / "figures")
    assert f"{tmp_path}/figures/negation-swap-auc.svg" in written
    assert all(path.exists() for path in (tmp_path / "figures").iterdir())


def test_the_cache_and_what_cannot_be_damaged(tmp_path):
    first = sensitivity(ROWS, "importance", "truncation", cache=tmp_path, locate=False)
    again = sensitivity(ROWS, "importance", "truncation", cache=tmp_path, locate=False)
    assert (first.reused, again.scored) == (0, 0)
    assert again.reused == first.scored > 0
    with pytest.raises(TricoloreError, match="no summary that could be damaged"):
        sensitivity(ROWS[3:], "coverage", "negation-swap")
