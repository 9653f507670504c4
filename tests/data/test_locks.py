import os
import subprocess
import sys

import pytest

from tricolore.data.locks import LockedError, hold, release

HOLD = """
import sys
from pathlib import Path
from tricolore.data.locks import LockedError, hold
try:
    hold(Path(sys.argv[1]))
    print("ready", flush=True)
    sys.stdin.read()
except LockedError as error:
    print(error)
"""


def start(path):
    asked = [sys.executable, "-c", HOLD, str(path)]
    return subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_another_process_waits_for_nothing(tmp_path):
    path, begun = tmp_path / "lock", []
    hold(path, lambda: begun.append(1))
    hold(path, lambda: begun.append(2))
    release(path)
    with start(path) as other:
        assert other.stdout.readline() == f"process {os.getpid()}\n"
    release(path)
    assert os.listdir(tmp_path) == []
    assert begun == [1]


def test_the_lock_of_a_killed_process(tmp_path):
    path = tmp_path / "lock"
    with start(path) as other:
        assert other.stdout.readline() == "ready\n"
        with pytest.raises(LockedError, match=f"process {other.pid}"):
            hold(path)
        other.kill()
    assert path.exists()
    hold(path)
    release(path)
    assert not path.exists()


def test_a_link_in_the_place_of_a_lock_is_not_followed(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="symbolic links"):
        hold(tmp_path / "lock")
    assert (tmp_path / "precious").read_text() == "precious"
