"""`tricolore study ranges` as people run it."""

import json


def test_ranges(scored, run):
    out = json.loads(
        run("tricolore study ranges scores.jsonl -m coverage --format json --plot x.pdf")
    )
    found = {row["kind"]: (row["lowest"], row["highest"], row["summaries"]) for row in out}
    assert found["good"] == (1, 1, "3")
    # of four tokens, the full stop
    assert found["poor"] == (0.25, 0.25, "3")
