"""Streaming JSON Lines to JSON Lines keeps nothing of the rows that have passed."""

import json
import random
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
PROGRAM = """
import resource, sys
from tricolore.cli.app import main
sys.argv = ["tricolore", *sys.argv[1:]]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def peak(tmp_path, rows):
    path = tmp_path / f"{rows}.jsonl"
    random.seed(rows)
    words = [f"word{i}" for i in range(3000)]
    with path.open("w") as stream:
        for _ in range(rows):
            source = " ".join(random.choices(words, k=600))
            stream.write(json.dumps({"source": source, "summary": source[:200]}) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "score", str(path), "-m", "coverage,length,jensen-shannon"]
        + ["-o", str(tmp_path / "out.jsonl"), "--cache", str(tmp_path / "cache")],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stderr.split()[-1]) / 1024, path.stat().st_size / 2**20


def test_memory_does_not_grow_with_the_rows(tmp_path):
    # Texts remembered for sharing between measures are bounded by their length: go well past it.
    small, size = peak(tmp_path, 3_000)
    large, larger = peak(tmp_path, 9_000)
    assert larger - size > 25, "the larger input is 25 MiB larger"
    assert large - small < 12, f"{small:.0f} MiB for {size:.0f} MiB, {large:.0f} for {larger:.0f}"
