"""`tricolore data` as people run it."""

import pytest

from tricolore.data.datasets import DATASETS


def test_the_list_has_every_set_and_where_it_comes_from(run):
    out = run("tricolore data list")
    for name in DATASETS:
        assert name in out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("data get nope", "there is no dataset 'nope'"),
        ("data get frank --from nowhere", "nowhere is not there"),
        ("data get realsumm", "the files of realsumm cannot be downloaded"),
    ],
)
def test_what_a_user_can_mend(line, words, run):
    assert words in run(f"tricolore {line}", exit_code=2)
