"""Against the newsroom package's code, as the summ-eval package carries it."""

from __future__ import annotations

import importlib.util
import sys
from importlib.metadata import PackageNotFoundError, files
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.fragments import Compression, Coverage, Density
from tricolore.measures.length import Length
from tricolore.measures.novelty import Novelty
from tricolore.measures.redundancy import Redundancy
from tricolore.text.fragments import fragments
from tricolore.text.words import words

pytestmark = pytest.mark.slow


def _load(name: str) -> ModuleType:
    """One file of summ-eval: importing the package would ask for all that it requires."""
    try:
        [path] = [f.locate() for f in files("summ-eval") or () if f.name == f"{name}.py"]
    except PackageNotFoundError:
        pytest.skip("summ-eval is not installed; `make setup` installs it")
    spec = importlib.util.spec_from_file_location(name, str(path))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def newsroom_fragments() -> Any:
    return _load("data_stats_utils").Fragments


@pytest.fixture(scope="module")
def data_stats() -> Any:
    """summ-eval's statistics for texts that are cut into words already."""
    stand_ins = {
        "gin": SimpleNamespace(configurable=lambda cls: cls),
        "spacy": SimpleNamespace(load=lambda name: None),
        "summ_eval": ModuleType("summ_eval"),
        "summ_eval.metric": SimpleNamespace(Metric=object),
        "summ_eval.data_stats_utils": _load("data_stats_utils"),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, module in stand_ins.items():
            patch.setitem(sys.modules, name, module)
        return _load("data_stats_metric").DataStatsMetric(n_gram=4, tokenize=False)


def ours(summary: str, source: str, tokenizer: str = "space") -> list[tuple[int, int, int]]:
    found = fragments(tokenizer, True, "greedy", summary, source)
    return [(f.summary, f.source, f.length) for f in found]


@given(
    st.lists(st.sampled_from("abc"), max_size=16).map(" ".join),
    st.lists(st.sampled_from("abc"), max_size=24).map(" ".join),
)
def test_greedy_matches_are_those_of_newsroom(
    newsroom_fragments: Any, summary: str, source: str
) -> None:
    theirs = newsroom_fragments(summary, source).overlaps()
    assert ours(summary, source) == [tuple(match) for match in theirs]


@pytest.mark.parametrize("tokenizer", ["words", "space"])
def test_greedy_matches_on_real_pairs(
    newsroom_fragments: Any, newsroom: list[dict[str, Any]], tokenizer: str
) -> None:
    for row in newsroom[::3]:
        cut = [list(words(row[side], tokenizer, True)) for side in ("summary", "source")]
        theirs = newsroom_fragments(*cut).overlaps()
        assert ours(row["summary"], row["source"], tokenizer) == [tuple(match) for match in theirs]


def test_values_on_real_pairs(data_stats: Any, summeval: list[dict[str, Any]]) -> None:
    for row in summeval[::16]:
        theirs = data_stats.evaluate_example(row["summary"], row["source"])
        example = [Example(source=row["source"], summary=row["summary"])]
        for measure in (
            Coverage(matching="greedy", tokenizer="space"),
            Density(matching="greedy", tokenizer="space"),
            Compression(matching="greedy", tokenizer="space"),
        ):
            assert measure.score(example)[0].value == pytest.approx(theirs[measure.name], abs=1e-12)
        [length] = Length(tokenizer="space").score(example)
        assert length.value == theirs["summary_length"]
        [novelty] = Novelty(lowercase=False, tokenizer="space").score(example)
        [repeats] = Redundancy(counting="distinct", lowercase=False, tokenizer="space").score(
            example
        )
        for n in (1, 2, 3, 4):
            theirs_novel = theirs[f"percentage_novel_{n}-gram"]
            assert novelty.parts[f"novel_{n}"] == pytest.approx(theirs_novel, abs=1e-12)
            theirs_repeated = theirs[f"percentage_repeated_{n}-gram_in_summ"]
            assert repeats.parts[f"repeated_{n}"] == pytest.approx(theirs_repeated, abs=1e-12)
