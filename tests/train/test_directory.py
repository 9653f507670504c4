from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tricolore.errors import ModelDirectoryError
from tricolore.train.directory import (
    CARD,
    WEIGHTS,
    Card,
    read,
    tensor,
    with_digest,
    write,
)

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


WRITE = """
import resource, sys
import numpy as np
from tricolore.errors import WriteFailedError
from tricolore.train.directory import Card, write
card = Card(kind="mix", settings={}, targets=("x",), bounds=(1.0, 5.0), restarts=1, seed=1)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, resource.RLIM_INFINITY))
try:
    write(sys.argv[1], card, {"0.weights": np.zeros(1000)})
except WriteFailedError as error:
    print(error)
"""


def test_a_full_disk_leaves_what_was_there(made: Path) -> None:
    before = read(made, "mix").digest
    asked = [sys.executable, "-c", WRITE, str(made)]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.stdout == f"{made} cannot be written: File too large\n", done.stderr
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


def content(place: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(place)): path.read_bytes() if path.is_file() else None
        for path in place.rglob("*")
    }


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"thesis.tex": "x", "notes/a": "b"},
            r"not part of a trained estimator: notes, thesis.tex",
        ),
        ({str(n): "" for n in range(7)}, "estimator: 0, 1, 2, 3, 4 and 2 more"),
        ({CARD: "{}"}, "it may not be a trained estimator: .* is not the card of"),
        ({CARD: '{"format": 2}'}, "it may not be a trained estimator: .* is not as it was written"),
        ({WEIGHTS: "of another"}, "it may not be a trained estimator: .* damaged or was changed"),
    ],
)
def test_what_we_did_not_write_is_never_replaced(
    made: Path, files: dict[str, str], words: str
) -> None:
    for name, text in files.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text)
    (made.parent / "link").symlink_to("model")
    before = content(made)
    for path in (made, made.parent / "link"):
        with pytest.raises(ModelDirectoryError, match=words) as error:
            write(path, CARD_OF_A_MIX, TENSORS)
        assert error.value.argument == "directory"
    assert content(made) == before
    assert sorted(os.listdir(made.parent)) == ["link", "model"]


def test_a_link_in_a_directory_is_not_replaced(made: Path) -> None:
    os.rename(made / WEIGHTS, made.parent / "weights")
    (made / WEIGHTS).symlink_to(made.parent / "weights")
    with pytest.raises(ModelDirectoryError, match=f"not part of a trained estimator: {WEIGHTS}"):
        write(made, CARD_OF_A_MIX, TENSORS)
    assert (made / WEIGHTS).is_symlink()


def test_what_a_link_leads_to_is_replaced(made: Path) -> None:
    (made.parent / "link").symlink_to("model")
    new = write(made.parent / "link", CARD_OF_A_MIX, {"0.weights": TENSORS["0.weights"] + 1})
    assert (made.parent / "link").is_symlink()
    assert read(made, "mix").digest == new.digest


def _card(change: Callable[[dict[str, object]], object]) -> Callable[[Path], object]:
    def damage(path: Path) -> None:
        plain = json.loads((path / CARD).read_text())
        change(plain)
        (path / CARD).write_text(json.dumps(with_digest(plain)))

    return damage


DAMAGE = [
    (lambda path: (path / CARD).unlink(), r"has no card.json: it is not a trained estimator"),
    (lambda path: (path / CARD).write_text('{"kind": "mi'), r"card.json cannot be read"),
    (lambda path: (path / CARD).write_text("[]"), "is not the card of a trained estimator"),
    (lambda path: (path / WEIGHTS).unlink(), r"has no model.safetensors: it is not whole"),
    (lambda path: (path / WEIGHTS).write_bytes(b"\0" * 90), "damaged or was changed"),
    (_card(lambda card: card.update(format=7)), "has format 7; .* reads format 2: train it again"),
    (_card(lambda card: card.pop("targets")), r"card.json is broken: 'targets'"),
    (_card(lambda card: card.update(targets=[])), "broken: it names no targets"),
    (_card(lambda card: card.update(bounds=["low", 5])), "is broken: could not convert"),
    (_card(lambda card: card.update(digests={})), r"no digest of model.safetensors"),
    (_card(lambda card: card.update(restarts=0)), "broken: restarts is 0"),
    *(
        (_card(lambda card, n=name, v=value: card.update({n: v})), f"broken: '{name}' is not what")
        for name, value in {
            "kind": 1,
            "settings": [],
            "made_with": "x",
            "versions": [1],
            "data": None,
            "error": 1.5,
            "seed": "x",
            "restarts": True,
            "targets": {"a": 1},
            "digests": [],
            "bounds": 5,
        }.items()
    ),
    (_card(lambda card: card.update(bounds=[5, 1])), "broken: the human scale goes from 5 to 1"),
    (_card(lambda card: card.update(bounds=[0, 1e999])), "broken: the human scale goes from 0 to"),
    (_card(lambda card: card.update(bounds=[0, 10**400])), "broken: int too large"),
    (lambda path: (path / CARD).write_text("[" * 100_000), r"card.json cannot be read"),
    (lambda path: (path / CARD).write_text(f'{{"format": {"9" * 5000}}}'), "cannot be read"),
    (
        lambda path: (path / CARD).write_text(
            (path / CARD).read_text().replace("density,coverage", "coverage,density")
        ),
        "card.json is not as it was written: it is damaged or was changed",
    ),
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
