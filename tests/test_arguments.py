"""Arguments of the functions that users call: a wrong one is an error that names it."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tricolore
from tricolore.api import studies
from tricolore.arguments import RANGES
from tricolore.errors import ArgumentError, TricoloreError

ROWS = [
    {"source": f"a b {d} d", "summary": f"a {d} {s}", "doc_id": d, "system": s, "quality": n % 5}
    for n, (d, s) in enumerate((d, s) for d in "uvwxyz" for s in "pq")
]
SCORES = tricolore.evaluate(ROWS, "coverage,length", columns={"human": "quality"})

USES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "score": (tricolore.score, ("a b", "a")),
    "evaluate": (tricolore.evaluate, (ROWS, "coverage")),
    "check": (tricolore.check, (ROWS,)),
    "compare": (tricolore.compare, (SCORES,)),
    "agreement": (tricolore.agreement, (SCORES,)),
    "compare_measures": (tricolore.compare_measures, (SCORES,)),
    "report": (tricolore.report, (SCORES,)),
    "sweep": (tricolore.sweep, (ROWS, "rouge-1")),
    "atlas": (tricolore.atlas, ("judged.jsonl", "rouge-1")),
    "train": (tricolore.train, (ROWS, "mix", "quality", "out")),
    "perturb": (tricolore.perturb, (ROWS,)),
    "sensitivity": (tricolore.sensitivity, (ROWS, "rouge-1")),
    "fit_corpus": (tricolore.fit_corpus, (ROWS, "out")),
    "prune_cache": (tricolore.prune_cache, ()),
    "ranges": (studies.ranges, (SCORES,)),
    "spurious": (studies.spurious, (SCORES,)),
    "mixes": (studies.mixes, (SCORES,)),
    "scaling": (studies.scaling, (SCORES,)),
    "complementarity": (studies.complementarity, (SCORES,)),
    "robustness": (studies.robustness, (ROWS,)),
    "annotators": (studies.annotators, (ROWS, "quality")),
}

WRONG: dict[str, list[Any]] = {
    "jobs": [0, -1, 1.5, "2", None, True],
    "limit": ["3", 1.5, -1],
    "seed": [-1, 2**31, 10**5000, "7", 0.5, None],
    "timeout": [0, -1.0, "5", float("nan"), float("inf")],
    "resamples": [-1, 10**6, "many", 10.5],
    "permutations": [-1, 10**6, "many"],
    "level": ["words", 3, None],
    "statistic": ["cosine", 3],
    "statistics": ["cosine", 3, [3]],
    "over": ["rows", 1],
    "test": ["t", None],
    "empty": ["best", 0],
    "evidence": ["yes", 1],
    "csv_formulas": ["drop"],
    "keep": [-1, "all"],
    "most_examples": [-1, "all"],
    "alpha": [-0.1, 1.5, "5%"],
    "fail_on": [3],
    "max_cost": [-1, "5", float("nan")],
    "max_failures": [-1, None],
    "folds": [0, 1, "five"],
    "restarts": [0, 1.5],
    "copies": [0, "two"],
    "damaged": [-1, "all"],
    "max_seconds": [0, "long"],
    "batch_size": [0, None],
    "errors_per_summary": [0, "three", [1.5], [0]],
    "device": [0, None],
    "progress": ["yes", 3],
    "columns": [3, "summary"],
    "human": [3, [3]],
    "measures": [3, None, [3]],
    "systems": [3],
    "cache": [3, 1.5],
    "encoding": [8, None],
    "older_than": ["week"],
    "top": [-1],
    "sentences": [0],
    "group": [-1],
    "keep_references": [-1],
    "output": [3],
    "bounds": [3, (1,), ("a", "b")],
}


def parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)


def short(value: Any) -> str:
    """The name of a case."""
    return "huge" if isinstance(value, int) and value > 2**31 else reprlib.repr(value)


CASES = [
    (use, name, value)
    for use, (function, _) in USES.items()
    for name, values in WRONG.items()
    if name in parameters(function)
    for value in values
    # The recommended measures, and all of them.
    if (use, name, value) not in (("evaluate", "measures", None), ("atlas", "measures", None))
]


@pytest.mark.parametrize(("use", "name", "value"), CASES, ids=short)
def test_a_wrong_argument_is_named(
    use: str, name: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function, given = USES[use]
    arguments = dict(zip(parameters(function), given, strict=False)) | {name: value}
    if use == "score":
        arguments = {"measures": "coverage"} | arguments
    with pytest.raises(TricoloreError) as caught:
        function(**arguments)
    assert caught.value.argument == name
    assert len(str(caught.value)) < 400
    assert list(tmp_path.iterdir()) == [], "nothing is written"


def test_what_was_expected_is_said() -> None:
    with pytest.raises(ArgumentError) as caught:
        tricolore.evaluate(ROWS, "coverage", empty="best")  # type: ignore[arg-type]
    assert str(caught.value) == "empty must be one of worst, skip, not 'best'"
    with pytest.raises(ArgumentError) as caught:
        tricolore.evaluate(ROWS, "coverage", columns=3)  # type: ignore[arg-type]
    assert str(caught.value) == "columns must be a Columns or a dict or None, not 3"


def test_what_is_as_good_is_taken() -> None:
    """Numbers of numpy, an iterator for a list, and one name where several may be given."""
    result = tricolore.evaluate(
        ROWS,
        iter(["coverage"]),
        limit=np.int64(4),
        seed=np.int32(1),
        timeout=None,
        columns={"human": "quality"},
    )
    assert len(result) == 4
    assert result.results[3].example.human == {"quality": 3.0}
    assert tricolore.agreement(SCORES, np.array(["quality"]), resamples=0, level="system").entries


def test_every_range_is_of_an_argument_that_exists() -> None:
    used = {name for function, _ in USES.values() for name in parameters(function)}
    assert set(RANGES) <= used
