from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tricolore.errors import ModelDirectoryError
from tricolore.train.directory import CARD, WEIGHTS, Card, read, tensor, write

CARD_OF_A_MIX = Card(
    kind="mix",
    settings={"of": "density,coverage"},
    targets=("coherence", "fluency"),
    bounds=(1.0, 5.0),
    restarts=1,
    seed=1,
)
TENSORS = {"0.weights": np.arange(6.0).reshape(3, 2)}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return write(tmp_path / "model", CARD_OF_A_MIX, TENSORS).path


def test_what_is_written_can_be_read(made: Path) -> None:
    trained = read(made, "mix")
    assert trained.card.settings == CARD_OF_A_MIX.settings
    assert trained.card.targets == ("coherence", "fluency")
    assert {"tricolore", "numpy"} <= set(trained.card.versions)
    assert np.array_equal(trained.tensors()["0.weights"], TENSORS["0.weights"])
    assert sorted(os.listdir(made)) == [CARD, WEIGHTS]
    assert os.listdir(made.parent) == ["model"]


def test_further_files_are_kept_and_checked(tmp_path: Path) -> None:
    path = write(tmp_path / "m", CARD_OF_A_MIX, TENSORS, {"tokenizer.json": b"{}"}).path
    assert (path / "tokenizer.json").read_bytes() == b"{}"
    (path / "tokenizer.json").write_bytes(b"{ }")
    with pytest.raises(ModelDirectoryError, match=r"tokenizer.json is not the file"):
        read(path, "mix")


def test_other_weights_are_another_digest(made: Path) -> None:
    first = read(made, "mix")
    assert write(made, CARD_OF_A_MIX, TENSORS).digest == first.digest
    again = write(made, CARD_OF_A_MIX, {"0.weights": TENSORS["0.weights"] + 1})
    assert again.digest != first.digest
    assert read(made, "mix").digest == again.digest
    # The one that was read before knows that its weights are gone.
    with pytest.raises(ModelDirectoryError, match="changed while it was in use"):
        first.tensors()


def test_a_failed_write_leaves_what_was_there(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read(made, "mix").digest

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ModelDirectoryError, match="cannot be written: No space left"):
            write(made, CARD_OF_A_MIX, {"0.weights": np.zeros(2)})
    assert read(made, "mix").digest == before
    assert os.listdir(made.parent) == ["model"]


def test_nor_does_one_that_fails_at_the_very_end(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, rename = read(made, "mix").digest, os.rename

    def busy(source: Path, target: Path) -> None:
        if source.name == "new":
            raise OSError(16, "Device or resource busy")
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", busy)
        with pytest.raises(ModelDirectoryError, match="cannot be written: Device or resource busy"):
            write(made, CARD_OF_A_MIX, {"0.weights": np.zeros(2)})
    assert read(made, "mix").digest == before
    assert os.listdir(made.parent) == ["model"]


def test_what_is_not_an_estimator_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("Years of work.")
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    for name in ("thesis", "file"):
        with pytest.raises(ModelDirectoryError, match="is there and is not a trained estimator"):
            write(tmp_path / name, CARD_OF_A_MIX, TENSORS)
    assert write(tmp_path / "empty", CARD_OF_A_MIX, TENSORS).path.is_dir()


def _card(change: Callable[[dict[str, object]], object]) -> Callable[[Path], object]:
    def damage(path: Path) -> None:
        plain = json.loads((path / CARD).read_text())
        change(plain)
        (path / CARD).write_text(json.dumps(plain))

    return damage


DAMAGE = [
    (lambda path: (path / CARD).unlink(), r"has no card.json: it is not a trained estimator"),
    (lambda path: (path / CARD).write_text('{"kind": "mi'), r"card.json cannot be read"),
    (lambda path: (path / CARD).write_text("[]"), "is not the card of a trained estimator"),
    (lambda path: (path / WEIGHTS).unlink(), r"has no model.safetensors: it is not whole"),
    (lambda path: (path / WEIGHTS).write_bytes(b"\0" * 90), "damaged or was changed"),
    (_card(lambda card: card.update(format=7)), r"in format 7; .* reads format 1: train it again"),
    (_card(lambda card: card.pop("targets")), r"card.json is broken: 'targets'"),
    (_card(lambda card: card.update(targets=[])), "broken: it names no targets"),
    (_card(lambda card: card.update(bounds=["low", 5])), "is broken: could not convert"),
    (_card(lambda card: card.update(digests={})), r"no digest of model.safetensors"),
    (_card(lambda card: card.update(restarts=0)), "broken: restarts is 0"),
    (_card(lambda card: card.update(settings=[])), "broken: kind or settings"),
    (
        _card(lambda card: card["digests"].update({"../../passwd": "0"})),  # type: ignore[attr-defined]
        "names a file outside its directory",
    ),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGE, ids=[words for _, words in DAMAGE])
def test_a_damaged_directory(made: Path, damage: Callable[[Path], object], words: str) -> None:
    damage(made)
    with pytest.raises(ModelDirectoryError, match=words) as raised:
        read(made, "mix")
    assert "\n" not in str(raised.value)


def test_what_else_can_be_wrong(made: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="is not there; a trained estimator is"):
        read(made / "nothing", "mix")
    with pytest.raises(ModelDirectoryError, match="is not a directory"):
        read(made / CARD, "mix")
    with pytest.raises(ModelDirectoryError, match="is a trained 'mix', not 'sum-qe': write mix:"):
        read(made, "sum-qe")
    trained = read(made, "mix")
    assert [trained.target(name) for name in ("", "coherence", "fluency")] == [0, 0, 1]
    with pytest.raises(ModelDirectoryError, match="predicts no 'x'; it predicts: coherence, flu"):
        trained.target("x")
    with pytest.raises(ModelDirectoryError, match="the weights have no tensor 'bias'"):
        tensor(TENSORS, "bias", (2,))
    with pytest.raises(ModelDirectoryError, match=r"the shape \[3, 2\], but its card .* \[4, 2\]"):
        tensor(TENSORS, "0.weights", (4, 2))
    with pytest.raises(ModelDirectoryError, match="values that are not numbers"):
        tensor({"w": np.array([np.nan])}, "w", (1,))
