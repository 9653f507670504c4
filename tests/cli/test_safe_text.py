"""Text from data, paths and arguments is shown, and neither obeyed nor read as markup."""

import csv
import io
import json
import re
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tricolore.cli import app
from tricolore.errors import TricoloreError

TITLE = "\x1b]0;pwned\x07"
ATTACK = f"{TITLE}\x1b[2J\x9b31m\u202ex\x7f\rA [red]b[/red] :smile:"
SHOWN = "␛]0;pwned␇␛[2J�31m�x␡␍A [red]b[/red] :smile:"


def write_rows(path, *systems, human="q"):
    rows = [
        {
            "source": f"One two three {doc}.",
            "summary": f"One {TITLE} two.\r\nEnd {at}",
            "system": system,
            "doc_id": f"{doc}{TITLE}",
            human: at + doc,
        }
        for doc in range(2)
        for at, system in enumerate(systems)
    ]
    rows.append({"source": "", "summary": "x", "system": systems[0], "doc_id": "3"})
    path.write_text("\n".join(map(json.dumps, rows)))


def without_colours(written):
    """What is left without the codes of rich: colours, moves of the cursor, and its visibility."""
    return re.sub(r"\x1b\[(\d+(;\d+)*m|\?25[hl]|[12]?[AK])", "", written).replace("\r", "")


def controls(text):
    return set(re.findall(r"[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text))


@pytest.mark.slow
def test_a_terminal_gets_no_command_from_data(tmp_path, on_a_terminal):
    write_rows(tmp_path / "x.jsonl", ATTACK, f"b{TITLE}", human=f"q{TITLE}")
    asked = ["score", "x.jsonl", "-m", "coverage,importance", "--human", f"q{TITLE}"]
    written = on_a_terminal(*asked, "--show", "3", "--signatures", "-o", f"{TITLE}[red].csv")
    assert SHOWN in written
    assert "End 0" in written
    assert "q␛]0;pwned␇" in written  # which columns are read
    assert "Scores: ␛]0;pwned␇[red].csv" in written
    assert not controls(without_colours(written))
    written = on_a_terminal("compare", f"{TITLE}[red].csv", "--format", "csv")
    assert SHOWN in written
    assert not controls(without_colours(written))


@pytest.mark.slow
def test_json_on_a_terminal_escapes_what_a_terminal_obeys(tmp_path, on_a_terminal):
    write_rows(tmp_path / "x.jsonl", ATTACK)
    written = on_a_terminal("score", "x.jsonl", "-m", "coverage", "-o", "-", term="dumb")
    assert not controls(without_colours(written))
    found = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    assert found[0]["system"] == ATTACK


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", f"{TITLE}.jsonl", "-m", "coverage"],
        ["measures", f"cov{TITLE}"],
        ["score", "x.jsonl", "-m", "coverage", "--empty", f"{TITLE}"],
        ["score", "x.jsonl", f"--{TITLE}"],
        [f"{TITLE}"],
        ["data", f"{TITLE}"],
    ],
)
def test_errors_show_arguments_and_do_not_obey_them(arguments, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["tricolore", *arguments])
    with pytest.raises(SystemExit) as stopped:
        app.main()
    assert stopped.value.code == 2
    written = capsys.readouterr()
    assert not controls(written.out + written.err)
    assert "pwned" in written.err


@given(st.text(st.characters(codec=None, exclude_categories=())))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_of_an_error(capsys, monkeypatch, text):
    def fail(**_):
        raise TricoloreError(text, "a hint")

    monkeypatch.setattr(app, "app", fail)
    with pytest.raises(SystemExit):
        app.main()
    written = capsys.readouterr().err
    assert not controls(written)
    assert written.startswith("tricolore: ")
    assert written.endswith("a hint\n")


@pytest.mark.parametrize("name", ["[red]x.jsonl", "[/x].jsonl"])
def test_a_path_is_not_markup(tricolore, tmp_path, name):
    write_rows(tmp_path / "x.jsonl", "a")
    (tmp_path / "[").mkdir()
    out, _ = tricolore("score", "x.jsonl", "-m", "coverage", "-o", name)
    assert f"Scores: {name}" in out
    _, err = tricolore("meta", name, "-o", f"{name}.csv", "--human", "z", check=2)
    assert name in err


def test_a_table_of_csv_keeps_the_text(tricolore, tmp_path, scores):
    rows = [json.loads(line) for line in scores.read_text().splitlines()]
    names = {"lead": "a\tb  c", "rank": "=1+1", "noise": "-x\ny"}
    scores.write_text("\n".join(json.dumps({**r, "system": names[r["system"]]}) for r in rows))

    def systems(*options):
        out, _ = tricolore("compare", scores, "--format", "csv", *options)
        rows = csv.DictReader(io.StringIO(out, newline=""))
        return {row[side] for row in rows for side in ("first", "second")}

    assert systems() == {"a\tb  c", "'=1+1", "'-x\ny"}
    assert systems("--csv-formulas", "keep") == set(names.values())
    tricolore("compare", scores, "-o", "x.csv")
    assert "a\tb  c" in (tmp_path / "x.csv").read_text()
