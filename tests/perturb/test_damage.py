"""Applying changes, and the label of a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.data.examples import ExampleFile
from tricolore.data.json_lines import write_json_lines
from tricolore.perturb.damage import Change, apply, clean_row, identity
from tricolore.perturb.swaps import NegationSwap


@st.composite
def changed_texts(draw):
    text = draw(st.text(max_size=60))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b]
    changes = [Change(a, b, draw(st.text(max_size=5))) for a, b in pairs]
    return text, draw(st.permutations(changes))


@given(changed_texts())
def test_edits_point_at_both_texts_and_the_rest_is_untouched(given):
    text, changes = given
    made, edits = apply(text, changes)
    assert len(edits) == len(changes)
    here = there = 0
    for edit in edits:
        change = edit.change
        assert made[edit.start : edit.end] == change.replacement
        assert text[change.start : change.end] == edit.original
        assert made[here : edit.start] == text[there : change.start]
        here, there = edit.end, change.end
    assert made[here:] == text[there:]


def test_changes_that_overlap_are_refused():
    with pytest.raises(ValueError, match="overlap"):
        apply("a cat sat", [Change(0, 5, "x"), Change(2, 5, "y")])


def example(**more):
    return Example(
        source="The vote is today.",
        summary="The vote is today. It was close.",
        references=["A vote."],
        doc_id="d1",
        system="lead",
        human={"fluency": 4},
        **more,
    )


def test_the_label_of_a_row(tmp_path):
    [made] = NegationSwap(seed=3).damage([example()], 2)
    row = made.to_json()
    assert row["summary"] == "The vote is not today. It was not close."
    assert row["damage"] == {
        "kind": "negation-swap",
        "clean": identity(example()),
        "seed": 3,
        "copy": 0,
        "errors": 2,
        "edits": [
            {
                "start": 9,
                "end": 15,
                "clean_start": 9,
                "clean_end": 11,
                "original": "is",
                "replacement": "is not",
                "note": "negated",
            },
            {
                "start": 26,
                "end": 33,
                "clean_start": 22,
                "clean_end": 25,
                "original": "was",
                "replacement": "was not",
                "note": "negated",
            },
        ],
    }
    # People judged the clean summary, not this one.
    assert row["human"] == {"clean": 0.0}
    assert clean_row(example())["human"] == {"fluency": 4.0, "clean": 1.0}
    assert (row["doc_id"], row["system"]) == ("d1", "lead + negation-swap")
    write_json_lines([row], str(tmp_path / "out.jsonl"))
    assert list(ExampleFile(str(tmp_path / "out.jsonl"))) == [made.example]
