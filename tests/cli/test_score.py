import json

import pyarrow.parquet as pq
import pytest


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_table_and_a_file(tricolore, examples_file, tmp_path):
    out, _ = tricolore(
        "score", examples_file, "-m", "rouge,jensen-shannon,importance", "-o", "scores.parquet"
    )
    for word in ("careless", "lead", "rewrite", "rouge-2", "jensen-shannon ↓", "95 % interval"):
        assert word in out
    table = pq.read_table(tmp_path / "scores.parquet")
    assert table.num_rows == 12
    signatures = json.loads(table.schema.metadata[b"tricolore"])["signatures"]
    assert signatures["rouge-1"]["measure"] == "rouge-1"
    # four documents are too few for document frequencies: the signature names what stood in
    assert "background" in json.dumps(signatures["importance"])


@pytest.mark.slow
def test_what_is_printed_is_short(tricolore, examples_file, monkeypatch):
    """The table first, no wider than a page; signatures on request only."""
    measures = "rouge,bleu,chrf,jensen-shannon,fragments,novelty,length"
    out, err = tricolore("score", examples_file, "-m", measures, "--show", "1", columns=None)
    table, _, rest = out.partition("[95 % interval")
    assert "novelty" in table
    assert max(len(line) for line in table.splitlines()) <= 100
    assert "lead · ferry" in rest  # the evidence comes after the table
    assert "measure=rouge-1" not in out
    assert err.count("\n") == 1
    assert err.startswith("read: source=source, summary=summary")
    wide, _ = tricolore("score", examples_file, "-m", measures, columns="300")
    assert 150 < max(len(line) for line in wide.splitlines()) <= 300
    signed, _ = tricolore("score", examples_file, "-m", measures, "--signatures")
    assert "measure=rouge-1" in signed


def test_rows_to_standard_output_table_to_the_other(tricolore, examples_file):
    out, err = tricolore("score", examples_file, "-m", "coverage", "-o", "-", "--limit", "5")
    assert [row["row"] for row in lines(out)] == [1, 2, 3, 4, 5]
    assert "coverage ↑" in err


def test_a_pipe(tricolore, examples_file, tmp_path):
    text = examples_file.read_bytes()
    from_pipe, _ = tricolore("score", "-", "-m", "coverage,importance", "-o", "-", stdin=text)
    (tmp_path / "old.jsonl").write_text("to be replaced")
    tricolore("score", "-", "-m", "coverage,importance", "-o", "old.jsonl", stdin=text)
    assert (tmp_path / "old.jsonl").read_text() == from_pipe
    from_file, _ = tricolore("score", examples_file, "-m", "coverage,importance", "-o", "-")
    assert from_pipe == from_file


def test_our_own_output_can_be_read_for_its_human_scores(tricolore, tmp_path):
    row = {"source": "a b c", "summary": "a b", "human": {"fluency": 3}, "grade": 2}
    (tmp_path / "x.jsonl").write_text(json.dumps(row))
    out, _ = tricolore("score", "x.jsonl", "-m", "coverage", "-o", "-", "--human", "grade")
    assert lines(out)[0] | {"human.fluency": 3.0, "human.grade": 2.0} == lines(out)[0]


def test_columns_by_option(tricolore, tmp_path):
    (tmp_path / "x.csv").write_text("body,short,who\na b c,a b,me\n")
    out, _ = tricolore(
        *("score", "x.csv", "-m", "coverage", "-o", "-"),
        *("--source", "body", "--summary", "short", "--system", "who"),
    )
    [row] = lines(out)
    assert (row["system"], row["coverage"]) == ("me", 1.0)


def test_evidence_on_the_terminal(tricolore, examples_file):
    out, _ = tricolore("score", examples_file, "-m", "coverage", "--show", "2")
    assert "lead · ferry" in out
    assert "rewrite · ferry" in out
    # brackets where there is no colour
    assert "[The island council voted on Tuesday" in out


def test_processes_and_seed_change_no_value(tricolore, examples_file):
    one, _ = tricolore("score", examples_file, "-m", "rouge,importance", "-o", "-")
    two, _ = tricolore(
        *("score", examples_file, "-m", "rouge,importance", "-o", "-"),
        *("--jobs", "2", "--seed", "7", "--cache", "off"),
    )
    assert one == two


def test_the_same_run_again_comes_from_the_cache(tricolore, examples_file):
    arguments = ("score", examples_file, "-m", "coverage", "--cache", "kept")
    first, _ = tricolore(*arguments)
    again, _ = tricolore(*arguments)
    assert "from the cache" not in first
    assert "12 scores from the cache, 0 computed" in again
    off, _ = tricolore("score", examples_file, "-m", "coverage", "--cache", "off")
    assert "from the cache" not in off


def test_strict_is_for_scripts(tricolore, tmp_path):
    (tmp_path / "x.jsonl").write_text('{"source": "a", "summary": ""}\n')
    out, _ = tricolore("score", "x.jsonl", "-m", "coverage", "-o", "y.jsonl")
    out, _ = tricolore("score", "x.jsonl", "-m", "coverage")
    assert "1 score from the cache, 0 computed." in out
    assert "1 row with a problem; the first: the summary is empty" in out
    tricolore("score", "x.jsonl", "-m", "coverage", "--strict", check=1)


