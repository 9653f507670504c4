"""The answerer on top of a packed masked LM: made, trained, packed and read back, all tiny."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from tools.embedded import answerer, checkpoint
from tools.embedded.export import export, write_digests
from tools.embedded.questions import (
    QuestionRecipe,
    Questions,
    batched,
    entities_of,
    occurrences,
)
from tools.embedded.vocabulary import load_tokenizer
from tricolore.models import ModelNotFoundError, Question, QuestionAnswerer, embedded
from tricolore.models.embedded_answerer import FILE
from tricolore.models.errors import BrokenModelError

NAMES = ["Anna", "Bruno", "Carla", "David", "Emma", "Frank"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [".", "The", "the", "judge", "met", "saw", "in", "said", "park", "rain", "heard", "bus"]


@pytest.fixture(scope="module")
def stories() -> list[tuple[str, list[str]]]:
    rng = random.Random(5)
    made = []
    for _ in range(60):
        one, other = rng.sample(NAMES, 2)
        lines = [
            f"The judge met {one} in the park.",
            f"In the rain {other} saw the bus.",
            f"The judge said {one} heard the bus.",
            f"The judge saw {other} in the rain.",
            "The judge heard the bus in the rain.",
            "The bus met the rain in the park.",
        ]
        made.append(("abc", lines))
    return made


@pytest.fixture(scope="module")
def packed_lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random masked LM, packed as the embedded one is."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import DistilBertConfig, DistilBertForMaskedLM

    words = [*SPECIAL, *WORDS, "In", "judge", *NAMES, *(name.lower() for name in NAMES)]
    ids = {word: at for at, word in enumerate(dict.fromkeys(words))}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(SPECIAL)
    torch.manual_seed(1)
    config = DistilBertConfig(
        vocab_size=len(ids),
        dim=64,
        hidden_dim=128,
        n_layers=3,
        n_heads=4,
        max_position_embeddings=120,
        initializer_range=0.2,
        pad_token_id=0,
    )
    directory = tmp_path_factory.mktemp("packed")
    export(DistilBertForMaskedLM(config), tokenizer, directory)
    return directory


@pytest.fixture
def directory(packed_lm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that is installed as the embedded model."""
    shutil.copytree(packed_lm, tmp_path / "package" / "model")
    monkeypatch.setitem(embedded._found, embedded.PACKAGE, tmp_path / "package")
    return tmp_path / "package" / "model"


def asked(stories: Any, directory: Path, **recipe: Any) -> Questions:
    tokenizer = load_tokenizer(directory / "tokenizer.json")
    settings = {"batch_tokens": 600, "questions_a_round": 64, "passage_tokens": (20, 60)} | recipe
    return Questions(stories, tokenizer, QuestionRecipe(**settings))


def changed(directory: Path) -> Any:
    """An answerer whose changes of low rank are not zero any more."""
    model = answerer.fresh(directory, rank=4, top_layers=2, seed=3).eval()
    generator = torch.Generator().manual_seed(4)
    for name, parameter in answerer.trained_parameters(model).items():
        if name.endswith(".up"):
            parameter.data = torch.randn(parameter.shape, generator=generator) * 0.05
    return model


def test_what_is_packed_answers_as_what_was_trained(stories: Any, directory: Path) -> None:
    """Also, the batches of training score starts and ends as the class of transformers does."""
    model = changed(directory)
    questions = asked(stories, directory)
    answerer.export(model, directory)
    read = QuestionAnswerer.load("embedded")
    weights = dict(read.net.module.named_parameters())
    changes = {n: m for n, m in model.named_modules() if isinstance(m, answerer.LowRank)}
    assert len(changes) == 2 * 6  # six matrices of two layers
    for name, low_rank in changes.items():
        change = low_rank.up @ low_rank.down
        error = weights[f"{name}.weight"] - (low_rank.linear.weight + change)
        assert error.abs().max() < 0.05 * change.abs().max()
    for pair in answerer.held_out(questions, 6, seed=2):
        tokens = questions.encode(pair)
        [batch] = batched([tokens], 10**6)
        with torch.inference_mode():
            start, end = answerer.logits(model, batch)
        ids, _ = read._question_ids(Question(pair.sentence, pair.passage, pair.gaps[0]))
        [window] = read._windows(ids, pair.passage)
        assert window.query.ids == tuple(tokens.ids)
        [scores] = read.net.span_scores([window.query])
        # int8 rounds every number of a matrix by up to 1/254 of the largest in its row.
        torch.testing.assert_close(scores[0], start[0], atol=0.15, rtol=0.05)
        torch.testing.assert_close(scores[1], end[0], atol=0.15, rtol=0.05)


def test_padding_changes_no_score(stories: Any, directory: Path) -> None:
    model = changed(directory)
    questions = asked(stories, directory)
    rng = random.Random(1)
    tokens = [questions.encode(questions.pair(rng), rng) for _ in range(8)]
    tokens = [one for one in tokens if one.masks]
    [together] = batched(tokens, 10**6)
    alone = [answerer.logits(model, *batched([one], 10**6))[0] for one in tokens]
    start, _ = answerer.logits(model, together)
    rows = iter(start)
    ordered = sorted(range(len(tokens)), key=lambda at: len(tokens[at].ids))
    for at in ordered:
        for row in alone[at]:
            torch.testing.assert_close(next(rows)[: len(row)], row, atol=1e-4, rtol=1e-4)


