"""Bad rows among good ones: each has a value or a problem, and the good ones are scored."""

import json
import subprocess
import sys

import pytest

from tricolore.cli.app import explained
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError

MEASURES = "rouge,bleu,chrf,meteor,jensen-shannon,fragments,novelty,redundancy,length,importance"
GOOD = {"source": "The cat sat on the mat.", "summary": "A cat sat.", "references": ["Cat sits."]}


def row(**changes):
    return json.dumps({**GOOD, **changes}).encode()


BIG = "The quick brown fox jumps over the lazy dog near the old stone bridge. " * 70_000

CASES = {
    "empty summary": (row(summary=""), "the summary is empty"),
    "white space": (row(summary=" \n\t "), "the summary is empty"),
    "empty source": (row(source=""), "the source is empty"),
    "no documents": (row(source=[]), "the source is empty"),
    "a 5 MB source": (row(source=BIG), None),
    "a NUL byte": (row(summary="A cat\x00 sat."), None),
    "a raw NUL byte": (row(summary="A cat sat.").replace(b"A cat", b"A\x00cat"), None),
    "invalid UTF-8": (row(summary="A cat").replace(b"A cat", b"A \xff cat"), "is not UTF-8"),
    "emoji": (row(summary="A 🐈 sat 👩‍👩‍👧."), None),
    "only emoji": (row(summary="🐈🐈"), "words"),
    "right to left": (row(summary="جلس القط على السجادة"), "tokenizer=unicode"),
    "lone surrogate": (row(summary="A cat \ud800 sat."), None),
    "no summary": (b'{"source": "a b", "references": ["a"]}', "the row has no 'summary'"),
    "summary is null": (row(summary=None), "the summary is empty"),
    "summary is a number": (row(summary=3), "'summary' is a number"),
    "not an object": (b"[1, 2, 3]", "is not a JSON object"),
    "not JSON": (b"{", "is not JSON"),
    "null among references": (row(references=["Cat.", None]), "holds null at place 2"),
    "empty reference": (row(references=[""]), "there is no reference"),
    "no references": (row(references=[]), "there is no reference"),
    "one word": (row(summary="cat"), None),
    "very long word": (row(summary="x" * 100_000), None),
    "control characters": (row(summary="A \x1b[31mcat\x07 sat."), None),
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    path = tmp_path_factory.mktemp("bad") / "x.jsonl"
    path.write_bytes(b"\n".join([row(), *(case for case, _ in CASES.values()), row()]) + b"\n")
    done = subprocess.run(
        [sys.executable, "-m", "tricolore", "score", str(path)]
        + ["-m", MEASURES, "-o", str(path.with_name("y.jsonl")), "--cache", "off"],
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
    rows = [json.loads(line) for line in path.with_name("y.jsonl").read_text().splitlines()]
    assert len(rows) == len(CASES) + 2
    return rows


@pytest.mark.slow
def test_the_good_rows_are_scored(outcome):
    for good in (outcome[0], outcome[-1]):
        assert good["problem"] is None
        assert None not in {k: v for k, v in good.items() if k not in ("problem", "flags")}.values()


@pytest.mark.slow
@pytest.mark.parametrize(("at", "name"), list(enumerate(CASES, 1)))
def test_a_value_or_a_problem(outcome, at, name):
    _, expected = CASES[name]
    problem = outcome[at]["problem"]
    others = {"row", "doc_id", "system", "status", "problem", "flags"}
    labels = [key for key in outcome[0] if "." not in key and key not in others]
    without = [label for label in labels if outcome[at][label] is None]
    if expected is None and name not in ("one word", "very long word"):
        assert problem is None
    elif expected is not None:
        assert expected in problem
    # never a value missing without a word about it, never a word about a value that is there
    assert bool(without) == bool(problem)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (("score", "-m", "coverage"), "y.jsonl"),
        (("score", "-m", "importance"), "y.jsonl"),
        (("perturb", "--kind", "truncation"), "y.jsonl"),
        (("corpus",), "y.corpus"),
    ],
)
def test_a_file_that_is_not_utf_8_is_an_error_and_no_file(tricolore, tmp_path, command, output):
    (tmp_path / "x.csv").write_bytes("source,summary\ncafé,café\n".encode("latin1"))
    name, *options = command
    _, err = tricolore(name, "x.csv", *options, "-o", output, check=2)
    assert err.startswith("tricolore: x.csv is not UTF-8")
    assert "--encoding cp1252" in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == ["x.csv"]


