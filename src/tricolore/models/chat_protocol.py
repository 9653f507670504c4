"""The protocol of OpenAI-compatible servers: the body of a request, and what a reply says."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tricolore.errors import TricoloreError

TOP_TOKENS = 20
"""Likeliest tokens that are asked for at each position; more are refused by most servers."""


@dataclass(frozen=True)
class ChatPrompt:
    """The messages of one request: fixed instructions, and the texts that they are about."""

    system: str
    user: str

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages as the protocol has them."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]

    @property
    def estimated_tokens(self) -> int:
        """About how many tokens it has; rather too many than too few in most languages."""
        return (len(self.system.encode()) + len(self.user.encode())) // 3 + 16


@dataclass(frozen=True)
class ChatOptions:
    """How a reply is made."""

    temperature: float = 0.0
    max_reply: int = 8
    """The most tokens of the reply."""
    probabilities: bool = False
    """Whether to ask for the probabilities of tokens."""


@dataclass(frozen=True)
class TokenChoice:
    """A token of a reply, and the logarithms of the probabilities of the likeliest ones there."""

    token: str
    likeliest: Sequence[tuple[str, float]]


@dataclass(frozen=True)
class ChatReply:
    """A reply: its text, and what it took."""

    text: str
    tokens: tuple[TokenChoice, ...] = ()
    """Empty if the server gives no log-probabilities."""
    input_tokens: int = 0
    output_tokens: int = 0
    is_cut: bool = False
    """Whether it ends only because it may have no more tokens."""


class ChatFormatError(TricoloreError):
    """A server answered something that is not a reply."""


def request_body(
    model: str, prompt: ChatPrompt, options: ChatOptions, *, limit_name: str = "max_tokens"
) -> dict[str, Any]:
    """The body of a request. It never has tools: a judge only answers.

    >>> body = request_body("m", ChatPrompt("s", "u"), ChatOptions())
    >>> sorted(body)
    ['max_tokens', 'messages', 'model', 'temperature']
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": prompt.messages,
        "temperature": options.temperature,
        limit_name: options.max_reply,
    }
    if options.probabilities:
        body |= {"logprobs": True, "top_logprobs": TOP_TOKENS}
    return body


def read_reply(body: bytes, prompt: ChatPrompt) -> ChatReply:
    """The reply in the body of an answer; `ChatFormatError` if there is none.

    Tokens that the server has not counted are estimated.
    """
    try:
        plain = json.loads(body)
    except (ValueError, RecursionError):
        raise ChatFormatError("the server's answer is not JSON") from None
    try:
        choice = plain["choices"][0]
        message = choice["message"]
        text = message.get("content")
    except (TypeError, KeyError, IndexError, AttributeError):
        raise ChatFormatError("the server's answer has no message") from None
    if text is None:
        text = ""
    if not isinstance(text, str):
        raise ChatFormatError("the server's answer has a message that is not text")
    usage = plain.get("usage")
    return ChatReply(
        text,
        _tokens(choice),
        _count(usage, "prompt_tokens", prompt.estimated_tokens),
        _count(usage, "completion_tokens", len(text.encode("utf-8", "replace")) // 3 + 1),
        is_cut=choice.get("finish_reason") == "length",
    )


def _count(usage: Any, name: str, otherwise: int) -> int:
    found = usage.get(name) if isinstance(usage, Mapping) else None
    is_count = isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**31
    return int(found) if is_count else otherwise  # type: ignore[arg-type]


def _tokens(choice: Mapping[str, Any]) -> tuple[TokenChoice, ...]:
    """The tokens of a reply with the likeliest ones; none if any of it is not as it should be."""
    try:
        content = choice["logprobs"]["content"]
        return tuple(
            TokenChoice(
                _text(token["token"]),
                [
                    (_text(one["token"]), _logarithm(one["logprob"]))
                    for one in token["top_logprobs"] or [token]
                ],
            )
            for token in content
        )
    except (TypeError, KeyError, AttributeError, ValueError):
        return ()


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError("a token is not text")
    return given


def _logarithm(given: Any) -> float:
    number = float(given)
    # Rounding may make the probability of a certain token a little more than 1.
    if math.isnan(number) or number > 1e-3:
        raise ValueError("this is not the logarithm of a probability")
    return min(number, 0.0)


def error_message(body: bytes) -> str:
    """What the body of an error says, as one short line; empty if that is not known."""
    try:
        plain = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    found: Any = plain
    for name in ("error", "message"):
        if isinstance(found, Mapping):
            found = found.get(name, found.get("detail", ""))
    return " ".join(found.split())[:200] if isinstance(found, str) else ""
