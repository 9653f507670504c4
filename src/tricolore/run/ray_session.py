"""A connection to Ray: to a cluster that runs, or to one that is started here and ended again."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tricolore.errors import Unavailable

LOOPBACK = "127.0.0.1"
_START_SECONDS = 300.0
"""How long Ray may take to start, which is many processes on what may be a busy machine."""
_CONNECT_SECONDS = 30.0
_STOP_SECONDS = 30.0
_OBJECT_STORE_BYTES = 80_000_000
"""Only the answers to parts pass through Ray; this is about the least that it takes."""
_PATIENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_raylet_start_wait_time_s": "300",
    "RAY_agent_register_timeout_ms": "300000",
    "RAY_worker_register_timeout_seconds": "300",
}
"""Settings of Ray for every connection."""
_LOCAL = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # an address of the loopback device stays one
    "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": "0",
    # Memory is left to the system, which ends the process that takes most of it: the one of the
    # row at fault. Ray would end the actor, which cannot tell which row it was.
    "RAY_memory_monitor_refresh_ms": "0",
}
"""Settings of Ray for a cluster on this machine alone."""


@contextmanager
def ray_session(address: str = "", cpus: int = 0) -> Iterator[Any]:
    """The module `ray`, connected within a block.

    Args:
        address: The address of a cluster, as in "10.0.0.1:6379"; if empty, Ray is started on this
            machine, reachable from nowhere else, and ended with the block.
        cpus: How many CPUs a Ray that is started here may use; all if 0.
    """
    with ExitStack() as stack:
        stack.enter_context(_environment(_PATIENT) if address else local_settings())
        ray = _imported()
        if ray.is_initialized():
            yield ray
            return
        if address:
            _check_reachable(address)
            connect(ray, address)
        else:
            node = stack.enter_context(RayNode.head(cpus or os.cpu_count() or 1))
            with loopback(ray):
                node.connect(ray)
        stack.callback(_quietly_shut_down, ray)
        yield ray


class RayNode:
    """A process of this machine that runs a node of a Ray cluster; it ends with this process."""

    def __init__(self, folder: Path, address: str, options: list[str]) -> None:
        self.address = address
        self._folder = folder
        self._log = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (it is closed by `stop`)
        command = [sys.executable, "-m", "tricolore.run.ray_node", *options]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for us alone
        )

    @staticmethod
    @contextmanager
    def head(cpus: int) -> Iterator[RayNode]:
        """The first node of a cluster."""
        # The names of sockets in it must be short.
        folder = Path(tempfile.mkdtemp(prefix="tricolore-ray-", dir=_short_folder()))
        port, agent = _free_ports(2)
        options = ["--head", f"--port={port}", f"--temp-dir={folder}", "--include-dashboard=false"]
        options += [*_options(cpus, agent), "--disable-usage-stats", "--include-log-monitor=false"]
        try:
            node = RayNode(folder, f"{LOOPBACK}:{port}", options)
            try:
                yield node
            finally:
                node.stop()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def another(self, cpus: int) -> Iterator[RayNode]:
        """One more node of the same cluster."""
        options = [f"--address={self.address}", *_options(cpus, *_free_ports(1))]
        node = RayNode(self._folder, self.address, options)
        try:
            yield node
        finally:
            node.stop()

    def connect(self, ray: Any) -> None:
        """Connect to the cluster as soon as it is ready."""
        deadline = time.monotonic() + _START_SECONDS
        while True:
            if self.process.poll() is not None:
                raise Unavailable(f"Ray could not start: {self._last_words()}")
            if time.monotonic() > deadline:
                raise Unavailable(f"Ray did not start within {_START_SECONDS:g} s")
            if _is_open(self.address):
                with suppress(Unavailable):
                    connect(ray, self.address)
                    return
            time.sleep(0.2)

    def stop(self) -> None:
        """End the node with all of its processes."""
        if self.process.stdin:
            self.process.stdin.close()
        try:
            self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._log.close()

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it ended at once")


def connect(ray: Any, address: str) -> None:
    """Connect this process to a cluster; an error if that fails."""
    handlers = _stopping_handlers()
    try:
        ray.init(address=address, log_to_driver=False, logging_level="CRITICAL")
    except Exception as error:
        _quietly_shut_down(ray)
        reason = str(error).strip().partition("\n")[0]
        raise Unavailable(f"the Ray cluster at {address} does not answer: {reason}") from error
    finally:
        for number, handler in handlers.items():  # Ray sets one of its own
            signal.signal(number, handler)


def _imported() -> Any:
    try:
        import ray
    except ImportError as error:
        words = f"the engine ray needs the package ray, which cannot be imported ({error})"
        raise Unavailable(words, "pip install 'tricolore[ray]'", argument="engine") from error
    return ray


def _quietly_shut_down(ray: Any) -> None:
    with suppress(Exception):
        ray.shutdown()


def _options(cpus: int, agent_port: int) -> list[str]:
    return [
        f"--node-ip-address={LOOPBACK}",
        f"--num-cpus={cpus}",
        f"--object-store-memory={_OBJECT_STORE_BYTES}",
        # With a port of its own, nobody waits for this agent: see `ray_node`.
        f"--runtime-env-agent-port={agent_port}",
    ]


@contextmanager
def local_settings() -> Iterator[None]:
    """The environment of a Ray that only this process may use, within a block."""
    settings = {**_PATIENT, **_LOCAL}
    if "RAY_AUTH_MODE" not in os.environ:
        settings |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": _token()}
    with _environment(settings):
        yield


@cache
def _token() -> str:
    """A secret that only this process and its Ray know: other users must not run code in it."""
    return secrets.token_hex(32)


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    """Variables of the environment within a block, where they are not set already."""
    added = {name: value for name, value in settings.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def loopback(ray: Any) -> Iterator[None]:
    """Let Ray heed our settings of the environment, also if it was imported before them."""
    import_module("ray._raylet").Config.initialize("")
    constants = ray._private.ray_constants
    before = getattr(constants, "ENABLE_RAY_CLUSTER", True)
    constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = before


def _stopping_handlers() -> dict[signal.Signals, Any]:
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}


def _short_folder() -> str | None:
    return "/tmp" if os.path.isdir("/tmp") and len(tempfile.gettempdir()) > 20 else None


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in found:
            each.bind((LOOPBACK, 0))
        return [each.getsockname()[1] for each in found]


def _is_open(address: str, seconds: float = 1.0) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), seconds).close()
    except OSError:
        return False
    return True


def _check_reachable(address: str) -> None:
    """Raise an error at once if nothing listens at an address of the form host:port."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit() and "/" not in host and not _is_open(address, _CONNECT_SECONDS):
        hint = "start one with `ray start --head`, or name no address to start Ray on this machine"
        raise Unavailable(f"there is no Ray cluster at {address}", hint, argument="address")
