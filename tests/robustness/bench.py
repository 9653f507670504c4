"""A bench for faults: rows, a measure that misbehaves, and real processes to do harm to."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ENTRY = "[tricolore.measures]\nfaulty = faulty_measures:Faulty\n"
ROWS, POISONED = 40, 22
"""The number of rows, and the one that is poisoned, counted from 1."""
MEASURES = "faulty,coverage"
PATIENCE = 60
"""Seconds after which something that should happen is taken not to happen."""


@dataclass(frozen=True)
class Finished:
    """A process that has ended."""

    code: int
    out: str
    err: str

    @property
    def reused(self) -> int:
        """How many scores came from the cache, as the command says."""
        found = re.search(r"([\d,]+) scores? from the cache", self.out + self.err)
        return int(found[1].replace(",", "")) if found else 0


def rows(count: int = ROWS) -> list[dict[str, str]]:
    """Rows of which one is poisoned."""
    return [
        {
            "doc_id": f"d{at}",
            "source": f"The cat number {at} sat on mat {at} and saw {at % 7} dogs.",
            "summary": f"Cat {at} sat on {'poison' if at + 1 == POISONED else 'mat'} {at}.",
        }
        for at in range(count)
    ]


class Bench:
    """A folder with an input, in which commands run as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.gate = folder / "gate"
        self.cache = folder / "cache"
        plugin = folder / "plugin" / "faulty-1.0.dist-info"
        for made in (self.folder, self.gate, plugin):
            made.mkdir(parents=True)
        (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
        (plugin / "entry_points.txt").write_text(ENTRY)
        self.mark = uuid.uuid4().hex
        paths = [str(HERE), str(plugin.parent), os.environ.get("PYTHONPATH", "")]
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "XDG_CACHE_HOME": str(folder / "user-cache"),
            "TMPDIR": str(folder),
            "COLUMNS": "200",
            "FAULT_GATE": str(self.gate),
            "FAULT_MARK": self.mark,
        }
        self.write(rows())

    def write(self, rows: list[dict[str, str]], name: str = "in.jsonl") -> None:
        """Write an input."""
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (self.folder / name).write_text(text)

    def words(self, *options: Any, output: str = "out.jsonl", cache: Any = None) -> list[str]:
        """The command that scores the input."""
        where = self.cache if cache is None else cache
        words = ["score", "in.jsonl", "-m", MEASURES, "-o", output, "--cache", where, *options]
        return [sys.executable, "-m", "tricolore", *map(str, words)]

    def start(self, words: list[str], *, fault: str = "", once: bool = False, **how: Any) -> Any:
        """Start a command in a session of its own, as a shell does."""
        environment = {**self.environment, **how.pop("env", {})}
        if fault:
            environment["FAULT"] = fault
        if once:
            environment["FAULT_ONCE"] = str(self.gate / "once")
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
        streams |= {"stderr": subprocess.PIPE, "start_new_session": True}
        return subprocess.Popen(
            words, cwd=self.folder, env=environment, text=True, **{**streams, **how}
        )

    def finish(self, process: Any) -> Finished:
        """Wait for the end of a command; no process of it may be left, and no traceback."""
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.end_all()
            process.communicate()
            raise AssertionError("the command did not end") from None
        left = self.left_over()
        self.end_all()
        assert not left, f"processes are left: {left}"
        done = Finished(process.returncode, out or "", err or "")
        assert "Traceback" not in done.out + done.err, done.err
        return done

    def run(self, *options: Any, fault: str = "", once: bool = False, **how: Any) -> Finished:
        """Score the input, with a fault."""
        places = {name: how.pop(name) for name in ("output", "cache") if name in how}
        words = self.words(*options, **places)
        return self.finish(self.start(words, fault=fault, once=once, **how))

    def wait_for_the_row(self, process: Any) -> int:
        """Wait until the poison row is being scored: the process that scores it."""
        reached = self.gate / "pid"
        wait_until(lambda: reached.exists() or process.poll() is not None)
        assert reached.exists(), process.communicate()
        return int(reached.read_text())

    def open_gate(self) -> None:
        """Let the measure go on."""
        (self.gate / "open").touch()

    def processes(self) -> list[int]:
        """All living processes that this bench has started, whatever their parent is now."""
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                is_ours = self.mark.encode() in (place / "environ").read_bytes()
                is_dead = "\nState:\tZ" in (place / "status").read_text()
            except OSError:
                continue
            if is_ours and not is_dead:
                found.append(int(place.name))
        return found

    def left_over(self) -> list[int]:
        """The processes that do not end by themselves."""
        wait_until(lambda: not self.processes(), is_wanted=False)
        return self.processes()

    def end_all(self) -> None:
        """End the processes that this bench has started."""
        for process in self.processes():
            os.kill(process, signal.SIGKILL)

    def files(self) -> set[str]:
        """The names of the files in the folder."""
        return {path.name for path in self.folder.iterdir()}

    def scores(self, output: str = "out.jsonl") -> list[dict[str, Any]]:
        """The rows of an output."""
        lines = (self.folder / output).read_text().splitlines()
        return [json.loads(line) for line in lines]


def wait_until(is_so: Callable[[], bool], *, is_wanted: bool = True) -> None:
    """Wait until something is so; not for ever."""
    deadline = time.monotonic() + (PATIENCE if is_wanted else 10)
    while not is_so():
        if time.monotonic() > deadline:
            assert not is_wanted, "it did not happen"
            return
        time.sleep(0.01)
