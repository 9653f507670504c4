"""`tricolore check`: what it prints and writes, and its exit codes."""

import json
import re
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]

SOURCE = (
    "The plant in Limerick has 420 workers. It opened in May 1993 and makes pumps for ships. "
    "The mayor, Anna Bell, visited it on Monday."
)
FAITHFUL = "The plant in Limerick has 420 workers."
WRONG_NUMBER = "The plant in Limerick has 4,200 workers."
WRONG_NAME = "The plant in Bergen has 420 workers."
ROWS = [
    {"source": SOURCE, "summary": FAITHFUL, "system": "good", "doc_id": "1"},
    {"source": SOURCE, "summary": WRONG_NUMBER, "system": "bad", "doc_id": "1"},
    {"source": SOURCE, "summary": WRONG_NAME, "system": "worse", "doc_id": "1"},
]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def pairs(tmp_path):
    write(tmp_path / "pairs.jsonl", ROWS)
    return "pairs.jsonl"


@pytest.fixture
def with_empty(tmp_path):
    write(tmp_path / "empty.jsonl", [*ROWS[:1], {**ROWS[0], "summary": " "}, {"summary": "x"}])
    return "empty.jsonl"


def test_the_question_is_answered_first(run, pairs):
    said = run(f"tricolore check {pairs} --offline")
    first, *lines = said.splitlines()
    assert first.startswith(
        "1 of 3 summaries contains numbers or dates that the source does not have (in 1 it has "
        "another value); 1 contains names that it does not have"
    )
    assert "The plant in Limerick has [4,200] workers." in lines
    assert any(re.match(r"  number “4,200”: the source has “420”", line) for line in lines)
    assert "The plant in [Bergen] has 420 workers." in lines
    assert any(line.startswith("  name “Bergen”: ") for line in lines)
    assert FAITHFUL not in said.replace(SOURCE, "").split("Checked:")[0].splitlines()
    assert "Not checked: negations" in lines[-1]


def test_show(run, pairs):
    said = run(f"tricolore check {pairs} --show 1")
    assert ("[4,200]" in said) != ("[Bergen]" in said)
    assert "1 more summary with findings not shown." in said
    assert "[" not in run(f"tricolore check {pairs} --show 0").split("Mean [95")[0]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("", 0),
        ("--fail-on number", 1),
        ("--fail-on contradicted", 1),
        ("--fail-on name", 1),
        ("--fail-on number,name", 1),
        ("--fail-on any", 1),
        ("--fail-on number --max-failures 1", 0),
        ("--fail-on number,name --max-failures 1", 1),
        ("--fail-on number,name --max-failures 2", 0),
        ("--min-support 0", 0),
        ("--min-support 1", 1),
        ("--min-grounding 0", 0),
        ("--min-grounding 1", 1),
        ("--strict", 0),
        ("--limit 1 --fail-on number,name,sentence", 0),
    ],
)
def test_exit_codes(run, pairs, options, code):
    # `run` gives what the command raised where it does not end with 0.
    said = run(f"tricolore check {pairs} {options}", code)
    assert (said == str(code)) if code else said.startswith("1 of 3") or "--limit" in options


def test_rows_that_cannot_be_checked(run, with_empty):
    said = run(f"tricolore check {with_empty}")
    assert "Nothing was found in 1 summary; 2 rows could not be checked." in said
    assert "row 2 · good · 1: not checked: the summary is empty" in said
    assert "row 3" in said
    assert run(f"tricolore check {with_empty} --strict", 1) == "1"
    allowed = run(f"tricolore check {with_empty} --strict --max-failures 2")
    assert "\n2 of 3 rows fail; at most 2 may.\n" in allowed
    # Without --strict, what was not checked does not fail.
    assert "\n0 of 3 rows fail; none may.\n" in run(f"tricolore check {with_empty} --fail-on any")


