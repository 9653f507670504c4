"""Preferences between two summaries, asked in both orders."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from tests.models.chat_server import Answer, ChatServer, chat_server, reply
from tricolore import Example
from tricolore.measures.judge import Judge
from tricolore.measures.judge_pair import PairJudge

PAIR = Example(source="A cat sat on a mat.", summary="A cat sat.", references="A dog.")


def pair_judge(server: ChatServer, **settings: Any) -> PairJudge:
    made = Judge(model="toy", url=server.url, retries=0, concurrency=1, **settings)
    return PairJudge.like(made)


def summaries_in(body: dict[str, Any]) -> dict[str, str]:
    """The two summaries of a request, by their letters."""
    found = re.findall(r"BEGIN SUMMARY ([AB]) \w+ ===\n(.*?)\n===", body["messages"][1]["content"])
    return dict(found)


def longer(body: dict[str, Any]) -> Answer:
    """A judge that prefers the longer summary, whatever the order."""
    two = summaries_in(body)
    return reply("A" if len(two["A"]) > len(two["B"]) else "B")


def test_both_orders_are_asked() -> None:
    with chat_server(longer) as server:
        [score] = pair_judge(server).score([PAIR])
        [other] = pair_judge(server).score(
            [Example(source="A cat.", summary="A dog.", references="A cat sat.")]
        )
    assert summaries_in(server.bodies[0]) == {"A": "A cat sat.", "B": "A dog."}
    assert summaries_in(server.bodies[1]) == {"A": "A dog.", "B": "A cat sat."}
    assert (score.value, score.parts["if_first"], score.parts["if_second"]) == (1.0, 1.0, 1.0)
    assert (other.value, other.parts["if_first"], other.parts["if_second"]) == (0.0, 0.0, 0.0)
    assert score.parts["requests"] == 2.0
    assert score.parts["input_tokens"] == 200.0


def test_a_judge_that_always_takes_the_first_has_no_preference() -> None:
    with chat_server([reply("A")]) as server:
        [score] = pair_judge(server).score([PAIR])
    assert (score.value, score.parts["if_first"], score.parts["if_second"]) == (0.5, 1.0, 0.0)


def test_probabilities_by_hand() -> None:
    answers = [
        reply("A", probabilities={"A": 0.6, "B": 0.2, "C": 0.2}),  # 0.6 + 0.2 / 2 = 0.7
        reply("B", probabilities={"A": 0.3, "B": 0.6}),  # the second one: 0.6 / 0.9
    ]
    with chat_server(answers) as server:
        [score] = pair_judge(server).score([PAIR])
    assert score.parts["if_first"] == pytest.approx(0.7)
    assert score.parts["if_second"] == pytest.approx(2 / 3)
    assert score.value == pytest.approx((0.7 + 2 / 3) / 2)
    assert score.parts["choice_mass"] == pytest.approx((1.0 + 0.9) / 2)


@pytest.mark.parametrize("wrong", ["D", "a", "Summary A", "A B", ""])
def test_a_reply_that_is_no_letter_is_a_problem(wrong: str) -> None:
    with chat_server([reply("A"), reply(wrong)]) as server:
        [score] = pair_judge(server).score([PAIR])
    assert math.isnan(score.value)
    assert "the reply is not A, B or C alone" in str(score.problem)
    assert score.parts["requests"] == 2.0


def test_settings_are_those_of_the_judge() -> None:
    judge = Judge(model="toy", url="http://127.0.0.1:9/v1", aspect="fluency", temperature=0.5)
    made = PairJudge.like(judge)
    assert made.settings == {k: v for k, v in judge.settings.items() if k not in ("low", "high")}
    assert made.signature()["prompt"] != judge.signature()["prompt"]
    assert made.needs == {"references"}
    assert PairJudge.like(Judge()).needs == {"source", "references"}


def test_a_long_source_is_cut() -> None:
    long = Example(
        source="It was a day like any other, and there was not much to say about it. " * 3
        + "Mayor Anna Bell closed the Ouse bridge.",
        summary="It is.",
        references="It was.",
    )
    with chat_server([reply("C")]) as server:
        [score] = pair_judge(server, extract=10).score([long])
    assert score.value == 0.5
    assert "any other" not in server.bodies[0]["messages"][1]["content"]
