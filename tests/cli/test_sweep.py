"""`tricolore sweep` as people run it."""

import json

import pytest


def test_sweep(judged, run):
    out = run(
        "tricolore sweep judged.jsonl -m 'rouge-1:value=recall|precision' --format json "
        "--plot w.svg"
    )
    rows = {row["setting"]: row["quality"] for row in json.loads(out)}
    assert list(rows) == ["rouge-1 value=recall", "rouge-1 value=precision"]
    # precision is 1 for both better ones: it does not see what is missing
    assert rows["rouge-1 value=precision"]["value"] < rows["rouge-1 value=recall"]["value"]


def test_the_column_may_stand_outside(tmp_path, run):
    rows = [
        {"doc_id": "d", "system": s, "summary": s * 3, "grade": g} for s, g in ("a1", "b2", "c3")
    ]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "grade" in run("tricolore sweep x.jsonl -m 'redundancy:n=1|2' --human grade")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("sweep judged.jsonl -m rouge-1", "nothing is swept"),
        (
            "sweep judged.jsonl -m rouge-1:stem=true|false --human nope",
            "no column 'nope' of human scores",
        ),
    ],
)
def test_what_a_user_can_mend(line, words, judged, run):
    assert words in run(f"tricolore {line}", exit_code=2)
