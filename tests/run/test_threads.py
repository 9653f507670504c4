"""Several threads, one cache, one model: right values, no error, the model loaded once."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from tricolore import Run
from tricolore.data.examples import ExampleFile
from tricolore.models import model as models
from tricolore.run.cache import Cache

pytestmark = pytest.mark.slow
MEASURES = ["rouge", "coverage", "importance", "jensen-shannon", "sbert", "estime:value=soft"]
WORDS = "council plan river bridge mayor vote storm school road money police train".split()


def write_file(path: Path, number: int) -> None:
    """Four documents with one summary each; half of the sources are in every file."""
    rows = []
    for at in range(4):
        story = number * 100 + at if at % 2 else at
        names = [WORDS[(story + step) % len(WORDS)] for step in range(3)]
        source = f"The {names[0]} {names[1]} was closed on Monday. " + " ".join(
            f"The {name} of {story} was seen near the {other}." for name, other in pairwise(names)
        )
        summary = f"The {names[0]} was closed near the {names[2]}."
        rows.append({"source": source, "summary": summary, "references": [f"{names[0]} closed."]})
    path.write_text("\n".join(json.dumps(row) for row in rows))


def scores_of(path: Path, cache: Cache | None) -> list[dict[str, float]]:
    with ExampleFile(str(path), needs={"source", "references"}) as examples:
        run = Run(MEASURES, cache=cache)
        return [{k: s.value for k, s in r.scores.items()} for r in run.score(examples)]


def test_four_threads_with_different_files(tmp_path, caplog, monkeypatch):
    files = [tmp_path / f"{number}.jsonl" for number in range(4)]
    for number, path in enumerate(files):
        write_file(path, number)
    monkeypatch.setattr(models, "_slots", {})
    caplog.set_level(logging.INFO, logger="tricolore")
    with Cache(tmp_path / "cache") as cache, ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda path: scores_of(path, cache), files))
    loads = [record.getMessage() for record in caplog.records if "model" in record.getMessage()]
    assert sorted(line.split(":")[0] for line in loads) == [
        "model all-MiniLM-L6-v2",
        "model embedded",
    ], "each model is loaded once, whatever asks for it first"
    alone = [scores_of(path, None) for path in files]
    for one, other in zip(alone, together, strict=True):
        assert len(one) == len(other) == 4
        for first, second in zip(one, other, strict=True):
            assert first == pytest.approx(second, abs=1e-6)
