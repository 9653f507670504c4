"""Bytes of a filled cache are changed at random: the scores stay those of a run without a cache.

`TRICOLORE_FUZZ=1000` tries a thousand damaged files instead of a few.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tricolore import Cache, Example, Run

CASES = int(os.environ.get("TRICOLORE_FUZZ", "40"))
MEASURES = "coverage,length,rouge-1"
ROWS = [
    Example(
        source=f"the cat sat on the mat and slept {n // 4}" if n % 20 else "",
        summary=f"a cat sat on mat {n % 7} {n}",
        references=f"the cat slept {n // 4}",
    )
    for n in range(150)
]


def scores(directory: Path | None = None) -> list[str]:
    if directory is None:
        return [repr(dict(result.scores)) for result in Run([MEASURES]).score(ROWS)]
    with Cache(directory) as opened:
        return [repr(dict(r.scores)) for r in Run([MEASURES], cache=opened).score(ROWS)]


@cache
def filled() -> bytes:
    """The file of a cache with the scores of all rows."""
    with tempfile.TemporaryDirectory() as directory:
        scores(Path(directory))
        return (Path(directory) / "scores.sqlite").read_bytes()


@cache
def expected() -> list[str]:
    return scores()


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The file with some bytes changed, and perhaps cut, repeated or shifted."""
    raw = bytearray(filled())
    size = len(raw)
    # Numbers near the beginning and at the beginning of pages do the most harm.
    page = st.integers(0, size // 4096 - 1).map(lambda n: n * 4096)
    near = st.tuples(page, st.integers(0, 120)).map(sum)
    for at in draw(st.lists(st.one_of(near, st.integers(0, size - 1)), max_size=60)):
        raw[at] = draw(st.integers(0, 255))
    if draw(st.booleans()):
        start, end = sorted(draw(st.tuples(st.integers(0, size), st.integers(0, size))))
        kind = draw(st.sampled_from(["cut", "zeros", "repeat", "noise", "truncate"]))
        part = {
            "cut": b"",
            "zeros": bytes(end - start),
            "repeat": raw[start:end] * 2,
            "noise": draw(st.binary(max_size=200)),
            "truncate": None,
        }[kind]
        raw = raw[:start] if part is None else raw[:start] + part + raw[end:]
    return bytes(raw)


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(damaged(), st.binary(max_size=200), st.booleans())
def test_a_damaged_cache_changes_no_score(file: bytes, log: bytes, has_log: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "scores.sqlite").write_bytes(file)
        if has_log:
            (directory / "scores.sqlite-wal").write_bytes(log)
        assert scores(directory) == expected()
        assert scores(directory) == expected()
