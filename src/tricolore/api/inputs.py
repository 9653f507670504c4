"""What a use case reads: the files that no output may replace."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tricolore.api.running import CacheChoice
from tricolore.data.examples import ExampleFile
from tricolore.data.frames import paths_of
from tricolore.errors import TricoloreError
from tricolore.measure import Measure
from tricolore.registry import NAMES
from tricolore.run.cache import Cache, user_cache
from tricolore.spec import Spec, parse_specs
from tricolore.train.directory import CARD


def inputs_of(
    data: Any = None, specs: Iterable[str | Measure] = (), cache: CacheChoice = None
) -> list[Path]:
    """The files that are read for some data, for what specs name, and as a cache."""
    paths = data.records.paths if isinstance(data, ExampleFile) else paths_of(data)
    found = [Path(path) for path in paths]
    for spec in specs:
        found += named_files(spec if isinstance(spec, str) else spec.label)
    return found + _cache_files(cache)


def named_files(specs: str) -> list[Path]:
    """The files and directories that settings name, and those that trained measures are made of.

    What cannot be parsed names none: whoever uses it reports that.
    """
    found: dict[Path, None] = {}
    _collect(specs, found)
    return list(found)


def _collect(specs: str, found: dict[Path, None]) -> None:
    with suppress(TricoloreError):
        for value in (value for spec in parse_specs(specs, NAMES) for value in _values(spec)):
            path = Path(os.path.expanduser(value))
            if path not in found and _exists(path):
                found[path] = None
                for setting in _card_settings(path):
                    _collect(setting, found)


def _values(spec: Spec) -> Iterator[str]:
    for written in spec.settings.values():
        yield from filter(None, written.split("|"))  # the choices of a sweep
    for term in spec.terms:
        yield from _values(term.spec)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # too long to be a path
        return False


def _card_settings(path: Path) -> Iterator[str]:
    """The settings of a trained estimator, which may name others."""
    try:
        settings = json.loads((path / CARD).read_text(encoding="utf-8"))["settings"]
        yield from (value for value in settings.values() if isinstance(value, str))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


def _cache_files(cache: CacheChoice) -> list[Path]:
    if cache is None or cache == "off":
        return []
    if isinstance(cache, Cache):
        path = cache.path
    else:
        path = (user_cache() if cache == "user" else Path(cache)) / "scores.sqlite"
    return [path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))]
