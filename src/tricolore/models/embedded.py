"""The model that ships with the library: where it lies, and how its weights are decoded.

Matrices are stored as int8 with one fp16 scale a row, vectors as fp16; both become fp32 here.
`NAME` holds the rows, `NAME.scale` their scales.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from tricolore.models.errors import ModelNotFoundError

if TYPE_CHECKING:
    import torch

PACKAGE = "tricolore_embedded"
WEIGHTS = "model.safetensors"
SCALE = ".scale"


def directory() -> Path:
    """The directory of the installed model; an error that says what to do if there is none."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModelNotFoundError("embedded", "the package tricolore-embedded is not installed")
    path = Path(next(iter(found.submodule_search_locations))) / "model"
    if not (path / WEIGHTS).is_file():
        raise ModelNotFoundError("embedded", f"there is no {WEIGHTS} in {path}")
    return path


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
