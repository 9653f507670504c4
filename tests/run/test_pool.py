"""The worker processes of a run: when they cannot start, and when they must end."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from odd_measures import Deadly

from tricolore import Example, Run
from tricolore.errors import Unavailable
from tricolore.run.processes import Processes

pytestmark = pytest.mark.slow


def test_a_measure_that_workers_cannot_import_is_an_error():
    class Local(Deadly):
        pass

    with pytest.raises(Unavailable, match="in a module that other processes can import"):
        list(Run([Local()], engine=Processes(2)).score([Example(summary="a")]))


def test_a_script_without_a_guard_is_an_error_and_not_a_loop(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import tricolore\ntricolore.evaluate([{'summary': 'a'}], 'length', jobs=2)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "no worker process could start; measures must be" in done.stderr


def test_a_run_that_nobody_finishes_leaves_no_process_and_does_not_hang(tmp_path):
    program = """
import sys
from multiprocessing import active_children
from tricolore import Example, Run
from tricolore.run.processes import Processes

if __name__ == "__main__":
    results = Run(["length"], engine=Processes(2)).score([Example(summary="a")] * 600)
    next(results)
    print(*(child.pid for child in active_children()))
"""
    script = tmp_path / "script.py"
    script.write_text(program)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    pids = done.stdout.split()
    assert pids
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.parametrize(
    ("files", "code", "words"),
    [
        (9, 1, "no worker process could start (Too many open files)"),
        (16, 0, "worker processes could start (Too many open files)"),
    ],
)
def test_a_system_that_allows_few_open_files(tmp_path, files, code, words):
    """The run goes on with the workers that could start; without any, the reason is told."""
    program = f"""
import logging, resource
from tricolore import Example, Run
from tricolore.run.processes import Processes

if __name__ == "__main__":
    logging.basicConfig()
    run = Run(["length"], engine=Processes(8))
    resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))
    print(len(list(run.score(Example(summary=f"a{{n}}") for n in range(6000)))))
"""
    script = tmp_path / "script.py"
    script.write_text(program)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert done.stdout == ("" if code else "6000\n")


@pytest.mark.skipif(sys.platform != "linux", reason="finds child processes in /proc")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_a_worker_starts_leaves_no_traceback_of_it(tmp_path, name):
    program = """
from tricolore.cli.stopping import Stopping
from tricolore.run.pool import _Worker
from tricolore.run.worker import Setup

if __name__ == "__main__":
    Stopping()
    try:
        _Worker(Setup(b"x" * 10_000_000, {}))  # which a pipe does not hold at once
    except KeyboardInterrupt:
        print("stopped")
"""
    script = tmp_path / "script.py"
    script.write_text(program)
    done = subprocess.Popen([sys.executable, script], stdout=-1, stderr=-1, text=True)
    children = Path(f"/proc/{done.pid}/task/{done.pid}/children")
    while len(children.read_text().split()) < 2:  # the resource tracker, and the worker
        time.sleep(0.001)
    done.send_signal(getattr(signal, name))
    assert done.communicate(timeout=60) == ("stopped\n", "")
