"""Bodies of requests, and what the bodies of answers say."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.models.chat_server import reply
from tricolore.models.chat_protocol import (
    ChatFormatError,
    ChatOptions,
    ChatPrompt,
    TokenChoice,
    error_message,
    read_reply,
    request_body,
)

PROMPT = ChatPrompt("s", "ü")


def test_probabilities_are_asked_for() -> None:
    body = request_body("m", PROMPT, ChatOptions(probabilities=True), limit_name="max_new")
    assert body["logprobs"] is True
    assert body["top_logprobs"] == 20
    assert body["max_new"] == 8
    assert "tools" not in body


def test_tokens_and_their_alternatives() -> None:
    found = read_reply(reply("4", probabilities={"4": 0.5, " 5": 0.25}).body, PROMPT)
    assert found.text == "4"
    [token] = found.tokens
    assert token == TokenChoice("4", [("4", math.log(0.5)), (" 5", math.log(0.25))])
    # A server that lists no alternatives has at least told the token's own probability.
    lone = json.loads(reply("4", probabilities={}).body)
    assert read_reply(json.dumps(lone).encode(), PROMPT).tokens[0].likeliest == [("4", -0.1)]


@pytest.mark.parametrize(
    "logprobs",
    [
        *(None, {}, [], "yes", {"content": None}, {"content": [{}]}, {"content": ["4"]}),
        {"content": [{"token": "4", "top_logprobs": [{"token": "4", "logprob": None}]}]},
        {"content": [{"token": "4", "top_logprobs": [{"token": "4", "logprob": 0.7}]}]},
        {"content": [{"token": "4", "top_logprobs": [{"token": 4, "logprob": -0.7}]}]},
        {"content": [{"token": "4", "top_logprobs": [{"token": "4", "logprob": math.nan}]}]},
    ],
)
def test_probabilities_that_are_not_sound_are_none(logprobs: Any) -> None:
    plain = json.loads(reply("4").body)
    plain["choices"][0]["logprobs"] = logprobs
    assert read_reply(json.dumps(plain).encode(), PROMPT).tokens == ()


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"4", b"[]", b"{}", b'{"choices": 3}', b'{"choices": [4]}', b"\xff"),
        *(b'{"choices": [{"message": "4"}]}', b'{"choices": [{"message": {"content": [4]}}]}'),
    ],
)
def test_what_is_no_reply(body: bytes) -> None:
    with pytest.raises(ChatFormatError, match="the server's answer"):
        read_reply(body, PROMPT)


def test_a_call_of_a_tool_is_an_empty_reply() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "score", "arguments": "5"}}
    assert read_reply(reply(None, tool_calls=[call]).body, PROMPT).text == ""


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": -1}, {"prompt_tokens": "7"}])
def test_tokens_that_were_not_counted_are_estimated(usage: Any) -> None:
    plain = json.loads(reply("4").body) | {"usage": usage}
    found = read_reply(json.dumps(plain).encode(), PROMPT)
    assert (found.input_tokens, found.output_tokens) == (PROMPT.estimated_tokens, 1)
    assert PROMPT.estimated_tokens == (1 + 2) // 3 + 16  # ü has two bytes


def test_what_an_error_says() -> None:
    assert error_message(b'{"error": {"message": "too\\n long"}}') == "too long"
    assert error_message(b'{"error": "no"}') == "no"
    assert error_message(b'{"detail": "not found"}') == "not found"
    assert error_message(b'{"message": "m"}') == ""
    assert error_message(b'{"error": {"message": "' + b"x" * 999 + b'"}}') == "x" * 200
    for other in (b"", b"<html>", b"[1]", b'{"error": {"message": 3}}', b"[" * 100_000):
        assert error_message(other) == ""
