"""What is suggested where a name is mistyped."""

from __future__ import annotations

from typing import Any

from tricolore.cli.suggestions import suggested_options


def test_mistyped_options(tricolore: Any) -> None:
    _, err = tricolore("score", "x.jsonl", "--metric", "coverage", check=2)
    assert "--measures" in err
    assert "--device" not in err
    _, err = tricolore("train", "mix", "x.jsonl", "--target", "q", check=2)
    assert "--human" in err
    assert suggested_options("--xyz", ["--source", "--seed"]) == []
    _, err = tricolore("scor", check=2)
    assert "'score'" in err


def test_measures_that_there_are_not(tricolore: Any, tmp_path: Any) -> None:
    (tmp_path / "x.jsonl").write_text('{"source": "a", "summary": "b"}\n')
    _, err = tricolore("score", "x.jsonl", "-m", "alignscore", check=2)
    assert "did you mean" not in err
    assert "`tricolore measures` lists" in err
    _, err = tricolore("score", "x.jsonl", "-m", "rouge1", check=2)
    assert "did you mean 'rouge-1'?" in err
    _, err = tricolore("data", "get", "nope", check=2)
    assert "rose" not in err
