"""What `make reproduce` has done, and how long the rest will take."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from tricolore.data.atomic import write_text


@dataclass
class Record:
    """How long each table took, and which are finished since the last whole run."""

    path: Path
    seconds: dict[str, float] = field(default_factory=dict)
    finished: dict[str, str] = field(default_factory=dict)
    """The tables, each with the time at which it was finished."""

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record in a file; an empty one if there is none that can be read."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            kept = json.loads(path.read_text(encoding="utf-8"))
            return cls(path, dict(kept["seconds"]), dict(kept["finished"]))
        return cls(path)

    def add(self, name: str, seconds: float) -> None:
        """Note that a table is finished. One that came from the cache says nothing of its time."""
        self.seconds[name] = max(seconds, self.seconds.get(name, 0.0))
        self.finished[name] = time.strftime("%Y-%m-%d %H:%M")
        self.write()

    def write(self) -> None:
        """Keep the record."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        kept = {"seconds": self.seconds, "finished": self.finished}
        write_text(self.path, json.dumps(kept, indent=1) + "\n")

    def left(self, names: Sequence[str]) -> str:
        """How long some tables will take, as far as that is known.

        >>> Record(Path(), {"a": 90.0}).left(["a", "b"])
        'about 2 minutes, and 1 of unknown time'
        >>> Record(Path()).left([])
        'nothing'
        """
        known = [self.seconds[name] for name in names if name in self.seconds]
        unknown = len(names) - len(known)
        words = [f"about {_minutes(sum(known))}"] if known else []
        words += [f"{unknown} of unknown time"] if unknown else []
        return ", and ".join(words) or "nothing"

    def lines(self, names: Iterable[str]) -> list[str]:
        """One line per table: its name, its time, and when it was finished."""
        return [
            f"{name}: {_minutes(self.seconds[name]) if name in self.seconds else 'unknown time'}"
            + (f", finished {self.finished[name]}" if name in self.finished else "")
            for name in names
        ]


def chosen(words: Sequence[str], names: Iterable[str]) -> list[str]:
    """The tables that names or patterns stand for, in their own order; all if there are none.

    >>> chosen(["b*"], ["a", "b-1", "b-2"])
    ['b-1', 'b-2']
    """
    known = list(names)
    for word in words:
        if not any(fnmatchcase(name, word) for name in known):
            sys.exit(f"there is no table {word}; --list shows their names")
    return [name for name in known if not words or any(fnmatchcase(name, w) for w in words)]


def make_all(
    tables: Mapping[str, Callable[[], str]],
    record: Record,
    place: Callable[[str, str], None],
) -> None:
    """Make tables one after the other, say how far it is, and keep each as soon as it is made."""
    names = list(tables)
    for number, name in enumerate(names, 1):
        left = record.left(names[number - 1 :])
        print(f"[{number} of {len(names)}] {name}; left: {left}", file=sys.stderr, flush=True)
        begin = time.monotonic()
        made = tables[name]()
        print(f"{name}\n{made}\n", flush=True)
        place(name, made)
        record.add(name, time.monotonic() - begin)


def _minutes(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} seconds"
    minutes = max(1, round(seconds / 60))
    return "1 minute" if minutes == 1 else f"{minutes} minutes"
