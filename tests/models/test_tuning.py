"""Tuning a net and putting it back, on every family, against a plain loop."""

from __future__ import annotations

import math
import random
import threading
from pathlib import Path
from typing import Any

import pytest
import torch

from tricolore.models import MaskedLM
from tricolore.models import tuning as tuning_module
from tricolore.models.learning import Sample, Tuning

from .tuned_weights import FAST, same, samples_for, tuned_weights, weights


@pytest.fixture
def lm(checkpoint: Path) -> MaskedLM:
    return MaskedLM.load(str(checkpoint))


def state_of_the_process() -> tuple[Any, ...]:
    return torch.get_rng_state().tolist(), random.getstate(), torch.get_num_threads()


def check_untouched(lm: MaskedLM, before: dict[str, torch.Tensor]) -> None:
    assert same(weights(lm), before)
    assert not any(part.training for part in lm.net.module.modules())
    assert all(p.requires_grad and p.grad is None for p in lm.net.module.parameters())


def test_a_tuned_model_has_learnt_and_forgets_again(lm: MaskedLM) -> None:
    samples = samples_for(lm)
    queries = [sample.query for sample in samples]
    targets = [target for sample in samples for target in sample.targets]
    before, guesses = weights(lm), [a.tolist() for a in lm.predict(queries)]
    loss = lm.net.loss(queries, targets).item()
    process = state_of_the_process()
    with lm.tuned(samples, FAST) as tuned:
        assert tuned.net.loss(queries, targets).item() < loss - 0.5
        assert [a.tolist() for a in tuned.predict(queries)] != guesses
        assert not same(weights(lm), before)
    check_untouched(lm, before)
    assert [a.tolist() for a in lm.predict(queries)] == guesses
    assert state_of_the_process() == process


@pytest.mark.parametrize("problem", [RuntimeError, KeyboardInterrupt])
def test_nothing_stays_of_a_tuning_that_is_broken_off(
    lm: MaskedLM, monkeypatch: pytest.MonkeyPatch, problem: type[BaseException]
) -> None:
    before, process, steps = weights(lm), state_of_the_process(), 0
    loss = lm.net.loss

    def interrupted(*args: Any) -> torch.Tensor:
        nonlocal steps
        steps += 1
        if steps == 5:
            raise problem
        return loss(*args)

    monkeypatch.setattr(lm.net, "loss", interrupted)
    with pytest.raises(problem), lm.tuned(samples_for(lm), FAST):
        pass
    assert steps == 5
    check_untouched(lm, before)
    assert state_of_the_process() == process
    assert not lm.net.module.get_input_embeddings()._forward_hooks


def test_nothing_stays_after_an_error_in_the_block(lm: MaskedLM) -> None:
    before = weights(lm)
    with pytest.raises(KeyboardInterrupt), lm.tuned(samples_for(lm), FAST) as tuned:
        tuned.predict([samples_for(lm)[0].query])
        raise KeyboardInterrupt
    check_untouched(lm, before)


