"""The entailment model against what transformers computes by itself, and what it refuses."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.models.conftest import TEXT
from tests.models.nli_checkpoint import LABELS, NLI_FAMILIES, POSITIONS, save_nli
from tricolore.models import Entailment
from tricolore.models.errors import BrokenModelError

# DeBERTa's own module uses what torch deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")

SHORT = ["The council voted.", "A farmer found a coin.", "Shares fell sharply.", "danger", ""]
LONG = " ".join(TEXT * 2)


@pytest.fixture(scope="session", params=NLI_FAMILIES)
def family(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_nli(tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_nli(tmp_path_factory.mktemp("bert"))


@pytest.fixture
def model(bert: Path) -> Entailment:
    return Entailment.load(str(bert))


def by_transformers(directory: Path, premise: str, hypothesis: str) -> Any:
    """The probabilities of one pair, in the order of the config, by transformers alone."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(directory)
    net = AutoModelForSequenceClassification.from_pretrained(directory).eval()
    read = tokenizer(
        premise, hypothesis, return_tensors="pt", truncation="only_first", max_length=POSITIONS
    )
    if net.config.model_type == "modernbert":  # its tokenizer has types, and its net does not
        del read["token_type_ids"]
    with torch.no_grad():
        return net(**read).logits.double().softmax(-1)[0].numpy()


def pairs(count: int = 12) -> list[tuple[str, str]]:
    draw = random.Random(4)
    words = LONG.split()
    return [
        (" ".join(draw.choices(words, k=draw.randint(1, 40))), draw.choice([*TEXT, *SHORT]))
        for _ in range(count)
    ]


def test_probabilities_are_those_of_transformers(family: Path) -> None:
    model = Entailment.load(str(family))
    assert model.labels == ("entailment", "neutral", "contradiction")
    given = [*pairs(8), (LONG, TEXT[0]), (LONG, SHORT[0])]
    # Longer hypotheses are cut, which transformers would never do.
    given = [pair for pair in given if len(model.tokenize(pair[1])) <= (POSITIONS - 4) // 2]
    assert len(given) > 5
    found = model.probabilities(given)
    order = [LABELS.index(label) for label in model.labels]
    for (premise, hypothesis), own in zip(given, found, strict=True):
        expected = by_transformers(family, premise, hypothesis)[order]
        np.testing.assert_allclose(own, expected, atol=1e-5)
    assert len({tuple(row) for row in found.round(3).tolist()}) > 3


def test_types_tell_the_texts_apart(bert: Path, model: Entailment) -> None:
    from transformers import AutoTokenizer

    read = AutoTokenizer.from_pretrained(bert)(TEXT[0], TEXT[1])
    first = len(model.tokenize(TEXT[0])) + 2
    assert read["token_type_ids"] == [0] * first + [1] * (len(read["input_ids"]) - first)
    with_types = model.probabilities([(TEXT[0], TEXT[1])])
    model.net.config.type_vocab_size = 1  # the net now takes all tokens for those of one text
    assert abs(model.probabilities([(TEXT[0], TEXT[1])]) - with_types).max() > 1e-3


def test_order_of_the_texts_matters(model: Entailment) -> None:
    one, other = model.probabilities([(TEXT[0], TEXT[1]), (TEXT[1], TEXT[0])])
    assert abs(one - other).max() > 1e-3


@pytest.mark.parametrize("budget", [1, 100, 100_000])
def test_company_and_order_change_nothing(family: Path, budget: int) -> None:
    model = Entailment.load(str(family))
    given = pairs()
    alone = np.concatenate([model.probabilities([pair]) for pair in given])
    model.budget.limit = budget
    together = model.probabilities(given[::-1])[::-1]
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert (together.argmax(axis=1) == alone.argmax(axis=1)).all()


def test_equal_pairs_are_run_once(model: Entailment, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    logits = model.net.logits
    monkeypatch.setattr(
        model.net, "logits", lambda batch: asked.append(len(batch)) or logits(batch)
    )
    found = model.probabilities([(TEXT[0], TEXT[1]), (TEXT[0], TEXT[2]), (TEXT[0], TEXT[1])])
    assert sum(asked) == 2
    assert (found[0] == found[2]).all()


def test_near_ties_are_decided_in_fp64(model: Entailment, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: list[torch.dtype] = []
    logits = model.net.logits

    def note(batch: Any) -> torch.Tensor:
        found = logits(batch)
        kinds.append(found.dtype)
        near = torch.tensor([[1.0, 1.0001, 0.0]]) if found.dtype == torch.float32 else found
        return near.expand(len(batch), -1)

    monkeypatch.setattr(model.net, "logits", note)
    found = model.probabilities([(TEXT[0], TEXT[1])])
    assert kinds == [torch.float32, torch.float64]
    monkeypatch.undo()
    np.testing.assert_allclose(found, model.probabilities([(TEXT[0], TEXT[1])]), atol=1e-5)


def test_a_long_premise_is_cut_at_its_end(model: Entailment) -> None:
    # The frame has three special tokens.
    room = POSITIONS - 3 - len(model.tokenize(TEXT[0]))
    tokens = model.tokenize(LONG)
    kept = LONG[: tokens.spans[room - 1][1]]
    assert len(model.tokenize(kept)) == room
    found = model.probabilities([(LONG, TEXT[0]), (kept, TEXT[0])])
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)
    assert model.cut([(LONG, TEXT[0]), (kept, TEXT[0]), (TEXT[0], TEXT[1])]) == [True, False, False]
    shorter = model.probabilities([(LONG, TEXT[0])], max_tokens=60)
    assert abs(shorter - found[0]).max() > 1e-4


def test_a_long_hypothesis_is_cut_to_half(model: Entailment) -> None:
    half = (POSITIONS - 3) // 2
    kept = LONG[: model.tokenize(LONG).spans[POSITIONS - 3 - half - 1][1]]
    found = model.probabilities([(LONG, LONG), (LONG, kept)])
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)
    # A short premise leaves more to the hypothesis.
    assert model.cut([("coin", LONG), ("coin", TEXT[0])]) == [True, False]


@pytest.mark.parametrize("tokens", [4, POSITIONS + 1])
def test_impossible_numbers_of_tokens(model: Entailment, tokens: int) -> None:
    with pytest.raises(ValueError, match=f"reads 5 to {POSITIONS} tokens at a time"):
        model.probabilities([(TEXT[0], TEXT[1])], max_tokens=tokens)


def test_no_pairs(model: Entailment) -> None:
    assert model.probabilities([]).shape == (0, 3)
    assert model.cut([]) == []


# Labels.


@pytest.mark.parametrize(
    ("labels", "meaning", "order"),
    [
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), "enc", (0, 1, 2)),
        (("Contradiction", "Neutral", "Entailment"), "enc", (2, 1, 0)),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), "enc", (0, 2, 1)),
        (("not_entailment", "entailment"), "en", (1, 0)),
        (("unsupported", "supported"), "en", (1, 0)),
        (("CORRECT", "INCORRECT"), "en", (0, 1)),
    ],
)
def test_labels_are_read_from_the_config(
    tmp_path: Path, labels: tuple[str, ...], meaning: str, order: tuple[int, ...]
) -> None:
    model = Entailment.load(str(save_nli(tmp_path, labels=labels)))
    assert "".join(label[0] for label in model.labels) == meaning
    expected = by_transformers(tmp_path, TEXT[0], TEXT[1])[list(order)]
    np.testing.assert_allclose(model.probabilities([(TEXT[0], TEXT[1])])[0], expected, atol=1e-5)


