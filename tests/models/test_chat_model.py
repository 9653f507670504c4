"""Requests to chat models, against a real server that answers well, badly or not at all."""

from __future__ import annotations

import pickle
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Event

import pytest

from tests.models.chat_server import Answer, chat_server, refusal, reply
from tricolore.errors import Unavailable
from tricolore.models.chat_model import (
    ChatError,
    ChatModel,
    RequestAccount,
    RequestLimits,
    check_network,
    checked_url,
)
from tricolore.models.chat_protocol import ChatOptions, ChatPrompt, ChatReply
from tricolore.models.placement import Placement, placed
from tricolore.models.spending import CostBudget, CostLimitError, TokenPrices

PROMPT = ChatPrompt("Be brief.", "Which number?")
QUICK = RequestLimits(timeout=5, retries=3, backoff=0.01)
KEY = "sk-very-secret-0123456789"


def ask(name: str, limits: RequestLimits = QUICK, account: RequestAccount | None = None, **options):
    model = ChatModel.load(name)
    return model.ask(PROMPT, ChatOptions(**options), limits, account or RequestAccount())


def test_a_request_has_our_messages_and_no_tools() -> None:
    with chat_server([reply("4", usage=(12, 1))]) as server:
        assert ask(server.model, temperature=0.5, max_reply=3) == ChatReply("4", (), 12, 1)
    assert server.bodies == [
        {
            "model": "toy",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Which number?"},
            ],
            "temperature": 0.5,
            "max_tokens": 3,
        }
    ]
    assert "authorization" not in server.headers[0]


FAULTS = {
    "429": refusal(429),
    "500": refusal(500),
    "503": refusal(503),
    "garbage": Answer(body=b"\xff\x00<html>busy</html>"),
    "half a JSON": Answer(body=reply("4").body[:40]),
    "a body that ends early": Answer(body=reply("4").body[:40], promised=4000),
    "no choices": Answer(body=b'{"choices": []}'),
    "a list": Answer(body=b"[1, 2]"),
    "deep": Answer(body=b"[" * 100_000),
    "a number as text": reply(4),  # type: ignore[arg-type]
    "nothing": Answer(body=b""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_request_is_sent_again_after_a_fault(fault: str) -> None:
    account = RequestAccount()
    with chat_server([FAULTS[fault], FAULTS[fault], reply("4", usage=(7, 1))]) as server:
        assert ask(server.model, account=account).text == "4"
    assert account.requests == len(server.bodies) == 3


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_stays_is_an_error(fault: str) -> None:
    with (
        chat_server([FAULTS[fault]]) as server,
        pytest.raises(ChatError, match=r"\(4 requests\)$"),
    ):
        ask(server.model)
    assert len(server.bodies) == 4


@pytest.mark.parametrize("late", [Answer(delay=2), Answer(body=b" " * 100, drip=0.1)])
def test_a_server_that_is_late_or_never_done_is_given_up(late: Answer) -> None:
    begun = time.monotonic()
    account = RequestAccount()
    limits = RequestLimits(timeout=0.4, retries=1, backoff=0.01)
    with (
        chat_server([late]) as server,
        pytest.raises(ChatError, match=r"not answered within 0.4 seconds \(2 requests\)"),
    ):
        ask(server.model, limits, account)
    assert 0.8 <= time.monotonic() - begun < 2
    # A reply that nobody waits for may have to be paid for.
    assert account.input_tokens == 2 * PROMPT.estimated_tokens


def test_the_wait_that_the_server_asks_for_is_kept() -> None:
    with chat_server([refusal(429, retry_after="1"), reply("4")]) as server:
        ask(server.model)
    assert 1.0 <= server.times[1] - server.times[0] < 3
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    with chat_server([refusal(503, retry_after=later), reply("4")]) as server:
        ask(server.model)
    assert 0.5 <= server.times[1] - server.times[0] < 4


def test_a_server_that_asks_for_a_long_wait_is_given_up_at_once() -> None:
    begun = time.monotonic()
    with (
        chat_server([refusal(429, "quota", retry_after="3600")]) as server,
        pytest.raises(ChatError, match=r"status 429: quota \(1 request\)"),
    ):
        ask(server.model)
    assert time.monotonic() - begun < 2


def test_waits_grow() -> None:
    limits = RequestLimits(retries=3, backoff=0.2)
    with chat_server([refusal(500)] * 3 + [reply("4")]) as server:
        ask(server.model, limits)
    waits = [b - a for a, b in zip(server.times, server.times[1:], strict=False)]
    for wait, most in zip(waits, (0.2, 0.4, 0.8), strict=True):
        assert most / 2 <= wait < most + 0.5


def test_requests_are_spread_over_time() -> None:
    limits = RequestLimits(requests_per_minute=200)
    with chat_server([reply("4")]) as server:
        model = ChatModel.load(server.model)
        for _ in range(4):
            model.ask(PROMPT, ChatOptions(), limits, RequestAccount())
    assert server.times[-1] - server.times[0] >= 0.85  # three times 0.3 s


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (refusal(401, "bad key"), "check the key in OPENAI_API_KEY"),
        (refusal(403, "not yours"), "check the key in OPENAI_API_KEY"),
        (refusal(404, "no such model"), "check the model toy"),
        (refusal(307, location="http://127.0.0.1:9/v1"), "check the model toy"),
        (Answer(429, b'{"error": {"code": "insufficient_quota"}}'), "no money left"),
    ],
)
def test_what_no_request_can_succeed_with_stops_at_once(answer: Answer, hint: str) -> None:
    with chat_server([answer]) as server, pytest.raises(Unavailable, match=hint):
        ask(server.model)
    assert len(server.bodies) == 1


