"""What the pages tell people to type does work."""

import os
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from tricolore.cli.app import app

REPO = Path(__file__).parents[1]
PAGES = [
    REPO / "README.md",
    *(
        REPO / "docs" / f"{name}.md"
        for name in (
            "atlas",
            "cache",
            "check",
            "compare",
            "data",
            "files",
            "meta",
            "perturb",
            "python",
            "reliability",
            "report",
            "scale",
            "sensitivity",
            "studies",
            "sweep",
            "training",
        )
    ),
    *sorted((REPO / "docs" / "measures").glob("*.md")),
]
PYTHON_ONLY = [REPO / "docs" / "architecture.md"]
PYTHON = [
    (page.stem, at, block)
    for page in [*PAGES, *PYTHON_ONLY]
    for at, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]
COMMANDS = {
    page.stem: re.findall(r"^    (tricolore .*)$", page.read_text(), re.MULTILINE)
    for page in PAGES[1:]
}
COMMANDS["README"] = [
    line
    for block in re.findall(r"```sh\n(.*?)```", PAGES[0].read_text(), re.DOTALL)
    for line in block.splitlines()
    if line.startswith("tricolore ")
]


def test_the_readme_is_short_and_shows_how_to_begin():
    text = PAGES[0].read_text()
    assert len(text.splitlines()) < 150
    assert "make demo" in text
    assert "make test" in text


def test_links_lead_somewhere():
    pages = [REPO / "README.md", REPO / "CONTRIBUTING.md", *(REPO / "docs").rglob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            assert link.startswith("https://") or target.exists(), (page, link)
            if anchor:
                heads = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
                anchors = [re.sub(r"[^\w\- ]", "", head.lower()) for head in heads]
                assert anchor in [each.replace(" ", "-") for each in anchors], (page, link)


def test_the_index_has_every_page():
    index = (REPO / "docs" / "index.md").read_text()
    for page in (REPO / "docs").glob("*.md"):
        assert page.name == "index.md" or f"({page.name}" in index, page


def test_every_page_has_both():
    names = {page.stem for page in PAGES}
    assert {name for name, *_ in PYTHON} == names | {page.stem for page in PYTHON_ONLY}
    assert {name for name, commands in COMMANDS.items() if commands} == names


@pytest.mark.parametrize(("page", "at", "block"), PYTHON, ids=lambda value: str(value)[:20])
def test_python(page, at, block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # A module of its own, so that classes of the block can be pickled.
    module = ModuleType("block_of_a_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(block, f"{page}.md", "exec"), vars(module))
    printed = capsys.readouterr().out.split()
    promised = re.findall(r"# (-?\d+(?:\.\d+)?)\b", block)
    assert len(printed) >= len(promised)
    for said, got in zip(promised, printed, strict=False):
        decimals = len(said.partition(".")[2])
        assert round(float(got), decimals) == float(said)


@pytest.mark.slow
@pytest.mark.parametrize("page", COMMANDS)
def test_commands(page, monkeypatch, tmp_path):
    """All commands of a page, one after the other: what one writes the next may read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(REPO / "examples")
    monkeypatch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path))
    for command in COMMANDS[page]:
        done = CliRunner().invoke(
            app, shlex.split(command, comments=True)[1:], catch_exceptions=False
        )
        assert done.exit_code == 0, command
        assert "with a problem" not in done.output
