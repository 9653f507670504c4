"""The sets of the BLANC papers (Vasilyev et al. 2020): pairs judged by 10 annotators with ids.

`CNN_DailyMail_555.json` and `DailyNews_300.json` have one score, `DailyNews_300_aspects.json`
five. Which system wrote a summary is not published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged, Rating, judged
from tricolore.data.published.parse import field, only_file, rows_of
from tricolore.errors import ReadError


def read(path: Path, *, file: str) -> Iterator[Judged]:
    """One row per pair, in the order of the file."""
    path = only_file(path, file)
    for row in rows_of(path):
        if "map_quality_scores" in row:
            said = {
                quality.lower(): _ratings(given, path)
                for quality, given in row["map_quality_scores"].items()
            }
        else:
            said = {"overall": _ratings(row, path)}
        yield judged(said, source=field(row, "text", path), summary=field(row, "summary", path))


def _ratings(given: Mapping[str, Any], path: Path) -> list[Rating]:
    people, scores = field(given, "annotators_ids", path), field(given, "scores", path)
    if len(people) != len(scores):
        raise ReadError(f"{path}: {len(people)} annotators gave {len(scores)} scores")
    return [(str(who), score) for who, score in zip(people, scores, strict=True)]


read_cnndm = partial(read, file="CNN_DailyMail_555.json")
read_daily = partial(read, file="DailyNews_300.json")
read_aspects = partial(read, file="DailyNews_300_aspects.json")