def change_config(directory: Path, **values: Any) -> None:
    path = directory / "config.json"
    config = json.loads(path.read_text())
    for key, value in values.items():
        config.pop(key, None)
        if value is not None:
            config[key] = value
    path.write_text(json.dumps(config))


def test_label2id_serves_where_id2label_says_nothing(tmp_path: Path) -> None:
    save_nli(tmp_path)
    change_config(tmp_path, id2label={str(n): f"LABEL_{n}" for n in range(3)})
    assert Entailment.load(str(tmp_path)).labels == ("entailment", "neutral", "contradiction")


@pytest.mark.parametrize(
    ("id2label", "label2id", "problem"),
    [
        (
            {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
            None,
            "its labels are LABEL_0, LABEL_1, LABEL_2, which does not say what entailment is",
        ),
        (
            {"0": "entailment", "1": "neutral", "2": "contradiction"},
            {"entailment": 2, "neutral": 1, "contradiction": 0},
            "id2label and label2id of its config.json contradict each other",
        ),
        (
            {"0": "joy", "1": "anger", "2": "fear"},
            {"joy": 0, "anger": 1, "fear": 2},
            "its labels are joy, anger, fear, which are not those of an entailment model",
        ),
        (
            {"0": "entailment", "1": "entailed", "2": "neutral"},
            {"entailment": 0, "entailed": 1, "neutral": 2},
            "its labels are entailment, entailed, neutral, which are not those",
        ),
        (
            {"0": "neutral", "1": "contradiction"},
            {"neutral": 0, "contradiction": 1},
            "its labels are neutral, contradiction, which are not those",
        ),
    ],
)
def test_labels_that_do_not_say_what_entailment_is(
    tmp_path: Path, id2label: Any, label2id: Any, problem: str
) -> None:
    save_nli(tmp_path, labels=LABELS[: len(id2label)])
    change_config(tmp_path, id2label=id2label, label2id=label2id)
    with pytest.raises(BrokenModelError) as error:
        Entailment.load(str(tmp_path))
    assert problem in str(error.value)
    assert '"id2label": {"0": "entailment"' in str(error.value)


def test_one_output_is_no_entailment_model(tmp_path: Path) -> None:
    save_nli(tmp_path, labels=("entailment",))
    with pytest.raises(BrokenModelError, match="not those of an entailment model"):
        Entailment.load(str(tmp_path))


# Checkpoints that do not fit.


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("classifier.weight", "it has no head that classifies texts"),
        ("bert.pooler.dense.weight", "it has no head that classifies texts"),
        ("bert.encoder.layer.1.output.dense.weight", "weights are missing: bert.encoder.layer.1"),
    ],
)
def test_missing_weights(tmp_path: Path, name: str, problem: str) -> None:
    save_nli(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    del tensors[name]
    save_file(tensors, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(BrokenModelError, match=problem):
        Entailment.load(str(tmp_path))


def test_weights_that_the_net_does_not_have(tmp_path: Path) -> None:
    save_nli(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    tensors["classifier.dense.weight"] = torch.zeros(2, 2)
    save_file(tensors, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(BrokenModelError, match=r"have more: classifier\.dense\.weight"):
        Entailment.load(str(tmp_path))


def test_a_masked_language_model_is_no_entailment_model(whole_bert: Path) -> None:
    with pytest.raises(BrokenModelError, match="it has no head that classifies texts"):
        Entailment.load(str(whole_bert))


def test_a_tokenizer_that_cannot_join_texts(tmp_path: Path) -> None:
    from tests.models.conftest import tiny_tokenizer

    save_nli(tmp_path)
    tiny_tokenizer("bert").save_pretrained(tmp_path)
    with pytest.raises(BrokenModelError, match="does not say how two texts are joined"):
        Entailment.load(str(tmp_path))
