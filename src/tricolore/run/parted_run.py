"""A run in parts: it can be killed and started again, and scores only what is not finished."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tricolore.data.atomic import locked
from tricolore.data.manifest import (
    MANIFEST,
    Manifest,
    RunIdentity,
    differing_run,
    is_parted,
    read_manifest,
)
from tricolore.errors import WriteError, WriteFailedError
from tricolore.models.spending import Usage
from tricolore.run.part_engines import PartEngine, PartWatcher
from tricolore.run.part_work import PartAnswer, PartWork
from tricolore.text.plural import plural

_log = logging.getLogger(__name__)


def begin_directory(directory: Path) -> None:
    """Make the directory of the output; an error if it has files that are not of such a run."""
    try:
        directory.mkdir(exist_ok=True)
        others = [path.name for path in directory.iterdir() if not path.name.startswith(".")]
    except OSError as error:
        words = f"{directory} cannot be written: {error.strerror or error}"
        raise WriteFailedError(words, argument="output") from error
    if others and not is_parted(directory):
        raise WriteError(
            f"{directory} has other files ('{min(others)}') and no {MANIFEST}",
            "name a directory that is new or empty",
            argument="output",
        )


def known_manifest(directory: Path, identity: RunIdentity) -> Manifest | None:
    """The manifest of an earlier run with the same inputs and settings, with its whole parts.

    None if there was no run; an error if it was another one.
    """
    if not is_parted(directory):
        return None
    known = read_manifest(directory)
    if differences := known.identity.differences(identity):
        raise differing_run(directory, differences)
    damaged = [part for part in known.in_order() if not part.is_whole_in(directory)]
    for part in damaged:
        del known.finished[part.number]
        _log.warning("%s is missing or damaged; it is scored again", directory / part.file)
    if known.finished and not known.is_complete:
        parts = plural(len(known.parts), "part")
        _log.info("%d of %s are finished already", len(known.finished), parts)
    return known


@dataclass
class PartedRun:
    """Scores the parts of a manifest that are not finished, and notes each one that is."""

    directory: Path
    manifest: Manifest
    work: PartWork
    engine: PartEngine
    scored: int = field(init=False, default=0)
    """Scores that were computed; those found in the cache are not counted."""
    reused: int = field(init=False, default=0)
    """Scores that were found in the cache."""
    usage: Usage = field(init=False, default_factory=Usage)
    """What measures that ask a service used, in all parts of this run."""

    def run(self, watcher: PartWatcher = lambda *_: None) -> Iterator[PartAnswer]:
        """Score what is missing; every part that is yielded is in the manifest on the disk."""
        missing = self.manifest.missing
        try:
            for answer in self.engine.run_parts(self.work, missing, watcher):
                self.scored += answer.scored
                self.reused += answer.reused
                self.usage += answer.usage
                self.manifest.finished[answer.finished.number] = answer.finished
                self.manifest.write(self.directory)
                yield answer
        finally:
            self._clear_up()

    def _clear_up(self) -> None:
        """Remove the drafts of parts that were under way in processes that were ended."""
        for part in self.manifest.missing:
            if any(self.directory.glob(f".{part.file}.*")):
                with suppress(WriteError), locked(self.directory / part.file):
                    pass
