"""Checkpoints: trained tensors and optimiser moments in one safetensors file."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn


@dataclass
class Progress:
    """Where training stands: tokens seen, optimiser steps, and the next batch of the stream."""

    tokens: int = 0
    steps: int = 0
    round: int = 0
    batch: int = 0
    seconds: float = 0.0
    decaying: bool = False


def write_atomically(path: Path, content: str) -> None:
    """Replace a text file in one step, so that a reader never sees half of it."""
    part = path.with_name(path.name + ".part")
    part.write_text(content, encoding="utf-8")
    os.replace(part, path)


def save(
    path: Path,
    trained: dict[str, nn.Parameter],
    optimiser: torch.optim.AdamW,
    progress: Progress,
) -> None:
    """Write everything that training has changed."""
    tensors = {name: p.detach().contiguous() for name, p in trained.items()}
    for name, parameter in trained.items():
        moments = optimiser.state.get(parameter, {})
        for key in ("exp_avg", "exp_avg_sq"):
            if key in moments:
                tensors[f"{key}/{name}"] = moments[key]
    part = path.with_name(path.name + ".part")
    save_file(tensors, part, metadata={"progress": json.dumps(asdict(progress))})
    with part.open("rb") as written:
        os.fsync(written.fileno())
    os.replace(part, path)


def load(
    path: Path, trained: dict[str, nn.Parameter], optimiser: torch.optim.AdamW | None = None
) -> Progress:
    """Put a checkpoint back into the parameters and, if given, the optimiser."""
    with safe_open(path, framework="pt") as stored:
        progress = Progress(**json.loads(stored.metadata()["progress"]))
        names = set(stored.keys())
        for name, parameter in trained.items():
            with torch.no_grad():
                parameter.copy_(stored.get_tensor(name))
            if optimiser is not None and f"exp_avg/{name}" in names:
                optimiser.state[parameter] = {
                    "step": torch.tensor(float(progress.steps)),
                    "exp_avg": stored.get_tensor(f"exp_avg/{name}"),
                    "exp_avg_sq": stored.get_tensor(f"exp_avg_sq/{name}"),
                }
    return progress