def test_json(run, pairs, tmp_path):
    plain = json.loads(run(f"tricolore check {pairs} --format json --show 0"))
    assert len(plain["summaries"]) == 3
    [number] = [
        item
        for one in plain["summaries"]
        for item in one["items"]
        if item["item"] == "contradicted number"
    ]
    assert WRONG_NUMBER[number["start"] : number["end"]] == number["text"] == "4,200"
    source = number["source"]
    assert SOURCE[source["start"] : source["end"]] == source["text"]
    assert source["text"].startswith("420")
    assert all(0 <= s["support"] <= 1 for one in plain["summaries"] for s in one["sentences"])
    assert plain["summary"]["measure"] == "grounding"
    said = run(f"tricolore check {pairs} -o found.json")
    assert json.loads((tmp_path / "found.json").read_text()) == plain
    assert said.startswith("1 of 3 summaries contains numbers")
    assert len(said.splitlines()) == 1


def test_markdown(run, pairs, tmp_path):
    said = run(f"tricolore check {pairs} --format markdown")
    assert said.startswith("**1 of 3 summaries contains numbers")
    assert "\n> The plant in Limerick has **4,200** workers.\n" in said
    assert re.search(r"\n- number “4,200”: the source has “420", said)
    run(f"tricolore check {pairs} -o found.md")
    assert (tmp_path / "found.md").read_text() == said


def test_a_file_is_written_before_the_command_fails(run, pairs, tmp_path):
    run(f"tricolore check {pairs} --fail-on any -o found.md", 1)
    assert "**4,200**" in (tmp_path / "found.md").read_text()


def test_output_options_are_checked_first(run):
    for line, words in [
        ("tricolore check nowhere.jsonl -o x.docx", "names no known format"),
        ("tricolore check nowhere.jsonl -o x.csv", "known are .md, .json, .txt"),
        ("tricolore check nowhere.jsonl -o no/x.md", "there is no directory no"),
        ("tricolore check nowhere.jsonl", "nowhere.jsonl"),
    ]:
        assert words in run(line, 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--fail-on numbers", "did you mean 'number'"),
        ("-m coverage", "coverage does not say which numbers"),
        ("-m rouge", "names 3 measures where one is wanted"),
        ("-m grounding:weak=7", "weak must be between 0 and 1"),
        ("--source nothing", "nothing"),
        ("--min-grounding 2", "2"),
    ],
)
def test_options_that_make_no_sense(run, pairs, options, words):
    assert words in run(f"tricolore check {pairs} {options}", 2)


def test_columns_and_formats(run, tmp_path):
    write(tmp_path / "odd.jsonl", [{"body": SOURCE, "out": WRONG_NUMBER, "who": "me", "n": "7"}])
    columns = "--source body --summary out --system who --doc-id n"
    said = run(f"tricolore check odd.jsonl {columns}")
    assert "row 1 · me · 7: contradicted" in said
    (tmp_path / "odd.csv").write_text(f'source,summary\n"{SOURCE}","{WRONG_NUMBER}"\n')
    assert "[4,200]" in run("tricolore check odd.csv")


@pytest.mark.slow
def test_as_a_user(tricolore, on_a_terminal, tmp_path, pairs):
    """In a process of its own: streams, exit codes, a terminal."""
    out, err = tricolore("check", pairs, "--fail-on", "number", check=1)
    assert "1 of 3 rows fails; none may." in out
    assert "read: source=source" in err
    _, err = tricolore("check", pairs, "--fail-on", "verb", check=2)
    assert err.endswith("there are number, contradicted, name, sentence, word, any\n")
    attack = "\x1b]0;pwned\x07 4,200 [red]\r\n"
    write(tmp_path / "bad.jsonl", [{**ROWS[0], "summary": attack, "system": attack}])
    written = on_a_terminal("check", "bad.jsonl")
    assert "␛]0;pwned␇" in written
    assert "\x1b]0" not in written
    assert "[red]" in written


def test_the_output_in_the_docs_is_real(run):
    page = (REPO / "docs" / "check.md").read_text()
    [shown] = re.findall(r"```\n(row .*?)```", page, re.DOTALL)
    said = run(f"tricolore check {REPO / 'examples' / 'summaries.jsonl'} --show 1")
    assert " ".join(shown.split()) in " ".join(said.split())
