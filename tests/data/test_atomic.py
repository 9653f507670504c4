import os
import shutil
import stat
import subprocess
import sys
import threading

import pytest

from tricolore.data.atomic import check_target, open_text, write_directory, write_text
from tricolore.errors import WriteError, WriteFailedError


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


FULL = """
import resource, sys
from tricolore.data.atomic import open_text
from tricolore.errors import WriteFailedError
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
try:
    with open_text(sys.argv[1]) as out:
        for _ in range(10_000):
            out.write("new" * 100)
except WriteFailedError as error:
    print(error, error.argument)
"""


def python(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True
    )


def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("old")
    done = python(FULL, path)
    assert done.stdout == f"{path} cannot be written: File too large output\n", done.stderr
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.txt"]


@pytest.mark.fault(
    injected="the process that writes a file is killed",
    outcome="the older file is whole, and the next writer removes the draft",
)
def test_a_writer_that_is_killed_leaves_the_old_file_and_the_next_one_clears_up(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("old")
    code = (
        "import os, signal, sys\n"
        "from tricolore.data.atomic import open_text\n"
        "with open_text(sys.argv[1]) as out:\n"
        "    out.write('half'); out.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert python(code, path).returncode == -9
    assert path.read_text() == "old"
    assert len(os.listdir(tmp_path)) == 3, "the file, its draft and its lock"
    # The draft of another file is not mistaken for one of this file.
    (tmp_path / ".x.txt.y.1-1.draft").touch()
    write_text(path, "new")
    assert sorted(os.listdir(tmp_path)) == [".x.txt.y.1-1.draft", "x.txt"]


def test_a_file_that_another_process_writes(tmp_path):
    path = tmp_path / "x.txt"
    code = (
        "import sys\n"
        "from tricolore.data.atomic import open_text\n"
        "with open_text(sys.argv[1]) as out:\n"
        "    out.write('theirs'); print('ready', flush=True); sys.stdin.read()\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code, str(path)], **pipes) as other:
        assert other.stdout.readline() == b"ready\n"
        for attempt in (check_target, lambda target: write_text(target, "ours")):
            with pytest.raises(WriteError, match=f"process {other.pid} is writing it"):
                attempt(path)
        other.stdin.close()
        other.wait()
    assert path.read_text() == "theirs"
    write_text(path, "ours")
    assert path.read_text() == "ours"
    assert os.listdir(tmp_path) == ["x.txt"]


def test_two_writers_in_one_process_do_not_share_a_draft(tmp_path):
    path = tmp_path / "x.txt"
    with open_text(path) as one, open_text(path) as two:
        one.write("one")
        two.write("two")
    assert path.read_text() == "one"
    assert os.listdir(tmp_path) == ["x.txt"]


def test_a_name_as_long_as_names_can_be(tmp_path):
    path = tmp_path / ("ä" * 125 + ".text")
    assert len(os.fsencode(path.name)) == 255
    write_text(path, "x")
    assert os.listdir(tmp_path) == [path.name]
    for longer in (tmp_path / f"{path.name}s", tmp_path / "x" / ("y/" * 3000) / "z"):
        with pytest.raises(WriteFailedError, match="cannot be written: File name too long"):
            check_target(longer)


def test_a_directory_that_is_removed_meanwhile(tmp_path):
    (tmp_path / "there").mkdir()
    with (
        pytest.raises(WriteFailedError, match=r"x\.txt cannot be written: No such file"),
        open_text(tmp_path / "there" / "x.txt") as out,
    ):
        shutil.rmtree(tmp_path / "there")
        out.write("x")


def test_text_that_no_encoding_can_write(tmp_path):
    write_text(tmp_path / "x.txt", "a\ud800b")
    assert (tmp_path / "x.txt").read_text() == "a?b"


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
    with pytest.raises(WriteError, match="cannot be written: there is no directory"):
        write_text(tmp_path / "no" / "x", "")


def test_a_device_that_is_full():
    check_target("/dev/full")
    with pytest.raises(WriteFailedError, match="/dev/full cannot be written: No space left"):
        write_text("/dev/full", "x")


def test_standard_output_as_a_path():
    code = "from tricolore.data.atomic import write_text; write_text('/dev/stdout', 'x')"
    assert python(code).stdout == "x"


@pytest.mark.parametrize("target", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_a_file_that_the_shell_appends_to_keeps_what_it_has(tmp_path, target):
    """As in `tricolore compare scores.csv -o /dev/stdout >> all.txt`."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    path = tmp_path / "all.txt"
    path.write_text("old\n")
    code = f"from tricolore.data.atomic import write_text; write_text({target!r}, 'new\\n')"
    with open(path, "a") as out:
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, stdout=out, check=True)
    assert path.read_text() == "old\nnew\n"
    assert sorted(os.listdir(tmp_path)) == ["all.txt", "link"]


def test_the_root_directory_is_no_target():
    with pytest.raises(WriteError, match="/ cannot be written: it is the root directory"):
        check_target("/")


def none(_):
    return []


def test_a_directory(tmp_path):
    path = tmp_path / "d"
    write_directory(path, {"a": b"1", "b": b"2"}, none)
    write_directory(path, {"a": b"3"}, lambda place: os.listdir(place))
    assert (path / "a").read_bytes() == b"3"
    assert os.listdir(path) == ["a"]
    assert os.listdir(tmp_path) == ["d"]


def test_a_directory_is_replaced_in_one_step(tmp_path):
    """Readers in another thread find the old or the new content, and never nothing."""
    path, found, is_done = tmp_path / "d", set(), threading.Event()
    write_directory(path, {"a": b"0"}, none)

    def read():
        while not is_done.is_set():
            found.add(path.is_dir())

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(200):
        write_directory(path, {"a": str(number).encode()}, lambda _: ["a"])
    is_done.set()
    reader.join()
    assert found == {True}
    assert (path / "a").read_bytes() == b"199"


def test_what_is_put_into_a_directory_meanwhile_is_not_removed(tmp_path):
    path = tmp_path / "d"
    write_directory(path, {"a": b"1"}, none)

    def names(place):
        (place / "thesis.tex").write_text("Years of work.")
        return ["a"]

    write_directory(path, {"a": b"2"}, names)
    [thesis] = tmp_path.rglob("thesis.tex")
    assert thesis.read_text() == "Years of work."


def test_a_full_disk_leaves_the_old_directory(tmp_path):
    code = """
import resource, sys
from tricolore.data.atomic import write_directory
from tricolore.errors import WriteFailedError
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
try:
    write_directory(sys.argv[1], {"a": b"2", "b": b"2" * 20_000}, lambda _: ["a"])
except WriteFailedError as error:
    print(error)
"""
    path = tmp_path / "d"
    write_directory(path, {"a": b"1"}, none)
    done = python(code, path)
    assert done.stdout == f"{path} cannot be written: File too large\n", done.stderr
    assert (path / "a").read_bytes() == b"1"
    assert os.listdir(path) == ["a"]
    assert os.listdir(tmp_path) == ["d"]


def test_a_directory_whose_writer_was_killed_between_two_renames_comes_back(tmp_path):
    """Where a file system cannot exchange two directories, the old one is moved aside first."""
    old = tmp_path / ".d.1-1.draft.old"
    old.mkdir()
    (old / "a").write_text("1")
    check_replaceable = []
    write_directory(tmp_path / "d", {"a": b"2"}, lambda p: check_replaceable.append(p) or ["a"])
    assert check_replaceable == [tmp_path / "d"], "the old directory was there again"
    assert os.listdir(tmp_path) == ["d"]


def test_a_writer_of_a_directory_that_is_killed_leaves_the_old_or_the_new_one(tmp_path):
    code = """
import sys
from itertools import count
from tricolore.data.atomic import write_directory
for number in map(str, count()):
    raw = number.encode() * 1000
    write_directory(sys.argv[1], {"a": raw, "b": raw}, lambda _: ["a", "b"])
    print(number, flush=True)
"""
    path = tmp_path / "d"
    for more in range(5):
        asked = [sys.executable, "-c", code, str(path)]
        with subprocess.Popen(asked, stdout=subprocess.PIPE) as writer:
            for _ in range(3 + more):
                writer.stdout.readline()
            writer.kill()
        assert sorted(os.listdir(path)) == ["a", "b"]
        assert len((path / "a").read_bytes()) >= 1000
        assert (path / "a").read_bytes() == (path / "b").read_bytes()
    write_directory(path, {"a": b"1", "b": b"1"}, lambda _: ["a", "b"])
    assert os.listdir(tmp_path) == ["d"]
