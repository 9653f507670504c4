"""Inputs and models that change or vanish during a run, and a clock that goes backwards."""

from __future__ import annotations

import importlib.util
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.robustness.bench import Bench, rows

pytestmark = pytest.mark.slow
MANY = 3000
Change = Callable[[Path], object]

CHANGES: dict[str, Change] = {
    "rows are added": lambda path: path.write_text(path.read_text() * 2),
    "rows are removed": lambda path: os.truncate(path, path.stat().st_size // 2),
    "other rows": lambda path: path.write_text(path.read_text().replace("mat", "rug")),
}


@pytest.mark.fault(
    injected="the input file is changed during a run: rows are added, removed or replaced",
    outcome="the run says that the file changed",
)
@pytest.mark.parametrize("name", CHANGES)
def test_an_input_that_changes(bench: Bench, name: str) -> None:
    bench.write(rows(MANY))
    driver = bench.start(bench.words(cache="off"), fault="gate")
    bench.wait_for_the_row(driver)
    CHANGES[name](bench.folder / "in.jsonl")
    bench.open_gate()
    done = bench.finish(driver)
    assert "changed" in done.out + done.err
    assert done.code == 2 or (bench.folder / "out.jsonl").is_file()


@pytest.mark.fault(
    injected="the input file is removed during a run",
    outcome="the output is right: the file was open",
)
def test_an_input_that_is_removed(bench: Bench, undisturbed: bytes) -> None:
    driver = bench.start(bench.words(cache="off"), fault="gate")
    bench.wait_for_the_row(driver)
    (bench.folder / "in.jsonl").unlink()
    bench.open_gate()
    done = bench.finish(driver)
    assert done.code == 0, done.err
    assert (bench.folder / "out.jsonl").read_bytes() == undisturbed


@pytest.mark.fault(
    injected="the input is a named pipe, and a measure must see all sources first",
    outcome="the pipe is copied; scores are those of a file",
)
def test_a_pipe_that_is_read_twice(bench: Bench) -> None:
    words = ["score", "in.jsonl", "-m", "importance", "--cache", "off"]
    [start] = [bench.words()[:3]]
    wanted = bench.finish(bench.start([*start, *words, "-o", "file.jsonl"]))
    assert wanted.code == 0, wanted.err
    content = (bench.folder / "in.jsonl").read_bytes()
    (bench.folder / "in.jsonl").unlink()
    os.mkfifo(bench.folder / "in.jsonl")
    writer = threading.Thread(
        target=lambda: (bench.folder / "in.jsonl").write_bytes(content), daemon=True
    )
    writer.start()
    done = bench.finish(bench.start([*start, *words, "-o", "pipe.jsonl"]))
    assert done.code == 0, done.err
    assert bench.scores("pipe.jsonl") == bench.scores("file.jsonl")


BACKWARDS = """
import time

_now = [2_000_000_000.0]

def _time():
    _now[0] -= 3600
    return _now[0]

time.time = _time
time.time_ns = lambda: int(_time() * 1e9)
"""


@pytest.mark.fault(
    injected="the clock goes back an hour whenever it is asked",
    outcome="the output is as if nothing had happened, also from the cache",
)
def test_a_clock_that_goes_back(bench: Bench, undisturbed: bytes, tmp_path: Path) -> None:
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(BACKWARDS)
    path = f"{tmp_path / 'clock'}{os.pathsep}{bench.environment['PYTHONPATH']}"
    for reused in (0, 80):
        done = bench.run("--jobs", 2, env={"PYTHONPATH": path})
        assert done.code == 0, done.err
        assert done.reused == reused
        assert (bench.folder / "out.jsonl").read_bytes() == undisturbed


def with_model(bench: Bench, model: str) -> list[str]:
    words = bench.words("--jobs", 1)
    words[words.index("faulty,coverage")] = f"faulty,sbert:model={model}"
    return words


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.train.encoders import tiny_encoder

    return Path(tiny_encoder(tmp_path_factory.mktemp("encoder")))


@pytest.mark.fault(
    injected="the directory of a model is removed during a run",
    outcome="the model is in memory: the output is right",
)
def test_a_model_that_is_removed(bench: Bench, encoder: Path) -> None:
    shutil.copytree(encoder, bench.folder / "model")
    words = with_model(bench, "model")
    assert bench.finish(bench.start([*words, "--cache", "off"])).code == 0
    wanted = (bench.folder / "out.jsonl").read_bytes()
    (bench.folder / "out.jsonl").unlink()
    driver = bench.start(words, fault="gate")
    bench.wait_for_the_row(driver)
    shutil.rmtree(bench.folder / "model")
    bench.open_gate()
    done = bench.finish(driver)
    assert done.code == 0, done.err
    assert (bench.folder / "out.jsonl").read_bytes() == wanted


@pytest.mark.fault(
    injected="the embedded model is not the one that its package was published with",
    outcome="exit code 2 and one line, before anything is scored",
)
@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_an_embedded_model_that_was_changed(bench: Bench, tmp_path: Path, name: str) -> None:
    spec = importlib.util.find_spec("tricolore_embedded")
    assert spec is not None
    assert spec.origin is not None
    package = tmp_path / "changed" / "tricolore_embedded"
    shutil.copytree(Path(spec.origin).parent, package)
    path = package / "model" / name
    raw = bytearray(path.read_bytes())
    raw[-3] ^= 1
    path.write_bytes(raw)
    places = f"{package.parent}{os.pathsep}{bench.environment['PYTHONPATH']}"
    words = bench.words(cache="off")
    words[words.index("faulty,coverage")] = "estime"
    done = bench.finish(bench.start(words, env={"PYTHONPATH": places}))
    assert done.code == 2
    assert name in done.err
    assert bench.files() == {"in.jsonl"}
