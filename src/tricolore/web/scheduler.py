"""The scheduler puts what all requests ask for into batches, and lets worker processes do them.

Processes instead of a thread, because

- a measure that hangs on a text can be ended, and one that crashes takes nothing else with it;
- the thread that answers requests never waits for Python code of a measure;
- each worker loads its models before it takes work, and again when it replaces another.

A batch is made when a worker is free for it, not before: what has come until then goes together.
The requests that have had the fewest scores so far go first, so a small request passes a large one.
"""

from __future__ import annotations

import itertools
import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tricolore.errors import TricoloreError, Unavailable
from tricolore.example import Example
from tricolore.run.engine import Assignment, Work
from tricolore.run.pool import Lost, Pool
from tricolore.web.limits import Limits
from tricolore.web.metrics import Meters
from tricolore.web.tasks import BatchKind

_log = logging.getLogger(__name__)

_PAUSE = 1.0
"""Seconds until workers are started again that could not start."""
Answers = Sequence[tuple["QueuedPiece", Any]]
"""Pieces of one order that are done, each with its score or whatever else was asked for."""


class QueueFullError(TricoloreError):
    """The queue is full; `retry_after` is when it may be worth to try again, in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("the server is busy: its queue is full", "try again later")
        self.retry_after = retry_after


@dataclass(eq=False)
class Order:
    """All that one request asks for.

    `deliver` and `fail` are called from the scheduler's thread.
    """

    deliver: Callable[[Answers], None]
    fail: Callable[[TricoloreError], None]
    pieces: list[QueuedPiece] = field(default_factory=list)
    number: int = 0
    served: int = 0
    """Pieces that were put into batches."""
    unfinished: int = 0
    is_cancelled: bool = False

    def add(self, kind: BatchKind, example: Example, place: tuple[int, int]) -> None:
        """Ask for one more thing to be done."""
        self.pieces.append(QueuedPiece(self, kind, example, place))

    @property
    def characters(self) -> int:
        """The characters of its examples, each counted once."""
        examples = {id(piece.example): piece.example for piece in self.pieces}
        return sum(map(length_of, examples.values()))


@dataclass(eq=False, slots=True)
class QueuedPiece:
    """One example for one measure, or for whatever else is done in batches."""

    order: Order
    kind: BatchKind
    example: Example
    place: tuple[int, int]
    """What the request knows it by."""
    losses: int = 0
    """How often the worker died or took too long."""

    @property
    def key(self) -> Hashable:
        """Pieces with the same key can be in one batch; one that was lost is done alone."""
        return (self.kind.key, id(self)) if self.losses else self.kind.key


@dataclass(frozen=True, eq=False)
class ScheduledBatch:
    """Pieces that a worker does together."""

    pieces: Sequence[QueuedPiece]

    @property
    def job(self) -> Assignment:
        """What the worker is sent."""
        return self.pieces[0].kind.assignment([piece.example for piece in self.pieces])

    @property
    def has_time_limit(self) -> bool:
        """All batches have one."""
        return True


def length_of(example: Example) -> int:
    """The number of characters of an example's texts."""
    return sum(map(len, (*example.source, example.summary, *example.references)))


