"""What is shipped holds all that the commands need outside the repository."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tricolore.registry import entries

REPO = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), "."],
        cwd=REPO,
        check=True,
        capture_output=True,
    )
    [path] = place.glob("tricolore-*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.slow
def test_pages_data_and_types(wheel):
    names = set(wheel.namelist())
    families = {"rouge" if name.startswith("rouge") else name for name in entries()}
    assert {f"tricolore/docs/measures/{family}.md" for family in families} <= names
    assert "tricolore/py.typed" in names
    assert "tricolore/text/data/stop-smart.txt" in names
    data = [p.name for p in (REPO / "src/tricolore/text/data").iterdir() if p.is_file()]
    assert {f"tricolore/text/data/{name}" for name in data} <= names


@pytest.mark.slow
def test_nothing_else(wheel):
    top = {name.partition("/")[0] for name in wheel.namelist()}
    assert {part.partition("-")[0] for part in top} == {"tricolore"}
    assert sum(item.file_size for item in wheel.infolist()) < 3_000_000
