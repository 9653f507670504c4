"""The connection to Ray: its settings and its errors. `test_ray_parts.py` uses real ones."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tricolore.errors import Unavailable
from tricolore.run import ray_session

ray = pytest.importorskip("ray", reason="the package ray is not installed (tricolore[ray])")


def test_settings_are_for_a_block_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "of the user")
    before = dict(os.environ)
    with ray_session.local_settings():
        assert os.environ["RAY_AUTH_MODE"] == "token"
        assert len(os.environ["RAY_AUTH_TOKEN"]) == 64
        assert os.environ["RAY_USAGE_STATS_ENABLED"] == "of the user"
        assert ray_session._LOCAL.items() <= os.environ.items()
    assert dict(os.environ) == before


def test_the_users_choice_of_authentication_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.delenv("RAY_AUTH_TOKEN", raising=False)
    with ray_session.local_settings():
        assert os.environ["RAY_AUTH_MODE"] == "disabled"
        assert "RAY_AUTH_TOKEN" not in os.environ


def test_an_address_where_nothing_listens() -> None:
    with socket.socket() as taken:
        taken.bind((ray_session.LOOPBACK, 0))
        address = f"{ray_session.LOOPBACK}:{taken.getsockname()[1]}"
    with pytest.raises(Unavailable, match=f"there is no Ray cluster at {address}") as caught:
        ray_session._check_reachable(address)
    assert caught.value.argument == "address"


def test_addresses_that_ray_understands_itself() -> None:
    for address in ("auto", "ray://nowhere.invalid:10001"):
        ray_session._check_reachable(address)


@pytest.mark.slow
def test_a_node_that_cannot_start(tmp_path: Path) -> None:
    """The error says in one line what Ray has said last."""
    node = ray_session.RayNode(tmp_path, "127.0.0.1:9", ["--no-such-option"])
    try:
        with pytest.raises(Unavailable, match=r"Ray could not start: .*no-such-option") as caught:
            node.connect(ray)
    finally:
        node.stop()
    assert "\n" not in str(caught.value)
