"""A trained estimator on disk: a directory with its weights and a card that describes it."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricolore.errors import ModelDirectoryError

FORMAT = 1
"""Increase this when directories of the old format can no longer be read."""
CARD, WEIGHTS = "card.json", "model.safetensors"

Tensors = dict[str, NDArray[Any]]


@dataclass(frozen=True, kw_only=True)
class Card:
    """What a trained estimator is, what it learnt from, and how well it predicts."""

    kind: str
    """The name of the estimator and of its measure, such as `mix`."""
    settings: Mapping[str, Any]
    targets: tuple[str, ...]
    bounds: tuple[float, float]
    """The ends of the human scale, which become 0 and 1 in predictions."""
    restarts: int
    seed: int
    data: Mapping[str, Any] = field(default_factory=dict)
    """Digest, rows, documents, rows left out."""
    error: Mapping[str, Any] = field(default_factory=dict)
    """The cross-validated statistics of each target, and those of predicting the mean."""
    made_with: Mapping[str, Any] = field(default_factory=dict)
    """The base encoder and its revision, and whatever else this kind of estimator records."""
    versions: Mapping[str, str] = field(default_factory=dict)
    format: int = FORMAT
    digests: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file beside the card."""


@dataclass(frozen=True)
class ModelDirectory:
    """A directory that has been read: its files are those that the card was written for."""

    path: Path
    card: Card

    @property
    def digest(self) -> str:
        """A digest of everything that a prediction depends on: the weights and their card."""
        plain = _plain(self.card)
        told = ("kind", "settings", "targets", "bounds", "restarts", "digests")
        words = json.dumps({key: plain[key] for key in told}, sort_keys=True)
        return sha256(words.encode()).hexdigest()[:16]

    def tensors(self) -> Tensors:
        """All tensors by name, read now."""
        from safetensors import SafetensorError
        from safetensors.numpy import load

        place = self.path / WEIGHTS
        try:
            raw = place.read_bytes()
            # The directory may have been trained again since the card was read.
            if sha256(raw).hexdigest() != self.card.digests[WEIGHTS]:
                raise ModelDirectoryError(f"{place} was changed while it was in use")
            return dict(load(raw))
        except (SafetensorError, OSError) as error:
            raise ModelDirectoryError(f"{place} cannot be read: {error}") from error

    def target(self, name: str) -> int:
        """The index of a target; the first target by default."""
        if name and name not in self.card.targets:
            has = ", ".join(self.card.targets)
            raise ModelDirectoryError(f"{self.path} predicts no '{name}'; it predicts: {has}")
        return self.card.targets.index(name) if name else 0


def write(
    path: Path | str, card: Card, tensors: Tensors, files: Mapping[str, bytes] | None = None
) -> ModelDirectory:
    """Write a whole directory or nothing; an estimator that was there is replaced.

    `files` are further ones, such as the tokenizer of an encoder.
    """
    from safetensors.numpy import save

    path = Path(path)
    check_free(path)
    contents = {
        **(files or {}),
        WEIGHTS: save({k: np.ascontiguousarray(v) for k, v in tensors.items()}),
    }
    card = dataclasses.replace(
        card,
        versions={**_versions(), **card.versions},
        digests={name: sha256(raw).hexdigest() for name, raw in sorted(contents.items())},
    )
    contents[CARD] = json.dumps(_plain(card), indent=2, ensure_ascii=False).encode() + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        try:
            _fill(beside / "new", contents)
            _swap(beside / "new", path, beside / "old")
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise ModelDirectoryError(f"{path} cannot be written: {error.strerror}") from error
    return ModelDirectory(path, card)


def check_free(path: Path | str) -> None:
    """Raise an error unless the path is new, an empty directory or an estimator's directory."""
    path = Path(path)
    if not path.exists() or (path / CARD).is_file():
        return
    if not path.is_dir() or any(path.iterdir()):
        raise ModelDirectoryError(f"{path} is there and is not a trained estimator; name another")


