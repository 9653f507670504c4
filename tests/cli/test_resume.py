"""A run that is killed and started again goes on where it was."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

pytestmark = pytest.mark.slow


def write_rows(path, count):
    words = "the cat sat on a mat while seven dogs ran past an old stone bridge".split()
    with path.open("w") as stream:
        for at in range(count):
            source = " ".join(words[(at * 7 + j * j) % len(words)] + str(at) for j in range(400))
            row = {"source": source, "summary": " ".join(source.split()[at % 40 : at % 40 + 30])}
            stream.write(json.dumps(row) + "\n")


def command(path, out, cache):
    return [
        *(sys.executable, "-m", "tricolore", "score", str(path), "-o", str(out)),
        *("-m", "coverage,novelty,jensen-shannon,importance", "--cache", str(cache)),
    ]


def kept(cache):
    path = cache / "scores.sqlite"
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as db:
            return db.execute("SELECT count(*) FROM scores").fetchone()[0]
    except sqlite3.OperationalError:  # not created yet
        return 0


def stop_in_the_middle(arguments, cache, sign):
    """Start a run, send it a signal once something is in the cache: exit code and stderr."""
    victim = subprocess.Popen(
        arguments,
        stderr=subprocess.PIPE,
        text=True,
        # Where these tests run in the background of a shell, Ctrl-C would be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 120
    while kept(cache) == 0 and victim.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(victim.pid, sign)
    _, err = victim.communicate()
    return victim.returncode, err


@pytest.mark.fault(
    injected="Ctrl-C (SIGINT) or SIGTERM while rows are being scored",
    outcome="exit code 130 or 143, a line that says how to go on, and no draft left",
)
@pytest.mark.parametrize(("sign", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_command_says_how_to_go_on(tmp_path, sign, exit_code):
    path, cache = tmp_path / "x.jsonl", tmp_path / "cache"
    write_rows(path, 2000)
    code, err = stop_in_the_middle(command(path, tmp_path / "y.jsonl", cache), cache, sign)
    assert code == exit_code
    assert err.splitlines()[-1] == "stopped; the same command goes on where it was"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "x.jsonl"], "no draft is left"


def test_sigkill_loses_nothing_that_was_finished(tmp_path):
    path, cache = tmp_path / "x.jsonl", tmp_path / "cache"
    write_rows(path, 2000)
    arguments = command(path, tmp_path / "y.jsonl", cache)
    code, _ = stop_in_the_middle(arguments, cache, signal.SIGKILL)
    assert code == -signal.SIGKILL, "it was too quick to be killed in the middle"
    assert not (tmp_path / "y.jsonl").exists(), "no half file under the final name"
    before = kept(cache)
    assert before > 0

    resumed = subprocess.run(
        command(path, tmp_path / "y.jsonl", cache), capture_output=True, check=True, text=True
    )
    reused = int(resumed.stdout.split(" scores from the cache")[0].split()[-1])
    assert reused >= before, "what was finished is not scored again"

    clean = subprocess.run(command(path, tmp_path / "z.jsonl", "off"), capture_output=True)
    assert clean.returncode == 0
    assert (tmp_path / "y.jsonl").read_bytes() == (tmp_path / "z.jsonl").read_bytes()
