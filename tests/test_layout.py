"""Tests mirror the source: a module `a/b.py` is tested in `tests/a/test_b.py`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "tricolore"
ELSEWHERE = {
    "data/unusable.py": "a doctest",
    "measures/bert_score_layers.py": "peers/test_bert_score.py",
    "measures/chat_measure.py": "measures/test_judge.py",
    "meta/agreements.py": "cli/test_meta.py",
    "models/layer_parts.py": "models/test_early_exit.py",
    "models/learning.py": "models/test_tuning.py",
    "models/queries.py": "models/test_masked_lm.py",
    "models/vectors.py": "a doctest",
    "text/plural.py": "a doctest",
    "text/stem.py": "measures/test_rouge_words.py",
    "train/estimator.py": "train/test_fitting.py",
}
"""Modules without a test file of their name, and where they are tested instead."""


def has_logic(path: Path) -> bool:
    """Whether a module defines functions or classes; `__init__` and constants need no test."""
    if path.name == "__init__.py":
        return False
    body = ast.parse(path.read_text()).body
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in body)


def test_every_module_has_a_test_file_of_its_name() -> None:
    modules = [path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if has_logic(path)]
    assert len(modules) > 150
    without = {
        module.as_posix()
        for module in modules
        if not (TESTS / module.parent / f"test_{module.name}").is_file()
    }
    assert without == set(ELSEWHERE)


@pytest.mark.parametrize("module", ELSEWHERE)
def test_modules_that_are_tested_elsewhere(module: str) -> None:
    if ELSEWHERE[module] == "a doctest":
        assert ">>> " in (SOURCE / module).read_text()
    else:
        assert (TESTS / ELSEWHERE[module]).is_file()
