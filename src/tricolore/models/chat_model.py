"""Language models behind an OpenAI-compatible server: the only place that sends texts elsewhere.

The key is read from the environment for each request. It is in no attribute, so that it can't be
in a representation, a log, a cache or a signature.
"""

from __future__ import annotations

import ipaddress
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import urlsplit
from weakref import finalize

from tricolore.errors import TricoloreError, Unavailable
from tricolore.models.chat_protocol import (
    ChatFormatError,
    ChatOptions,
    ChatPrompt,
    ChatReply,
    error_message,
    read_reply,
    request_body,
)
from tricolore.models.model import Model, Precision
from tricolore.models.placement import current
from tricolore.models.spending import CostBudget, TokenPrices

if TYPE_CHECKING:
    import httpx

URL_VARIABLE, KEY_VARIABLE = "OPENAI_BASE_URL", "OPENAI_API_KEY"
LONGEST_WAIT = 120.0
"""Seconds to wait before a retry, at most: a server that asks for more is given up."""
_MOST_BYTES = 4 << 20
_PASSING = (408, 409, 425, 429)
"""Refusals that may go away, besides all failures of the server (500 and above)."""


class ChatError(TricoloreError):
    """A request has failed, also after its retries."""


@dataclass(frozen=True)
class RequestLimits:
    """How long and how often a request is tried."""

    timeout: float = 60.0
    """Seconds until a whole answer must be there."""
    retries: int = 4
    backoff: float = 1.0
    """Seconds before the first retry, about; each further wait is twice as long."""
    requests_per_minute: float = 0.0
    """0: as many as the server takes."""


@dataclass
class RequestAccount:
    """What the requests for one row have taken, and who is to pay for them."""

    prices: TokenPrices = field(default_factory=TokenPrices)
    budget: CostBudget | None = None
    stopped: Event = field(default_factory=Event)
    """Set if the run ends early: nothing more is sent."""
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    @contextmanager
    def request(self, prompt: ChatPrompt, options: ChatOptions) -> Iterator[_Request]:
        """One request: its estimated cost is reserved, then replaced by what it took."""
        tokens = prompt.estimated_tokens, options.max_reply
        estimate = self.prices.cost(*tokens)
        if self.budget:
            self.budget.reserve(estimate)
        request = _Request(*tokens)
        try:
            yield request
        finally:
            self.requests += request.is_sent
            self.input_tokens += request.input_tokens * request.is_charged
            self.output_tokens += request.output_tokens * request.is_charged
            if self.budget:
                cost = self.prices.cost(request.input_tokens, request.output_tokens)
                self.budget.settle(estimate, cost * request.is_charged)


@dataclass
class _Request:
    """The tokens of a request: estimated until the reply says how many there were."""

    input_tokens: int
    output_tokens: int
    is_sent: bool = False
    is_charged: bool = False
    """Whether the server may charge for it: not for one that it has refused."""


class _Passing(Exception):  # noqa: N818 (it is not an error yet)
    """A failure that may go away."""

    def __init__(self, problem: str, wait: float = 0.0, *, is_unreachable: bool = False) -> None:
        super().__init__(problem)
        self.problem = problem
        self.wait = wait
        self.is_unreachable = is_unreachable


class _Adapted(Exception):  # noqa: N818
    """The server does not know a field of the request, which is left out from now on."""


