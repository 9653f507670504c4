"""Pairs that are too long: what is cut of which text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.nli_checkpoint import save_nli
from tricolore.models.text_regressor import TextRegressor


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TextRegressor:
    directory: Path = save_nli(tmp_path_factory.mktemp("regressor"), labels=("score",))
    return TextRegressor.load(str(directory))


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (3, 4, (3, 4)),
        (20, 4, (6, 4)),  # the first text gives way
        (20, 20, (5, 5)),  # until it has half
        (2, 20, (2, 8)),
    ],
)
def test_what_is_cut(model: TextRegressor, first: int, second: int, kept: tuple[int, int]) -> None:
    text = next(w for w in ("a", "d", "s") if len(model.tokenize(w).ids) == 1)
    pair = " ".join([text] * first), " ".join([text] * second)
    [framed] = model.framed([pair], 13)  # three special tokens
    assert len(framed.query) == sum(kept) + 3
    types = framed.query.types
    assert types.count(1) == kept[1] + 1  # the second text and its closing token
    assert framed.is_cut is (kept != (first, second))
    assert model.cut([pair], max_tokens=13) == [framed.is_cut]


@pytest.mark.parametrize("size", [4, 1000])
def test_sizes_that_do_not_fit(model: TextRegressor, size: int) -> None:
    with pytest.raises(ValueError, match="reads 5 to"):
        model.framed([("a", "a")], size)
