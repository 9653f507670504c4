"""Costs and their limit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tricolore.models.spending import (
    CostBudget,
    CostLimitError,
    TokenPrices,
    Usage,
    current_budget,
    limited_cost,
)


def test_usage_adds_up() -> None:
    prices = TokenPrices(input=2.0, output=8.0)
    parts = {"requests": 1.0, "input_tokens": 1_000.0, "output_tokens": 10.0, "samples": 1.0}
    one = Usage.of_parts(parts, prices)
    assert one == Usage(1, 1000, 10, pytest.approx(0.00208))
    assert (one + one).line == "2 requests, 2,000 input tokens, 20 output tokens, cost 0.00416."
    assert Usage.of_parts({}, prices).line == ""
    assert Usage(1, 1, 1).line == "1 request, 1 input token, 1 output token."


def test_requests_at_the_same_time_do_not_exceed_the_limit_together() -> None:
    budget = CostBudget(limit=10.0)

    def spend(_: int) -> bool:
        try:
            budget.reserve(1.0)
        except CostLimitError:
            return False
        budget.settle(1.0, 0.5)
        return True

    for _ in range(9):
        budget.reserve(1.0)
    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(spend, range(50)))
    # Nine are reserved, so only one at a time fits, until 1.0 is spent beside them.
    assert 1 <= sum(sent) <= 2
    assert budget.spent <= 1.0
    with pytest.raises(CostLimitError):
        budget.reserve(1.0)


def test_what_was_not_charged_is_free_again() -> None:
    budget = CostBudget(limit=1.0)
    budget.reserve(1.0)
    budget.settle(1.0, 0.0)
    budget.reserve(1.0)
    assert budget.spent == 0.0


def test_a_limit_holds_within_its_block() -> None:
    assert current_budget() is None
    with limited_cost(2.0) as outer:
        assert current_budget() is outer
        with limited_cost(None) as same:
            assert same is outer
        with limited_cost(1.0) as inner:
            assert current_budget() is inner is not outer
    assert current_budget() is None
