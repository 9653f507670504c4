"""The bar that follows a run: on a terminal only."""

import json
import os
import pty
import subprocess
import sys

from tricolore.api.evaluate import evaluate


def test_the_total_is_known_once_the_file_is_read(tmp_path):
    rows = [{"source": "a b", "summary": "a" * 50} for _ in range(3000)]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = []
    evaluate(tmp_path / "x.jsonl", "length", progress=lambda *known: told.append(known))
    assert len(told) == 3000
    assert told[-1] == (3000, 3000)
    estimates = [total for _, total in told]
    assert all(2500 < total < 3500 for total in estimates[1000:])
    told.clear()
    evaluate(rows[:3], "length", progress=lambda *known: told.append(known))
    assert told == [(1, 3), (2, 3), (3, 3)]


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