@pytest.mark.slow
def test_training_learns_and_can_be_interrupted(
    stories: Any, directory: Path, tmp_path: Path
) -> None:
    questions = asked(stories, directory)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir()
    parts.mkdir()

    def training(place: Path, budget: int, model: Any) -> answerer.AnswererTraining:
        return answerer.AnswererTraining(
            model, questions, lambda _: {}, place, budget, peak=3e-3, head_peak=3e-3
        )

    def fresh() -> Any:
        return answerer.fresh(directory, rank=4, top_layers=2, seed=3)

    one = fresh()
    training(whole, 60_000, one).run()
    curve = [json.loads(line) for line in (whole / "curve.jsonl").read_text().splitlines()]
    losses = [point["loss"] for point in curve if point["loss"] is not None]
    [batch] = batched([questions.encode(p) for p in answerer.held_out(questions, 40, 1)], 10**6)
    with torch.inference_mode():
        assert float(answerer.loss(one, batch)) < 0.7 * float(answerer.loss(fresh(), batch))
    assert losses

    (parts / "budget").write_text("60000")
    stopped = training(parts, 60_000, fresh())
    steps = 0
    own = stopped._step

    def step(*arguments: Any) -> float:
        nonlocal steps
        steps += 1
        if steps == 30:
            raise KeyboardInterrupt
        return own(*arguments)

    stopped._step = step  # type: ignore[method-assign]
    stopped.save_seconds = 0.0
    with pytest.raises(KeyboardInterrupt):
        stopped.run()
    two = fresh()
    training(parts, 60_000, two).run()
    for name, parameter in answerer.trained_parameters(one).items():
        other = answerer.trained_parameters(two)[name]
        torch.testing.assert_close(parameter, other, atol=1e-4, rtol=1e-3)
    progress = checkpoint.load(parts / answerer.STATE, answerer.trained_parameters(two))
    assert progress.tokens >= 60_000


def test_questions_have_their_answers_where_they_say(stories: Any, directory: Path) -> None:
    questions = asked(stories, directory)
    rng = random.Random(3)
    for answerable in (True, False):
        for _ in range(30):
            pair = questions.pair(rng, answerable=answerable, masks=1)
            assert bool(pair.answers[0]) == answerable
            for start, end in pair.answers[0]:
                assert pair.passage[start:end].lower() == pair.entity(0).lower()
            tokens = questions.encode(pair)
            assert tokens.ids[tokens.masks[0]] == questions.vocabulary.mask
            gold = {tokens.ids[at] for at in tokens.starts[0]}
            names = {questions.tokenizer.token_to_id(n) for n in (*NAMES, *map(str.lower, NAMES))}
            assert gold <= names if answerable else tokens.starts == [[0]]
    shares = [questions.pair(rng).passage.islower() for _ in range(120)]
    assert 0.45 < sum(shares) / len(shares) < 0.75


def test_entities_and_their_occurrences() -> None:
    [first, second] = entities_of(["Then Anna Bell met 12 judges.", "It was Friday."])
    assert [entity.text for entity in first] == ["Anna Bell", "12"]
    assert [entity.text for entity in second] == ["Friday"]
    assert occurrences("Anna Bell", "so anna bell and Anna Bell") == [(3, 12), (17, 26)]
    assert occurrences("Anna Bell", "Ms Bell, not Bellow") == [(3, 7)]
    assert occurrences("12", "112 and 12.") == [(8, 10)]
    assert occurrences("Anna", "Hannah") == []


def test_without_its_file_there_is_an_honest_error(directory: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="no head that answers questions") as caught:
        QuestionAnswerer.load("embedded")
    assert "local directory" in str(caught.value)
    assert QuestionAnswerer.known_revision("embedded") == embedded.revision()


def test_an_answerer_of_another_encoder_is_refused(directory: Path) -> None:
    answerer.export(changed(directory), directory)
    known = QuestionAnswerer.known_revision("embedded")
    assert known == hashlib.sha256((directory / FILE).read_bytes()).hexdigest()[:12]
    tensors = load_file(directory / embedded.WEIGHTS)
    tensors["vocab_projector.bias"] = tensors["vocab_projector.bias"] + 1
    save_file(tensors, directory / embedded.WEIGHTS)
    write_digests(directory)
    with pytest.raises(BrokenModelError, match="made for another"):
        QuestionAnswerer.load("embedded")


def test_a_damaged_answerer_is_noticed(directory: Path) -> None:
    answerer.export(changed(directory), directory)
    with (directory / FILE).open("ab") as file:
        file.write(b"!")
    with pytest.raises(BrokenModelError, match=f"{FILE} is not the file that was packed"):
        QuestionAnswerer.known_revision("embedded")
