"""What every request passes first: who asks, from where, how much, and what is logged.

A page on another site must not be able to use a server on loopback. A browser sends such a page's
requests with the name that the page used (Host, after DNS rebinding) and where it came from
(Origin, Sec-Fetch-Site), so both are checked; and without CORS headers it shows no answer to it.
"""

from __future__ import annotations

import hmac
import time
from collections import Counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tricolore.web.logs import REQUESTS
from tricolore.web.problems import ApiError, answer_to
from tricolore.web.service import Service

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""On every answer."""
NOTES = "tricolore.notes"
"""The key of the scope under which endpoints note what is logged: rows and characters."""

_OPEN = ("/healthz", "/readyz", "/", "/docs", "/openapi.json")
_OPEN_BELOW = ("/static/", "/p/")
"""Addresses without a token: pages that hold nothing of a user, and what an orchestrator asks."""
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service
        self._token = service.config.token.encode()
        self._hosts = service.config.allowed_hosts
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the application do so."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets
            return
        exchange = _Exchange(scope, send)
        self._service.meters.begin_request()
        client = (scope.get("client") or ("", 0))[0]
        is_counted = False
        try:
            self._check(scope)
            if scope["method"] not in _SAFE:
                self._check_load(client)
                self._under_way[client] += 1
                is_counted = True
            limited = _LimitedBody(receive, self._service.limits.body)
            await self._app(scope, limited.receive, exchange.send)
        except ApiError as error:
            if not exchange.status:
                await answer_to(error)(scope, receive, exchange.send)
        finally:
            if is_counted:
                self._under_way[client] -= 1
                self._under_way += Counter()  # forgets clients that have none
            exchange.end(self._service)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            raise ApiError(
                421,
                "this server does not answer for the host that the request names",
                "the operator can add it with --allow-host",
            )
        if scope["method"] not in _SAFE:
            origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
            is_own = origin is None or urlsplit(origin).netloc.lower() == host.lower()
            if not is_own or site not in ("same-origin", "none"):
                raise ApiError(403, "requests from pages of other sites are refused")
        if self._token and not _is_open(scope["path"]):
            given = headers.get("authorization", "")
            kind, _, token = given.partition(" ")
            is_right = hmac.compare_digest(token.strip().encode("latin-1", "replace"), self._token)
            if kind.lower() != "bearer" or not is_right:
                raise ApiError(
                    401,
                    "this server needs a token" if not given else "the token is wrong",
                    "send the header `Authorization: Bearer TOKEN`",
                    headers={"WWW-Authenticate": "Bearer"},
                )

    def _check_load(self, client: str) -> None:
        if self._service.is_draining:
            raise ApiError(503, "the server is shutting down", retry_after=10)
        if self._under_way[client] >= self._service.limits.client_requests:
            most = self._service.limits.client_requests
            raise ApiError(
                429, f"a client may have {most} requests at the same time", retry_after=1
            )


class _Exchange:
    """A request and its answer: adds headers, and notes what is logged."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._began = time.monotonic()
        self.status = 0
        scope[NOTES] = {}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)

    def end(self, service: Service) -> None:
        seconds = time.monotonic() - self._began
        method = self._scope["method"] if self._scope["method"] in _METHODS else "other"
        path = getattr(self._scope.get("route"), "path", "") or "unknown"
        status = self.status or 499  # the client has gone
        service.meters.end_request(path, method, status, seconds)
        fields = {"method": method, "path": path, "status": status, "ms": round(1000 * seconds, 1)}
        REQUESTS.info("request", extra={"fields": fields | self._scope[NOTES]})


class _LimitedBody:
    """Counts the bytes of a body while it is read."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most, self._read = receive, most, 0

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            if self._read > self._most:
                raise ApiError(
                    413,
                    f"the body is longer than {self._most:,} bytes",
                    headers={"Connection": "close"},
                )
        return message


def _is_open(path: str) -> bool:
    return path in _OPEN or path.startswith(_OPEN_BELOW)


def _name(host: str) -> str:
    """The name in a Host header, without the port.

    >>> _name("Localhost:8000"), _name("[::1]:80"), _name("[::1]"), _name("a.b:x@c")
    ('localhost', '[::1]', '[::1]', '')
    """
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        return host.lower()
    return name.lower() if port.isdigit() else ""
