"""`tricolore study complementarity` as people run it."""

import json


def test_complementarity(scored, run):
    [first, _] = json.loads(
        run("tricolore study complementarity scores.jsonl -m rouge-1,chrf --format json")
    )
    assert first == {"complementarity": "rouge-1", "rouge-1": 0, "chrf": 0}
