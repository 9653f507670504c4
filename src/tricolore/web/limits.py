"""How much a request may ask for, and how much the server takes on at a time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a server; each has an answer of its own when it is exceeded."""

    rows: int = 256
    """Examples per request: 413."""
    measures: int = 32
    """Measures per request: 413."""
    characters: int = 1_000_000
    """Characters in all texts of a request: 413."""
    body: int = 8_000_000
    """Bytes of a request's body, which are counted while it is read: 413."""
    systems: int = 20
    """Systems that are compared in a request: every pair is tested: 413."""
    queue: int = 20_000
    """Scores that wait to be computed, of all requests: 503 with Retry-After."""
    queue_characters: int = 50_000_000
    """Characters of the examples of all requests under way: 503 with Retry-After."""
    client_requests: int = 16
    """Requests of one client at the same time: 429 with Retry-After."""
    seconds: float = 60.0
    """How long a request may take: 504."""
    batch: int = 64
    """Examples that a measure scores together at most, of all clients."""
    permalinks: int = 10_000
    """Permalinks that are kept: 507."""
    permalink_bytes: int = 500_000_000
    """Bytes of all permalinks together: 507."""

    @property
    def batch_seconds(self) -> float:
        """How long a worker may take for a batch before it is ended.

        Less than half of what a request may take: if one row hangs, the others of its batch are
        scored again without it, and that must be done in time.
        """
        return self.seconds / 3
