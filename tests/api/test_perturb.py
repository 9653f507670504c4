"""`perturb` from Python."""

import pytest

from tricolore import TricoloreError, evaluate, perturb
from tricolore.api.perturb import perturb_to_file

ROWS = [
    {"source": "Anna is here. Tom was there.", "summary": "Anna is here. Tom was there."},
    {"source": "It is late.", "summary": "It is late."},
    {"source": "Nothing.", "summary": ""},
    {"source": "Nothing.", "summary": 5},
]


def test_rows_and_a_tally():
    made = perturb(ROWS, "negation-swap", errors_per_summary=2, keep_clean=True)
    assert [(row["row"], row["human"]) for row in made] == [
        (1, {"clean": 1.0}),
        (1, {"clean": 0.0}),
        (2, {"clean": 1.0}),
        (2, {"clean": 0.0}),
    ]
    assert [row["summary"] for row in made][1::2] == [
        "Anna is not here. Tom was not there.",
        "It is not late.",
    ]
    assert [len(damaged.edits) for damaged in made.damaged] == [2, 1]
    assert (made.tally.damaged, made.tally.errors) == (2, 3)
    assert made.tally.too_few_errors.total() == 1
    assert made.tally.left_out == {"the summary is empty": 1, "'summary' is a number, not text": 1}
    assert len(made.tally.problem_lines) == 2
    # "not" is in no source.
    assert [r.scores["novelty:n=1"].value > 0 for r in evaluate(made.rows, "novelty:n=1")] == [
        *(False, True, False, True)
    ]


def test_several_numbers_of_errors():
    made = perturb(ROWS[:1], "negation-swap,truncation", errors_per_summary=(2, 1, 1))
    assert [(d.kind, len(d.edits)) for d in made.damaged[:2]] == [
        ("negation-swap", 1),
        ("negation-swap", 2),
    ]
    assert [d.kind for d in made.damaged[2:]] == ["truncation"]
    for wrong in (0, ()):
        with pytest.raises(TricoloreError, match="at least one error"):
            perturb(ROWS, "negation-swap", errors_per_summary=wrong)


def test_a_file_has_the_same_rows(tmp_path):
    made = perturb(ROWS, "random-words", copies=2, seed=3)
    made.save(tmp_path / "a.jsonl")
    tally = perturb_to_file(
        ROWS, tmp_path / "b.jsonl", "random-words", copies=2, seed=3, batch_size=1
    )
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert tally == made.tally
    assert len(made) == 4
    with pytest.raises(TricoloreError, match="is the input"):
        perturb_to_file(tmp_path / "a.jsonl", tmp_path / "a.jsonl")
