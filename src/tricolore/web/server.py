"""Runs the application by uvicorn, and ends it gracefully."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from tricolore.errors import TricoloreError
from tricolore.web.app import make_app
from tricolore.web.config import ServerConfig, in_header
from tricolore.web.service import Service

_CONNECTIONS = 1000
"""Connections at the same time; uvicorn answers more of them with 503."""
_SWITCH_SECONDS = 0.0005
"""How long the thread that answers waits for others that compute: a tenth of Python's default."""
_MARGIN = 2.0
"""Seconds between the last answers at a shutdown and the end of their connections."""


class WebServer(uvicorn.Server):
    """A server that finishes what is under way when it is stopped, within a limit.

    Unlike uvicorn's own it ends with exit code 0 after SIGTERM or Ctrl-C: that is no failure.
    """

    def __init__(self, config: ServerConfig) -> None:
        self.socket = _listening(config)
        try:
            self.service = Service(config)
        except BaseException:
            self.socket.close()
            raise
        self.address: tuple[str, int] = self.socket.getsockname()[:2]
        self.drain_seconds = config.shutdown_seconds
        super().__init__(
            uvicorn.Config(
                make_app(self.service),
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # whoever is not a proxy could claim any address
                limit_concurrency=_CONNECTIONS,
                timeout_graceful_shutdown=int(config.shutdown_seconds + _MARGIN),
                timeout_keep_alive=30,
                ws="none",
            )
        )

    @property
    def url(self) -> str:
        """Where it can be reached."""
        host, port = self.address
        return f"http://{in_header(host)}:{port}"

    def serve_forever(self) -> None:
        """Answer requests until a signal comes, or `end` is called."""
        before = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            self.run(sockets=[self.socket])
        finally:
            sys.setswitchinterval(before)

    def end(self) -> None:
        """Stop: refuse new work, and finish what is under way within the limit."""
        self.service.is_draining = True
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop gracefully; a second signal ends everything at once."""
        self.force_exit = self.should_exit
        self.end()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals while the server runs, and do not raise them again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {each: signal.signal(each, self.handle_exit) for each in _signals()}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for requests under way; those that take longer than the limit get an answer, too."""
        timer = asyncio.get_running_loop().call_later(
            self.drain_seconds, self.service.scheduler.give_up
        )
        try:
            await super().shutdown(sockets)
        finally:
            timer.cancel()


def _signals() -> list[signal.Signals]:
    return [signal.SIGINT, signal.SIGTERM]


def _listening(config: ServerConfig) -> socket.socket:
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((config.host, config.port))
    except (OSError, OverflowError) as error:
        made.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise TricoloreError(
            f"no server can listen on {config.host}, port {config.port}: {reason}",
            "name another port with --port",
        ) from error
    return made


def serve(config: ServerConfig, announce: Callable[[WebServer], None]) -> None:
    """Run a server until it is stopped; `announce` is called when it listens."""
    server = WebServer(config)
    announce(server)
    server.serve_forever()
