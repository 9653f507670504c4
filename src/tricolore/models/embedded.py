"""The model that ships with the library: where it is, and how its weights are decoded.

Matrices are stored as int8 with one fp16 scale per row, vectors as fp16; both become fp32 here.
`NAME` holds the rows, `NAME.scale` their scales.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from tricolore.models.errors import BrokenModelError, ModelNotFoundError
from tricolore.models.files import damaged, read_json

if TYPE_CHECKING:
    import torch

PACKAGE = "tricolore_embedded"
WEIGHTS = "model.safetensors"
DIGESTS = "digests.json"
SCALE = ".scale"
REINSTALL = (
    "install it again with `pip install --force-reinstall ./packages/embedded` in a checkout of "
    "tricolore"
)
HOW = (
    "Install it with `pip install ./packages/embedded` in a checkout of tricolore, or name another "
    "model: a local directory, or a name on the model hub."
)
_found: dict[str, Path] = {}


def directory() -> Path:
    """The directory of the installed model, or an error that says how to install it."""
    package = installed(PACKAGE)
    if package is None:
        raise ModelNotFoundError("embedded", "the package tricolore-embedded is not installed", HOW)
    path = package / "model"
    if not (path / WEIGHTS).is_file():
        raise ModelNotFoundError("embedded", f"there is no {WEIGHTS} in {path}", HOW)
    return path


def revision() -> str:
    """A digest of the weights, once every file is known to be the one that was packed."""
    where = directory()
    digests = read_json(where / DIGESTS) if (where / DIGESTS).is_file() else {}
    name = damaged(where, digests) if WEIGHTS in digests else DIGESTS
    if name:
        raise BrokenModelError(
            "embedded", f"{where / name} is not the file that was packed", REINSTALL
        )
    return str(digests[WEIGHTS])[:12]


def installed(package: str) -> Path | None:
    """The directory of an installed package that carries a model."""
    # Called often, and finding a package anew takes a hundred times as long.
    if package not in _found:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            return None
        _found[package] = Path(next(iter(spec.submodule_search_locations)))
    return _found[package]


def decode(path: Path) -> dict[str, torch.Tensor]:
    """The tensors of a packed file in fp32, under the names of `transformers`."""
    from safetensors.torch import load_file

    stored = load_file(path)
    return {
        name: _decoded(tensor, stored.get(name + SCALE))
        for name, tensor in stored.items()
        if not name.endswith(SCALE)
    }


def _decoded(tensor: torch.Tensor, scale: torch.Tensor | None) -> torch.Tensor:
    if scale is None:
        return tensor.float()
    return tensor.float() * scale.float().unsqueeze(-1)
