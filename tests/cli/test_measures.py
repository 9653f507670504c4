import os
import pty
import struct
import subprocess
import sys

import pytest

from tricolore.registry import entries


def on_a_terminal(columns, *arguments):
    """What the command shows on a terminal of so many columns."""
    import fcntl
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = {**os.environ, "TERM": "dumb"}
    env.pop("COLUMNS", None)
    command = [sys.executable, "-m", "tricolore", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env):
        os.close(theirs)
        shown = b""
        try:
            while more := os.read(ours, 65536):
                shown += more
        except OSError:  # the other side is closed
            pass
    os.close(ours)
    return shown.decode().replace("\r", "")


@pytest.mark.parametrize("columns", [80, 140])
def test_the_list_has_whole_names_and_all_columns_on_a_narrow_terminal(columns):
    text = on_a_terminal(columns, "measures")
    words = text.split()
    assert "…" not in text
    assert set(entries()) <= set(words)
    assert {"measure", "needs", "better", "range", "cost", "presets", "extra"} <= set(words)
    assert all(len(line) <= columns for line in text.splitlines())


def test_the_list_has_every_measure(tricolore):
    out, _ = tricolore("measures")
    for name in entries():
        assert f"\n {name} " in out
    assert "references" in out
    assert "released" in out


def test_the_settings_of_one_measure(tricolore):
    out, _ = tricolore("measures", "rouge-2")
    assert "parts: precision (higher is better), recall" in out
    assert "preset=released: rules=1.5.5, references=pooled" in out
    assert "none, smart" in out
    assert "variant" not in out
    assert "596 of ROUGE-1.5.5" in " ".join(out.split())
    out, _ = tricolore("measures", "avg")
    assert "avg: The average of measures" in out
    _, err = tricolore("measures", "estim", check=2)
    assert "did you mean 'estime'?" in err


def test_what_a_measure_follows(tricolore):
    out, _ = tricolore("measures", "coverage")
    assert "higher is better; follows copying more than quality" in out
    out, _ = tricolore("measures", "rouge-1")
    assert "follows" not in out
