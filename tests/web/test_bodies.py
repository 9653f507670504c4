"""Bodies that are not sound JSON get a clear answer."""

from __future__ import annotations

import json

import pytest
from conftest import FERRY

SOUND = json.dumps({"examples": [FERRY], "measures": ["length"]})
JSON = {"Content-Type": "application/json"}
PATHS = ["/v1/score", "/v1/score/stream", "/v1/compare", "/v1/perturb", "/v1/permalinks"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"3",
        b'"text"',
        b'{"seed": NaN}',
        b'{"seed": Infinity, "summary": "a"}',
        b'{"summary": "a", "seed": 1e400}',
        b'{"summary": "a", "seed": ' + b"9" * 5000 + b"}",
        b'{"summary": "a", "seed": 1.5}',
        b'{"summary": "a", "seed": -1}',
        b'{"summary": "a", "seed": true}',
        b'{"examples": [{"summary": "\\ud800"}]}',
        b'{"\\udfff": 1}',
        b'{"examples": [{"summary": "\xff"}]}',
        b'{"examples": [{"summary": "\xed\xa0\x80"}]}',
        b"\xef\xbb\xbf{}",
        b"\x00",
        b"[" * 100_000,
        b'{"examples":' * 50_000,
        b'{"examples": ' + b"[" * 500 + b"]" * 500 + b"}",
        SOUND.encode("utf-16"),
        SOUND.encode() + b"}",
    ],
    ids=range(24),
)
@pytest.mark.parametrize("path", PATHS)
def test_a_body_that_is_not_sound(server, path, body):
    answer = server.http.post(path, content=body, headers=JSON)
    assert answer.status_code == 422, answer.text
    plain = answer.json()
    assert plain["problem"]
    assert len(answer.content) < 4000


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/xml", "application/json; charset=utf-16", "json"]
)
def test_another_type_of_body(server, kind):
    answer = server.http.post("/v1/score", content=SOUND, headers={"Content-Type": kind})
    assert answer.status_code == 415


@pytest.mark.parametrize("kind", ["application/json; charset=UTF-8", "Application/JSON"])
def test_json_by_other_names(server, kind):
    answer = server.http.post("/v1/score", content=SOUND, headers={"Content-Type": kind})
    assert answer.status_code == 200, answer.text


def test_text_of_any_language_comes_back_as_it_is(server):
    summary = "Zoë 🐈\u202e\x00 </script> \u2028 日本"
    kept = server.post("/v1/permalinks", {"examples": [{"summary": summary}]}).json()
    found = server.get(f"/v1/permalinks/{kept['id']}").json()
    assert found["examples"][0]["summary"] == summary


def test_a_body_that_comes_too_slowly(server, monkeypatch):
    monkeypatch.setattr("tricolore.web.bodies._SECONDS", 0.2)

    def slowly():
        import time

        yield b"{"
        time.sleep(1)
        yield b"}"

    answer = server.http.post("/v1/score", content=slowly(), headers=JSON)
    assert answer.status_code == 408
