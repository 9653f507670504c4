"""The studies as they are typed, on a set where the answers are known."""

import json
import os
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tricolore import Run
from tricolore.cli.app import app
from tricolore.data.examples import ExampleFile
from tricolore.data.scores import ScoreFile

REPO = Path(__file__).parents[2]


PAGES = [REPO / "docs" / f"{name}.md" for name in ("studies", "sweep", "data")]


SOURCE = "One dog ran far. Two cats sat still. Three birds flew off. Four fish swam by."


SUMMARIES = {
    "best": "One dog ran far. Two cats sat still.",
    "good": "Two cats sat still.",
    "poor": "Green ideas sleep.",
}


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(os.environ, "COLUMNS", "200")

    def type_in(line, exit_code=0):
        done = CliRunner().invoke(app, shlex.split(line)[1:])
        if exit_code == 0 and done.exception:
            raise done.exception
        return done.stdout if exit_code == 0 else str(done.exception)

    return type_in


@pytest.fixture
def judged(tmp_path):
    """Three documents × three systems; people rank them best, good, poor every time."""
    rows = [
        {
            "doc_id": f"d{d}",
            "system": system,
            "source": SOURCE.replace("far", f"far {d} miles"),
            "summary": summary,
            "references": ["Two cats sat still. One dog ran far."],
            "human": {"quality": 3 - at + d / 10},
            "annotations": {
                "quality": [{"annotator": who, "score": 3 - at + who % 2} for who in range(4)]
            },
        }
        for d in range(3)
        for at, (system, summary) in enumerate(SUMMARIES.items())
    ]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


@pytest.fixture
def scored(judged):
    with ExampleFile(str(judged / "judged.jsonl")) as rows:
        run = Run(["rouge-1,chrf,coverage,length"])
        with ScoreFile(str(judged / "scores.jsonl"), run.measures) as out:
            for result in run.score(rows):
                out.add(result.example, result.scores)
    return judged


def test_mixes(scored, run):
    out = run("tricolore study mixes scores.jsonl -m rouge-1,chrf --format json --plot m.svg")
    rows = {row["mix"]: row for row in json.loads(out)}
    # people's order is that of ROUGE-1, of chrF and so of their sum
    assert rows["rouge-1 + chrf"]["ρ with quality"]["value"] == 1
    assert rows["rouge-1 + chrf"]["gain"] == 0
    assert (scored / "m.svg").is_file()


def test_complementarity(scored, run):
    [first, _] = json.loads(
        run("tricolore study complementarity scores.jsonl -m rouge-1,chrf --format json")
    )
    assert first == {"complementarity": "rouge-1", "rouge-1": 0, "chrf": 0}


def test_scaling(scored, run):
    out = run("tricolore study scaling scores.jsonl -m rouge-1 --sizes 1,3 --format csv")
    assert out.splitlines()[1:] == ["1,1.0,1.0,1.0", "3,1.0,1.0,1.0"]


def test_robustness(judged, run):
    out = run(
        "tricolore study robustness judged.jsonl -m rouge-1 --with length --resamples 20 "
        "--shares 0,1 --format csv --plot r.png"
    )
    head, clean, spoiled = out.splitlines()
    assert head.split(",")[::3] == [
        "replaced",
        "rouge-1 high",
        "length high",
        "rouge-1 + length high",
    ]
    # the first three sentences of the source also are nearer to the better summaries
    assert clean.startswith("0 %,1.0")
    assert spoiled.startswith("100 %,1.0")
    assert (judged / "r.png").is_file()


def test_spurious(scored, run):
    out = run("tricolore study spurious scores.jsonl -m rouge-1 --format json --plot s.svg")
    [row] = json.loads(out)
    assert row["measure"] == "rouge-1"
    assert set(row) == {"measure", "quality", "coverage", "length"}


def test_annotators(judged, run):
    out = run("tricolore study annotators judged.jsonl --human quality -m rouge-1 --plot a.svg")
    # all agree but for a step that each always adds
    assert len(re.findall(r"annotator \d", out)) == 4
    assert len(re.findall(r"1\.000", out)) == 5
    assert "100 %" in out
    out = run("tricolore study annotators judged.jsonl --human quality --group 2 --plot b.svg")
    assert "All 6 ways to choose 2 of 4." in out


