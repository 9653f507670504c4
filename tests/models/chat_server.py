"""A real HTTP server on loopback that speaks the protocol of chat models, also badly."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What the server sends: a status, headers and a body, perhaps late or not whole."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    """Seconds between the bytes of the body."""
    promised: int | None = None
    """The length that the headers promise, if the body is shorter."""


def reply(
    text: str | None,
    *,
    probabilities: dict[str, float] | None = None,
    lead: Sequence[str] = (),
    usage: tuple[int, int] | None = (100, 1),
    finish: str | None = "stop",
    **message: Any,
) -> Answer:
    """A sound answer; `probabilities` are those of the tokens where the text is."""
    choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": text}}
    choice["finish_reason"] = finish
    choice["message"] |= message
    if probabilities is not None:
        top = [{"token": t, "logprob": math.log(p)} for t, p in probabilities.items()]
        tokens = [{"token": t, "logprob": 0.0, "top_logprobs": []} for t in lead]
        tokens += [{"token": text, "logprob": -0.1, "top_logprobs": top}]
        choice["logprobs"] = {"content": tokens}
    plain: dict[str, Any] = {"object": "chat.completion", "choices": [choice]}
    if usage:
        plain["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return Answer(body=json.dumps(plain).encode())


def refusal(status: int, message: str = "no", **headers: str) -> Answer:
    """An answer that is not a success."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps({"error": {"message": message, "type": "x"}}).encode()
    return Answer(status, body, named)


@dataclass
class ChatServer:
    """What the server was asked, and what it answers: the first answers in order, then the last."""

    answers: list[Answer] | Callable[[dict[str, Any]], Answer]
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    most_at_once: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def taken(self, body: dict[str, Any], headers: dict[str, str]) -> Iterator[Answer]:
        with self._lock:
            self.times.append(time.monotonic())
            self.bodies.append(body)
            self.headers.append(headers)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            if callable(self.answers):
                answer = None
            else:
                answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        try:
            yield answer or self.answers(body)  # type: ignore[operator]
        finally:
            with self._lock:
                self._now -= 1

    @property
    def model(self) -> str:
        """The name of a `ChatModel` of this server."""
        return f"toy@{self.url}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: ChatServer

    def do_POST(self) -> None:
        assert self.path == "/v1/chat/completions"
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.state.taken(body, {k.lower(): v for k, v in self.headers.items()}) as answer:
            if answer.delay:
                time.sleep(answer.delay)
            try:
                self._send(answer)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client has given up

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        length = len(answer.body) if answer.promised is None else answer.promised
        self.send_header("content-length", str(length))
        self.end_headers()
        pieces = [bytes([b]) for b in answer.body] if answer.drip else [answer.body]
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(answer.drip)
        if length != len(answer.body):
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def chat_server(
    answers: Sequence[Answer] | Callable[[dict[str, Any]], Answer],
) -> Iterator[ChatServer]:
    """A server that runs while the block lasts."""
    state = ChatServer(answers if callable(answers) else list(answers))
    handler = type("Handler", (_Handler,), {"state": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
