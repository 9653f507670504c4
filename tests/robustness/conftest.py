"""What the tests of faults share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.robustness.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.end_all()


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The output of a run to which nothing happens."""
    made = Bench(tmp_path_factory.mktemp("undisturbed"))
    done = made.run(cache="off")
    assert done.code == 0, done.err
    return (made.folder / "out.jsonl").read_bytes()
