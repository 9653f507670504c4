import os
import subprocess
import sys

import pytest

from tricolore.data.outputs import reserved
from tricolore.errors import WriteError, WriteFailedError


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reserve(output, *inputs):
    with reserved([(output, "plot")], inputs):
        pass


def test_outputs_that_are_not_inputs(there):
    (there / "in.csv").touch()
    (there / "model").mkdir()
    for output in ("out.csv", "in.csv.bak", "model.csv", there / "x", "/dev/null", "", "-"):
        reserve(output, "in.csv", "model", "", "-", "no such file", "x" * 5000)
    reserve("/dev/null", "/dev/null")
    assert sorted(os.listdir(there)) == ["in.csv", "model"]


def test_an_input_by_any_name(there):
    (there / "in.csv").touch()
    (there / "folder").mkdir()
    os.symlink("in.csv", "link")
    os.symlink(".", "folder/here")
    os.link("in.csv", "hard")
    for output in ("in.csv", there / "in.csv", "link", "hard", "folder/here/../in.csv"):
        with pytest.raises(WriteError, match="is the input") as error:
            reserve(output, "other", "in.csv")
        assert error.value.argument == "plot"
    with pytest.raises(WriteError, match=r"^hard is the input: it is in\.csv$"):
        reserve("hard", "in.csv")
    with pytest.raises(WriteError, match=r"^in\.csv is the input: it is link$"):
        reserve("in.csv", "link")


def test_a_directory_that_is_read(there):
    (there / "model" / "deep").mkdir(parents=True)
    os.symlink("model", "link")
    for output in ("model/x", "model/deep/x", "link/x", "link/deep/../x"):
        with pytest.raises(WriteError, match=r"lies in model, which is an input"):
            reserve(output, "model")
    with pytest.raises(WriteError, match="link is the input: it is model"):
        reserve("link", "model")
    with pytest.raises(WriteError, match=r"x lies in \., which is an input"):
        reserve("x", ".")


def test_one_place_for_two_outputs(there):
    os.symlink("x.csv", "link")
    for other in ("x.csv", "./x.csv", "link"):
        with (
            pytest.raises(WriteError, match=f"{other} would be written twice"),
            reserved([("x.csv", "output"), (other, "plot")]),
        ):
            pass
    with reserved([("/dev/null", "output"), ("/dev/null", "plot")]):
        pass
    assert os.listdir(there) == ["link"]


def test_outputs_are_kept_from_other_processes(there):
    code = "from tricolore.data.atomic import write_text; write_text('x.csv', 'theirs')"
    with reserved([("x.csv", "output")]):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert f"process {os.getpid()} is writing it" in done.stderr
        assert not os.path.exists("x.csv")
    assert os.listdir(there) == []


def test_standard_output_that_is_appended_to_the_input(there):
    (there / "in.jsonl").write_text("{}")
    code = (
        "from tricolore.data.outputs import reserved\nwith reserved([('-', '')], ['in.jsonl']): 1"
    )
    done = subprocess.run(
        f'{sys.executable} -c "{code}" >> in.jsonl', shell=True, capture_output=True, text=True
    )
    assert "standard output goes to in.jsonl, which is the input" in done.stderr


def test_a_path_that_cannot_be(there):
    with pytest.raises(WriteFailedError, match="File name too long"):
        reserve("x" * 300)
    with pytest.raises(WriteError, match="there is no directory no"):
        reserve("no/x.csv")
    os.symlink("loop", "loop")
    with pytest.raises(WriteFailedError, match="Too many levels of symbolic links"):
        reserve("loop")
