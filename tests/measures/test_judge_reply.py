"""Replies of judges: read strictly, weighted by probabilities."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.measures.judge_reply import (
    Judgement,
    ReplyError,
    expected_score,
    from_probabilities,
    from_samples,
    has_prefixes,
    read_choice,
)
from tricolore.models.chat_protocol import ChatReply, TokenChoice

SCALE = {str(score): float(score) for score in range(1, 6)}


@pytest.mark.parametrize("text", ["4", " 4", "4\n", "\t4 \n"])
def test_a_score_may_have_space_around_it(text: str) -> None:
    assert read_choice(ChatReply(text), SCALE, "a score") == "4"


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "0", "6", "-4", "4.0", "4.", "4/5", "Score: 4", "4 because", "four", "４", "④"),
        *("4 4", "**4**", "{4}", "4\x00", "NaN", "I cannot rate this.", "<|im_end|>4"),
    ],
)
def test_anything_else_is_no_score(text: str) -> None:
    with pytest.raises(ReplyError, match="the reply is not a score: it is"):
        read_choice(ChatReply(text), SCALE, "a score")


def test_a_reply_that_was_cut_off_is_no_score() -> None:
    with pytest.raises(ReplyError, match="the reply is not a score: it is '4', cut off by max_rep"):
        read_choice(ChatReply("4", is_cut=True), SCALE, "a score")


def test_a_long_reply_is_shown_in_part() -> None:
    with pytest.raises(ReplyError) as caught:
        read_choice(ChatReply("\x1b[31m secret " * 100), SCALE, "a score")
    assert len(caught.value.problem) < 110
    assert "\x1b" not in caught.value.problem


def reply(token: str, likeliest: dict[str, float], before: str = "") -> ChatReply:
    lead = [TokenChoice(before, [(before, 0.0)])] if before else []
    pairs = [(text, math.log(p)) for text, p in likeliest.items()]
    return ChatReply(before + token, (*lead, TokenChoice(token, pairs)))


def test_the_expectation_by_hand() -> None:
    # (0.1·3 + 0.5·4 + 0.2·5) / 0.8; "5" and " 5" are the same score, "good" is none.
    likeliest = {"4": 0.5, "5": 0.15, "3": 0.1, " 5": 0.05, "good": 0.2}
    found = from_probabilities(reply("4", likeliest), "4", SCALE)
    assert found is not None
    assert found.value == pytest.approx((0.3 + 2.0 + 1.0) / 0.8)
    assert found.choice_mass == pytest.approx(0.8)
    assert found.words == (
        "expectation over probabilities: 1 0.000, 2 0.000, 3 0.100, 4 0.500, 5 0.200"
    )


def test_the_token_after_a_line_break_counts() -> None:
    found = from_probabilities(reply("2", {"2": 0.75, "1": 0.25}, "\n"), "2", SCALE)
    assert found is not None
    assert found.value == pytest.approx(1.75)


@pytest.mark.parametrize(
    "other",
    [ChatReply("4"), reply("3", {"3": 1.0}), reply("4", {"5": 0.5}), ChatReply("4", (), 1, 1)],
)
def test_without_the_probabilities_of_the_score_there_is_no_expectation(other: ChatReply) -> None:
    assert from_probabilities(other, "4", SCALE) is None


def test_samples() -> None:
    found = from_samples(["4", "5", "5", "2"], SCALE)
    assert found == Judgement(4.0, ("4", "5", "5", "2"), {})
    assert math.isnan(found.choice_mass)
    assert found.words == "mean of 4 samples: 4, 5, 5, 2"


@given(st.dictionaries(st.sampled_from(sorted(SCALE)), st.floats(1e-6, 1.0), min_size=1))
def test_the_expectation_is_within_the_scale(probabilities: dict[str, float]) -> None:
    value = expected_score(probabilities, SCALE)
    scores = [SCALE[s] for s in probabilities]
    assert min(scores) - 1e-9 <= value <= max(scores) + 1e-9


def test_scales_of_two_digits_have_prefixes() -> None:
    assert not has_prefixes({str(n): n for n in range(10)})
    assert has_prefixes({str(n): n for n in range(1, 11)})
    assert not has_prefixes({"A": 1.0, "B": 0.0, "C": 0.5})
