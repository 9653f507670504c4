"""The studies as they are typed, on a set where the answers are known."""

import re
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]
PAGES = [REPO / "docs" / f"{name}.md" for name in ("studies", "sweep", "data")]


def test_repeated_rows_are_said(scored, run):
    text = (scored / "scores.jsonl").read_text()
    (scored / "scores.jsonl").write_text(text + text.splitlines()[0] + "\n")
    for study in ("mixes", "complementarity", "scaling", "spurious", "ranges"):
        out = run(f"tricolore study {study} scores.jsonl -m rouge-1")
        assert "1 row has the same document and system as another; all are counted." in out
    assert "Only 3 documents: the interval says little." in run(
        "tricolore study mixes scores.jsonl -m rouge-1,chrf"
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("study mixes scores.jsonl --human nope", "no human score 'nope'; it has: quality"),
        ("study mixes scores.jsonl --plot x.gif", "ends in none of .png"),
        ("study mixes scores.jsonl -m nope", "has no measure 'nope'"),
        ("study scaling scores.jsonl --sizes 9", "there are 3 documents, so 9"),
        ("study annotators judged.jsonl --human nope", "it has quality"),
        ("study annotators judged.jsonl --human quality --group 4", "cannot be parted from 4"),
        ("study ranges scores.jsonl --plot x.png", "a figure shows one measure"),
        ("study robustness judged.jsonl --shares 2 --cache off", "between 0 and 1"),
        ("study spurious scores.jsonl --correlates nope", "has no column 'nope'"),
        (
            "study spurious scores.jsonl --correlates rouge-1,chrf,coverage,length",
            "has no measure but the correlates",
        ),
        ("study mixes scores.jsonl -o x.doc", "which names no known form"),
    ],
)
def test_what_a_user_can_mend(line, words, scored, run):
    assert words in run(f"tricolore {line}", exit_code=2)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_pages(page, tmp_path, run, capsys):
    (tmp_path / "examples").symlink_to(REPO / "examples")
    text = page.read_text()
    commands = re.findall(r"^    (tricolore .*)$", text, re.MULTILINE)
    assert commands
    for command in commands:
        run(command)
    [block] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(block, page.name, "exec"), {})
    assert float(capsys.readouterr().out) == float(re.search(r"# (\d+)", block)[1])
