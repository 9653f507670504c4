"""`tricolore study scaling` as people run it."""

import json


def test_scaling(scored, run):
    out = run("tricolore study scaling scores.jsonl -m rouge-1 --sizes 1,3 --format csv")
    assert out.splitlines()[1:] == ["1,1.0,1.0,1.0", "3,1.0,1.0,1.0"]


def test_one_system(tmp_path, run):
    rows = [{"doc_id": f"d{n}", "summary": "a b", "human": {"q": n}} for n in range(3)]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("tricolore score x.jsonl -m length -o y.jsonl")
    assert "one system only" in run("tricolore study scaling y.jsonl", exit_code=2)
