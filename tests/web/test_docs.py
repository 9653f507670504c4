"""The commands of docs/server.md do work, and the examples of deployment fit the command line."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from tricolore.cli.app import app

REPO = Path(__file__).parents[2]
PAGE = (REPO / "docs" / "server.md").read_text()
CURLS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in re.split(r"\n(?=curl)", block.strip())
]
OPTIONS = {name for each in get_command(app).commands["serve"].params for name in each.opts}


def test_there_are_examples():
    assert len(CURLS) == 7
    assert all(line.startswith("curl ") for line in CURLS)


@pytest.mark.parametrize("line", CURLS, ids=range(len(CURLS)))
def test_an_example_with_curl(server, line):
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    words = shlex.split(line.replace("\\\n", " ").replace("http://localhost:8000", server.url))
    done = subprocess.run([*words, "--fail-with-body"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    lines = [json.loads(each) for each in done.stdout.splitlines()]
    assert lines
    assert not [each for each in lines if isinstance(each, dict) and "problem" in each
                and each["problem"]]  # fmt: skip


def test_the_python_example(server):
    [block] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names = {}
    exec(block.replace("http://127.0.0.1:8000", server.url), names)
    with names["client"] as client:
        assert client.score("a b", "a", measures="coverage")["coverage"].value == 1


def test_every_option_of_the_page_exists():
    named = set(re.findall(r"`(--[\w-]+)", PAGE))
    assert len(named) > 10
    assert named <= OPTIONS


@pytest.mark.parametrize("name", ["Dockerfile", "tricolore.service"])
def test_examples_of_deployment(name):
    text = (REPO / "deploy" / name).read_text()
    used = set(re.findall(r"(--(?:host|port|permalinks|token[\w-]*|allow[\w-]*|jobs))\b", text))
    assert {"--host", "--permalinks"} <= used <= OPTIONS
    assert ("USER tricolore" in text) or ("DynamicUser=yes" in text)
    if name == "Dockerfile":
        for path in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE):
            assert all((REPO / each).exists() for each in path.split())
