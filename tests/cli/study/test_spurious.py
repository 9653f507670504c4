"""`tricolore study spurious` as people run it."""

import json


def test_spurious(scored, run):
    out = run("tricolore study spurious scores.jsonl -m rouge-1 --format json --plot s.svg")
    [row] = json.loads(out)
    assert row["measure"] == "rouge-1"
    assert set(row) == {"measure", "quality", "coverage", "length"}
