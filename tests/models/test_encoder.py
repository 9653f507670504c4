"""What every encoder does, on every family."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from tricolore.models import MaskedLM, Query
from tricolore.models.loading import known_revision

from .conftest import TEXT, queries_for


def test_a_query_without_positions_gets_an_empty_answer(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    query = Query(model.frame(model.tokenize(TEXT[0]).ids[:5]), ())
    assert model.predict([query])[0].shape == (0,)
    assert model.vectors([query], [1])[0].shape == (1, 0, 32)


def test_what_is_too_long_is_refused_rather_than_cut(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    assert model.max_tokens == 40
    tokens = (model.tokenize(TEXT[0]).ids * 10)[:38]
    assert len(model.predict([Query(model.frame(tokens), (1,))])) == 1
    with pytest.raises(ValueError, match="at most 40"):
        model.predict([Query(model.frame(tokens, tokens[:1]), (1,))])


def test_unknown_layers_are_refused(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    with pytest.raises(ValueError, match="layers 0 to 2"):
        model.vectors(queries_for(model), [3])


def test_the_revision_follows_everything_that_is_read(checkpoint: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForMaskedLM

    revision = MaskedLM.load(str(checkpoint)).revision
    copy = tmp_path / "copy"
    shutil.copytree(checkpoint, copy)
    assert MaskedLM.load(str(copy)).revision == revision
    (copy / "README.md").write_text("Not read.")
    assert known_revision(str(copy)) == revision
    (copy / "1_Pooling").mkdir()
    changed = {"tokenizer.json": " ", "config.json": " ", "1_Pooling/config.json": "{}"}
    seen = {revision}
    for name, more in changed.items():
        with (copy / name).open("a") as file:
            file.write(more)
        seen.add(known_revision(str(copy)))
    net = AutoModelForMaskedLM.from_pretrained(checkpoint)
    with torch.no_grad():
        next(net.parameters()).add_(1.0)
    net.save_pretrained(copy)
    seen.add(MaskedLM.load(str(copy)).revision)
    assert len(seen) == 5


def test_equal_queries_are_run_once(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = MaskedLM.load(str(checkpoint))
    queries = queries_for(model)
    run: list[Query] = []
    best = model.net.best
    monkeypatch.setattr(model.net, "best", lambda batch: run.extend(batch) or best(batch))
    answers = model.predict(queries * 3)
    assert len(run) < 2 * len(queries)
    for again in (1, 2):
        offset = again * len(queries)
        assert all((a == b).all() for a, b in zip(answers, answers[offset:], strict=False))


def test_the_revision_is_known_without_loading(checkpoint: Path) -> None:
    assert known_revision(str(checkpoint)) == MaskedLM.load(str(checkpoint)).revision
    commit = "0123456789abcdef" * 2 + "01234567"
    assert known_revision("nobody/has-such-a-model", commit) == commit
    assert known_revision("nobody/has-such-a-model") is None


def test_a_branch_is_no_revision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Scores of a model of the hub are signed with its commit: a branch may move."""
    commit = "0123456789abcdef" * 2 + "01234567"
    cached = tmp_path / "models--org--name"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "stable").write_text(commit)
    (cached / "snapshots" / commit).mkdir(parents=True)
    (cached / "snapshots" / commit / "config.json").write_text("{}")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.file_download.HF_HUB_CACHE", str(tmp_path), raising=False)
    assert known_revision("org/name", "stable") == commit
    assert known_revision("org/name", "other") is None
