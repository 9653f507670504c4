"""The training recipe of the embedded model: both cases, learning rates by layer, checkpoints."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from tools.embedded import __main__ as command
from tools.embedded import checkpoint, corpus, heldout, network, sequences, train, vocabulary
from tools.embedded.export import export

NAMES = ["Paris", "London", "Berlin", "Vienna", "Madrid", "Lisbon"]
PLAIN = ["bridge", "market", "station", "harbour", "museum", "library"]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Names are one piece as written and several when lower-cased, as in a cased vocabulary."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    pieces = [*letters, *(f"##{letter}" for letter in letters)]
    names = [*special, ".", "The", "the", "in", "has", "a", *NAMES, *PLAIN, *pieces]
    ids = {name: i for i, name in enumerate(dict.fromkeys(names))}
    made = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.add_special_tokens(special)
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    made.save(str(path))
    return vocabulary.load_tokenizer(path)


@pytest.fixture(scope="module")
def known(tokenizer: Any) -> vocabulary.Vocabulary:
    return vocabulary.Vocabulary.of(tokenizer)


@pytest.fixture(scope="module")
def stories(tokenizer: Any) -> list[corpus.Story]:
    rng = random.Random(3)
    texts = []
    for _ in range(60):
        name, others = rng.choice(NAMES), rng.sample(PLAIN, 4)
        texts.append(("abc", [f"The {thing} in {name} has a {thing}." for thing in others]))
    return corpus._encode(texts, tokenizer)


@pytest.fixture
def model(tokenizer: Any) -> Any:
    from transformers import DistilBertConfig, DistilBertModel

    torch.manual_seed(1)
    config = DistilBertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        dim=64,
        hidden_dim=96,
        n_layers=2,
        n_heads=1,
        max_position_embeddings=300,
    )
    state = DistilBertModel(config).state_dict()
    return network.with_head({f"distilbert.{k}": v for k, v in state.items()}, 2, seed=0)


def recipe(**shares: float) -> sequences.Recipe:
    return sequences.Recipe(
        window_tokens=(20, 60),
        prefix_tokens=(40, 60),
        batch_tokens=400,
        sequences_a_round=60,
        separator_share=1.0,
        **shares,
    )


def texts_of(batches: list[sequences.Batch], tokenizer: Any) -> list[str]:
    """What each sequence said before it was masked."""
    texts = []
    for batch in batches:
        whole = torch.where(batch.labels == sequences.IGNORED, batch.inputs, batch.labels)
        texts += [tokenizer.decode(row, skip_special_tokens=False) for row in whole.tolist()]
    return [text.replace("[PAD]", "").strip() for text in texts]


def is_lowercase(text: str) -> bool:
    plain = text.replace("[CLS]", "").replace("[SEP]", "").replace("[UNK]", "")
    return plain == plain.lower()


def test_both_versions_of_a_story_say_the_same(stories: list[corpus.Story], tokenizer: Any) -> None:
    story = stories[0]
    assert len(story.version(lowercase=True)) == len(story.version(lowercase=False)) == 4
    for written, lower in zip(story.sentences, story.lowercase, strict=True):
        assert tokenizer.decode(written).lower() == tokenizer.decode(lower)
        # Lower-cased before tokenisation: "Paris" is one piece, "paris" is five.
        assert len(lower) > len(written)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_windows_are_lowercased_at_their_share(
    stories: list[corpus.Story], known: vocabulary.Vocabulary, tokenizer: Any, share: float
) -> None:
    made = recipe(help_share=0.0, lowercase_windows=share)
    found = texts_of(sequences.Sequences(stories, known, made).round(1, 0), tokenizer)
    assert len(found) == 60
    assert all(is_lowercase(text) == bool(share) for text in found)


@pytest.mark.parametrize("passage", [0.0, 1.0])
@pytest.mark.parametrize("target", [0.0, 1.0])
def test_passage_and_sentence_are_lowercased_independently(
    stories: list[corpus.Story],
    known: vocabulary.Vocabulary,
    tokenizer: Any,
    passage: float,
    target: float,
) -> None:
    made = recipe(help_share=1.0, lowercase_passages=passage, lowercase_targets=target)
    found = texts_of(sequences.Sequences(stories, known, made).round(1, 0), tokenizer)
    for text in found:
        front, sentence, _ = text.split("[SEP]")
        assert is_lowercase(sentence) == bool(target)
        if any(letter.isalpha() for letter in front.replace("[CLS]", "")):  # not the filler
            assert is_lowercase(front) or not passage
    fronts = [text.split("[SEP]")[0] for text in found]
    assert passage or not all(map(is_lowercase, fronts))


def test_by_default_about_half_of_the_text_is_lowercased(
    stories: list[corpus.Story], known: vocabulary.Vocabulary, tokenizer: Any
) -> None:
    found = texts_of(
        sequences.Sequences(stories, known, recipe(help_share=0.0)).round(2, 0), tokenizer
    )
    assert 20 <= sum(map(is_lowercase, found)) <= 40


def test_whole_word_windows_mask_every_piece_of_a_word(
    stories: list[corpus.Story], known: vocabulary.Vocabulary
) -> None:
    def torn(share: float) -> int:
        """Masked words of which a piece can be seen."""
        made = recipe(help_share=0.0, lowercase_windows=1.0, whole_word_windows=share)
        count = 0
        for batch in sequences.Sequences(stories, known, made).round(3, 0):
            for inputs, labels in zip(batch.inputs.tolist(), batch.labels.tolist(), strict=True):
                whole = [
                    i if m == sequences.IGNORED else m for i, m in zip(inputs, labels, strict=True)
                ]
                for word in known.words(whole):
                    count += len({labels[i] == sequences.IGNORED for i in word}) == 2
        return count

    assert torn(1.0) == 0
    assert torn(0.0) > 10


def test_held_out_sentences_are_the_same_with_and_without_a_passage(
    stories: list[corpus.Story], known: vocabulary.Vocabulary
) -> None:
    samples = heldout.held_out_samples(stories, known, tokens=300, sentences=12)
    assert set(samples) == {
        "cased",
        "lowercase",
        "cased alone",
        "lowercase alone",
        "cased passage, cased sentence",
        "lowercase passage, cased sentence",
        "lowercase passage, lowercase sentence",
    }

    def masked(name: str) -> list[int]:
        return sorted(t for b in samples[name] for t in b.labels.flatten().tolist() if t >= 0)

    assert masked("cased alone")
    assert masked("cased alone") == masked("cased passage, cased sentence")
    assert masked("cased alone") == masked("lowercase passage, cased sentence")
    assert masked("lowercase alone") == masked("lowercase passage, lowercase sentence")
    assert masked("lowercase alone") != masked("cased alone")
    widths = {name: max(b.inputs.shape[1] for b in batches) for name, batches in samples.items()}
    assert widths["cased alone"] < widths["cased passage, cased sentence"]


def training(
    model: Any,
    stories: list[corpus.Story],
    known: vocabulary.Vocabulary,
    directory: Path,
    **settings: Any,
) -> train.Training:
    samples = heldout.held_out_samples(stories[:5], known, 200, 5)
    values: dict[str, Any] = {
        "top_layers": 2,
        "schedule": train.Schedule(12_000, 6_000, peak=1e-3, warmup=1000),
        "measure_every": 4_000,
        "save_every": 2_000,
    }
    return train.Training(
        model,
        sequences.Sequences(stories, known, recipe()),
        lambda trained: heldout.accuracies(trained, samples, known),
        directory,
        **(values | settings),
    )


def test_the_curve_has_every_sample_at_every_interval(
    model: Any, stories: list[corpus.Story], known: vocabulary.Vocabulary, tmp_path: Path
) -> None:
    training(model, stories, known, tmp_path).run()
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [point["tokens"] // 4_000 for point in curve] == [0, 1, 2, 3]
    assert curve[-1]["loss"] < curve[1]["loss"]
    for point in curve:
        assert len(point["accuracy"]) == 7
        assert {"masked", "all_tokens", "content_words"} == set(point["accuracy"]["lowercase"])


def test_the_state_before_the_decay_is_kept_and_can_be_continued(
    model: Any, stories: list[corpus.Story], known: vocabulary.Vocabulary, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    training(model, stories, known, first).run()
    kept = first / train.BEFORE_DECAY
    trained = train.trained_parameters(model)
    assert 6_000 <= checkpoint.load(kept, trained).tokens < 7_000

    (second / train.STATE).write_bytes(kept.read_bytes())
    later = train.Schedule(20_000, 16_000, peak=1e-3, warmup=1000)
    progress = training(model, stories, known, second, schedule=later).run()
    assert progress.tokens >= 20_000
    curve = json.loads((second / "curve.json").read_text())
    assert curve[0]["tokens"] > 6_000  # it did not start again
    assert curve[0]["rate"] == 1e-3  # and it did not go on decaying
    again = checkpoint.load(second / train.BEFORE_DECAY, trained)
    assert 16_000 <= again.tokens < 17_000


def test_a_decay_that_is_brought_forward_keeps_the_state_too(
    model: Any, stories: list[corpus.Story], known: vocabulary.Vocabulary, tmp_path: Path
) -> None:
    run = training(model, stories, known, tmp_path)
    step, plan = run._step, tmp_path / "schedule.json"

    def planning(optimiser: Any, batch: Any, progress: checkpoint.Progress) -> float:
        if progress.tokens > 3_000 and not plan.exists():
            plan.write_text('{"budget": 5000, "decay_from": 2000}')
        return step(optimiser, batch, progress)

    run._step = planning  # type: ignore[method-assign]
    assert 5_000 <= run.run().tokens < 6_000
    kept = checkpoint.load(tmp_path / train.BEFORE_DECAY, train.trained_parameters(model))
    assert 3_000 < kept.tokens < 4_500


def test_a_slow_machine_saves_by_the_clock(
    model: Any,
    stories: list[corpus.Story],
    known: vocabulary.Vocabulary,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    saved = []
    monkeypatch.setattr(checkpoint, "save", lambda path, *_: saved.append(path.name))

    def saves(seconds: float) -> int:
        saved.clear()
        schedule = train.Schedule(3_000, 9_000)
        settings = {"save_every": 1_000_000, "save_seconds": seconds, "schedule": schedule}
        training(model, stories, known, tmp_path, **settings).run()
        return len(saved)

    assert saves(1e9) == 1  # only at the end
    assert saves(0.0) > 5  # after every step


def test_lower_layers_learn_more_slowly_and_word_embeddings_not_at_all(model: Any) -> None:
    groups = train.optimiser_groups(network.freeze_all_but_top(model, 2), 0.5)
    layers = model.distilbert.transformer.layer

    def factor(parameter: torch.Tensor) -> float:
        return next(g["factor"] for g in groups if any(parameter is p for p in g["params"]))

    assert factor(model.vocab_transform.weight) == 1.0
    assert factor(layers[1].ffn.lin1.weight) == 1.0
    assert factor(layers[0].ffn.lin1.weight) == 0.5
    assert factor(model.distilbert.embeddings.position_embeddings.weight) == 0.25
    grouped = {id(p) for g in groups for p in g["params"]}
    assert grouped == {id(p) for p in train.trained_parameters(model).values()}
    assert id(model.distilbert.embeddings.word_embeddings.weight) not in grouped


def test_bfloat16_learns_as_well_and_keeps_its_weights_in_fp32(
    model: Any, stories: list[corpus.Story], known: vocabulary.Vocabulary, tmp_path: Path
) -> None:
    training(model, stories, known, tmp_path, bf16=True).run()
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert curve[-1]["loss"] < curve[1]["loss"]
    state = load_file(tmp_path / train.STATE)
    assert {tensor.dtype for tensor in state.values()} == {torch.float32}


def test_a_packed_model_is_unpacked_as_a_starting_point(
    model: Any, tokenizer: Any, tmp_path: Path
) -> None:
    export(model, tokenizer, tmp_path / "packed")
    work = tmp_path / "work"
    arguments = ["--work", str(work), "unpack", "--model", str(tmp_path / "packed")]
    options = command.parser().parse_args(arguments)
    options.step(options)
    options = command.parser().parse_args(["--work", str(work), "train", "--layers", "2"])
    started = command._headed(options).state_dict()
    shipped = command.packed_model(tmp_path / "packed").state_dict()
    for name, tensor in model.state_dict().items():
        assert torch.equal(started[name], shipped[name])
        torch.testing.assert_close(started[name], tensor, rtol=0.02, atol=0.02)
