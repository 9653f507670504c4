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

from .conftest import queries_for, save_tokenizer


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


@pytest.mark.usefixtures("quick_collections")
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
