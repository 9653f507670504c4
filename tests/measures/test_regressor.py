"""The measure `regressor` on a tiny checkpoint that is made on the spot."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.conftest import TEXT
from tests.models.nli_checkpoint import save_nli
from tricolore import Example, get_measure
from tricolore.errors import SpecError
from tricolore.measures.regressor import Regressor
from tricolore.models.text_regressor import TextRegressor
from tricolore.testing import check_measure

EXAMPLES = [
    Example(source=TEXT[3], summary=TEXT[0], references=(TEXT[1], TEXT[2])),
    Example(source=(TEXT[1], TEXT[2]), summary="A dog found a coin.", references=TEXT[1]),
]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_nli(tmp_path_factory.mktemp("regressor"), labels=("score",)))


def test_values_are_those_of_the_model(directory: str) -> None:
    model = TextRegressor.load(directory)
    one, two = model.values([(TEXT[1], TEXT[0]), (TEXT[2], TEXT[0])])
    assert one != pytest.approx(two, abs=1e-3)
    [score] = Regressor(model=directory).score(EXAMPLES[:1])
    assert score.value == pytest.approx((one + two) / 2, abs=1e-5)
    assert score.parts == pytest.approx({"lowest": min(one, two), "highest": max(one, two)})
    [best] = Regressor(model=directory, references="best").score(EXAMPLES[:1])
    assert best.value == pytest.approx(max(one, two), abs=1e-5)
    [turned] = model.values([(TEXT[0], TEXT[3])])
    [score] = Regressor(model=directory, against="source", text_order="summary_first").score(
        EXAMPLES[:1]
    )
    assert score.value == pytest.approx(turned, abs=1e-5)


def test_checks_of_every_measure(directory: str) -> None:
    check_measure(Regressor(model=directory), EXAMPLES, tolerance=1e-4)
    check_measure(Regressor(model=directory, against="source"), EXAMPLES, tolerance=1e-4)


def test_long_texts_are_flagged(directory: str) -> None:
    long = Example(summary="danger " * 200, references="A dog.")
    [score] = Regressor(model=directory).score([long])
    assert score.flags == ("truncated",)


def test_only_so_many_tokens_are_read(directory: str) -> None:
    model = TextRegressor.load(directory)
    pair = (TEXT[1], TEXT[0])
    [all_of_it], [cut] = model.values([pair]), model.values([pair], max_tokens=8)
    assert cut != pytest.approx(all_of_it, abs=1e-3)  # else the test proves nothing
    example = Example(summary=TEXT[0], references=TEXT[1])
    [score] = Regressor(model=directory, max_tokens=8).score([example])
    assert score.value == pytest.approx(cut, abs=1e-5)
    assert score.flags == ("truncated",)


def test_too_many_references(directory: str) -> None:
    first, second = Regressor(model=directory, max_references=1).score(EXAMPLES)
    assert first.problem is not None
    assert "there are 2 texts" in first.problem
    assert second.problem is None


@pytest.mark.parametrize("settings", [{"max_tokens": -1}, {"max_references": 0}])
def test_settings_that_do_not_fit(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        Regressor(**settings)


def test_more_tokens_than_the_model_reads(directory: str) -> None:
    with pytest.raises(SpecError, match="reads at most 100 tokens at a time, not 500"):
        get_measure(f"regressor:model={directory},max_tokens=500").signature()
