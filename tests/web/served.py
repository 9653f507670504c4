"""A real server process for tests of its pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SECONDS = 120.0


@contextmanager
def served(permalinks: Path, *options: str, token: str = "") -> Iterator[str]:
    """The address of a `tricolore serve` that runs until the end of the block."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    environment.pop("TRICOLORE_TOKEN", None)
    if token:
        environment["TRICOLORE_TOKEN"] = token
    command = [sys.executable, "-m", "tricolore", "serve", "--port", "0"]
    with (
        open(permalinks.with_suffix(".log"), "w+", encoding="utf-8") as log,
        subprocess.Popen(
            [*command, "--permalinks", str(permalinks), *options],
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
        ) as process,
    ):
        try:
            yield _ready(process, Path(log.name))
        finally:
            process.terminate()
            try:
                process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()


def _ready(process: subprocess.Popen[bytes], log: Path) -> str:
    """The address, once the server says that it is ready."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end and process.poll() is None:
        printed = log.read_text(encoding="utf-8")
        if (found := re.search(r"http://127\.0\.0\.1:\d+", printed)) and _answers(found[0]):
            return found[0]
        time.sleep(0.1)
    raise AssertionError(f"the server does not get ready: {log.read_text(encoding='utf-8')}")


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=10) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, TimeoutError):
        return False