@pytest.mark.parametrize("batch", [1, 2])
def test_weights_are_those_of_a_plain_loop(
    checkpoint: Path, lm: MaskedLM, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """The whole head, autograd for all, and AdamW as transformers 4 had it, term by term.

    Only its decay came after the step, which for a step of 5e-5 is 5e-7 of it. A large epsilon
    shows where it is added, and keeps gradients that are rounding noise small.
    """
    from transformers import AutoModelForMaskedLM

    monkeypatch.setattr(tuning_module, "_EPSILON", 1e-3)
    samples = samples_for(lm)
    tuning = Tuning(
        epochs=3, batch=batch, learning_rate=1e-3, warmup=2, weight_decay=0.5, dropout=False
    )
    plain = AutoModelForMaskedLM.from_pretrained(checkpoint).eval()
    batches = [samples[i : i + batch] for i in range(0, len(samples), batch)] * tuning.epochs
    moments: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
    for step, chosen in enumerate(batches):
        share = step / 2 if step < 2 else (len(batches) - step) / (len(batches) - 2)
        plain.zero_grad()
        plain(**padded(chosen, lm.tokenizer.pad_id)).loss.backward()
        for name, p in plain.named_parameters():
            if p.grad is None:
                continue
            m, v = moments.get(name, (torch.zeros_like(p), torch.zeros_like(p)))
            m = 0.9 * m + 0.1 * p.grad
            v = 0.999 * v + 0.001 * p.grad**2
            moments[name] = m, v
            rate = tuning.learning_rate * share
            size = rate * math.sqrt(1 - 0.999 ** (step + 1)) / (1 - 0.9 ** (step + 1))
            if "bias" not in name and "norm" not in name.lower():
                p.data -= rate * 0.5 * p.data
            p.data -= size * m / (v.sqrt() + 1e-3)
    found = tuned_weights(lm, samples, tuning)
    assert len(moments) > 16
    for name, expected in plain.named_parameters():
        torch.testing.assert_close(found[name], expected.data, atol=1e-5, rtol=0)


def padded(samples: list[Sample], pad: int) -> dict[str, torch.Tensor]:
    width = max(len(sample.query.ids) for sample in samples)
    ids = torch.full((len(samples), width), pad)
    mask = torch.zeros_like(ids)
    labels = torch.full_like(ids, -100)
    for row, sample in enumerate(samples):
        ids[row, : len(sample.query.ids)] = torch.tensor(sample.query.ids)
        mask[row, : len(sample.query.ids)] = 1
        labels[row, list(sample.query.positions)] = torch.tensor(sample.targets)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def test_frozen_layers_stay_as_they_are(lm: MaskedLM) -> None:
    before = weights(lm)
    one_layer = lm.net.config.model_type == "albert"  # which runs the same layer again and again
    embeddings = {id(p) for p in lm.net.module.get_input_embeddings().parameters()}
    layers = [{id(p) for p in layer.parameters()} for layer in lm.net.layers]
    inner = {id(p) for p in lm.net.module.base_model.parameters()}

    def changed(tuning: Tuning) -> set[str]:
        found = set()
        after = tuned_weights(lm, samples_for(lm), tuning)
        for name, p in lm.net.module.named_parameters():
            place = "embeddings" if id(p) in embeddings else "" if id(p) in inner else "head"
            place = next((f"layer {i}" for i, ids in enumerate(layers) if id(p) in ids), place)
            if place and not torch.equal(before[name], after[name]):
                found.add(place)
        return found

    assert changed(FAST) == {"embeddings", "layer 0", "layer 1", "head"} - (
        {"layer 1"} if one_layer else set()
    )
    if not one_layer:
        assert changed(Tuning(epochs=1, freeze_below=1)) == {"layer 1", "head"}
        assert changed(Tuning(epochs=1, freeze_above=1)) == {"embeddings", "layer 0"}
    check_untouched(lm, before)


@pytest.mark.parametrize("wrong", [{"freeze_below": 3}, {"freeze_above": -1}])
def test_more_frozen_layers_than_there_are(lm: MaskedLM, wrong: dict[str, int]) -> None:
    before = weights(lm)
    with pytest.raises(ValueError, match="2 layers"), lm.tuned(samples_for(lm), Tuning(**wrong)):
        pass
    check_untouched(lm, before)


def test_nothing_to_learn(lm: MaskedLM) -> None:
    before = weights(lm)
    assert same(tuned_weights(lm, [], FAST), before)
    check_untouched(lm, before)


def test_half_precision_learns_in_full(checkpoint: Path) -> None:
    """A step of 5e-4 is less than half the distance of two bf16 numbers near 1."""
    lm = MaskedLM.load(str(checkpoint), precision="bf16")
    before = weights(lm)
    after = tuned_weights(lm, samples_for(lm), Tuning(epochs=6, learning_rate=5e-4))
    assert {p.dtype for p in after.values()} == {torch.bfloat16}
    norms = [name for name in before if "norm" in name.lower() and name.endswith("weight")]
    assert any(not torch.equal(before[name], after[name]) for name in norms)
    check_untouched(lm, before)


def test_other_threads_wait(lm: MaskedLM) -> None:
    query = samples_for(lm)[0].query
    base = lm.predict([query])[0].tolist()
    found: list[list[int]] = []
    other = threading.Thread(target=lambda: found.append(lm.predict([query])[0].tolist()))
    with lm.tuned(samples_for(lm), FAST) as tuned:
        other.start()
        assert tuned.predict([query])[0].tolist() != base
        other.join(timeout=0.3)
        assert not found
    other.join()
    assert found == [base]
