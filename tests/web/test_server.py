"""Starting, and ending gracefully."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import httpx
import pytest
from conftest import running, wait_until

from tricolore.errors import TricoloreError
from tricolore.web.config import ServerConfig
from tricolore.web.server import WebServer, serve

pytestmark = pytest.mark.slow
CONFIG = ServerConfig(warm=["length"])


def ask(url, measure, answers):
    def post():
        body = {"examples": [{"summary": "a b"}], "measures": [measure]}
        try:
            answers.append(httpx.post(f"{url}/v1/score", json=body, timeout=60))
        except httpx.TransportError as error:
            answers.append(error)

    thread = threading.Thread(target=post)
    thread.start()
    return thread


def test_a_port_that_is_taken_is_an_error():
    with running(CONFIG) as made:
        port = made.server.address[1]
        with pytest.raises(TricoloreError, match=f"port {port}: Address already in use"):
            WebServer(replace(CONFIG, port=port))


def test_an_address_that_is_not_of_this_machine():
    with pytest.raises(TricoloreError, match=r"no server can listen on 192\.0\.2\.1"):
        WebServer(replace(CONFIG, host="192.0.2.1", token="x" * 20))


def test_what_is_under_way_is_finished_and_new_work_is_refused(tmp_path):
    gate, answers = tmp_path / "gate", []
    with running(CONFIG) as made:
        thread = ask(made.url, f"gated:gate={gate}", answers)
        wait_until(lambda: len(made.server.service.scheduler._orders) == 1)
        made.server.end()
        assert not made.server.service.is_ready
        time.sleep(0.5)
        late = []
        ask(made.url, "length", late).join()
        assert isinstance(late[0], httpx.TransportError) or late[0].status_code == 503
        assert not answers
        gate.touch()
        thread.join()
    [answer] = answers
    assert answer.json()["results"][0]["scores"][f"gated:gate={gate}"]["value"] == 3


def test_what_takes_too_long_gets_an_answer_too(tmp_path):
    answers = []
    with running(replace(CONFIG, shutdown_seconds=0.5)) as made:
        thread = ask(made.url, f"gated:gate={tmp_path / 'never'}", answers)
        wait_until(lambda: len(made.server.service.scheduler._orders) == 1)
        made.server.end()
        thread.join()
    [answer] = answers
    assert answer.status_code == 503
    assert answer.json()["problem"] == "the server is shutting down"


def test_serve_says_where_and_returns_at_the_end():
    found = []

    def announce(server):
        found.append(server.url)
        threading.Timer(0.5, server.end).start()

    serve(replace(CONFIG, port=0), announce)
    assert found[0].startswith("http://127.0.0.1:")


def test_an_ipv6_address():
    try:
        server = WebServer(replace(CONFIG, host="::1", port=0))
    except TricoloreError:
        pytest.skip("this machine has no IPv6")
    assert server.url.startswith("http://[::1]:")
    server.socket.close()
