"""Permalinks are kept, over a restart too, within limits."""

from __future__ import annotations

import os
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import FERRY, running

from tricolore.errors import TricoloreError
from tricolore.web.config import ServerConfig
from tricolore.web.limits import Limits
from tricolore.web.permalinks import Permalinks
from tricolore.web.problems import ApiError

REQUEST = {"examples": [FERRY], "measures": ["length"], "evidence": True}


def opened(path, most=10, most_bytes=1000):
    return Permalinks(path, most=most, most_bytes=most_bytes)


def test_what_is_kept_is_found(tmp_path):
    kept = opened(tmp_path / "deep" / "links.sqlite")
    ids = [kept.keep(body) for body in (b"one", b"two", b"one")]
    assert len(set(ids)) == 3
    assert all(len(id) >= 22 for id in ids), "128 bits"
    assert [kept.find(id) for id in ids] == [b"one", b"two", b"one"]
    assert kept.find("x") is None
    kept.close()
    again = opened(tmp_path / "deep" / "links.sqlite")
    assert again.find(ids[1]) == b"two"
    again.close()


def test_nobody_else_can_read_the_file(tmp_path):
    opened(tmp_path / "links.sqlite").close()
    mode = os.stat(tmp_path / "links.sqlite").st_mode
    assert stat.S_IMODE(mode) == 0o600


@pytest.mark.parametrize(("most", "most_bytes"), [(2, 1000), (10, 8)])
def test_there_is_an_end_to_it(tmp_path, most, most_bytes):
    kept = opened(tmp_path / "links.sqlite", most, most_bytes)
    first = [kept.keep(b"abcd"), kept.keep(b"efgh")]
    with pytest.raises(ApiError, match="no place") as caught:
        kept.keep(b"i")
    assert caught.value.status_code == 507
    assert [kept.find(id) for id in first] == [b"abcd", b"efgh"], "nothing was removed for it"
    kept.close()


def test_threads_may_use_it(tmp_path):
    kept = opened(tmp_path / "links.sqlite", most=100)
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(kept.keep, [b"%d" % n for n in range(50)]))
        assert list(pool.map(kept.find, ids)) == [b"%d" % n for n in range(50)]
    kept.close()


def test_a_file_that_cannot_be_used(tmp_path):
    (tmp_path / "other").write_text("no database at all, but a text of some length " * 99)
    for path in (tmp_path / "other", tmp_path, tmp_path / "other" / "x.sqlite"):
        with pytest.raises(TricoloreError, match="permalinks cannot be kept") as caught:
            opened(path)
        assert "--permalinks off" in caught.value.hint
    db = sqlite3.connect(tmp_path / "foreign.sqlite")
    db.execute("CREATE TABLE permalinks (x)")
    db.close()
    with pytest.raises(TricoloreError, match="no such column"):
        opened(tmp_path / "foreign.sqlite")


def test_a_file_that_fails_later(tmp_path):
    kept = opened(tmp_path / "links.sqlite")
    kept._db.execute("DROP TABLE permalinks")
    with pytest.raises(ApiError) as caught:
        kept.keep(b"x")
    assert (caught.value.status_code, caught.value.headers["Retry-After"]) == (503, "10")
    kept.close()


@pytest.mark.slow
def test_a_permalink_survives_a_restart(tmp_path):
    config = ServerConfig(
        warm=["length"], permalinks=tmp_path / "links.sqlite", limits=Limits(permalinks=2)
    )
    with running(config) as made:
        answer = made.post("/v1/permalinks", REQUEST)
        assert answer.status_code == 201
        kept = answer.json()
        assert kept["path"] == f"/p/{kept['id']}"
    with running(config) as made:
        found = made.get(f"/v1/permalinks/{kept['id']}").json()
        assert found["examples"][0]["summary"] == FERRY["summary"]
        assert (found["measures"], found["evidence"]) == (["length"], True)
        assert made.values(made.post("/v1/score", found)) == [12.0]
        assert made.get("/v1/permalinks/xyz").status_code == 404
        made.post("/v1/permalinks", REQUEST)
        assert made.post("/v1/permalinks", REQUEST).status_code == 507


def test_only_what_could_be_scored_is_kept(server):
    refused = [
        ({**REQUEST, "measures": ["importance:corpus=/etc/passwd"]}, 422),
        ({**REQUEST, "measures": ["nothing"]}, 422),
        ({**REQUEST, "examples": [FERRY] * 257}, 413),
        ({"x": 1}, 422),
    ]
    for body, status in refused:
        assert server.post("/v1/permalinks", body).status_code == status


def test_a_server_without_permalinks(small):
    assert small.post("/v1/permalinks", REQUEST).json()["problem"] == (
        "this server keeps no permalinks"
    )
    assert small.get("/v1/permalinks/x").status_code == 404
