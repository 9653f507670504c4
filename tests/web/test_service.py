"""From a request to what is done."""

from __future__ import annotations

import asyncio

import pytest

from tricolore.example import Example
from tricolore.registry import get_measure
from tricolore.web.config import ServerConfig
from tricolore.web.limits import Limits
from tricolore.web.messages import ExampleIn, PerturbRequest
from tricolore.web.problems import ApiError
from tricolore.web.service import Service, UnderWay, score_json


@pytest.fixture(scope="module")
def service():
    """A service whose workers do not run."""
    return Service(ServerConfig(warm=[], limits=Limits(queue=20, seconds=0.3)))


def rows(count, **more):
    return [ExampleIn(source=f"a b c {n}", summary="a b", **more) for n in range(count)]


def test_choices_of_a_value_are_computed_once(service):
    plan = service.plan(rows(2), ["estime", "estime:value=soft", "length"], evidence=False)
    assert [measure.label for measure in plan.measures] == ["estime", "estime:value=soft", "length"]
    assert [kind.name for kind in plan.kinds] == ["estime", "length"]
    assert plan.characters == 20


def test_requests_share_batches_unless_a_measure_was_fitted_to_one(service):
    def keys(count, evidence=False):
        plan = service.plan(rows(count), ["importance", "length"], evidence=evidence)
        return [kind.key for kind in plan.kinds]

    assert keys(3) == keys(4), "too few sources: the corpus is that of the library"
    assert keys(3) != keys(3, evidence=True)
    [fitted, length], [other, _] = keys(10), keys(10)
    assert fitted != other
    assert length == keys(3)[1]
    label, evidence, _ = fitted
    assert (label, evidence) == ("importance", False)


def test_a_sum_needs_its_terms(service):
    plan = service.plan(rows(1), ["length+coverage", "coverage"], evidence=False)
    assert [plan.plan.inputs(at) for at in range(2)] == [{0, 1}, {1}]


def test_a_request_that_no_queue_could_hold(service):
    with pytest.raises(ApiError, match="may ask for 20 scores"):
        service.plan(rows(11), ["length", "coverage"], evidence=False)


def test_a_request_that_nobody_does_ends(service):
    async def ask():
        plan = service.plan(rows(1), ["length"], evidence=False)
        under_way = service.begin(plan)
        with pytest.raises(ApiError) as caught:
            await service.scores(plan, under_way)
        assert caught.value.status_code == 504
        assert service.scheduler.waiting == 1
        under_way.close()
        assert service.scheduler.waiting == 0

    asyncio.run(ask())


def test_answers_after_the_end_of_the_loop_are_dropped(service):
    async def ask():
        return UnderWay(service)

    under_way = asyncio.run(ask())
    under_way.order.deliver([])


@pytest.mark.parametrize(
    ("kind", "status"),
    [("subtle-errors:model=/etc", 422), ("a+b", 422), ("x" * 20_000, 413),
     ("entity-swap,number-swap", 422)],
)  # fmt: skip
def test_damage_that_is_refused(service, kind, status):
    with pytest.raises(ApiError) as caught:
        service.damaging(PerturbRequest(summary="a", kind=kind))
    assert caught.value.status_code == status
    assert caught.value.plain["argument"] == "kind"


def test_damage_with_settings(service):
    asked = PerturbRequest(summary="a", kind="subtle-errors:only=numbers", seed=4, errors=2)
    example, kind = service.damaging(asked)
    assert example.summary == "a"
    assert (kind.perturbation.seed, kind.perturbation.only, kind.errors) == (4, "numbers", 2)


def test_a_score_as_it_is_sent():
    example = Example(source="a b c", summary="a x")
    [score] = get_measure("coverage").score([example], evidence=True)
    plain = score_json(example, "coverage", score, evidence=True)
    assert plain["value"] == 0.5
    assert plain["painting"]["marks"]
    assert plain["evidence"] == [span.to_json() for span in score.evidence]
    bare = score_json(example, "coverage", score, evidence=False)
    assert (bare["painting"], bare["evidence"]) == (None, [])
    assert list(bare) == ["value", "parts", "flags", "problem", "painting", "evidence"]
