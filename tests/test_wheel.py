"""What is shipped holds all that the commands need outside the repository, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tricolore.registry import entries

REPO = Path(__file__).parents[1]
EMBEDDED = REPO / "packages" / "embedded"


def built(project, place):
    """The wheel of a project."""
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), "."],
        cwd=project,
        check=True,
        capture_output=True,
    )
    [path] = place.glob("*.whl")
    return zipfile.ZipFile(path)


def tracked(directory, as_directory):
    """The files of a directory that git does not ignore, as they are named in a wheel."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=directory,
        check=True,
        capture_output=True,
        text=True,
    )
    return {f"{as_directory}/{name}" for name in listed.stdout.split("\0") if name}


def split(wheel):
    """The names of the files of a wheel, and those of its metadata without their directory."""
    names = set(wheel.namelist())
    metadata = {name for name in names if name.partition("/")[0].endswith(".dist-info")}
    return names - metadata, {name.partition("/")[2] for name in metadata}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    with built(REPO, tmp_path_factory.mktemp("wheel")) as opened:
        yield opened


@pytest.fixture(scope="module")
def embedded_wheel(tmp_path_factory):
    with built(EMBEDDED, tmp_path_factory.mktemp("embedded")) as opened:
        yield opened


@pytest.mark.slow
def test_pages_data_and_types(wheel):
    names = set(wheel.namelist())
    families = {"rouge" if name.startswith("rouge") else name for name in entries()}
    assert {f"tricolore/docs/measures/{family}.md" for family in families} <= names
    assert "tricolore/py.typed" in names
    assert "tricolore/text/data/stop-smart.txt" in names


@pytest.mark.slow
def test_nothing_else(wheel, embedded_wheel):
    files, metadata = split(wheel)
    pages = tracked(REPO / "docs" / "measures", "tricolore/docs/measures")
    assert files == tracked(REPO / "src" / "tricolore", "tricolore") | pages
    common = {"METADATA", "RECORD", "WHEEL", "licenses/LICENSE", "licenses/NOTICE"}
    assert metadata == common | {"entry_points.txt"}
    assert sum(item.file_size for item in wheel.infolist()) < 4_000_000

    files, metadata = split(embedded_wheel)
    assert files == tracked(EMBEDDED / "src" / "tricolore_embedded", "tricolore_embedded")
    assert metadata == common


@pytest.mark.slow
def test_licence_and_notice(wheel, embedded_wheel):
    for each, project in ((wheel, REPO), (embedded_wheel, EMBEDDED)):
        for name in ("LICENSE", "NOTICE"):
            [inside] = [path for path in each.namelist() if path.endswith(f"/licenses/{name}")]
            assert each.read(inside) == (project / name).read_bytes()
