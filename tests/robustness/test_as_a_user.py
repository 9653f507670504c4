"""Some bad inputs in processes of their own, to show that users see what other tests check."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.robustness import (
    test_bad_directories,
    test_bad_files,
    test_bad_options,
    test_bad_specs,
    test_bad_tables,
)
from tests.robustness.commands import lay_out
from tests.robustness.running import Outcome, contents, run
from tests.robustness.score_rows import LABELS

FILES = {
    "line: an open brace",
    "source is a number",
    "CSV: an open quote",
    "Parquet: half",
    ".jsonl.gz: cut off in the middle",
    ".csv in utf-16",
}
COMMANDS = {
    "a spec": ("score", "judged.jsonl", "-m", "rogue-1"),
    "an option": ("score", "judged.jsonl", "-m", "length", "--jobs", "0"),
    "a table": ("compare", "judged.jsonl"),
}


def test_there_are_3000_bad_inputs() -> None:
    counts = [
        len(test_bad_files.CASES),
        len(test_bad_specs.WRONG) + len(test_bad_specs.ODD),
        len(test_bad_specs.ILL_TYPED) + len(test_bad_specs.OUT_OF_RANGE),
        len(test_bad_options.REJECTED) + len(test_bad_options.EXTREME),
        len(test_bad_options.TEXTS) + len(test_bad_options.PATHS) * len(test_bad_options.PLACES),
        len(test_bad_tables.CHANGES) * len(test_bad_tables.READERS),
        2 * (len(test_bad_tables.FILES) + len(test_bad_tables.ABOUT)),
        len(test_bad_directories.CARDS) + len(test_bad_directories.MODELS),
    ]
    assert sum(counts) > 3000


def in_another_process(folder: Path, words: tuple[str, ...]) -> Outcome:
    before = contents(folder)
    done = subprocess.run(
        [sys.executable, "-m", "tricolore", *words],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "COLUMNS": "300"},
        capture_output=True,
        text=True,
    )
    after = contents(folder)
    assert {name: after.get(name) for name in before} == before
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_in_another_process(name: str, tmp_path: Path) -> None:
    [case] = [case for case in test_bad_files.CASES if case.name == name]
    (tmp_path / f"in{case.ending}").write_bytes(case.content)
    words = ("score", f"in{case.ending}", "-m", ",".join(LABELS), "--cache", "off")
    assert in_another_process(tmp_path, words) == run(tmp_path, *words)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_in_another_process(name: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    words = COMMANDS[name]
    there, here = in_another_process(tmp_path, words), run(tmp_path, *words)
    assert there.code == here.code == 2
    assert there.err.splitlines()[-1] == here.err.splitlines()[-1]
