"""Regressors of pairs: the outputs of transformers, and checkpoints that are none."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.models.conftest import TEXT
from tests.models.nli_checkpoint import NLI_FAMILIES, save_nli
from tricolore.models import ModelNotFoundError
from tricolore.models.errors import BrokenModelError
from tricolore.models.text_regressor import TextRegressor

PAIRS = [(TEXT[0], TEXT[1]), (TEXT[1], TEXT[0]), (TEXT[2], "A dog."), (TEXT[0], TEXT[1])]


@pytest.mark.filterwarnings("ignore:.*torch.jit.script.* is deprecated")  # of DeBERTa
@pytest.mark.parametrize("family", NLI_FAMILIES)
def test_values_are_those_of_transformers(family: str, tmp_path: Path) -> None:
    import transformers

    save_nli(tmp_path, family, labels=("score",))
    net = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    with torch.no_grad():
        right = [float(net(**tokenizer(*p, return_tensors="pt")).logits[0, 0]) for p in PAIRS]
    model = TextRegressor.load(str(tmp_path))
    assert model.values(PAIRS) == pytest.approx(right, abs=1e-5)
    assert len(model.values([])) == 0


def test_several_outputs_are_an_error(tmp_path: Path) -> None:
    save_nli(tmp_path)
    with pytest.raises(BrokenModelError, match="it has 3 outputs, not the one of a regressor"):
        TextRegressor.load(str(tmp_path))


def test_a_missing_model_says_what_to_do() -> None:
    with pytest.raises(ModelNotFoundError, match=r"no such directory[\s\S]*one output"):
        TextRegressor.load("./no/such/directory")
