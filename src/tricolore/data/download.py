"""Downloading the files of a public dataset, each checked by its SHA-256 if that is known."""

from __future__ import annotations

import hashlib
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tricolore.data.atomic import open_binary
from tricolore.data.datasets import Dataset, File
from tricolore.errors import ReadError

_SECONDS = 30
_PIECE = 1 << 20


def download(dataset: Dataset, folder: Path) -> dict[str, str]:
    """Download the files of a dataset into a folder, and return the SHA-256 of each.

    A file that is there already is not downloaded again, but it is checked.
    """
    if not dataset.files:
        raise ReadError(
            f"the files of {dataset.name} cannot be downloaded",
            f"get a copy from {dataset.home}",
            argument="from",
        )
    folder.mkdir(parents=True, exist_ok=True)
    return {file.name: _fetch(dataset, file, folder / file.name) for file in dataset.files}


def _fetch(dataset: Dataset, file: File, target: Path) -> str:
    if not target.exists():
        with open_binary(target, argument="") as out:
            digest = hashlib.sha256()
            for piece in _pieces(dataset, file):
                digest.update(piece)
                out.write(piece)
            _check(file, digest.hexdigest())
    with open(target, "rb") as stream:
        return _check(file, hashlib.file_digest(stream, "sha256").hexdigest())


def _pieces(dataset: Dataset, file: File) -> Iterator[bytes]:
    try:
        with urllib.request.urlopen(file.url, timeout=_SECONDS) as stream:
            while piece := stream.read(_PIECE):
                yield piece
    except (OSError, urllib.error.URLError) as error:
        reason = getattr(error, "reason", error)
        raise ReadError(
            f"{file.url} cannot be fetched ({reason})",
            f"get {file.name} from {dataset.home} by other means",
            argument="from",
        ) from error


def _check(file: File, found: str) -> str:
    if file.sha256 and found != file.sha256:
        raise ReadError(
            f"{file.name} is not the published file: its SHA-256 is {found}, not {file.sha256}"
        )
    return found
