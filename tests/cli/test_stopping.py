"""Signals and measures that end their process: nothing is lost, and no worker is left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PLUGIN = """
import hashlib, os, sys
from dataclasses import dataclass
from tricolore import Measure, Score

def leave(where):
    if os.environ.get("EVIL_PLACE") == where:
        {"sys.exit": sys.exit, "os._exit": os._exit}[os.environ["EVIL_EXIT"]](0)

leave("import")

@dataclass(frozen=True, kw_only=True)
class Evil(Measure):
    name = "evil"
    batch_size = 4
    how: str = "hang"

    @property
    def needs(self):
        leave("needs")
        return frozenset({"source", "corpus"} if os.environ.get("EVIL_PLACE") == "fit" else ())

    def prepare(self):
        leave("prepare")

    def fit(self, sources):
        leave("fit")
        return self

    def signature(self):
        leave("signature")
        return super().signature()

    def shown(self, score):
        leave("shown")
        return score

    def compute(self, examples, *, evidence):
        for example in examples:
            if example.summary == "bad":
                self.do_evil()
            yield Score(float(len(example.summary)))

    def do_evil(self):
        if self.how == "exit":
            os._exit(0)
        if self.how == "sys-exit":
            sys.exit(0)
        with open(os.environ["EVIL_PIDS"], "a") as stream:
            print(os.getpid(), file=stream)
        if self.how == "hang":
            hashlib.pbkdf2_hmac("sha256", b"", b"", 1 << 30)  # in C, other threads may run
        sum(range(10**13))  # in C, and no other thread may run
"""


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """Install the plugin, and write a file of rows of which one is bad; the arguments to score."""
    site = tmp_path / "site"
    info = site / "evil-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "evil.py").write_text(PLUGIN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tricolore.measures]\nevil = evil:Evil\n")
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("EVIL_PIDS", str(tmp_path / "pids"))
    rows = [{"summary": "bad" if n in (9, 21) else "x" * (n + 1)} for n in range(40)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def arguments(how, *options):
        return [
            *(sys.executable, "-m", "tricolore", "score", str(tmp_path / "rows.jsonl")),
            *("-m", f"evil:how={how}", "-o", str(tmp_path / "out.jsonl")),
            *("--cache", str(tmp_path / "cache"), *options),
        ]

    return arguments


def pids_of(tmp_path, count):
    """The processes that hang, once there are so many."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if (tmp_path / "pids").exists():
            pids = (tmp_path / "pids").read_text().split()
            if len(pids) >= count:
                return [int(pid) for pid in pids]
        time.sleep(0.02)
    raise AssertionError("the workers never began")


def is_alive(pid):
    try:
        # A zombie has ended; only nobody has asked for its exit code.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_gone(pids):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and any(map(is_alive, pids)):
        time.sleep(0.02)
    left = [pid for pid in pids if is_alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, "workers outlived their driver"


@pytest.mark.parametrize(
    ("sign", "code", "how"),
    [
        (signal.SIGINT, 130, "hang"),
        (signal.SIGTERM, 143, "hold"),
        (signal.SIGHUP, 129, "hang"),
        (signal.SIGKILL, -signal.SIGKILL, "hang"),
        (signal.SIGKILL, -signal.SIGKILL, "hold"),
    ],
)
def test_workers_that_hang_end_with_their_driver(evil, tmp_path, sign, code, how):
    driver = subprocess.Popen(
        evil(how, "--jobs", "2"),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    pids = pids_of(tmp_path, 2)
    os.kill(driver.pid, sign)
    _, err = driver.communicate(timeout=60)
    wait_until_gone(pids)
    assert driver.returncode == code
    if sign != signal.SIGKILL:
        stopped = "stopped; the same command goes on where it was"
        assert err.splitlines() == ["read: summary=summary", stopped]
        left = {path.name for path in tmp_path.iterdir()}
        assert left == {"cache", "pids", "rows.jsonl", "site"}, "no draft is left"


def test_after_a_kill_the_same_command_goes_on_and_gets_past_what_hangs(evil, tmp_path):
    driver = subprocess.Popen(evil("hang", "--jobs", "2"), stderr=subprocess.DEVNULL)
    pids = pids_of(tmp_path, 2)
    driver.kill()
    driver.wait()
    wait_until_gone(pids)
    again = subprocess.run(
        evil("hang", "--jobs", "2", "--timeout", "2"), capture_output=True, text=True, check=True
    )
    assert "2 rows with a problem; the first: evil: took longer than 2 s" in again.stdout
    assert " scores from the cache" in again.stdout
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    expected = [None if n in (9, 21) else float(n + 1) for n in range(40)]
    assert [row["evil"] for row in rows] == expected


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("exit", "evil: the process that scored this row ended with exit code 0"),
        ("sys-exit", "evil failed: SystemExit: 0"),
    ],
)
def test_a_measure_cannot_end_the_program(evil, tmp_path, how, words):
    done = subprocess.run(evil(how, "--strict"), capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert f"2 rows with a problem; the first: {words}" in " ".join(done.stdout.split())
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 40


@pytest.mark.fault(
    injected="a plugin calls `sys.exit(0)` or `os._exit(0)` before it scores: when it is imported, "
    "prepared or fitted",
    outcome="exit code 2 and a line that names it; nothing is written",
)
@pytest.mark.parametrize("how", ["sys.exit", "os._exit"])
@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("import", "tricolore: evil:Evil cannot be loaded: SystemExit: 0"),
        ("prepare", "tricolore: evil cannot be used: SystemExit: 0"),
        ("fit", "tricolore: evil cannot be used: SystemExit: 0"),
        ("signature", "tricolore: evil cannot be used: SystemExit: 0"),
        ("needs", "tricolore: evil.py ended the program before the command was done"),
    ],
)
def test_a_plugin_cannot_end_the_program_before_it_scores(
    evil, tmp_path, monkeypatch, how, place, words
):
    monkeypatch.setenv("EVIL_EXIT", how)
    monkeypatch.setenv("EVIL_PLACE", place)
    rows = [{"source": "a b", "summary": "a"}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = subprocess.run(evil("hang"), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == words
    assert "Traceback" not in done.stderr
    left = {path.name for path in tmp_path.iterdir()}
    assert left <= {"cache", "rows.jsonl", "site"}, "no draft is left"


def test_what_is_ignored_stays_ignored(evil, tmp_path):
    """Under nohup SIGHUP is ignored."""
    driver = subprocess.Popen(
        evil("hang", "--timeout", "2"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    pids_of(tmp_path, 1)
    os.kill(driver.pid, signal.SIGHUP)
    _, err = driver.communicate(timeout=120)
    assert driver.returncode == 0, err
    assert (tmp_path / "out.jsonl").exists()
