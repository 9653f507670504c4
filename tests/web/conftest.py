"""Real servers on free ports of loopback, and measures that wait, hang or die."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tricolore.registry import Entry, entries
from tricolore.web.config import ServerConfig
from tricolore.web.limits import Limits
from tricolore.web.server import WebServer

sys.path.insert(0, str(Path(__file__).parent))

FERRY = {
    "source": "The ferry carried 420 people to Skye on Monday. It was late because of the storm.",
    "summary": "The ferry carried 4,200 people to Skye on Monday.",
}


@pytest.fixture(scope="module", autouse=True)
def slow_measures() -> Iterator[None]:
    """The measures of `slow_measures` by name, as if a plugin had brought them."""
    added = {"gated": Entry("slow_measures:Gated"), "mortal": Entry("slow_measures:Mortal")}
    entries().update(added)
    yield
    for name in added:
        del entries()[name]


class Running:
    """A server that runs, and a client for it."""

    def __init__(self, server: WebServer, thread: threading.Thread) -> None:
        self.server, self.thread, self.url = server, thread, server.url
        self.http = httpx.Client(base_url=server.url, timeout=60)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get(path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.http.post(path, json=body, **options)

    def score(self, *summaries: str, measures: str = "length", **options: Any) -> httpx.Response:
        """Ask for the scores of some summaries without a source."""
        examples = [{"summary": summary} for summary in summaries]
        return self.post("/v1/score", {"examples": examples, "measures": [measures]}, **options)

    def values(self, answer: httpx.Response) -> list[float | None]:
        """The values of the only measure of an answer."""
        assert answer.status_code == 200, answer.text
        rows = answer.json()["results"]
        return [next(iter(row["scores"].values()))["value"] for row in rows]

    def metrics(self) -> dict[str, float]:
        """The figures of /metrics by name with labels."""
        lines = self.get("/metrics").text.splitlines()
        return {
            name: float(value)
            for name, _, value in (line.rpartition(" ") for line in lines if line[:1] != "#")
        }


@contextmanager
def running(config: ServerConfig) -> Iterator[Running]:
    """A server with this configuration, until the end of the block."""
    server = WebServer(replace(config, port=0))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    made = Running(server, thread)
    try:
        wait_until(lambda: _is_ready(made))
        yield made
    finally:
        made.http.close()
        server.end()
        thread.join(60)
        assert not thread.is_alive()


def wait_until(is_true: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something is true; an error if it never is."""
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def _is_ready(made: Running) -> bool:
    try:
        return made.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, slow_measures: None) -> Iterator[Running]:
    """A server that the tests of a file share."""
    directory = tmp_path_factory.mktemp("server")
    config = ServerConfig(
        warm=["length"],
        permalinks=directory / "permalinks.sqlite",
        limits=Limits(seconds=300),  # enough to load a model on a busy machine
    )
    with running(config) as made:
        yield made


@pytest.fixture
def small(request: pytest.FixtureRequest, slow_measures: None) -> Iterator[Running]:
    """A server of its own for a test, with the limits that the test gives as its parameter."""
    limits: dict[str, Any] = getattr(request, "param", {})
    with running(ServerConfig(warm=["length"], limits=Limits(**limits))) as made:
        yield made


def noted(path: Path) -> list[list[str]]:
    """The batches that `gated` has noted: the summaries of each."""
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []
