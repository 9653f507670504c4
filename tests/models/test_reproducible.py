"""Learning gives the same weights again."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tricolore.models import MaskedLM
from tricolore.models.learning import Tuning

from .tuned_weights import FAST, same, samples_for, tuned_weights


@pytest.fixture
def lm(checkpoint: Path) -> MaskedLM:
    return MaskedLM.load(str(checkpoint))


def test_the_same_bits_on_any_number_of_threads(lm: MaskedLM) -> None:
    """With dropout, which is on by default."""
    samples, usual = samples_for(lm), torch.get_num_threads()
    found = []
    try:
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            torch.manual_seed(threads)  # the state of the process must not matter either
            found.append(tuned_weights(lm, samples, FAST))
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(usual)
    assert same(found[0], found[1])
    assert same(found[0], found[2])


def test_another_seed_gives_other_dropout(lm: MaskedLM) -> None:
    samples = samples_for(lm)
    one, other = (tuned_weights(lm, samples, Tuning(epochs=1, seed=seed)) for seed in (1, 2))
    assert same(one, other) == (lm.net.config.model_type in ("albert", "modernbert"))  # have none
    without = [
        tuned_weights(lm, samples, Tuning(epochs=1, seed=seed, dropout=False)) for seed in (1, 2)
    ]
    assert same(*without)
