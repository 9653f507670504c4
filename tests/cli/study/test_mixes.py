"""`tricolore study mixes` as people run it."""

import json


def test_mixes(scored, run):
    out = run("tricolore study mixes scores.jsonl -m rouge-1,chrf --format json --plot m.svg")
    rows = {row["mix"]: row for row in json.loads(out)}
    # people's order is that of ROUGE-1, of chrF and so of their sum
    assert rows["rouge-1 + chrf"]["ρ with quality"]["value"] == 1
    assert rows["rouge-1 + chrf"]["gain"] == 0
    assert (scored / "m.svg").is_file()
