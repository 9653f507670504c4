"""The bar that follows a run: on a terminal only."""

import json

import pytest


@pytest.mark.slow
def test_on_a_terminal_only(tmp_path, tricolore, on_a_terminal):
    rows = [{"source": "One two. Three.", "summary": f"A {n} two three."} for n in "xyz"]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = ["sensitivity", "x.jsonl", "-m", "coverage", "--kind", "truncation"]
    _, err = tricolore(*asked)
    assert "scoring" not in err
    assert "6 rows" in on_a_terminal(*asked, "--cache", "off")