class ChatModel(Model):
    """A chat model of an OpenAI-compatible server. Its name is `MODEL@URL`.

    >>> ChatModel("smol@http://127.0.0.1:8000/v1").url
    'http://127.0.0.1:8000/v1'
    """

    kind: ClassVar[str] = "chat model"
    default: ClassVar[str] = ""
    advice: ClassVar[str] = "Name a model and the address of an OpenAI-compatible server."

    def __init__(self, name: str) -> None:
        self.name = self.revision = name
        self.model, _, self.url = name.rpartition("@")
        self._http: httpx.Client | None = None
        self._lock = Lock()
        self._next_start = 0.0
        self._gives_probabilities = True
        self._limit_name = "max_tokens"

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """A client of the server; nothing is sent yet."""
        try:
            import httpx
        except ImportError:
            raise Unavailable("a chat model needs httpx: pip install 'tricolore[judge]'") from None
        made = cls(name)
        # Neither a proxy nor a redirection may see what goes to this machine.
        made._http = httpx.Client(trust_env=not is_loopback(made.url), follow_redirects=False)
        finalize(made, made._http.close)
        return made

    @classmethod
    def known_revision(cls, name: str, revision: str = "") -> str | None:
        """The name itself: a server says nothing about its weights."""
        return name

    def ask(
        self,
        prompt: ChatPrompt,
        options: ChatOptions,
        limits: RequestLimits,
        account: RequestAccount,
    ) -> ChatReply:
        """The reply to a prompt. May be called from several threads.

        Raises:
            Unavailable: The server can't be reached, or refuses the key or the model.
            CostLimitError: The request could exceed the cost limit.
            ChatError: There is no reply, also after the retries.
        """
        failed = _Passing("")
        for attempt in range(limits.retries + 1):
            if attempt:
                self._back_off(limits.backoff * 2 ** (attempt - 1), failed.wait, account.stopped)
            try:
                return self._adapted(prompt, options, limits, account)
            except _Passing as passing:
                failed = passing
            if failed.wait > LONGEST_WAIT:
                break
        tries = "1 request" if attempt == 0 else f"{attempt + 1} requests"
        problem = f"{failed.problem} ({tries})"
        if failed.is_unreachable:
            raise Unavailable(problem, f"check the address {self.url}")
        raise ChatError(problem)

    def _adapted(
        self,
        prompt: ChatPrompt,
        options: ChatOptions,
        limits: RequestLimits,
        account: RequestAccount,
    ) -> ChatReply:
        """One try, with the fields that the server takes."""
        for _ in range(3):
            try:
                return self._try(prompt, options, limits, account)
            except _Adapted:
                continue
        raise ChatError("the server refuses the fields of the request")

    def _try(
        self,
        prompt: ChatPrompt,
        options: ChatOptions,
        limits: RequestLimits,
        account: RequestAccount,
    ) -> ChatReply:
        if options.probabilities and not self._gives_probabilities:
            options = ChatOptions(options.temperature, options.max_reply)
        headers = self._headers()
        with account.request(prompt, options) as request:
            self._wait_for_turn(limits.requests_per_minute, account.stopped)
            body = request_body(self.model, prompt, options, limit_name=self._limit_name)
            request.is_sent = request.is_charged = True
            status, answer_headers, answer = self._post(body, headers, limits.timeout)
            if not 200 <= status < 300:
                request.is_charged = False
                self._refused(status, answer_headers, answer, options, body)
            try:
                reply = read_reply(answer, prompt)
            except ChatFormatError as error:
                raise _Passing(error.problem) from error
            request.input_tokens, request.output_tokens = reply.input_tokens, reply.output_tokens
        return reply

    def _post(
        self, body: dict[str, Any], headers: dict[str, str], timeout: float
    ) -> tuple[int, Any, bytes]:
        """Status, headers and body of the answer, which must be whole in time."""
        import httpx

        assert self._http is not None
        deadline = time.monotonic() + timeout
        late = _Passing(f"the server has not answered within {timeout:g} seconds")
        content = bytearray()
        try:
            with self._http.stream(
                "POST", f"{self.url}/chat/completions", json=body, headers=headers, timeout=timeout
            ) as answer:
                for piece in answer.iter_bytes():
                    content += piece
                    if len(content) > _MOST_BYTES:
                        raise _Passing("the server's answer is too long")
                    if time.monotonic() > deadline:
                        raise late
                return answer.status_code, answer.headers, bytes(content)
        except httpx.TimeoutException:
            raise late from None
        except (httpx.ConnectError, httpx.UnsupportedProtocol) as error:
            words = f"the server cannot be reached: {error}"
            raise _Passing(words, is_unreachable=True) from None
        except httpx.HTTPError as error:
            raise _Passing(f"the connection failed: {type(error).__name__}") from None

    def _refused(
        self, status: int, headers: Any, answer: bytes, options: ChatOptions, body: Any
    ) -> None:
        """Raise what an answer that is not a success means."""
        said = self._without_key(error_message(answer))
        words = f"the server answered with status {status}" + (f": {said}" if said else "")
        if status in (401, 403):
            raise Unavailable(words, f"check the key in {KEY_VARIABLE}")
        if status == 404 or 300 <= status < 400:
            raise Unavailable(words, f"check the model {self.model} and the address {self.url}")
        if "insufficient_quota" in answer.decode("utf-8", "replace"):
            raise Unavailable(words, "the account of this key has no money left")
        if status in _PASSING or status >= 500:
            raise _Passing(words, _retry_after(headers.get("retry-after", "")))
        if status in (400, 422):
            if options.probabilities and "logprob" in said.lower():
                self._gives_probabilities = False
                raise _Adapted
            if "max_completion_tokens" in said and "max_tokens" in body:
                self._limit_name = "max_completion_tokens"
                raise _Adapted
        raise ChatError(words)

    def _headers(self) -> dict[str, str]:
        key = os.environ.get(KEY_VARIABLE, "").strip()
        if not key:
            return {}
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise Unavailable(f"{KEY_VARIABLE} has characters that a key cannot have")
        if urlsplit(self.url).scheme == "http" and not is_loopback(self.url):
            raise Unavailable(
                f"the key in {KEY_VARIABLE} would be sent unencrypted to {self.url}",
                f"use https, or unset {KEY_VARIABLE} if the server needs no key",
            )
        return {"Authorization": f"Bearer {key}"}

    @staticmethod
    def _without_key(words: str) -> str:
        key = os.environ.get(KEY_VARIABLE, "").strip()
        return words.replace(key, "[key]") if key else words

    def _wait_for_turn(self, per_minute: float, stopped: Event) -> None:
        """Wait until the next request may start."""
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next_start)
            self._next_start = start + (60 / per_minute if per_minute else 0)
        _pause(start - now, stopped)

    def _back_off(self, seconds: float, asked: float, stopped: Event) -> None:
        """Wait before a retry: as long as the server asks, which holds for all threads."""
        if asked:
            with self._lock:
                self._next_start = max(self._next_start, time.monotonic() + asked)
        _pause(max(asked, min(seconds, LONGEST_WAIT) * random.uniform(0.5, 1.0)), stopped)


