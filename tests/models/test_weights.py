"""Weights that are not those of the net, or not finite, are errors: never random, never a value."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from tricolore import Example, Run
from tricolore.models import MaskedLM, Query, SentenceEncoder
from tricolore.models.errors import BrokenModelError

from .conftest import TEXT

Tensors = dict[str, torch.Tensor]
LAYER = "bert.encoder.layer.1.output.dense.weight"


def change_weights(model: Path, change: Callable[[Tensors], object]) -> None:
    tensors = load_file(model / "model.safetensors")
    change(tensors)
    save_file(tensors, model / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize("kind", [MaskedLM, SentenceEncoder])
def test_missing_weights_are_named(model: Path, kind: Any) -> None:
    def drop(tensors: Tensors) -> None:
        for name in [name for name in tensors if ".layer.1." in name]:
            del tensors[name]

    change_weights(model, drop)
    with pytest.raises(BrokenModelError, match=r"weights are missing: .*and 13 more") as caught:
        kind.load(str(model))
    assert str(model) in str(caught.value)
    assert "encoder.layer.1.attention.output.LayerNorm.bias" in str(caught.value)


@pytest.mark.parametrize("kind", [MaskedLM, SentenceEncoder])
@pytest.mark.parametrize(
    "name", ["bert.encoder.layer.2.output.dense.weight", "bert.embeddings.more", "regressor.bias"]
)
def test_weights_that_the_net_does_not_have_are_named(model: Path, kind: Any, name: str) -> None:
    change_weights(model, lambda tensors: tensors.update({name: torch.ones(3)}))
    with pytest.raises(BrokenModelError, match=f"which have more: .*{name.partition('.')[2]}"):
        kind.load(str(model))


@pytest.mark.parametrize("kind", [MaskedLM, SentenceEncoder])
def test_what_no_forward_pass_uses_may_be_there(model: Path, kind: Any) -> None:
    """As in the checkpoints of the hub: BERT's other heads, its pooler, and constants."""
    before = kind.load(str(model))
    names = (
        "bert.pooler.dense.weight",
        "bert.embeddings.position_ids",
        "cls.seq_relationship.weight",
        "classifier.bias",
    )
    shapes = {"bert.pooler.dense.weight": (32, 32)}
    extra = {name: torch.ones(shapes.get(name, (2,))) for name in names}
    change_weights(model, lambda tensors: tensors.update(extra))
    query = before.frame(before.tokenize(TEXT[0]).ids)
    after = kind.load(str(model))
    assert after.revision != before.revision
    [one], [other] = (m.vectors([Query(query, (1, 2))], [2]) for m in (before, after))
    assert (one == other).all()


def test_an_encoder_alone_is_no_masked_language_model(whole_bert: Path, model: Path) -> None:
    from transformers import AutoModel

    AutoModel.from_pretrained(whole_bert).save_pretrained(model)
    SentenceEncoder.load(str(model))
    with pytest.raises(BrokenModelError, match="no head that guesses masked words"):
        MaskedLM.load(str(model))


@pytest.mark.parametrize("kind", [MaskedLM, SentenceEncoder])
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_named(model: Path, kind: Any, number: float) -> None:
    def spoil(tensors: Tensors) -> None:
        tensors[LAYER][3, 5] = number

    change_weights(model, spoil)
    with pytest.raises(BrokenModelError, match=r"NaN or infinite: .*layer\.1\.output"):
        kind.load(str(model))


@pytest.mark.parametrize("kind", [MaskedLM, SentenceEncoder])
def test_weights_of_another_size_are_named(model: Path, kind: Any) -> None:
    change_weights(model, lambda tensors: tensors.update({LAYER: torch.ones(8, 8)}))
    with pytest.raises(BrokenModelError, match=r"output.dense.weight; the first is \[8, 8\], not"):
        kind.load(str(model))


def test_weights_that_are_whole_numbers(model: Path) -> None:
    change_weights(model, lambda tensors: tensors.update({LAYER: tensors[LAYER].long()}))
    with pytest.raises(BrokenModelError, match=f"whole numbers: {LAYER}"):
        MaskedLM.load(str(model))


# Outputs that are not finite.


@pytest.mark.parametrize("spec", ["sbert", "bert-score", "supert", "estime", "blanc-help"])
def test_outputs_that_are_not_finite_are_a_problem_of_the_row(model: Path, spec: str) -> None:
    def enlarge(tensors: Tensors) -> None:
        # Far positions overflow in the first norm: only long texts have them.
        positions = tensors["bert.embeddings.position_embeddings.weight"]
        positions[25:] = 3e38
        positions[25:, 0] = -3e38

    change_weights(model, enlarge)
    rows = [
        Example(source=text, summary=text, references=text)
        for text in (" ".join(TEXT).replace(".", ","), "A farmer found a gold coin.")
    ]
    results = list(Run([f"{spec}:model={model}"]).score(rows))
    [bad, good] = [next(iter(result.scores.values())) for result in results]
    assert good.problem is None
    assert bad.problem is not None
    assert "not finite" in bad.problem
    assert not bad.is_final
