"""Classifiers of acceptability: the logits of transformers, and which class is the good one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from tests.models.conftest import TEXT
from tests.models.nli_checkpoint import save_nli
from tricolore.models import ModelNotFoundError
from tricolore.models.acceptability import Acceptability, acceptable_class
from tricolore.models.errors import BrokenModelError

LABELS = ("unacceptable", "acceptable")


@pytest.mark.parametrize("family", ["bert", "distilbert", "albert", "roberta"])
@pytest.mark.parametrize("labels", [LABELS, LABELS[::-1], ("LABEL_0", "LABEL_1")])
def test_logits_are_those_of_transformers(
    family: str, labels: tuple[str, str], tmp_path: Path
) -> None:
    import transformers

    save_nli(tmp_path, family, labels)
    net = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    good = labels.index("acceptable") if "acceptable" in labels else 1
    model = Acceptability.load(str(tmp_path))
    with torch.no_grad():
        rows = [net(**tokenizer(text, return_tensors="pt")).logits[0] for text in TEXT]
    right = [float(row[good]) for row in rows]
    assert model.logits(TEXT) == pytest.approx(right, abs=1e-5)
    assert model.logits(TEXT[::-1]) == pytest.approx(right[::-1], abs=1e-5)
    margins = [float(row[good] - row[1 - good]) for row in rows]
    assert model.margins(TEXT) == pytest.approx(margins, abs=2e-5)  # two logits, 1e-5 each
    assert model.logits([]).shape == (0,)


def test_long_texts_are_cut(tmp_path: Path) -> None:
    model = Acceptability.load(str(save_nli(tmp_path, labels=LABELS)))
    text = "danger " * 200
    assert model.is_cut(text)
    assert not model.is_cut(TEXT[0])
    cut = " ".join(["danger"] * (model.max_tokens - 2))
    if len(model.tokenize(cut)) == model.max_tokens - 2:
        assert model.logits([text]) == pytest.approx(model.logits([cut]))


@pytest.mark.parametrize(
    ("labels", "problem"),
    [
        (("good", "bad"), "do not say what is acceptable"),
        (("unacceptable", "ungrammatical"), "do not say what is acceptable"),
        (("acceptable", "grammatical"), "do not say what is acceptable"),
        (("a", "b", "c"), "it has 3 classes"),
    ],
)
def test_labels_that_say_nothing(labels: tuple[str, ...], problem: str) -> None:
    config = SimpleNamespace(num_labels=len(labels), id2label=dict(enumerate(labels)))
    with pytest.raises(BrokenModelError, match=problem):
        acceptable_class("m", config)


def test_a_missing_model_says_what_to_do() -> None:
    with pytest.raises(ModelNotFoundError, match=r"no such directory[\s\S]*acceptability=tagger"):
        Acceptability.load("./no/such/directory")
