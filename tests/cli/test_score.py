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
    out, _ = tricolore("score", "x.jsonl", "-m", "coverage")
    assert "1 row with a problem; the first: the summary is empty" in out
    tricolore("score", "x.jsonl", "-m", "coverage", "--strict", check=1)


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
        (["x.jsonl", "-m", "coverage", "--summary", "abstract"], "it has source, summary"),
        (["x.jsonl", "-m", "coverage", "-o", "no/where.csv"], "cannot be written"),
        (["x.jsonl", "-m", "coverage", "-o", "x.docx"], "known are .jsonl"),
        (["x.jsonl", "-m", "coverage", "-o", "./x.jsonl"], "x.jsonl is the input"),
        (["x.jsonl", "-m", "coverage", "--cache", "x.jsonl"], "--cache off"),
        (["x.jsonl", "-m", "coverage", "--limit", "0"], "--limit"),
        (["x.jsonl"], "--measures"),
        (["x.odt", "-m", "coverage"], "names no known format"),
    ],
)
def test_usage_errors_say_what_was_given_and_what_to_do(tricolore, tmp_path, arguments, words):
    (tmp_path / "x.jsonl").write_text('{"source": "a", "summary": "b"}\n')
    (tmp_path / "x.odt").write_text("")
    _, err = tricolore("score", *arguments, check=2)
    assert words in err
