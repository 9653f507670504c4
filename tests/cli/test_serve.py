"""`tricolore serve` as a process: starting, refusing to start, logging and ending."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx
import pytest

from tricolore.cli.serve import EXAMPLES

pytestmark = pytest.mark.slow
TOKEN = "a-token-of-some-length"
SECRET = "Xylophone"


@contextmanager
def serving(*options, env=None):
    """A server process and its address."""
    command = [sys.executable, "-m", "tricolore", "serve", "--port", "0", "--warm", "length"]
    process = subprocess.Popen(
        [*command, *options], stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})}
    )
    try:
        found = re.match(r"Serving on (\S+) \(", process.stderr.readline())
        url = found.group(1)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{url}/readyz").status_code == 200:
                    break
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        yield process, url
    finally:
        process.kill()
        process.stderr.close()
        process.wait()


def score(url, **options):
    body = {"examples": [{"summary": f"a {SECRET}"}], "measures": ["length"]}
    return httpx.post(f"{url}/v1/score", json=body, timeout=60, **options)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_exit_code_0(tmp_path, sent):
    links = tmp_path / "links.sqlite"
    with serving("--permalinks", str(links)) as (process, url):
        assert score(url).json()["results"][0]["scores"]["length"]["value"] == 2
        kept = httpx.post(f"{url}/v1/permalinks", json={"examples": [{"summary": "a"}]})
        assert kept.status_code == 201
        process.send_signal(sent)
        logged = process.stderr.read()
        assert process.wait(30) == 0
    assert links.exists()
    lines = [json.loads(line) for line in logged.splitlines()]
    requests = [line for line in lines if line["logger"] == "tricolore.web.requests"]
    assert requests[-1]["path"] == "/v1/permalinks"
    assert {"method", "path", "status", "ms", "rows", "characters"} <= set(requests[-2])
    assert SECRET not in logged


def test_workers_end_with_it():
    with serving("--permalinks", "off") as (process, _):
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True
        ).stdout.split()
        assert children
        process.kill()  # it has no time to end them
        process.wait()
        deadline = time.monotonic() + 20
        while any(os.path.exists(f"/proc/{child}") for child in children):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_token_from_the_environment_or_a_file(tmp_path):
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    ways = [
        ([], {"TRICOLORE_TOKEN": TOKEN}),
        (["--token-env", "OTHER"], {"OTHER": TOKEN}),
        (["--token-file", str(file)], {}),
    ]
    for options, env in ways:
        with serving("--permalinks", "off", *options, env=env) as (process, url):
            assert score(url).status_code == 401
            right = {"Authorization": f"Bearer {TOKEN}"}
            assert score(url, headers=right).status_code == 200
            process.terminate()
            assert TOKEN not in process.stderr.read()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "so it needs a token"),
        (["--token-file", "missing"], "the token cannot be read from missing: No such file"),
        (["--token-file", "/dev/null"], "/dev/null has no token"),
        (["--token", "x"], "No such option"),
        (["--allow-model", "no-such-model"], "cannot be offered"),
        (["--warm", "nothing"], "there is no measure 'nothing'"),
        (["--permalinks", "/dev/null/x"], "permalinks cannot be kept"),
        (["--port", "70000"], "65535"),
        (["--device", "cpu", "--host", "192.0.2.1"], "needs a token"),
    ],
)
def test_what_it_refuses_to_start_with(tmp_path, options, words):
    env = {k: v for k, v in os.environ.items() if k != "TRICOLORE_TOKEN"}
    command = [sys.executable, "-m", "tricolore", "serve", *options]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=60
    )
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_short_token_is_refused_and_not_shown():
    command = [sys.executable, "-m", "tricolore", "serve"]
    env = {**os.environ, "TRICOLORE_TOKEN": "hunter2"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 2
    assert "16 or more" in done.stderr
    assert "hunter2" not in done.stderr


def test_options_are_the_limits_of_the_server():
    options = ["--max-examples", "2", "--max-characters", "100", "--permalinks", "off"]
    with serving(*options, "--allow-host", "summaries.example") as (_, url):
        rows = [{"summary": "a"}] * 3
        answer = httpx.post(f"{url}/v1/score", json={"examples": rows, "measures": ["length"]})
        assert (answer.status_code, "may have 2" in answer.text) == (413, True)
        rows = [{"summary": "a" * 101}]
        answer = httpx.post(f"{url}/v1/score", json={"examples": rows, "measures": ["length"]})
        assert answer.status_code == 413
        named = {"Host": "summaries.example"}
        assert httpx.get(f"{url}/healthz", headers=named).status_code == 200


def test_the_examples_of_its_help_start_a_server(tmp_path):
    lines = [line for line in EXAMPLES.splitlines() if line]
    assert lines[0] == "tricolore serve"
    env = {"XDG_DATA_HOME": str(tmp_path)}
    for line in lines:
        options = line.split()[2:]
        with serving(*options, "--port", "0", env=env) as (process, url):
            assert score(url).status_code == 200
            process.terminate()
            assert process.wait(30) == 0
    assert (tmp_path / "tricolore" / "permalinks.sqlite").exists()


def test_a_missing_extra_is_named(tmp_path):
    (tmp_path / "fastapi.py").write_text("raise ImportError('no', name='fastapi')")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "tricolore", "serve"]
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 2
    assert "a server needs fastapi: pip install 'tricolore[web]'" in done.stderr
