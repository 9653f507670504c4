"""What the server counts and times, for Prometheus, in a registry of its own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Meters:
    """Counters and histograms. Names of measures are labels; no text of a user is."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "tricolore_requests",
            "Requests by path, method and status.",
            ["path", "method", "status"],
            registry=registry,
        )
        self._seconds = Histogram(
            "tricolore_request_seconds",
            "Seconds per request.",
            ["path"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._open = Gauge(
            "tricolore_requests_under_way", "Requests that are being answered.", registry=registry
        )
        self._waiting = Gauge(
            "tricolore_queue_length", "Scores that wait to be computed.", registry=registry
        )
        self._ready = Gauge(
            "tricolore_ready", "Whether a worker can do work: 1 or 0.", registry=registry
        )
        self._batches = Histogram(
            "tricolore_batch_size",
            "Examples per batch, by measure.",
            ["measure"],
            buckets=_SIZES,
            registry=registry,
        )
        self._lost = Counter(
            "tricolore_lost_batches",
            "Batches whose worker died or took too long.",
            ["measure", "why"],
            registry=registry,
        )
        self._rows = Counter("tricolore_rows", "Rows that were scored.", registry=registry)
        self._scores = Counter(
            "tricolore_scores",
            "Scores that were given, by measure.",
            ["measure"],
            registry=registry,
        )
        self._problems = Counter(
            "tricolore_score_problems",
            "Scores without a value, by measure.",
            ["measure"],
            registry=registry,
        )

    def begin_request(self) -> None:
        """A request has come."""
        self._open.inc()

    def end_request(self, path: str, method: str, status: int, seconds: float) -> None:
        """A request is answered; `path` is a template."""
        self._open.dec()
        self._requests.labels(path, method, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def batch(self, measure: str, size: int) -> None:
        """A batch is given to a worker."""
        self._batches.labels(measure).observe(size)

    def lost(self, measure: str, *, is_timeout: bool) -> None:
        """A worker died, or was ended because it took too long."""
        self._lost.labels(measure, "timeout" if is_timeout else "crash").inc()

    def rows(self, count: int) -> None:
        """All scores of some rows are given."""
        self._rows.inc(count)

    def score(self, measure: str, *, has_problem: bool) -> None:
        """A score is given."""
        self._scores.labels(measure).inc()
        if has_problem:
            self._problems.labels(measure).inc()

    def text(self, *, waiting: int, is_ready: bool) -> bytes:
        """All figures as Prometheus reads them."""
        self._waiting.set(waiting)
        self._ready.set(is_ready)
        return generate_latest(self._registry)