def test_a_server_that_is_not_there() -> None:
    with chat_server([reply("4")]) as server:
        gone = server.model
    with pytest.raises(Unavailable, match=r"cannot be reached: .*\(4 requests\); check the addr"):
        ask(gone)


def test_a_refusal_of_one_request_is_not_repeated() -> None:
    with (
        chat_server([refusal(400, "the prompt is too long")]) as server,
        pytest.raises(ChatError, match="status 400: the prompt is too long"),
    ):
        ask(server.model)
    assert len(server.bodies) == 1


def test_fields_that_a_server_refuses_are_left_out_from_then_on() -> None:
    answers = [
        refusal(400, "'logprobs' is not supported"),
        refusal(400, "Unsupported parameter: use 'max_completion_tokens' instead"),
        reply("4"),
    ]
    with chat_server(answers) as server:
        model = ChatModel.load(server.model)
        for _ in range(2):
            account = RequestAccount()
            options = ChatOptions(probabilities=True)
            assert model.ask(PROMPT, options, QUICK, account).text == "4"
    sent = [sorted(set(body) - {"model", "messages", "temperature"}) for body in server.bodies]
    assert sent == [
        ["logprobs", "max_tokens", "top_logprobs"],
        ["max_tokens"],
        ["max_completion_tokens"],
        ["max_completion_tokens"],
    ]


# The key.


def test_the_key_is_sent_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with chat_server([refusal(400, f"your key {KEY} may not do this")]) as server:
        model = ChatModel.load(server.model)
        with pytest.raises(ChatError) as caught:
            model.ask(PROMPT, ChatOptions(), QUICK, RequestAccount())
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert "your key [key] may not do this" in str(caught.value)
    for shown in (repr(caught.value), repr(model), repr(vars(model)), str(server.bodies)):
        assert KEY not in shown


@pytest.mark.parametrize("key", ["sk-a\nb", "sk-a b", "sk-ключ"])
def test_a_key_that_no_header_can_have_is_not_shown(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with chat_server([reply("4")]) as server, pytest.raises(Unavailable) as caught:
        ask(server.model)
    assert "OPENAI_API_KEY has characters" in str(caught.value)
    assert "sk-" not in repr(caught.value)
    assert server.bodies == []


def test_the_key_is_not_sent_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(Unavailable, match=r"sent unencrypted to http://192\.0\.2\.1/v1") as caught:
        ask("toy@http://192.0.2.1/v1")
    assert KEY not in repr(caught.value)


def test_offline_means_this_machine_only() -> None:
    with placed(Placement(offline=True)):
        check_network("http://127.0.0.1:1/v1")
        check_network("http://[::1]:1/v1")
        check_network("http://localhost:1/v1")
        with pytest.raises(Unavailable, match=r"https://example.org/v1 is not on this machine"):
            check_network("https://example.org/v1")
    check_network("https://example.org/v1")


@pytest.mark.parametrize(
    "given",
    [
        *("example.org/v1", "ftp://example.org", "http://", "http://a b/v1", "http://h:x/v1"),
        *("http://name:word@example.org/v1", "http://h/v1?key=1", "http://h/v1#x", "http://h\n/v1"),
    ],
)
def test_addresses_that_are_refused(given: str) -> None:
    with pytest.raises(ValueError, match=r"^url must") as caught:
        checked_url(given)
    assert "word" not in str(caught.value).replace("password", "")


# Costs.


def test_tokens_are_counted_as_the_server_counts_them() -> None:
    account = RequestAccount(TokenPrices(input=1.0, output=10.0), CostBudget(1.0))
    with chat_server([refusal(500), reply("4", usage=(1000, 2))]) as server:
        ask(server.model, account=account)
    # A request that the server refused costs nothing.
    assert (account.requests, account.input_tokens, account.output_tokens) == (2, 1000, 2)
    assert account.budget is not None
    assert account.budget.spent == pytest.approx(1000 / 1e6 + 20 / 1e6)


def test_tokens_that_the_server_does_not_count_are_estimated() -> None:
    account = RequestAccount()
    with chat_server([reply("4", usage=None)]) as server:
        ask(server.model, account=account)
    assert account.input_tokens == PROMPT.estimated_tokens == (9 + 13) // 3 + 16
    assert account.output_tokens == 1


def test_a_request_that_could_cost_too_much_is_not_sent() -> None:
    prices = TokenPrices(input=1e6)
    budget = CostBudget(limit=PROMPT.estimated_tokens + 100)
    with chat_server([reply("4", usage=(101, 1))]) as server:
        ask(server.model, account=RequestAccount(prices, budget))
        with pytest.raises(CostLimitError, match=r"the cost limit of 123 is reached \(101 spent\)"):
            ask(server.model, account=RequestAccount(prices, budget))
    assert len(server.bodies) == 1


def test_a_stopped_run_sends_nothing_more() -> None:
    stopped = Event()
    stopped.set()
    with chat_server([reply("4")]) as server, pytest.raises(ChatError, match="was stopped"):
        ask(server.model, account=RequestAccount(stopped=stopped))
    assert server.bodies == []


def test_errors_can_be_sent_between_processes() -> None:
    for error in (ChatError("a"), CostLimitError(1.0, 0.5)):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
