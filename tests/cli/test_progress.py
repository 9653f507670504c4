"""The bar that follows a run: on a terminal only."""

import json
import os
import pty
import subprocess
import sys

import pytest


@pytest.mark.slow
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
