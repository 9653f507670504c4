"""Disks that are full or read-only, and streams that are closed or cannot hold our text."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.robustness.bench import Bench, rows

pytestmark = pytest.mark.slow
OLD = "an older result"


def limit_files(size: int) -> Any:
    """Files may not grow beyond a size, as on a disk that is full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for 64 KB."""
    yield from _mounted(tmp_path / "disk", "size=64k")


@pytest.fixture
def read_only_disk(tmp_path: Path) -> Iterator[Path]:
    yield from _mounted(tmp_path / "disk", "ro")


def _mounted(place: Path, options: str) -> Iterator[Path]:
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("only root may mount a file system")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.fault(
    injected="the disk of the output is full (RLIMIT_FSIZE), for every format",
    outcome="exit code 1 and one line; the older file under this name is untouched, and no draft "
    "is left",
)
@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_a_full_disk(bench: Bench, ending: str) -> None:
    output = f"out.{ending}"
    (bench.folder / output).write_text(OLD)
    done = bench.run(output=output, cache="off", preexec_fn=limit_files(2000))
    assert done.code == 1
    assert output in done.err
    assert "cannot be written" in done.err
    assert (bench.folder / output).read_text() == OLD
    assert bench.files() == {"in.jsonl", output}


@pytest.mark.fault(
    injected="the disk of the output is full only after all rows are scored",
    outcome="exit code 1; a rerun elsewhere takes all scores from the cache",
)
def test_a_disk_that_is_full_at_the_end(bench: Bench, undisturbed: bytes, small_disk: Path) -> None:
    (small_disk / "other").write_bytes(bytes(52_000))
    assert bench.run(output=str(small_disk / "out.jsonl")).code == 1
    again = bench.run()
    assert again.reused == 80
    assert (bench.folder / "out.jsonl").read_bytes() == undisturbed


@pytest.mark.fault(
    injected="the disk of the output is full (a tmpfs of 64 KB)",
    outcome="exit code 1 and one line; nothing is left on the disk",
)
def test_a_small_disk(bench: Bench, small_disk: Path) -> None:
    bench.write(rows(2000))
    done = bench.run(output=str(small_disk / "out.jsonl"), cache="off")
    assert done.code == 1
    assert "No space left" in done.err
    assert list(small_disk.iterdir()) == []


@pytest.mark.fault(
    injected="the directory of the output is read-only",
    outcome="exit code 1 and one line, before anything is scored",
)
def test_a_read_only_directory(bench: Bench, read_only_disk: Path) -> None:
    driver = bench.start(bench.words(output=str(read_only_disk / "out.jsonl")), fault="gate")
    done = bench.finish(driver)  # it does not come to the gate
    assert done.code == 1
    assert "cannot be written" in done.err


@pytest.mark.fault(
    injected="the disk of the cache is full",
    outcome="a warning; the run goes on without the cache, and its output is right",
)
def test_no_room_for_the_cache(bench: Bench, undisturbed: bytes) -> None:
    done = bench.run(output="-", preexec_fn=limit_files(16_000))
    assert done.code == 0, done.err
    assert done.out.encode() == undisturbed
    assert done.err.count("cache") >= 1


@pytest.mark.fault(
    injected="the output, or standard output, is `/dev/full`",
    outcome="exit code 1 and one line",
)
@pytest.mark.parametrize("output", ["full.jsonl", "-", "out.jsonl"])
def test_a_device_that_is_full(bench: Bench, undisturbed: bytes, output: str) -> None:
    (bench.folder / "full.jsonl").symlink_to("/dev/full")
    with open("/dev/full", "w") as full:
        done = bench.run(output=output, cache="off", stdout=full)
    assert done.code == 1
    assert "No space left" in done.err
    if output == "out.jsonl":  # the table could not be printed, but the scores are there
        assert (bench.folder / "out.jsonl").read_bytes() == undisturbed


@pytest.mark.fault(
    injected="standard output is closed",
    outcome="with `-o FILE` the file is written; with `-o -`, an error and one line",
)
@pytest.mark.parametrize("output", ["out.jsonl", "-"])
def test_standard_output_that_is_closed(bench: Bench, undisturbed: bytes, output: str) -> None:
    done = bench.run(output=output, cache="off", preexec_fn=lambda: os.close(1))
    if output == "-":
        assert done.code in (1, 2)
        assert "standard output" in done.err
    else:
        assert done.code in (0, 1)
        assert (bench.folder / "out.jsonl").read_bytes() == undisturbed


@pytest.mark.fault(
    injected="the reader of standard output goes away (`| head -1`)",
    outcome="the run ends without an error",
)
def test_a_reader_that_goes_away(bench: Bench) -> None:
    bench.write(rows(3000))
    reader, writer = os.pipe()
    process = bench.start(bench.words(output="-", cache="off"), stdout=writer)
    os.close(writer)
    assert os.read(reader, 10)
    os.close(reader)
    done = bench.finish(process)
    assert done.code in (0, 141)
    assert "rror" not in done.err


@pytest.mark.fault(
    injected="standard output takes ASCII or Latin-1 only",
    outcome="what it cannot hold is replaced; scores are the same",
)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_encoding_that_is_too_small(bench: Bench, undisturbed: bytes, encoding: str) -> None:
    environment = {"PYTHONIOENCODING": encoding}
    done = bench.run(cache="off", env=environment)
    assert done.code == 0, done.err
    assert (bench.folder / "out.jsonl").read_bytes() == undisturbed
    bench.write([{**row, "doc_id": "猫 é"} for row in rows()])
    assert bench.run(cache="off", output="-", env=environment).code == 0


@pytest.mark.fault(
    injected="standard input is closed, and the input is `-`",
    outcome="exit code 2 and one line",
)
def test_standard_input_that_is_closed(bench: Bench) -> None:
    words = bench.words(cache="off")
    words[words.index("in.jsonl")] = "-"
    done = bench.finish(bench.start(words, stdin=None, preexec_fn=lambda: os.close(0)))
    assert done.code == 2
    assert "standard input" in done.err
