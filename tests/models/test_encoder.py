"""What every encoder does, on every family."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tricolore.models import MaskedLM, Query
from tricolore.models.loading import known_revision

from .conftest import TEXT, queries_for, save_tokenizer


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


def test_revision_follows_the_weights(checkpoint: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForMaskedLM

    model = MaskedLM.load(str(checkpoint))
    save_tokenizer(checkpoint, tmp_path)
    net = AutoModelForMaskedLM.from_pretrained(checkpoint)
    net.save_pretrained(tmp_path)
    assert MaskedLM.load(str(tmp_path)).revision == model.revision
    with torch.no_grad():
        next(net.parameters()).add_(1.0)
    net.save_pretrained(tmp_path)
    assert MaskedLM.load(str(tmp_path)).revision != model.revision


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
    assert known_revision("nobody/has-such-a-model", "abc123") == "abc123"
    assert known_revision("nobody/has-such-a-model") is None