@pytest.mark.slow
def test_the_option_that_says_what_standard_input_is(tricolore):
    text = b"source,summary\na b c,a b\n"
    for name, *options in (("score", "-m", "coverage"), ("perturb", "--kind", "truncation")):
        _, err = tricolore(name, "-", *options, "-o", "-", stdin=text, check=2)
        assert "--input-format csv" in err
        tricolore(name, "-", *options, "-o", "-", "--input-format", "csv", stdin=text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("score", "-m", "estime:model=nobody/none"),
        ("sweep", "-m", "estime:model=nobody/none,layer=1|2", "--human", "q"),
        ("perturb", "--kind", "subtle-errors:model=nobody/none", "-o", "y.jsonl"),
        ("sensitivity", "--kind", "subtle-errors:model=nobody/none", "-m", "coverage"),
        ("study", "robustness", "-m", "estime:model=nobody/none", "--human", "q"),
        ("study", "annotators", "-m", "estime:model=nobody/none", "--human", "q"),
    ],
)
def test_offline_is_offline_in_every_command(tricolore, tmp_path, command):
    row = {"source": "a b c", "summary": "a b", "references": ["a"], "human": {"q": 1}}
    row["annotations"] = {"q": {"x": 1, "y": 2}}
    (tmp_path / "x.jsonl").write_text(json.dumps(row) + "\n")
    at = 2 if command[0] == "study" else 1
    words = [*command[:at], "x.jsonl", *command[at:], "--offline"]
    _, err = tricolore(*words, check=2)
    assert "it is not on this machine, and in offline mode nothing is downloaded" in err
    assert "un it once without --offline" in err


def test_not_a_single_row_is_an_error_and_no_file(tricolore, tmp_path):
    (tmp_path / "x.jsonl").write_text('{"source": "a b c", "summary": 5}\n')
    _, err = tricolore("score", "x.jsonl", "-m", "coverage", "-o", "y.jsonl", check=2)
    assert "tricolore: not a single row of x.jsonl could be read: 'summary' is a number" in err
    assert not (tmp_path / "y.jsonl").exists()


def test_standard_input_that_is_closed(tmp_path):
    command = [sys.executable, "-m", "tricolore", "score", "-", "-m", "importance"]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *command], cwd=tmp_path, capture_output=True
    )
    assert (done.returncode, done.stderr) == (2, b"tricolore: standard input is closed\n")


def test_a_row_that_is_too_long_and_the_option_for_it(run, tmp_path):
    (tmp_path / "x.csv").write_text("source,summary\na b c,a b\n" + "d " * 2000 + ",e\n")
    words = run("tricolore score x.csv -m coverage --cache off --max-row-mb 0.001", exit_code=2)
    assert "the row that goes on in line 3 is longer than 0.001 MB" in words
    assert "2" in run("tricolore score x.csv -m coverage --cache off --max-row-mb 1")
    error = ReadError("x.csv is too long", argument="max_row_mb")
    assert "--max-row-mb 200" in explained(error, error.argument)


def test_a_limit_that_is_huge(run, tmp_path):
    (tmp_path / "x.csv").write_text("source,summary\na b c,a b\n")
    out = run(f"tricolore score x.csv -m coverage --cache off --limit {10**20}")
    assert "1.000" in out


NAMES = {"system": "\ud800", "doc_id": "d\udc00", "human": {"q\ud800": 1, "x.evidence": 2}}


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_names_that_no_file_can_hold(run, tmp_path, ending):
    (tmp_path / "x.jsonl").write_bytes(row(**NAMES))
    output = tmp_path / f"y.{ending}"
    assert "\ufffd" in run(f"tricolore score x.jsonl -m coverage --cache off -o y.{ending}")
    table = ScoreTable.read(output)
    assert table.grid.systems == ("\ufffd",)
    assert sorted(table.human) == ["q\ufffd", "x.evidence"]
