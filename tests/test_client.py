"""The Python client against a real server."""

from __future__ import annotations

import socket
import threading

import httpx
import pytest

import tricolore
from tests.web.conftest import running
from tricolore import Example
from tricolore.client import Client, ServerError
from tricolore.errors import ArgumentError
from tricolore.web.config import ServerConfig

TOKEN = "a-token-of-some-length"
SOURCE = "The ferry carried 420 people to Skye on Monday."
SUMMARY = "The ferry carried 4,200 people."


@pytest.fixture(scope="module")
def server():
    with running(ServerConfig(warm=["length"], token=TOKEN)) as made:
        yield made


@pytest.fixture
def client(server):
    with Client(server.url + "/", token=TOKEN) as made:
        yield made


def test_scores_are_those_of_the_library(client):
    measures = ["coverage", "novelty", "rouge-1"]
    given = client.score(SOURCE, SUMMARY, measures=measures, evidence=True)
    expected = tricolore.score(SOURCE, SUMMARY, measures=measures, evidence=True)
    assert [score.to_json() for score in given.values()] == [
        score.to_json() for score in expected.values()
    ]
    assert given["coverage"].evidence[0] == expected["coverage"].evidence[0]
    assert given["novelty:n=2"].value == expected["novelty"].value, "by any spec"
    assert given["rouge-1"].problem == "there is no reference"


def test_several_examples_at_once_and_one_by_one(client):
    rows = [
        Example(source="a b [c", summary="a b", system="x", human={"q": 1}),
        {"source": ["[a", "b"], "summary": "b", "references": ["b c"]},
    ]
    scores = client.score_all(rows, "length,coverage")
    assert [row["length"].value for row in scores] == [2, 1]
    streamed = list(client.stream(rows, "length,coverage"))
    assert {(one.row, one.measure): one.score.value for one in streamed} == {
        (at, label): row[label].value for at, row in enumerate(scores) for label in row
    }


def test_recommended_measures(client):
    assert "length" in client.score(summary="a b")


def test_measures_comparisons_and_damage(client):
    assert "grounding" in [one["name"] for one in client.measures()]
    rows = [
        {"summary": text, "system": system, "doc_id": str(n)}
        for n in range(3)
        for system, text in (("a", "x y"), ("b", "x"))
    ]
    assert client.compare(rows, "length")["systems"] == ["a", "b"]
    made = client.perturb("It rained.", "It is wet.", kind="negation-swap")
    assert made["summary"] == "It is not wet."


def test_errors_have_a_status_and_say_what_is_wrong(client, server):
    with pytest.raises(ServerError, match="did you mean 'coverage'") as caught:
        client.score(SOURCE, SUMMARY, measures="coverge")
    assert (caught.value.status, caught.value.argument) == (422, "measures")
    with pytest.raises(ServerError, match="did you mean 'coverage'"):
        list(client.stream([{"summary": "a"}], "coverge"))
    with Client(server.url) as nobody, pytest.raises(ServerError, match="needs a token") as caught:
        nobody.measures()
    assert caught.value.status == 401
    with pytest.raises(ArgumentError, match="seed must be"):
        client.perturb("a", "b", seed=-1)


def test_a_server_that_is_not_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with Client(url) as client:
            with pytest.raises(ServerError, match=f"no answer from {url}") as caught:
                client.score(summary="a")
            assert caught.value.status == 0
            with pytest.raises(ServerError, match="no answer"):
                list(client.stream([{"summary": "a"}]))


class Canned(threading.Thread):
    """A server that gives one answer, whatever is asked."""

    def __init__(self, answer):
        super().__init__()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.answer = answer
        self.start()

    def run(self):
        connection, _ = self.listening.accept()
        with connection, self.listening:
            connection.recv(100_000)
            connection.sendall(self.answer)


@pytest.mark.parametrize(
    ("answer", "words", "retry_after"),
    [
        (b"503 Busy\r\nRetry-After: 7\r\n", "status 503", 7),
        (b"502 Bad\r\n", "status 502", None),
    ],
)
def test_answers_that_are_not_ours(answer, words, retry_after):
    proxy = Canned(b"HTTP/1.1 " + answer + b"Content-Length: 4\r\n\r\n<p/>")
    with Client(proxy.url) as client, pytest.raises(ServerError, match=words) as caught:
        client.score(summary="a")
    assert caught.value.retry_after == retry_after
    proxy.join()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"measures": []}\n', "before it was done"),
        (b'{"problem": "the server is shutting down", "hint": ""}\n', "shutting down"),
        (b"<p>\n", "no answer"),
    ],
)
def test_streams_that_end_early(body, words):
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
    proxy = Canned(head + body)
    with Client(proxy.url) as client, pytest.raises(ServerError, match=words):
        list(client.stream([{"summary": "a"}]))
    proxy.join()


def test_httpx_is_what_carries_it(client):
    assert isinstance(client._http, httpx.Client)
    client.close()
    assert client._http.is_closed