def test_a_human_score_that_is_no_number_is_said_once(tricolore, tmp_path):
    row = {"source": "a b", "summary": "a"}
    rows = [{**row, "human": {"fluency": word}} for word in (3, "good", "bad")]
    (tmp_path / "x.json").write_text(json.dumps(rows, indent=1))
    out, _ = tricolore("score", "x.json", "-m", "coverage", "-o", "y.jsonl")
    words = "2 rows without a human score: the human score 'fluency' is text, not a number"
    assert out.count(words) == 1
    scored = lines((tmp_path / "y.jsonl").read_text())
    assert [row["coverage"] for row in scored] == [1.0, 1.0, 1.0]
    assert [row.get("human.fluency") for row in scored] == [3.0, None, None]
    tricolore("score", "x.json", "-m", "coverage", "--strict", check=1)


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        (["score"], ["references"]),
        (["sweep"], ["references"]),
        (["sensitivity"], ["references"]),
        (["study", "annotators"], ["references"]),
        (["study", "robustness"], []),
        (["perturb"], []),
    ],
)
def test_what_loads_models_and_reads_examples_has_the_same_options(command, columns):
    from typer.main import get_command

    from tricolore.cli.app import app

    found = get_command(app)
    for name in command:
        found = found.commands[name]
    options = {option for parameter in found.params for option in parameter.opts}
    wanted = {"device", "offline", "source", "summary", "system", "doc-id", "limit", *columns}
    assert {f"--{name}" for name in wanted} <= options


@pytest.fixture
def odd_columns(tmp_path):
    path = tmp_path / "judged.jsonl"
    with path.open("w") as stream:
        for at in range(12):
            row = {
                "body": f"a b c d{at} e{at % 5}",
                "short": f"a d{at} x{at % 3} not",
                "gold": "a b",
            }
            row |= {"who": "AB"[at % 2], "id": at // 2, "human": {"q": at * 7 % 5}}
            row["annotations"] = {"q": [at % 3, at % 4, at % 5]}
            stream.write(json.dumps(row) + "\n")
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["sweep", "-m", "rouge-1:stem=true|false", "--human", "q"],
        ["sensitivity", "-m", "rouge-1,coverage", "--kind", "random-words"],
        ["study", "annotators", "--human", "q", "-m", "rouge-1"],
    ],
)
def test_columns_by_option_everywhere(tricolore, odd_columns, command):
    at = 2 if command[0] == "study" else 1
    command = [*command[:at], odd_columns, *command[at:], "--cache", "off"]
    columns = ["--source", "body", "--summary", "short", "--references", "gold"]
    _, err = tricolore(*command, check=2)
    assert " COLUMN" in err
    tricolore(*command, *columns, "--system", "who", "--doc-id", "id", "--offline")


def test_where_a_table_is_written_is_said(capsys, tmp_path):
    from tricolore.cli.output import put
    from tricolore.report.result_table import ResultTable

    target = str(tmp_path / "x.csv")
    put([("", ResultTable(["a"], [["b"]]))], "csv", target)
    said = capsys.readouterr()
    assert said.err == f"Written: {target}\n"
    assert not said.out


def test_a_reader_that_stops_listening_is_no_error(examples_file, tmp_path):
    import subprocess
    import sys

    command = f"{sys.executable} -m tricolore score {examples_file} -m coverage -o - | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=tmp_path)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.jsonl", "-m", "coverage"], "nowhere.jsonl cannot be read: No such file"),
        (["x.jsonl", "-m", "coverge"], "did you mean 'coverage'?"),
        (["x.jsonl", "-m", "importance:m=3"], "importance has no setting 'm'"),
        (["x.jsonl", "-m", "rouge"], "no reference column"),
        (
            ["x.jsonl", "-m", "coverage", "--summary", "abstract"],
            "it has 'source', 'summary'; name",
        ),
        (["x.jsonl", "-m", "coverage", "-o", "no/where.csv"], "cannot be written"),
        (["x.jsonl", "-m", "coverage", "-o", "x.docx"], "known are .jsonl"),
        (["x.jsonl", "-m", "coverage", "-o", "./x.jsonl"], "x.jsonl is the input"),
        (["x.jsonl", "-m", "coverage", "--cache", "x.jsonl"], "--cache off"),
        (["x.jsonl", "-m", "coverage", "--limit", "0"], "--limit"),
        (["x.odt", "-m", "coverage"], "names no known format"),
        (["x.jsonl", "-m", "coverage", "-o", "folder.jsonl"], "it is a directory"),
        (["folder.jsonl", "-m", "coverage"], "it is a directory, not a file"),
        (["nosuchfile", "-m", "coverage"], "nosuchfile cannot be read: No such file"),
    ],
)
def test_usage_errors_say_what_was_given_and_what_to_do(tricolore, tmp_path, arguments, words):
    (tmp_path / "x.jsonl").write_text('{"source": "a", "summary": "b"}\n')
    (tmp_path / "x.odt").write_text("")
    (tmp_path / "folder.jsonl").mkdir()
    _, err = tricolore("score", *arguments, check=2)
    assert words in err
