"""A trained estimator on disk: a directory with its weights and a card that describes it."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricolore.data.atomic import write_directory
from tricolore.errors import ModelDirectoryError

FORMAT = 2
"""Increase this when directories of the old format can no longer be read."""
CARD, WEIGHTS = "card.json", "model.safetensors"
DIGEST = "card_digest"
"""The entry of a card with the digest of all its other entries."""

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
    contents = {
        **(files or {}),
        WEIGHTS: save({k: np.ascontiguousarray(v) for k, v in tensors.items()}),
    }
    card = dataclasses.replace(
        card,
        versions={**_versions(), **card.versions},
        digests={name: sha256(raw).hexdigest() for name, raw in sorted(contents.items())},
    )
    contents[CARD] = json.dumps(with_digest(_plain(card)), indent=2).encode() + b"\n"
    write_directory(path, contents, check_replaceable)
    return ModelDirectory(path, card)


def check_replaceable(path: Path | str) -> list[str]:
    """The names of the files of the estimator that `write` would replace, if there is one.

    Raises an error if there is anything that `write` has not written, for that would be lost.
    """
    path = Path(path)
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return []
    if not (path / CARD).is_file():
        raise ModelDirectoryError(
            f"{path} is there and is not a trained estimator", argument="directory"
        )
    try:
        names = [CARD, *_read_whole(path).card.digests]
    except ModelDirectoryError as error:
        raise ModelDirectoryError(
            f"{path} is not replaced, as it may not be a trained estimator: {error}",
            argument="directory",
        ) from error
    with os.scandir(path) as entries:
        other = sorted(
            entry.name
            for entry in entries
            if entry.name not in names or not entry.is_file(follow_symlinks=False)
        )
    if other:
        shown = ", ".join(other[:5]) + (f" and {len(other) - 5} more" if other[5:] else "")
        raise ModelDirectoryError(
            f"{path} is not replaced, as it has what is not part of a trained estimator: {shown}",
            argument="directory",
        )
    return names


def read(path: Path | str, kind: str) -> ModelDirectory:
    """The estimator in a directory, after every check that can be made without running it."""
    path = Path(path)
    if not path.is_dir():
        what = "is not a directory" if path.exists() else "is not there"
        raise ModelDirectoryError(
            f"{path} {what}; a trained estimator is a directory made by `tricolore train {kind}`"
        )
    trained = _read_whole(path)
    found = trained.card.kind
    if found != kind:
        raise ModelDirectoryError(
            f"{path} is a trained '{found}', not '{kind}': write {found}:directory={path}"
        )
    return trained


def _read_whole(path: Path) -> ModelDirectory:
    card = _read_card(path)
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


def _read_card(path: Path) -> Card:
    place = path / CARD
    if not place.is_file():
        raise ModelDirectoryError(f"{path} has no {CARD}: it is not a trained estimator")
    try:
        plain = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelDirectoryError(f"{place} cannot be read: {error}") from error
    if not isinstance(plain, dict) or type(plain.get("format")) is not int:
        raise ModelDirectoryError(f"{place} is not the card of a trained estimator")
    if plain["format"] != FORMAT:
        raise ModelDirectoryError(
            f"{path} has format {plain['format']}; this is tricolore {version('tricolore')}, "
            f"which reads format {FORMAT}: train it again"
        )
    if plain.get(DIGEST) != with_digest(plain)[DIGEST]:
        raise ModelDirectoryError(f"{place} is not as it was written: it is damaged or was changed")
    try:
        return _card(plain)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelDirectoryError(f"{place} is broken: {error}") from error


def with_digest(card: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a card with a digest of all that it says."""
    plain: dict[str, Any] = json.loads(json.dumps(card))  # as it will be read
    plain.pop(DIGEST, None)
    digest = sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
    return {**plain, DIGEST: digest}


_TYPES: dict[str, type] = {
    "kind": str,
    "settings": dict,
    "targets": list,
    "bounds": list,
    "restarts": int,
    "seed": int,
    "data": dict,
    "error": dict,
    "made_with": dict,
    "versions": dict,
    "digests": dict,
}


def _card(plain: Mapping[str, Any]) -> Card:
    fields = {f.name: plain[f.name] for f in dataclasses.fields(Card)}
    for name, kind in _TYPES.items():
        if type(fields[name]) is not kind:
            raise TypeError(f"'{name}' is not what it should be")
    low, high = (float(end) for end in fields["bounds"])
    if not -math.inf < low < high < math.inf:
        raise ValueError(f"the human scale goes from {low:g} to {high:g}")
    targets = tuple(fields["targets"])
    if not targets or not all(isinstance(name, str) for name in targets):
        raise ValueError("it names no targets")
    if WEIGHTS not in fields["digests"]:
        raise ValueError(f"it has no digest of {WEIGHTS}")
    for name in fields["digests"]:
        if Path(name).name != name:
            raise ValueError(f"it names a file outside its directory: {name}")
    if fields["restarts"] < 1:
        raise ValueError(f"restarts is {fields['restarts']}")
    return Card(**{**fields, "targets": targets, "bounds": (low, high)})


def _check_file(place: Path, digest: str) -> None:
    if not place.is_file():
        raise ModelDirectoryError(f"{place.parent} has no {place.name}: it is not whole")
    try:
        with place.open("rb") as raw:
            found = file_digest(raw, "sha256").hexdigest()
    except OSError as error:
        raise ModelDirectoryError(f"{place} cannot be read: {error.strerror}") from error
    if found != digest:
        raise ModelDirectoryError(
            f"{place} is not the file that its card was written for: it is damaged or was changed"
        )


def _plain(card: Card) -> dict[str, Any]:
    return {f.name: getattr(card, f.name) for f in dataclasses.fields(card)}


def _versions() -> dict[str, str]:
    """The versions of tricolore and of the libraries that this process has used."""
    used = [name for name in ("numpy", "torch", "transformers") if name in sys.modules]
    return {name: version(name) for name in ("tricolore", *used)}
