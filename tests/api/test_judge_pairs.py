"""Systems compared in pairs by a judge on a real local server."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tests.models.chat_server import Answer, ChatServer, chat_server, refusal, reply
from tricolore import judge_pairs
from tricolore.errors import ReadError, SpecError

WORDS = {"long": "one two three", "short": "one"}
ROWS = [
    {"doc_id": str(n), "system": system, "source": f"A source {n}.", "summary": f"{words} {n}"}
    for n in range(6)
    for system, words in WORDS.items()
]


def longer(body: dict[str, Any]) -> Answer:
    """Prefers the longer summary."""
    user = body["messages"][1]["content"]
    lengths = [
        len(user.split(f"=== BEGIN SUMMARY {x}")[1].split("\n=== END")[0]) for x in ("A", "B")
    ]
    return reply("A" if lengths[0] > lengths[1] else "B" if lengths[1] > lengths[0] else "C")


def spec(server: ChatServer, more: str = "") -> str:
    return f"judge:model=toy,url={server.url},retries=0,concurrency=1{more}"


def test_a_fair_judge() -> None:
    with chat_server(longer) as server:
        found = judge_pairs(ROWS, spec(server))
    [rate] = found.win_rates
    assert (rate.system, rate.other, rate.documents) == ("long", "short", 6)
    assert (rate.wins, rate.ties, rate.losses) == (6, 0, 0)
    assert (rate.rate, rate.low, rate.high, rate.agreement) == (1.0, 1.0, 1.0, 1.0)
    assert (found.position.rate, found.position.is_biased) == (0.5, False)
    assert found.answer == "long is preferred to short (win rate of long: 1.000 [1.000, 1.000])."
    assert found.usage.line == "12 requests, 1,200 input tokens, 12 output tokens."
    assert found.signature["model"] == "toy"
    assert "no bias is evident. Both orders have the same winner in 100 % of 6 pairs" in (
        found.position_line
    )


def test_a_judge_with_a_position_bias() -> None:
    with chat_server([reply("A")]) as server:
        found = judge_pairs(ROWS, spec(server))
    [rate] = found.win_rates
    assert (rate.wins, rate.ties, rate.losses, rate.agreement) == (0, 6, 0, 0.0)
    assert found.position.rate == 1.0
    assert "preferred with 1.000 [1.000, 1.000]; 0.5 is unbiased, so the order matters" in (
        found.position_line
    )
    assert found.position_line in found.table.notes
    assert found.answer.startswith("Neither long nor short is clearly preferred (0.500")


def test_several_systems_and_a_choice_of_them() -> None:
    third = [row | {"system": "third", "summary": "one two"} for row in ROWS[::2]]
    with chat_server(longer) as server:
        found = judge_pairs([*ROWS, *third], spec(server))
        chosen = judge_pairs([*ROWS, *third], spec(server), systems="third,short")
    pairs = [(one.system, one.other) for one in found.win_rates]
    assert pairs == [("long", "short"), ("long", "third"), ("short", "third")]
    assert [row[:3] for row in found.table.rows] == [[*pair, 6] for pair in pairs]
    [rate] = chosen.win_rates
    assert (rate.system, rate.other, rate.wins) == ("third", "short", 6)


def test_an_empty_summary_loses_and_is_not_sent() -> None:
    rows = [dict(row) for row in ROWS]
    rows[0]["summary"] = " "  # of long
    rows[2]["summary"] = rows[3]["summary"] = ""
    with chat_server(longer) as server:
        found = judge_pairs(rows, spec(server))
    assert len(server.bodies) == 8
    [rate] = found.win_rates
    assert (rate.wins, rate.ties, rate.losses) == (4, 1, 1)
    assert found.position.pairs == 4  # nobody was asked about the others


@pytest.mark.fault(
    injected="the server of a judge refuses to compare some pairs of summaries",
    outcome="these pairs get a problem and are counted; the win rates are over the others",
)
def test_problems_are_counted() -> None:
    def sometimes(body: dict[str, Any]) -> Answer:
        return refusal(400, "too long") if "source 3" in str(body) else longer(body)

    with chat_server(sometimes) as server:
        found = judge_pairs(ROWS, spec(server))
    [rate] = found.win_rates
    assert rate.documents == 5
    [problem] = found.problems
    assert (problem.doc_id, problem.if_first) == ("3", None)
    assert found.problem_line == (
        "1 pair with a problem; the first: the server answered with status 400: too long"
    )
    assert found.problem_line in found.table.notes


def test_the_cache_and_the_cost_limit(tmp_path: Path) -> None:
    with chat_server(longer) as server:
        paid = spec(server, ",input_price=1000000")
        estimate = 700
        limited = judge_pairs(ROWS, paid, cache=tmp_path, max_cost=300.0 + estimate)
        done = len(server.bodies)
        assert 0 < done < 12
        assert "the cost limit of 1000 is reached" in limited.problem_line
        assert limited.usage.cost == 100.0 * done
        whole = judge_pairs(ROWS, paid, cache=tmp_path)
        assert not whole.problems
        again = judge_pairs(ROWS, paid, cache=tmp_path)
        assert again.preferences == whole.preferences
        assert again.usage.requests == 0


def test_what_cannot_be_compared(tmp_path: Path) -> None:
    with chat_server(longer) as server:
        good = spec(server)
        with pytest.raises(SpecError, match="length is not a judge"):
            judge_pairs(ROWS, "length")
        with pytest.raises(ReadError, match="there is no system 'tall'; there are: long, short"):
            judge_pairs(ROWS, good, systems="long,tall")
        with pytest.raises(ReadError, match="two systems are needed to compare, not 1"):
            judge_pairs(ROWS[::2], good)
        apart = [ROWS[0], ROWS[3]]
        with pytest.raises(ReadError, match="no document has summaries of two"):
            judge_pairs(apart, good)
    assert server.bodies == []


def test_notes_on_what_was_left_out() -> None:
    with chat_server(longer) as server:
        found = judge_pairs([*ROWS, ROWS[0], ROWS[0] | {"doc_id": "9"}], spec(server))
    assert "1 rows repeat a document and system, and were left out." in found.notes
    assert "1 documents lack a summary of some system." in found.notes


def test_too_few_documents_are_noted() -> None:
    with chat_server(longer) as server:
        found = judge_pairs(ROWS[:6], spec(server))
        lone = judge_pairs(ROWS[:2], spec(server))
    assert "only 3 documents: the interval says little" in found.table.notes
    assert math.isnan(lone.win_rates[0].low)
    assert "<table" in found._repr_html_()
    assert found.to_json()[0]["wins"] == 3
