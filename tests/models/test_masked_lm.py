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
from tricolore.models.errors import DeviceError
from tricolore.models.loading import known_revision

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


def save_tokenizer(checkpoint: Path, directory: Path) -> None:
    from transformers import AutoTokenizer

    AutoTokenizer.from_pretrained(checkpoint).save_pretrained(directory)


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
        model.budget.limit = budget
        answers = model.predict([queries[i] for i in shuffled])
        found[budget] = [a.tolist() for _, a in sorted(zip(shuffled, answers, strict=True))]
    assert found[1] == found[100] == found[10_000]


def test_near_ties_are_decided_in_fp64(checkpoint: Path) -> None:
    """Two entries of the vocabulary that differ by less than fp32 can tell.

    Both score 1 and a little, of the order of 1e-10: fp32 rounds that away, and then the lower
    id would always win.
    """
    model = MaskedLM.load(str(checkpoint))
    old = model.net.module.get_output_embeddings()
    projection = torch.nn.Linear(old.in_features, old.out_features)
    low, high = 8, 9
    with torch.no_grad():
        projection.weight.zero_()
        projection.bias.zero_()
        projection.bias[[low, high]] = 1.0
        noise = torch.randn(old.in_features, generator=torch.Generator().manual_seed(1))
        projection.weight[low] = 1e-10 * noise
        projection.weight[high] = -1e-10 * noise
    model.net.module.set_output_embeddings(projection)
    queries = queries_for(model)
    chosen = set()
    for _ in range(2):  # once as it is, once with the two entries exchanged
        rounded = [best.ids for query in queries for best in model.net.best([query])]
        assert {int(i) for ids in rounded for i in ids} == {low}
        with model.net.in_fp64():
            exact = [model.net.best([query])[0].ids.tolist() for query in queries]
        assert [answer.tolist() for answer in model.predict(queries)] == exact
        chosen |= {i for ids in exact for i in ids}
        with torch.no_grad():
            projection.weight.neg_()
    assert chosen == {low, high}


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


def test_a_model_that_is_nowhere_names_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelNotFoundError) as caught:
        MaskedLM.load("nobody/has-such-a-model")
    message = str(caught.value)
    assert "nobody/has-such-a-model" in message
    for way in ("tricolore[embedded]", "local directory", "model hub"):
        assert way in message


def test_a_missing_library_names_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ModelNotFoundError, match=r"tricolore\[embedded\]"):
        MaskedLM.load("embedded")


def test_a_device_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICOLORE_DEVICE", "abacus")
    with pytest.raises(DeviceError, match="cannot run on 'abacus'"):
        MaskedLM.load("embedded")


def test_a_missing_package_names_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricolore.models.embedded.PACKAGE", "tricolore_not_there")
    with pytest.raises(ModelNotFoundError, match="tricolore-embedded is not installed"):
        MaskedLM.load("embedded")


def test_pickled_weights_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    """Only safetensors are read: a checkpoint that has nothing else is not loaded."""
    from transformers import AutoModelForMaskedLM

    save_tokenizer(checkpoint, tmp_path)
    net = AutoModelForMaskedLM.from_pretrained(checkpoint)
    net.config.save_pretrained(tmp_path)
    torch.save(net.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelNotFoundError, match=r"model\.safetensors"):
        MaskedLM.load(str(tmp_path))


def test_importing_the_interface_loads_no_torch() -> None:
    code = "import sys, tricolore.models; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


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


def test_a_batch_that_does_not_fit_is_halved(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = MaskedLM.load(str(checkpoint))
    queries = queries_for(model)
    expected = [answer.tolist() for answer in model.predict(queries)]
    best = model.net.best

    def small(batch: list[Query]) -> object:
        if len(batch) > 3:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to ...")
        return best(batch)

    monkeypatch.setattr(model.net, "best", small)
    before = model.budget.limit
    assert [answer.tolist() for answer in model.predict(queries)] == expected
    assert model.budget.limit < before


def test_other_errors_are_not_taken_for_a_lack_of_memory(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = MaskedLM.load(str(checkpoint))

    def broken(batch: list[Query]) -> object:
        raise RuntimeError("shapes do not fit")

    monkeypatch.setattr(model.net, "best", broken)
    with pytest.raises(RuntimeError, match="shapes"):
        model.predict(queries_for(model))


def test_int8_is_near_fp32_and_free_of_company(checkpoint: Path) -> None:
    exact = MaskedLM.load(str(checkpoint))
    model = MaskedLM.load(str(checkpoint), precision="int8")
    queries = queries_for(exact)
    found, whole = model.vectors(queries, [1]), exact.vectors(queries, [1])
    for query, together in zip(queries, found, strict=True):
        assert (model.vectors([query], [1])[0] == together).all()
    flat = np.concatenate([v.ravel() for v in found]), np.concatenate([v.ravel() for v in whole])
    assert 0.98 < np.corrcoef(*flat)[0, 1] < 1 - 1e-9


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_half_precision_is_near_fp32(checkpoint: Path, precision: str) -> None:
    exact = MaskedLM.load(str(checkpoint))
    model = MaskedLM.load(str(checkpoint), precision=precision)
    queries = queries_for(exact)
    found, whole = model.vectors(queries, [1]), exact.vectors(queries, [1])
    assert all(v.dtype == np.float32 for v in found)
    flat = np.concatenate([v.ravel() for v in found]), np.concatenate([v.ravel() for v in whole])
    assert np.corrcoef(*flat)[0, 1] > 0.98
    assert (flat[0] != flat[1]).mean() > 0.9
    assert len(model.predict(queries)) == len(queries)


def test_a_load_logs_where_the_model_is_from(
    checkpoint: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "tricolore"):
        model = MaskedLM.load(str(checkpoint))
    assert caplog.messages == [
        f"model {checkpoint}: from a local directory, revision {model.revision}"
    ]


def test_the_revision_is_known_without_loading(checkpoint: Path) -> None:
    assert known_revision(str(checkpoint)) == MaskedLM.load(str(checkpoint)).revision
    assert known_revision("nobody/has-such-a-model", "abc123") == "abc123"
    assert known_revision("nobody/has-such-a-model") is None
