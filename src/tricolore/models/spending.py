"""What requests to paid services cost, and the limit that a run may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock

from tricolore.errors import TricoloreError


@dataclass(frozen=True)
class TokenPrices:
    """The prices of a million tokens, in any currency."""

    input: float = 0.0
    output: float = 0.0

    def cost(self, input_tokens: float, output_tokens: float) -> float:
        """The cost of some tokens.

        >>> TokenPrices(input=2.0, output=8.0).cost(500_000, 1000)
        1.008
        """
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


@dataclass(frozen=True)
class Usage:
    """Requests and tokens, and their cost.

    >>> Usage(2, 1500, 4, 0.0031).line
    '2 requests, 1,500 input tokens, 4 output tokens, cost 0.0031.'
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0

    @staticmethod
    def of_parts(parts: Mapping[str, float], prices: TokenPrices) -> Usage:
        """The usage that the parts of a score report."""
        requests, sent, received = (int(parts.get(name, 0)) for name in USAGE_PARTS)
        return Usage(requests, sent, received, prices.cost(sent, received))

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
        )

    @property
    def line(self) -> str:
        """The usage in words; empty if there was none."""
        if not self.requests:
            return ""
        cost = f", cost {self.cost:.4g}" if self.cost else ""
        return (
            f"{_counted(self.requests, 'request')}, {_counted(self.input_tokens, 'input token')}, "
            f"{_counted(self.output_tokens, 'output token')}{cost}."
        )


USAGE_PARTS = ("requests", "input_tokens", "output_tokens")
"""The parts of a score that say what it took."""


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


class CostLimitError(TricoloreError):
    """A request was not sent, since it could exceed the cost limit of the run."""

    def __init__(self, limit: float, spent: float) -> None:
        super().__init__(
            f"the cost limit of {limit:g} is reached ({spent:.4g} spent), so it was not asked",
            "run again with a higher limit; scores in the cache cost nothing",
        )


@dataclass
class CostBudget:
    """A limit for all requests of a run, from any thread of this process.

    What a request may cost is reserved before it is sent, and settled when it is done. So requests
    that are sent at the same time do not exceed the limit together.
    """

    limit: float
    spent: float = 0.0
    _reserved: float = 0.0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def reserve(self, estimate: float) -> None:
        """Set a cost aside, or raise `CostLimitError`."""
        with self._lock:
            if self.spent + self._reserved + estimate > self.limit:
                raise CostLimitError(self.limit, self.spent)
            self._reserved += estimate

    def settle(self, estimate: float, cost: float) -> None:
        """Replace a reserved cost by the one that was charged."""
        with self._lock:
            self._reserved -= estimate
            self.spent += cost


_budget: ContextVar[CostBudget | None] = ContextVar("budget", default=None)


def current_budget() -> CostBudget | None:
    """The budget of this context; None if nothing is limited."""
    return _budget.get()


@contextmanager
def limited_cost(limit: float | None) -> Iterator[CostBudget | None]:
    """Limit what requests of this thread cost within a block; None keeps the limit that there is.

    >>> with limited_cost(0.5) as budget:
    ...     budget is current_budget()
    True
    """
    if limit is None:
        yield current_budget()
        return
    budget = CostBudget(limit)
    token = _budget.set(budget)
    try:
        yield budget
    finally:
        _budget.reset(token)
