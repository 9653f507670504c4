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
        ("data get summeval --from /dev/null", "/dev/null has no rows of 'summeval'"),
        ("data get summeval --from empty.jsonl", "empty.jsonl has no rows of 'summeval'"),
        ("data get newsroom --from empty.csv", "empty.csv has no rows of 'newsroom'"),
    ],
)
def test_what_a_user_can_mend(line, words, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    empty = {"empty.jsonl", "empty.csv"}
    for name in empty:
        (tmp_path / name).touch()
    assert words in run(f"tricolore {line}", exit_code=2)
    assert {path.name for path in tmp_path.iterdir()} == empty, "nothing is written"
