"""Who may ask, from where, and how much; and what every answer and every log line has."""

from __future__ import annotations

import json
import logging
import socket
import threading

import httpx
import pytest
from conftest import FERRY, running, wait_until

from tricolore.web.config import ServerConfig
from tricolore.web.guard import HEADERS, POLICY
from tricolore.web.logs import JsonLines

BODY = {"examples": [FERRY], "measures": ["length"]}
TOKEN = "a-token-of-some-length"


def test_every_answer_has_security_headers(server):
    answers = [
        server.get("/healthz"),
        server.get("/nothing"),
        server.get("/docs"),
        server.get("/static/style.css"),
        server.post("/v1/score", BODY),
        server.post("/v1/score/stream", BODY),
        server.post("/v1/score", {}),
        server.get("/healthz", headers={"Host": "evil.example"}),
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "server" not in answer.headers
        assert not [name for name in answer.headers if name.startswith("access-control")]
    assert "unsafe" not in POLICY
    assert answers[0].headers["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:80", "LOCALHOST:1", "[::1]:8000"])
def test_names_of_this_machine_are_fine(server, host):
    assert server.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "a@localhost", "x:y",
     "localhost:80@evil.example", "[::1]evil"],
)  # fmt: skip
def test_other_names_are_refused(server, host):
    """DNS rebinding: a page of another site that resolves to this machine."""
    for path in ("/healthz", "/", "/v1/measures"):
        answer = server.get(path, headers={"Host": host})
        assert answer.status_code in (400, 421), answer.text


def test_a_request_without_a_host_is_refused(server):
    with socket.create_connection(server.server.address) as raw:
        raw.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert b" 421 " in raw.recv(1000)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_sites_are_refused(server, headers):
    answer = server.post("/v1/score", BODY, headers=headers)
    assert answer.status_code == 403
    assert "other sites" in answer.json()["problem"]


