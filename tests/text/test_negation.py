"""Negations, and those that a summary loses."""

import pytest

from tricolore.text.negation import lost_negations, negations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is not so, and never was.", ["not", "never"]),
        ("They can't and cannot; it wo n't.", ["n't", "cannot", "n't"]),
        ("He has no car, without doubt.", ["no", "without"]),
        ("Not only here, no longer, no. 5, no doubt.", []),
        ("notable nothingness", []),
    ],
)
def test_negations(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in negations(text)] == expected


@pytest.mark.parametrize(
    ("source", "summary", "expected"),
    [
        ("They have not published it.", "They have published it.", ["published"]),
        ("It has not yet been approved.", "It was approved.", ["approved"]),
        ("It isn't going to open.", "It opened.", ["opened"]),
        # still negated
        ("They have not published it.", "They never published it.", []),
        # negated in one place only
        ("It was not approved then. Later it was approved.", "It was approved.", []),
        # out of reach
        ("He did not, but she published it.", "She published it.", []),
        # a negation that only the summary has
        ("The storm cut power.", "Homes are without power.", []),
        ("", "They published it.", []),
    ],
)
def test_lost_negations(source: str, summary: str, expected: list[str]) -> None:
    found = lost_negations(summary, ["Another text.", source])
    assert [summary[f.start : f.end] for f in found] == expected
    assert all(f.document == 1 for f in found)
