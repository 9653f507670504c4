"""What a server is started with, and the check that it is safe to start."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tricolore.errors import TricoloreError
from tricolore.models.placement import Placement
from tricolore.web.limits import Limits

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of this machine in a Host header."""


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """The settings of a server."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0: any free port."""
    token: str = field(default="", repr=False)
    """The bearer token that requests must have; none if empty."""
    hosts: Sequence[str] = ()
    """Further names that a Host header may have, such as that of a proxy."""
    models: Sequence[str] = ()
    """Models that specs may name, besides the default ones of the measures."""
    warm: Sequence[str] | None = None
    """Specs of the measures whose models are loaded at the start; if None, all that are there."""
    workers: int = 1
    permalinks: Path | None = None
    """The file of permalinks; none are kept if None."""
    placement: Placement = field(default_factory=lambda: Placement(offline=True))
    """Never online: a request must not make the server download anything."""
    limits: Limits = field(default_factory=Limits)
    shutdown_seconds: float = 20.0
    """How long requests that are under way may take after SIGTERM."""

    def __post_init__(self) -> None:
        if not is_loopback(self.host) and not self.token:
            raise TricoloreError(
                f"a server on {self.host} can be reached from other machines, so it needs a token",
                "put one into the environment variable TRICOLORE_TOKEN",
                argument="token",
            )
        if self.token and len(self.token) < _SHORTEST:
            raise TricoloreError(
                f"the token has {len(self.token)} characters; {_SHORTEST} or more are needed",
                "make one with `openssl rand -hex 32`",
                argument="token",
            )
        if not self.token.isascii() or any(c.isspace() for c in self.token):
            raise TricoloreError("the token must be of ASCII characters without blanks")

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The names that a Host header may have, without the port."""
        own = () if self.host in ("0.0.0.0", "::") else (in_header(self.host),)
        return frozenset(name.lower() for name in (*LOOPBACK, *own, *map(in_header, self.hosts)))


_SHORTEST = 16
"""The shortest token that is accepted."""


def is_loopback(host: str) -> bool:
    """Whether a server at this address can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0"), is_loopback("::1")
    (True, False, True)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def in_header(host: str) -> str:
    """A host as it stands in a URL or a Host header: IPv6 addresses have brackets.

    >>> in_header("::1"), in_header("example.org")
    ('[::1]', 'example.org')
    """
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
