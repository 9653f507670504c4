"""A bench for faults of runs whose scores are written in parts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.robustness.bench import Bench, Finished

PART_ROWS, PARTS = 10, 4
"""Of the 40 rows of the bench; the poison row is in the third part."""


class PartedBench(Bench):
    """The same bench, with commands that write to the directory `out`."""

    def words(self, *options: Any, output: str = "out/", cache: Any = "off") -> list[str]:
        return super().words("--part-rows", PART_ROWS, *options, output=output, cache=cache)

    def contents(self, output: Path | str = "out") -> dict[str, bytes]:
        """The files of the directory, which has nothing else, hidden or not."""
        found = {path.name: path.read_bytes() for path in (self.folder / output).iterdir()}
        parts = {f"part-{number:05}.parquet" for number in range(PARTS)}
        assert found.keys() <= parts | {"manifest.json"}, found.keys()
        return found

    def finished(self, output: Path | str = "out") -> dict[int, int]:
        """The parts that the manifest calls finished, each with the inode of its file."""
        folder = self.folder / output
        parts = json.loads((folder / "manifest.json").read_text())["parts"]
        return {
            number: (folder / f"part-{number:05}.parquet").stat().st_ino
            for number, part in enumerate(parts)
            if part["finished"] is not None
        }

    def rows_of_parts(self, output: Path | str = "out") -> list[dict[str, Any]]:
        """All rows, in the order of the parts."""
        paths = sorted((self.folder / output).glob("part-*.parquet"))
        return [row for path in paths for row in pq.read_table(path).to_pylist()]

    def resume(self, *options: Any, kept: dict[int, int], **how: Any) -> Finished:
        """Start the same command again: it must finish, and leave finished parts as they are."""
        done = self.run(*options, **how)
        assert done.code == 0, done.err
        now = self.finished()
        assert {number: now[number] for number in kept} == kept, "finished parts were written again"
        if kept:
            assert f"{len(kept)} of them by an earlier run" in done.out
        return done