def test_the_plot_of_groups_says_what_it_leaves_out(judged, run):
    run("tricolore study annotators judged.jsonl --human quality --group 2 -m length --plot c.svg")
    # All agree; two people's means against the other two's are always significant for 9 summaries.
    assert "not significant" not in (judged / "c.svg").read_text()
    rows = (judged / "judged.jsonl").read_text().splitlines()[:3]
    (judged / "three.jsonl").write_text("\n".join(rows) + "\n")
    out = run(
        "tricolore study annotators three.jsonl --human quality --group 2 -m length --plot d.svg"
    )
    # Three summaries: the least p is 1/3, so that nothing is shown.
    drawn = (judged / "d.svg").read_text()
    assert "2 annotators (6 not significant)" in drawn
    assert "length (6 not significant)" in drawn
    assert "leaves its place empty" in out


def test_repeated_rows_are_said(scored, run):
    text = (scored / "scores.jsonl").read_text()
    (scored / "scores.jsonl").write_text(text + text.splitlines()[0] + "\n")
    for study in ("mixes", "complementarity", "scaling", "spurious", "ranges"):
        out = run(f"tricolore study {study} scores.jsonl -m rouge-1")
        assert "1 row has the same document and system as another; all are counted." in out
    assert "Only 3 documents: the interval says little." in run(
        "tricolore study mixes scores.jsonl -m rouge-1,chrf"
    )


def test_ranges(scored, run):
    out = json.loads(
        run("tricolore study ranges scores.jsonl -m coverage --format json --plot x.pdf")
    )
    found = {row["kind"]: (row["lowest"], row["highest"], row["summaries"]) for row in out}
    assert found["good"] == (1, 1, "3")
    # of four tokens, the full stop
    assert found["poor"] == (0.25, 0.25, "3")


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
        ("study mixes scores.jsonl --human nope", "no human score 'nope'; it has: quality"),
        ("study mixes scores.jsonl --plot x.gif", "ends in none of .png"),
        ("study mixes scores.jsonl -m nope", "has no measure 'nope'"),
        ("study scaling scores.jsonl --sizes 9", "there are 3 documents, so 9"),
        ("study scaling scores.jsonl --sizes a", "--sizes takes numbers"),
        ("study annotators judged.jsonl --human nope", "it has quality"),
        ("study annotators judged.jsonl --human quality --group 4", "cannot be parted from 4"),
        ("study annotators judged.jsonl --human quality --weights a=1", "takes number=number"),
        ("study annotators judged.jsonl --human quality --values 1", "takes label=number"),
        ("study ranges scores.jsonl --plot x.png", "a figure shows one measure"),
        ("study robustness judged.jsonl --shares 2 --cache off", "between 0 and 1"),
        ("study spurious scores.jsonl --correlates nope", "has no measure 'nope'"),
        (
            "study spurious scores.jsonl --correlates rouge-1,chrf,coverage,length",
            "has no measure but the correlates",
        ),
        ("sweep judged.jsonl -m rouge-1", "nothing is swept"),
        (
            "sweep judged.jsonl -m rouge-1:stem=true|false --human nope",
            "no column 'nope' of human scores",
        ),
        ("study mixes scores.jsonl -o x.doc", "which names no known form"),
        ("data get nope", "there is no dataset 'nope'"),
        ("data get frank --from nowhere", "nowhere is not there"),
        ("data get realsumm", "the files of realsumm cannot be downloaded"),
    ],
)
def test_what_a_user_can_mend(line, words, scored, run):
    assert words in run(f"tricolore {line}", exit_code=2)


def test_one_system(tmp_path, run):
    rows = [{"doc_id": f"d{n}", "summary": "a b", "human": {"q": n}} for n in range(3)]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("tricolore score x.jsonl -m length -o y.jsonl")
    assert "one system only" in run("tricolore study scaling y.jsonl", exit_code=2)


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