def _pause(seconds: float, stopped: Event) -> None:
    if stopped.wait(max(0.0, seconds)) or stopped.is_set():
        raise ChatError("the run was stopped")


def _retry_after(words: str) -> float:
    """The seconds that a server asks to wait, given as a number or as a date.

    >>> _retry_after("2"), _retry_after("soon")
    (2.0, 0.0)
    """
    if words.strip().isdecimal():
        return float(words)
    try:
        when = parsedate_to_datetime(words)
    except (ValueError, TypeError):
        return 0.0
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def is_loopback(url: str) -> bool:
    """Whether an address is on this machine.

    >>> is_loopback("http://127.0.0.1:8000/v1"), is_loopback("https://example.org/v1")
    (True, False)
    """
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def checked_url(given: str) -> str:
    """The address of a server without a slash at the end; a ValueError says what is wrong.

    >>> checked_url("http://127.0.0.1:8000/v1/")
    'http://127.0.0.1:8000/v1'
    """
    try:
        parts = urlsplit(given)
        is_sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port
    except ValueError:
        is_sound = False
    if not is_sound or not given.isprintable() or " " in given:
        raise ValueError("url must be an address such as http://127.0.0.1:8000/v1")
    if parts.username is not None or parts.password is not None:
        raise ValueError(f"url must not have a name or a password; the key is in {KEY_VARIABLE}")
    if parts.query or parts.fragment or "@" in given:
        raise ValueError("url must not have a query, a fragment or an @")
    return given.rstrip("/")


def check_network(url: str) -> None:
    """Raise `Unavailable` if a server is elsewhere, and the network must not be used."""
    if current().offline and not is_loopback(url):
        raise Unavailable(f"{url} is not on this machine", argument="offline")
