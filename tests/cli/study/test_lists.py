"""Lists of numbers and labels in options."""

import pytest

from tricolore.cli.study.lists import label_values, number_values, numbers
from tricolore.errors import SpecError


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("study scaling scores.jsonl --sizes a", "--sizes takes numbers"),
        ("study annotators judged.jsonl --human quality --weights a=1", "takes number=number"),
        ("study annotators judged.jsonl --human quality --values 1", "takes label=number"),
    ],
)
def test_what_a_user_can_mend(line, words, scored, run):
    assert words in run(f"tricolore {line}", exit_code=2)


def test_empty_items_and_spaces():
    assert numbers(" 1, 3", "--sizes") == [1.0, 3.0]
    for written in ("1, 3,", ",", "1,nan", "1,inf"):
        with pytest.raises(SpecError, match="--sizes takes numbers"):
            numbers(written, "--sizes")
    assert label_values(" bad =0,,a=b=2", "--values") == {"bad": 0.0, "a=b": 2.0}
    with pytest.raises(SpecError, match="--weights takes number=number"):
        number_values("low=1", "--weights")
