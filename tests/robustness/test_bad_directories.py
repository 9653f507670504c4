"""Trained directories and models that are damaged: an error, or the same score as before."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.robustness.commands import lay_out, words_of
from tests.robustness.running import run
from tests.robustness.score_rows import read_rows
from tests.train.encoders import tiny_encoder

CARD, WEIGHTS = "card.json", "model.safetensors"
Damage = Callable[[Path], object]
"""Changes a directory."""

ODD_VALUES: dict[str, Any] = {
    "null": None,
    "a number": 3,
    "a text": "x",
    "an empty list": [],
    "an empty object": {},
    "a list": [None],
    "true": True,
}
FIELDS = (
    *("kind", "settings", "targets", "bounds", "restarts", "seed", "data", "error", "made_with"),
    *("versions", "format", "digests"),
)


def _edit(**changes: Any) -> Damage:
    """Another value of some fields of the card; a function is given the old one."""

    def damage(folder: Path) -> None:
        card = json.loads((folder / CARD).read_text())
        for name, value in changes.items():
            card[name] = value(card[name]) if callable(value) else value
        (folder / CARD).write_text(json.dumps(card))

    return damage


def _without(name: str) -> Damage:
    def damage(folder: Path) -> None:
        card = json.loads((folder / CARD).read_text())
        del card[name]
        (folder / CARD).write_text(json.dumps(card))

    return damage


def _text(name: str, content: bytes | str) -> Damage:
    raw = content if isinstance(content, bytes) else content.encode()
    return lambda folder: (folder / name).write_bytes(raw)


def _bytes(name: str, change: Callable[[bytes], bytes]) -> Damage:
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))


def _directory_instead(name: str) -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).mkdir()

    return damage


def _loop(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).symlink_to(WEIGHTS)


def _header_too_long(raw: bytes) -> bytes:
    return (2**40).to_bytes(8, "little") + raw[8:]


def _flip(raw: bytes) -> bytes:
    return raw[:-4] + bytes(255 - byte for byte in raw[-4:])


def _in_settings(**changes: Any) -> Damage:
    return _edit(settings=lambda settings: {**settings, **changes})


def card_damages() -> Iterator[tuple[str, Damage]]:
    """What can be wrong with a trained directory."""
    for field in FIELDS:
        yield f"no {field}", _without(field)
        for name, value in ODD_VALUES.items():
            yield f"{field} is {name}", _edit(**{field: value})
    yield from {
        "a format of the future": _edit(format=99),
        "a format below 0": _edit(format=-1),
        "another kind": _edit(kind="sum-qe"),
        "a kind that does not exist": _edit(kind="magic"),
        "bounds in the wrong order": _edit(bounds=[5, 1]),
        "bounds of no width": _edit(bounds=[1, 1]),
        "bounds that are not finite": _edit(bounds=[1, float("inf")]),
        "bounds that are NaN": _edit(bounds=[float("nan"), 5]),
        "bounds of 400 digits": _edit(bounds=[1, 10**400]),
        "three bounds": _edit(bounds=[1, 2, 3]),
        "targets that are numbers": _edit(targets=[1]),
        "a target twice": _edit(targets=["quality", "quality"]),
        "another target": _edit(targets=["other"]),
        "restarts without end": _edit(restarts=10**20),
        "fewer restarts": _edit(restarts=0),
        "more restarts": _edit(restarts=7),
        "a digest that is wrong": _edit(digests={WEIGHTS: "0" * 64}),
        "a digest that is a number": _edit(digests={WEIGHTS: 3}),
        "a file outside": _edit(digests=lambda old: {**old, "../../etc/passwd": "0" * 64}),
        "a file that is not there": _edit(digests=lambda old: {**old, "other": "0" * 64}),
        "a file with NUL in its name": _edit(digests=lambda old: {**old, "a\0b": "0" * 64}),
        "other measures": _in_settings(of="coverage,length"),
        "measures that do not exist": _in_settings(of="magic"),
        "measures that are a number": _in_settings(of=3),
        "measures without end": _in_settings(of="sum:" * 3000 + "length"),
        "a mix of itself": _in_settings(of="mix:directory=model"),
        "an unknown setting": _in_settings(magic=1),
        "a setting of another type": _in_settings(scaling=[]),
        "another scaling": _in_settings(scaling="z"),
        "no card": lambda folder: (folder / CARD).unlink(),
        "an empty card": _text(CARD, ""),
        "a card that is not JSON": _text(CARD, "{"),
        "a card that is a list": _text(CARD, "[]"),
        "a card that is null": _text(CARD, "null"),
        "a card in UTF-16": _bytes(CARD, lambda raw: raw.decode().encode("utf-16")),
        "a card with a byte order mark": _bytes(CARD, lambda raw: b"\xef\xbb\xbf" + raw),
        "a card that is not UTF-8": _bytes(CARD, lambda raw: raw.replace(b"mix", b"\xff\xfe")),
        "a card of brackets": _text(CARD, "[" * 100_000),
        "a card of closed brackets": _text(CARD, "[" * 100_000 + "]" * 100_000),
        "a card with 5000 digits": _text(CARD, '{"format": ' + "9" * 5000 + "}"),
        "a card that is cut off": _bytes(CARD, lambda raw: raw[: len(raw) // 2]),
        "a card that is a directory": _directory_instead(CARD),
        "no weights": lambda folder: (folder / WEIGHTS).unlink(),
        "empty weights": _text(WEIGHTS, ""),
        "weights that are cut off": _bytes(WEIGHTS, lambda raw: raw[:-8]),
        "weights with flipped bytes": _bytes(WEIGHTS, _flip),
        "weights with a long header": _bytes(WEIGHTS, _header_too_long),
        "weights that are a directory": _directory_instead(WEIGHTS),
        "weights that are a loop of links": _loop,
        "an empty directory": lambda folder: [path.unlink() for path in folder.iterdir()],
    }.items()


CARDS = dict(card_damages())


MIX = "mix:directory=model"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[float]]:
    """A sound mix beside the file that it scores, and its scores."""
    folder = tmp_path_factory.mktemp("trained")
    lay_out(folder)
    outputs = ("model/card.json", "model/model.safetensors")
    assert run(folder, *words_of("train"), outputs=outputs).code == 0
    return folder, _sound(folder, MIX)


def _sound(folder: Path, spec: str) -> list[float]:
    found = scores(folder, spec)
    assert found
    assert None not in found
    return found


def scores(folder: Path, spec: str) -> list[Any] | None:
    """The values of all rows; None if there is an error."""
    outputs = ("out.jsonl", "out.jsonl.meta.json")
    words = ("score", "judged.jsonl", "-m", spec, "--cache", "off", "--offline", "-o", "out.jsonl")
    if run(folder, *words, outputs=outputs).code != 0:
        return None
    return [row[spec] for row in read_rows(folder / "out.jsonl")]


@pytest.mark.fault(
    injected="a trained directory is damaged: its card, its settings or its weights",
    outcome="an error, or the same scores as before",
)
@pytest.mark.parametrize("name", CARDS)
def test_a_trained_directory_that_is_damaged(
    name: str, trained: tuple[Path, list[float]], tmp_path: Path
) -> None:
    folder, sound = trained
    lay_out(tmp_path)
    shutil.copytree(folder / "model", tmp_path / "model")
    CARDS[name](tmp_path / "model")
    damaged = scores(tmp_path, MIX)
    assert damaged in (None, sound), "it scored with something else, and said nothing"


# Models.


def _tensors(change: Callable[[dict[str, Any]], object]) -> Damage:
    def damage(folder: Path) -> None:
        from safetensors.torch import load_file, save_file

        tensors = dict(load_file(folder / WEIGHTS))
        change(tensors)
        save_file(tensors, folder / WEIGHTS, {"format": "pt"})

    return damage


def _first(tensors: dict[str, Any], part: str) -> str:
    return next(name for name in tensors if part in name)


def _set(value: float) -> Damage:
    def change(tensors: dict[str, Any]) -> None:
        tensors[_first(tensors, "layer.1")].view(-1)[0] = value

    return _tensors(change)


def _drop(part: str) -> Damage:
    def change(tensors: dict[str, Any]) -> None:
        for name in [name for name in tensors if part in name]:
            del tensors[name]

    return _tensors(change)


def _reshape(tensors: dict[str, Any]) -> None:
    name = _first(tensors, "word_embeddings")
    tensors[name] = tensors[name][:-3].clone()


def _only_pickle(folder: Path) -> None:
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / WEIGHTS), folder / "pytorch_model.bin")
    (folder / WEIGHTS).unlink()


def _config(**changes: Any) -> Damage:
    def damage(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, **changes}))

    return damage


def _own_code(folder: Path) -> None:
    _config(auto_map={"AutoModel": "evil.Evil", "AutoConfig": "evil.Config"})(folder)
    (folder / "evil.py").write_text(f"open({str(folder / 'was-here')!r}, 'w')")


MODELS: dict[str, Damage] = {
    "no configuration": lambda folder: (folder / "config.json").unlink(),
    "a configuration that is not JSON": _text("config.json", "{"),
    "a configuration that is a list": _text("config.json", "[]"),
    "a configuration that is empty": _text("config.json", "{}"),
    "a configuration of brackets": _text("config.json", "[" * 100_000),
    "an unknown type": _config(model_type="magic"),
    "a type that is a number": _config(model_type=3),
    "a negative size": _config(hidden_size=-1),
    "a size that is a text": _config(hidden_size="x"),
    "another size": _config(hidden_size=32),
    "heads that do not divide the size": _config(num_attention_heads=3),
    "more layers than weights": _config(num_hidden_layers=3),
    "fewer layers than weights": _config(num_hidden_layers=1),
    "code of its own": _own_code,
    "no weights": lambda folder: (folder / WEIGHTS).unlink(),
    "empty weights": _text(WEIGHTS, ""),
    "weights that are zeros": _text(WEIGHTS, bytes(1000)),
    "weights that are cut off": _bytes(WEIGHTS, lambda raw: raw[:-100]),
    "weights with a long header": _bytes(WEIGHTS, _header_too_long),
    "weights as a pickle only": _only_pickle,
    "a layer is missing": _drop("layer.1."),
    "one tensor is missing": _drop("layer.0.attention.self.query.weight"),
    "the embeddings are missing": _drop("word_embeddings"),
    "no tensors at all": _drop(""),
    "a tensor too many": _tensors(lambda tensors: tensors.update(odd=_a_tensor())),
    "NaN": _set(float("nan")),
    "infinity": _set(float("inf")),
    "minus infinity": _set(float("-inf")),
    "a tensor of another shape": _tensors(_reshape),
    "no tokenizer": lambda folder: (folder / "tokenizer.json").unlink(),
    "an empty tokenizer": _text("tokenizer.json", ""),
    "a tokenizer that is not JSON": _text("tokenizer.json", "{"),
    "a tokenizer that is empty JSON": _text("tokenizer.json", "{}"),
    "a tokenizer of brackets": _text("tokenizer.json", "[" * 100_000),
    "an empty directory": lambda folder: [path.unlink() for path in folder.iterdir()],
}
"""Damages after which no score can be right."""
HARMLESS = ("code of its own",)


def _a_tensor() -> Any:
    import torch

    return torch.zeros(2)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[float]]:
    """A tiny random encoder, and the scores that it gives."""
    folder = tmp_path_factory.mktemp("encoder")
    lay_out(folder)
    model = Path(tiny_encoder(folder / "model"))
    return model, _sound(folder, f"sbert:model={model}")


@pytest.mark.fault(
    injected="a model is damaged: weights that are missing, not finite, not its own or cut off; "
    "configurations and tokenizers that do not fit",
    outcome="an error, or a problem in each row; never a score",
)
@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_is_damaged(
    name: str, encoder: tuple[Path, list[float]], tmp_path: Path
) -> None:
    model, sound = encoder
    lay_out(tmp_path)
    shutil.copytree(model, tmp_path / "model")
    MODELS[name](tmp_path / "model")
    damaged = scores(tmp_path, f"sbert:model={tmp_path}/model")
    assert not (tmp_path / "model" / "was-here").exists()
    if name in HARMLESS:
        assert damaged in (None, sound)
    else:
        assert damaged is None or set(damaged) == {None}, "it scored with damaged weights"