class Scheduler:
    """A queue of pieces, and the thread that gives them to workers in batches."""

    def __init__(self, work: Work, workers: int, limits: Limits, meters: Meters) -> None:
        self._work, self._workers, self._limits, self._meters = work, workers, limits, meters
        self._lock = threading.Lock()
        self._queues: dict[Hashable, dict[Order, deque[QueuedPiece]]] = {}
        self._waiting = 0
        self._orders: dict[Order, int] = {}
        """The orders under way, and the characters of each."""
        self._numbers = itertools.count(1)
        self._pace = _Pace()
        self._is_stopping = False
        self._ready = 0
        self.not_warm: dict[str, str] = {}
        """The measures whose models could not be loaded, by label, and why."""
        self._bell: socket.socket | None = None
        """Ends the wait of the thread when something has come; none before the start."""
        self._thread: threading.Thread | None = None

    # For the threads that answer requests.

    def start(self) -> None:
        """Start the thread and the workers."""
        self._bell, ear = socket.socketpair()
        self._bell.setblocking(False)
        ear.setblocking(False)
        self._thread = threading.Thread(
            target=self._run, args=(ear,), name="scheduler", daemon=True
        )
        self._thread.start()

    @property
    def is_ready(self) -> bool:
        """Whether a worker has loaded its models and can do work."""
        return self._ready > 0 and not self._is_stopping

    @property
    def waiting(self) -> int:
        """Pieces that no worker has begun yet."""
        return self._waiting

    def submit(self, order: Order) -> None:
        """Put what an order asks for into the queue, or raise an error if it does not fit."""
        characters = order.characters
        with self._lock:
            if self._is_stopping:
                raise Unavailable("the server is shutting down")
            is_long = self._waiting + len(order.pieces) > self._limits.queue
            held = sum(self._orders.values())
            is_large = bool(held) and held + characters > self._limits.queue_characters
            if is_long or is_large:
                raise QueueFullError(self._pace.seconds_for(self._waiting))
            order.number, order.unfinished = next(self._numbers), len(order.pieces)
            self._orders[order] = characters
            self._put(order.pieces)
        self._ring()

    def cancel(self, order: Order) -> None:
        """Forget an order: what is not begun is not done, and what is under way is dropped."""
        with self._lock:
            order.is_cancelled = True
            self._remove(order)

    def give_up(self) -> None:
        """Let all orders fail that are not done, and take no more."""
        self._is_stopping = True
        self._fail_all(Unavailable("the server is shutting down"))

    def stop(self) -> None:
        """End all workers, at once, and the thread; orders that are not done fail."""
        self._is_stopping = True
        self._ring()
        if self._thread:
            self._thread.join()
        self._fail_all(Unavailable("the server is shutting down"))
        if self._bell:
            self._bell.close()

    def _ring(self) -> None:
        if self._bell:
            with suppress(OSError):  # it has been rung often enough, or nobody is there to hear it
                self._bell.send(b"!")

    # The scheduler's own thread.

    def _run(self, ear: socket.socket) -> None:
        with ear:
            self._keep_serving(ear)

    def _keep_serving(self, ear: socket.socket) -> None:
        while not self._is_stopping:
            try:
                with Pool[ScheduledBatch, list[Any]](
                    self._work, self._workers, self._limits.batch_seconds
                ) as pool:
                    self._serve(pool, ear)
                    raise _StopNow  # leaving with an error ends workers at once
            except _StopNow:
                return
            except Unavailable as error:
                _log.error("%s", error.problem)
                self._fail_all(error)
            except Exception as error:  # ours: nobody must wait for an answer forever
                _log.exception("the scheduler failed")
                self._fail_all(Unavailable(f"the scheduler failed: {type(error).__name__}"))
            finally:
                self._ready = 0
            time.sleep(_PAUSE)

    def _serve(self, pool: Pool[ScheduledBatch, list[Any]], ear: socket.socket) -> None:
        while not self._is_stopping:
            pool.start()
            self._ready, self.not_warm = pool.ready, dict(pool.not_warm)
            batches = deque(self._batches(pool.free))
            while batches:
                pool.give(batches)
            for batch, outcome in pool.wait([ear]):
                self._settle(batch, outcome)
            with suppress(BlockingIOError):
                while ear.recv(4096):
                    pass

    def _batches(self, count: int) -> list[ScheduledBatch]:
        with self._lock:
            made = [self._next_batch() for _ in range(min(count, len(self._queues)))]
        batches = [ScheduledBatch(pieces) for pieces in made if pieces]
        for batch in batches:
            self._meters.batch(batch.pieces[0].kind.name, len(batch.pieces))
        return batches

    def _next_batch(self) -> list[QueuedPiece]:
        if not self._queues:
            return []
        key = min(self._queues, key=lambda key: min(map(_turn, self._queues[key])))
        queue = self._queues[key]
        taken: list[QueuedPiece] = []
        for order in sorted(queue, key=_turn):
            pieces = queue[order]
            size = min(self._limits.batch, pieces[0].kind.batch_size)
            while pieces and len(taken) < size:
                taken.append(pieces.popleft())
                order.served += 1
            if not pieces:
                del queue[order]
        if not queue:
            del self._queues[key]
        self._waiting -= len(taken)
        return _by_source(taken)

    def _settle(self, batch: ScheduledBatch, outcome: list[Any] | Lost) -> None:
        if not isinstance(outcome, Lost):
            self._pace.note(len(batch.pieces))
            self._hand_out(zip(batch.pieces, outcome, strict=True))
            return
        self._meters.lost(batch.pieces[0].kind.name, is_timeout=outcome.is_timeout)
        _log.warning("a batch of %d was lost: %s", len(batch.pieces), outcome.reason)
        # Together with others it is not known whose fault it was. A process may also die for a
        # reason from outside, so only what dies twice, or hangs alone, is at fault.
        is_alone = len(batch.pieces) == 1
        again: list[QueuedPiece] = []
        given_up: list[QueuedPiece] = []
        for piece in batch.pieces:
            piece.losses += 1
            at_fault = is_alone and (outcome.is_timeout or piece.losses > 1)
            (given_up if at_fault else again).append(piece)
        with self._lock:
            self._put([piece for piece in again if not piece.order.is_cancelled])
        self._hand_out((piece, piece.kind.lost(outcome.reason)) for piece in given_up)

    def _hand_out(self, answers: Iterable[tuple[QueuedPiece, Any]]) -> None:
        by_order: dict[Order, list[tuple[QueuedPiece, Any]]] = {}
        for piece, answer in answers:
            by_order.setdefault(piece.order, []).append((piece, answer))
        for order, some in by_order.items():
            if order.is_cancelled:
                continue
            order.unfinished -= len(some)
            if not order.unfinished:
                with self._lock:
                    self._orders.pop(order, None)
            order.deliver(some)

    # Under the lock.

    def _put(self, pieces: Iterable[QueuedPiece]) -> None:
        for piece in pieces:
            queue = self._queues.setdefault(piece.key, {})
            queue.setdefault(piece.order, deque()).append(piece)
            self._waiting += 1

    def _remove(self, order: Order) -> None:
        for key, queue in list(self._queues.items()):
            self._waiting -= len(queue.pop(order, ()))
            if not queue:
                del self._queues[key]
        self._orders.pop(order, None)

    def _fail_all(self, error: TricoloreError) -> None:
        with self._lock:
            orders = list(self._orders)
            for order in orders:
                order.is_cancelled = True
                self._remove(order)
        for order in orders:
            order.fail(error)


class _StopNow(Exception):  # noqa: N818 (it is no error)
    """Ends the workers."""


class _Pace:
    """How fast pieces are done, to say when it is worth to try again."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._per_second = 10.0

    def note(self, pieces: int) -> None:
        now = time.monotonic()
        latest = pieces / max(now - self._since, 1e-3)
        self._per_second += 0.2 * (latest - self._per_second)
        self._since = now

    def seconds_for(self, pieces: int) -> int:
        """The seconds until this many pieces are done: from 1 to 60."""
        return min(60, max(1, round(pieces / max(self._per_second, 1e-3))))


def _turn(order: Order) -> tuple[int, int]:
    return order.served, order.number


def _by_source(pieces: Sequence[QueuedPiece]) -> list[QueuedPiece]:
    """The pieces with those of one source together, so that its work is done once."""
    groups: dict[tuple[str, ...], list[QueuedPiece]] = {}
    for piece in pieces:
        groups.setdefault(piece.example.source, []).append(piece)
    return [piece for group in groups.values() for piece in group]