def test_our_own_page_is_not(server):
    host = server.url.removeprefix("http://")
    own = {"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    assert server.post("/v1/score", BODY, headers=own).status_code == 200


def test_a_form_of_another_site_cannot_post(server):
    """Browsers send forms across sites without asking; none of them is JSON."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = server.http.post(
            "/v1/score", content=json.dumps(BODY), headers={"Content-Type": kind}
        )
        assert answer.status_code == 415


@pytest.mark.slow
def test_a_server_with_a_token_wants_it():
    config = ServerConfig(warm=["length"], token=TOKEN)
    with running(config) as made:
        for path in ("/healthz", "/readyz", "/docs", "/openapi.json", "/static/style.css"):
            assert made.get(path).status_code == 200
        for wrong in (None, "Bearer", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer é"):
            headers = {"Authorization": wrong.encode("latin-1")} if wrong else {}
            for answer in (
                made.post("/v1/score", BODY, headers=headers),
                made.get("/v1/measures", headers=headers),
                made.get("/metrics", headers=headers),
                made.get("/v1/permalinks/x", headers=headers),
            ):
                assert answer.status_code == 401
                assert answer.headers["www-authenticate"] == "Bearer"
                assert TOKEN not in answer.text
        right = {"Authorization": f"Bearer {TOKEN}"}
        assert made.post("/v1/score", BODY, headers=right).status_code == 200
        assert made.get("/metrics", headers=right).status_code == 200


@pytest.mark.parametrize("small", [{"client_requests": 2}], indirect=True)
def test_a_client_with_too_many_requests(small, tmp_path):
    gate = tmp_path / "gate"
    threads = [
        threading.Thread(
            target=lambda: httpx.post(
                f"{small.url}/v1/score",
                json={"examples": [{"summary": "a"}], "measures": [f"gated:gate={gate}"]},
                timeout=60,
            )
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(small.server.service.scheduler._orders) == 2)
    answer = small.score("a")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
    assert "2 requests at the same time" in answer.json()["problem"]
    assert small.get("/v1/measures").status_code == 200, "what takes no work is not counted"
    gate.touch()
    for thread in threads:
        thread.join()
    assert small.score("a").status_code == 200


@pytest.mark.parametrize("small", [{"queue": 4}], indirect=True)
def test_a_full_queue_says_so(small, tmp_path):
    gate = tmp_path / "gate"
    held = threading.Thread(
        target=lambda: httpx.post(
            f"{small.url}/v1/score",
            json={"examples": [{"summary": "a"}] * 3, "measures": [f"gated:gate={gate}"]},
            timeout=60,
        )
    )
    held.start()
    wait_until(lambda: len(small.server.service.scheduler._orders) == 1)
    wait_until(lambda: small.server.service.scheduler.waiting == 0)
    more = threading.Thread(target=lambda: small.score("a", "b", "c"))
    more.start()
    wait_until(lambda: small.server.service.scheduler.waiting == 3)
    answer = httpx.post(
        f"{small.url}/v1/score",
        json={"examples": [{"summary": "a"}] * 2, "measures": ["length"]},
    )
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    assert "queue is full" in answer.json()["problem"]
    assert small.metrics()["tricolore_queue_length"] == 3
    gate.touch()
    held.join()
    more.join()
    assert small.score("a", "b").status_code == 200
    answer = small.score(*"abcde")
    assert answer.status_code == 413, "it would not fit into an empty queue either"


@pytest.mark.parametrize("small", [{"body": 10_000}], indirect=True)
def test_a_body_that_is_too_long_is_not_read_to_its_end(small):
    whole = small.http.post(
        "/v1/score", content=b" " * 10_001, headers={"Content-Type": "application/json"}
    )
    assert whole.status_code == 413
    sent = []

    def endless():
        for _ in range(100_000):
            sent.append(1)
            yield b" " * 1000

    try:  # no Content-Length: it comes in chunks
        answer = small.http.post(
            "/v1/score", content=endless(), headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 413
        assert "longer than 10,000 bytes" in answer.json()["problem"]
    except httpx.TransportError:
        pass  # the server has closed the connection while we were still writing
    assert len(sent) < 100_000
    assert small.score("a").status_code == 200


def test_logs_have_no_text_no_token_and_no_query(server, caplog):
    caplog.set_level(logging.INFO, logger="tricolore")
    secret = "Xylophone"
    rows = [{"source": secret, "summary": f"{secret} {secret}", "system": secret, "doc_id": secret}]
    server.post("/v1/score", {"examples": rows, "measures": ["length"]})
    server.post("/v1/score", {"examples": rows, "measures": [secret]})
    server.post("/v1/perturb", {"summary": secret, "kind": secret})
    server.get(f"/v1/permalinks/{secret}?{secret}={secret}")
    server.get(f"/{secret}", headers={"Authorization": f"Bearer {secret}", "X-Name": secret})
    server.http.request(secret, "/healthz")
    wait_until(lambda: len(caplog.records) >= 6)
    lines = [JsonLines().format(record) for record in caplog.records]
    assert not [line for line in lines if secret.lower() in line.lower()]
    first, *_, other = map(json.loads, lines)
    assert first.pop("ms") > 0
    assert first.pop("time").endswith("+00:00")
    assert first == {
        "level": "info",
        "logger": "tricolore.web.requests",
        "message": "request",
        "method": "POST",
        "path": "/v1/score",
        "status": 200,
        "rows": 1,
        "characters": 28,
    }
    assert (other["method"], other["status"]) == ("other", 405)
    found = json.loads(lines[3])
    assert (found["path"], found["status"]) == ("/v1/permalinks/{id}", 404)


def test_metrics_count_requests_by_template(server):
    server.get("/p/some-id")
    name = 'tricolore_requests_total{method="GET",path="/p/{id}",status="%d"}'
    found = server.metrics()
    assert found.get(name % 404, 0) + found.get(name % 200, 0) >= 1
    assert not [key for key in found if "some-id" in key]
