"""The process of a Ray node."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tricolore.run import ray_node

pytest.importorskip("ray", reason="the package ray is not installed (tricolore[ray])")


@pytest.mark.slow
def test_it_ends_with_its_input() -> None:
    """Whoever started it has gone before Ray is there."""
    command = [sys.executable, "-m", "tricolore.run.ray_node", "--head"]
    done = subprocess.run(command, input=b"", capture_output=True, timeout=60)
    assert done.returncode != 0


def test_a_node_does_not_wait_for_agents(tmp_path: Path) -> None:
    """It finds what an agent without a port writes, before it starts."""
    seen = []

    def start(node_id: str, session_dir: str, *, other: int = 0) -> int:
        seen.extend(sorted(path.name for path in tmp_path.iterdir()))
        return other

    node = "ab" * 28
    assert ray_node._without_waiting(start)(node, str(tmp_path), other=3) == 3
    services = ("dashboard_agent_listen", "metrics_agent", "metrics_export")
    assert seen == [f"{service}_port_{node}" for service in services]
    assert {path.read_text() for path in tmp_path.iterdir()} == {"-1"}


def test_a_ray_with_other_arguments_starts_as_it_does() -> None:
    assert ray_node._without_waiting(lambda number: number + 1)(4) == 5
