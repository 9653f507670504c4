"""The bar that follows a run: on a terminal only."""

import io
import json
import os
import pty
import subprocess
import sys

from rich.console import Console

from tricolore.cli import progress
from tricolore.cli.progress import watched


class _Read:
    """A file of which an eighth is read with every row."""

    fraction = 0.0

    def rows(self):
        for row in "abcd":
            self.fraction += 0.125
            yield row


def drawn(monkeypatch, items, **known):
    """What passes, and the last line of the bar."""
    out = Console(force_terminal=True, width=90, file=io.StringIO())
    monkeypatch.setattr(progress, "console", lambda stderr: out)
    passed = list(watched(items, **known))
    lines = [line for line in out.file.getvalue().split("\r") if "rows" in line]
    return passed, lines[-1]


def test_what_passes_is_counted(monkeypatch):
    passed, line = drawn(monkeypatch, "abc", total=4)
    assert passed == ["a", "b", "c"]
    assert "3 rows" in line
    assert "╸" in line or "╺" in line  # three quarters
    passed, line = drawn(monkeypatch, "abcd", total=4)
    assert "╸" not in line
    assert "╺" not in line
    file = _Read()
    passed, line = drawn(monkeypatch, file.rows(), records=file)
    assert passed == ["a", "b", "c", "d"]
    assert "╸" in line or "╺" in line  # half


def test_on_a_terminal_only(tmp_path, tricolore):
    rows = [{"source": "One two. Three.", "summary": f"A {n} two three."} for n in "xyz"]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = ["sensitivity", "x.jsonl", "-m", "coverage", "--kind", "truncation"]
    _, err = tricolore(*asked)
    assert "scoring" not in err
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tricolore", *asked],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TERM": "xterm"},
    ) as process:
        os.close(theirs)
        written = b""
        try:
            while some := os.read(ours, 4096):
                written += some
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
    assert process.returncode == 0
    assert b"6 rows" in written
