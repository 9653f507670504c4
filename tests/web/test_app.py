"""Pages, and what operators ask for."""

from __future__ import annotations

import threading
import time

import httpx
import pytest
from conftest import wait_until

from tricolore.web.config import ServerConfig
from tricolore.web.server import WebServer


def test_health(server):
    assert server.get("/healthz").json() == {"status": "ok"}
    assert server.get("/readyz").json() == {"status": "ready"}


def test_what_is_not_there(server):
    assert server.get("/nothing").status_code == 404
    assert server.get("/v1/score").status_code == 405
    assert server.http.delete("/v1/measures").status_code == 405
    assert server.get("/nothing").json()["problem"] == "there is nothing at this address"


def test_the_documentation_is_ours_alone(server):
    page = server.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "POST /v1/score/stream" in page.text
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "<script" not in page.text
    assert "style=" not in page.text


def test_the_openapi_document_has_every_address(server):
    paths = server.get("/openapi.json").json()["paths"]
    assert {
        "/v1/score",
        "/v1/score/stream",
        "/v1/measures",
        "/v1/compare",
        "/v1/perturbations",
        "/v1/perturb",
        "/v1/permalinks",
        "/v1/permalinks/{id}",
        "/healthz",
        "/readyz",
        "/metrics",
    } <= set(paths)


def test_the_explorer_has_one_page(server):
    """The same file at / and at every permalink; the script knows what to load."""
    first, second = server.get("/"), server.get("/p/abc")
    assert first.status_code == second.status_code
    assert first.content == second.content


@pytest.mark.slow
def test_a_server_is_ready_when_its_measures_are_warm(tmp_path):
    gate = tmp_path / "gate"
    server = WebServer(ServerConfig(port=0, warm=[f"gated:gate={gate}", "coverage"]))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        wait_until(lambda: server.started and server.service._is_warm)
        assert set(server.service.catalogue._signatures) >= {"coverage", "grounding"}
        time.sleep(2)  # long enough for a worker to start
        answer = httpx.get(f"{server.url}/readyz")
        assert (answer.status_code, answer.json()["problem"]) == (503, "models are being loaded")
        gate.touch()
        wait_until(lambda: httpx.get(f"{server.url}/readyz").status_code == 200)
    finally:
        server.end()
        thread.join(60)


def test_readiness_before_the_start_and_at_the_end():
    from starlette.testclient import TestClient

    server = WebServer(ServerConfig(port=0, warm=["length"]))
    try:
        client = TestClient(server.config.app, base_url="http://localhost")
        answer = client.get("/readyz")  # without its lifespan no worker has started
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert answer.json()["problem"] == "models are being loaded"
        server.service.is_draining = True
        assert client.get("/readyz").json()["problem"] == "the server is shutting down"
        assert client.post("/v1/score", json={}).status_code == 503
        assert client.get("/healthz").status_code == 200
    finally:
        server.socket.close()