def read(path: Path | str, kind: str) -> ModelDirectory:
    """The estimator in a directory, after every check that can be made without running it."""
    path = Path(path)
    if not path.is_dir():
        what = "is not a directory" if path.exists() else "is not there"
        raise ModelDirectoryError(
            f"{path} {what}; a trained estimator is a directory made by `tricolore train {kind}`"
        )
    card = _read_card(path, kind)
    for name, digest in card.digests.items():
        _check_file(path / name, digest)
    return ModelDirectory(path, card)


def tensor(tensors: Tensors, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """One tensor, checked against the shape in the card's settings."""
    if name not in tensors:
        raise ModelDirectoryError(f"the weights have no tensor '{name}'")
    array = tensors[name]
    if array.shape != shape:
        raise ModelDirectoryError(
            f"the tensor '{name}' has the shape {list(array.shape)}, but its card calls for "
            f"{list(shape)}"
        )
    if not np.all(np.isfinite(array)):
        raise ModelDirectoryError(f"the tensor '{name}' holds values that are not numbers")
    return array


def _read_card(path: Path, kind: str) -> Card:
    place = path / CARD
    if not place.is_file():
        raise ModelDirectoryError(f"{path} has no {CARD}: it is not a trained estimator")
    try:
        plain = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelDirectoryError(f"{place} cannot be read: {error}") from error
    if not isinstance(plain, dict) or not isinstance(plain.get("format"), int):
        raise ModelDirectoryError(f"{place} is not the card of a trained estimator")
    if plain["format"] != FORMAT:
        writer = plain.get("versions", {}).get("tricolore", "unknown")
        raise ModelDirectoryError(
            f"{path} was made by tricolore {writer} in format {plain['format']}; "
            f"this is tricolore {version('tricolore')}, which reads format {FORMAT}: train it again"
        )
    try:
        card = _card(plain)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelDirectoryError(f"{place} is broken: {error}") from error
    if card.kind != kind:
        raise ModelDirectoryError(
            f"{path} is a trained '{card.kind}', not '{kind}': write {card.kind}:directory={path}"
        )
    return card


def _card(plain: dict[str, Any]) -> Card:
    fields = {f.name: plain[f.name] for f in dataclasses.fields(Card)}
    low, high = (float(end) for end in fields["bounds"])
    targets = tuple(fields["targets"])
    if not targets or not all(isinstance(name, str) for name in targets):
        raise ValueError("it names no targets")
    if WEIGHTS not in fields["digests"]:
        raise ValueError(f"it has no digest of {WEIGHTS}")
    for name in fields["digests"]:
        if Path(name).name != name:
            raise ValueError(f"it names a file outside its directory: {name}")
    if not (isinstance(fields["restarts"], int) and fields["restarts"] >= 1):
        raise ValueError(f"restarts is {fields['restarts']}")
    if not isinstance(fields["settings"], dict) or not isinstance(fields["kind"], str):
        raise TypeError("kind or settings are not what they should be")
    return Card(**{**fields, "targets": targets, "bounds": (low, high)})


def _check_file(place: Path, digest: str) -> None:
    if not place.is_file():
        raise ModelDirectoryError(f"{place.parent} has no {place.name}: it is not whole")
    with place.open("rb") as raw:
        digester = sha256()
        while block := raw.read(1 << 20):
            digester.update(block)
    if digester.hexdigest() != digest:
        raise ModelDirectoryError(
            f"{place} is not the file that its card was written for: it is damaged or was changed"
        )


def _fill(directory: Path, contents: Mapping[str, bytes]) -> None:
    directory.mkdir()
    for name, raw in contents.items():
        with (directory / name).open("wb") as out:
            out.write(raw)
            out.flush()
            os.fsync(out.fileno())


def _swap(new: Path, path: Path, old: Path) -> None:
    """Put the new directory in place; restore the old one if that fails."""
    if path.exists():
        os.rename(path, old)
    try:
        os.rename(new, path)
    except OSError:
        if old.exists():
            os.rename(old, path)
        raise


def _plain(card: Card) -> dict[str, Any]:
    return {f.name: getattr(card, f.name) for f in dataclasses.fields(card)}


def _versions() -> dict[str, str]:
    """The versions of tricolore and of the libraries that this process has used."""
    used = [name for name in ("numpy", "torch", "transformers") if name in sys.modules]
    return {name: version(name) for name in ("tricolore", *used)}
