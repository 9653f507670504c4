"""MaskedLM against what transformers computes by itself, on every family."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from tricolore.models import MaskedLM, ModelNotFoundError, Query
from tricolore.models.batching import by_length

from .conftest import TEXT


def queries_for(model: MaskedLM, gap: int = 4) -> list[Query]:
    """Sentences of many lengths with every fourth token masked."""
    found = []
    for text in TEXT:
        tokens = model.tokenize(text).ids
        for length in range(5, len(tokens), 3):
            ids = list(model.frame(tokens[: min(length, 30)]))
            positions = tuple(range(1, len(ids) - 1, gap))
            for position in positions:
                ids[position] = model.mask_id
            found.append(Query(tuple(ids), positions))
    return found


def test_predictions_are_those_of_the_whole_model(checkpoint: Path) -> None:
    from transformers import AutoModelForMaskedLM

    model = MaskedLM.load(str(checkpoint))
    whole = AutoModelForMaskedLM.from_pretrained(checkpoint).eval()
    queries = queries_for(model)
    for query, guessed in zip(queries, model.predict(queries), strict=True):
        with torch.no_grad():
            logits = whole(input_ids=torch.tensor([query.ids])).logits[0]
        assert guessed.tolist() == logits[list(query.positions)].argmax(-1).tolist()
    assert len({int(g) for answer in model.predict(queries) for g in answer}) > 3


def test_vectors_are_the_hidden_states(checkpoint: Path) -> None:
    from transformers import AutoModelForMaskedLM

    model = MaskedLM.load(str(checkpoint))
    whole = AutoModelForMaskedLM.from_pretrained(checkpoint).eval()
    queries = queries_for(model)
    for query, vectors in zip(queries, model.vectors(queries, [1, 2]), strict=True):
        with torch.no_grad():
            output = whole(input_ids=torch.tensor([query.ids]), output_hidden_states=True)
        for at, layer in enumerate((1, 2)):
            expected = output.hidden_states[layer][0, list(query.positions)].numpy()
            np.testing.assert_allclose(vectors[at], expected, atol=1e-4)


def test_company_does_not_change_predictions(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    queries = queries_for(model)
    shuffled = random.Random(3).sample(range(len(queries)), len(queries))
    found = {}
    for budget in (1, 100, 10_000):
        model.token_budget = budget
        answers = model.predict([queries[i] for i in shuffled])
        found[budget] = [a.tolist() for _, a in sorted(zip(shuffled, answers, strict=True))]
    assert found[1] == found[100] == found[10_000]


def test_near_ties_are_decided_as_if_alone(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tokens that differ by less than batching noise: company must not choose between them."""
    model = MaskedLM.load(str(checkpoint))
    queries = queries_for(model)[:4]

    def noisy(asked: list[Query]) -> list[torch.Tensor]:
        logits = [torch.zeros(len(query.positions), 9) for query in asked]
        for part in logits:
            part[:, 5] = 1.0
            part[:, 2] = 1.0 - 1e-6 + (1e-5 if len(asked) > 1 else 0.0)
        return logits

    monkeypatch.setattr(model, "_logits", noisy)
    assert {int(g) for answer in model.predict(queries) for g in answer} == {5}


def test_a_query_without_positions_gets_an_empty_answer(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    query = Query(model.frame(model.tokenize(TEXT[0]).ids[:5]), ())
    assert model.predict([query])[0].shape == (0,)
    assert model.vectors([query], [1])[0].shape == (1, 0, 32)


def test_spans_point_into_the_text(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    tokens = model.tokenize(TEXT[1])
    covered = {place for a, b in tokens.spans for place in range(a, b)}
    assert covered >= {place for place, letter in enumerate(TEXT[1]) if letter != " "}
    assert [a for a, _ in tokens.spans] == sorted(a for a, _ in tokens.spans)
    assert len(tokens) == len(tokens.spans) > 5


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
    model.tokenizer.save_pretrained(tmp_path)
    net = AutoModelForMaskedLM.from_pretrained(checkpoint)
    net.save_pretrained(tmp_path)
    assert MaskedLM.load(str(tmp_path)).revision == model.revision
    with torch.no_grad():
        next(net.parameters()).add_(1.0)
    net.save_pretrained(tmp_path)
    assert MaskedLM.load(str(tmp_path)).revision != model.revision


def test_a_model_that_is_nowhere_names_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelNotFoundError) as caught:
        MaskedLM.load("nobody/has-such-a-model")
    message = str(caught.value)
    assert "nobody/has-such-a-model" in message
    for way in ("make embedded", "local directory", "model hub"):
        assert way in message


def test_a_missing_library_names_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ModelNotFoundError, match="make embedded"):
        MaskedLM.load("embedded")


def test_a_missing_package_names_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricolore.models.embedded.PACKAGE", "tricolore_not_there")
    with pytest.raises(ModelNotFoundError, match="tricolore-embedded is not installed"):
        MaskedLM.load("embedded")


def test_pickled_weights_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    """Only safetensors are read: a checkpoint that has nothing else is not loaded."""
    from transformers import AutoModelForMaskedLM

    MaskedLM.load(str(checkpoint)).tokenizer.save_pretrained(tmp_path)
    net = AutoModelForMaskedLM.from_pretrained(checkpoint)
    net.config.save_pretrained(tmp_path)
    torch.save(net.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelNotFoundError, match=r"model\.safetensors"):
        MaskedLM.load(str(tmp_path))


def test_importing_the_interface_loads_no_torch() -> None:
    code = "import sys, tricolore.models; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_batches_hold_everything_once_within_the_budget() -> None:
    lengths = [random.Random(1).randint(1, 50) for _ in range(200)]
    batches = list(by_length(lengths, 120))
    assert sorted(i for batch in batches for i in batch) == list(range(200))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= 120
    assert any(len(batch) > 4 for batch in batches)
