import errno
import os
import stat
import subprocess
import sys
import threading

import pytest

from tricolore.data.atomic import check_target, draft, open_text, write_text
from tricolore.errors import WriteError


def test_text(tmp_path):
    write_text(tmp_path / "x.txt", "é\n")
    with open_text(tmp_path / "y.txt", newline="") as out:
        out.write("a\r\nb")
    assert (tmp_path / "x.txt").read_bytes() == "é\n".encode()
    assert (tmp_path / "y.txt").read_bytes() == b"a\r\nb"
    assert sorted(os.listdir(tmp_path)) == ["x.txt", "y.txt"]


def test_the_old_file_is_whole_until_the_new_one_is(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("old")
    with open_text(path) as out:
        out.write("new" * 100_000)
        out.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new" * 100_000


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, FileNotFoundError])
def test_an_error_leaves_the_old_file(tmp_path, error):
    path = tmp_path / "x.txt"
    path.write_text("old")
    # An error of what is read meanwhile is not said to be one of the target.
    with pytest.raises(error), open_text(path) as out:
        out.write("new")
        raise error
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.txt"]


def test_a_full_disk_is_an_error_of_the_target(tmp_path):
    with (
        pytest.raises(WriteError, match=r"x\.txt cannot be written: No space left") as error,
        open_text(tmp_path / "x.txt"),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert error.value.argument == "output"
    assert os.listdir(tmp_path) == []


def test_a_writer_that_is_killed_leaves_the_old_file_and_the_next_one_clears_up(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("old")
    code = (
        "import os, signal\n"
        "from tricolore.data.atomic import open_text\n"
        f"with open_text({str(path)!r}) as out:\n"
        "    out.write('half'); out.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code])
    assert done.returncode == -9
    assert path.read_text() == "old"
    assert len(os.listdir(tmp_path)) == 2
    write_text(path, "new")
    assert os.listdir(tmp_path) == ["x.txt"]


def test_two_writers_at_once_do_not_share_a_draft(tmp_path):
    path = tmp_path / "x.txt"
    with draft(path) as one, draft(path) as two:
        assert one != two
        one.write_text("one")
        two.write_text("two")
    assert path.read_text() == "one"


def test_what_a_link_points_to_is_written_and_keeps_its_mode(tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    (there / "x.txt").write_text("old")
    (there / "x.txt").chmod(0o640)
    (tmp_path / "link.txt").symlink_to(there / "x.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (there / "x.txt").read_text() == "new"
    assert stat.S_IMODE((there / "x.txt").stat().st_mode) == 0o640


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    check_target(pipe)
    write_text(pipe, "text")
    reader.join()
    assert got == ["text"]
    assert pipe.is_fifo()


def test_what_keeps_a_file_from_being_written(tmp_path):
    (tmp_path / "folder").mkdir()
    for target, words in {"folder": "it is a directory", "no/x": "there is no directory"}.items():
        with pytest.raises(WriteError, match=words) as error:
            check_target(tmp_path / target)
        assert error.value.argument == "output"
    with pytest.raises(WriteError, match="cannot be written: No such file"):
        write_text(tmp_path / "no" / "x", "")
