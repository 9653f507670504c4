"""Passes that stop early give what the whole model gives, on every family."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from tricolore.models import MaskedLM

from .conftest import queries_for


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
