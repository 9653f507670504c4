"""Unfreeze the top layers, or all, and train them with the head, by tokens, resumably."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import DistilBertForMaskedLM

from tools.embedded import checkpoint
from tools.embedded.checkpoint import Progress
from tools.embedded.heldout import Accuracy
from tools.embedded.network import Head, freeze_all_but_top
from tools.embedded.sequences import IGNORED, Batch, Sequences

STATE = "state.safetensors"
BEFORE_DECAY = "before-decay.safetensors"


@dataclass(frozen=True)
class Schedule:
    """Warm up, stay, then fall linearly to nothing at the budget."""

    budget: int
    decay_from: int
    peak: float = 2e-4
    warmup: int = 60_000

    def rate(self, tokens: int) -> float:
        """The learning rate after so many tokens."""
        rising = min(1.0, (tokens + 1) / self.warmup)
        falling = (self.budget - tokens) / max(1, self.budget - self.decay_from)
        return self.peak * max(0.0, min(rising, falling, 1.0))


@dataclass
class Training:
    """One training run in a directory: `state.safetensors` and `curve.json` live there.

    A `schedule.json` there, such as `{"budget": 900000, "decay_from": 700000}`, replaces the
    schedule while training runs: on a shared machine nobody knows beforehand how far it will get.
    When the learning rate starts to fall, the state is also written to `before-decay.safetensors`:
    a later session trains on from there.

    `layer_decay` multiplies the learning rate once per layer, from the head downwards: the lower
    layers need the least change. `bf16` computes matrix products in bfloat16, which is twice as
    fast on a CPU that has instructions for it; the weights and the optimiser stay in fp32.
    """

    model: DistilBertForMaskedLM
    sequences: Sequences
    measure: Callable[[DistilBertForMaskedLM], dict[str, Accuracy]]
    directory: Path
    top_layers: int
    schedule: Schedule
    seed: int = 0
    layer_decay: float = 1.0
    bf16: bool = False
    measure_every: int = 200_000
    save_every: int = 100_000
    save_seconds: float = 240.0  # a busy machine may take long over `save_every` tokens

    def run(self) -> Progress:
        """Train until the budget is spent, from the last checkpoint if there is one."""
        groups = freeze_all_but_top(self.model, self.top_layers)
        trained = trained_parameters(self.model)
        optimiser = torch.optim.AdamW(
            optimiser_groups(groups, self.layer_decay),
            lr=self.schedule.peak,
            betas=(0.9, 0.98),
            eps=1e-6,
            fused=True,
        )
        state = self.directory / STATE
        progress = Progress()
        if state.exists():
            progress = checkpoint.load(state, trained, optimiser)
        else:
            self._note(progress, float("nan"))
        self._steps(optimiser, trained, state, progress)
        checkpoint.save(state, trained, optimiser, progress)
        return progress

    def _steps(
        self,
        optimiser: torch.optim.AdamW,
        trained: dict[str, nn.Parameter],
        state: Path,
        progress: Progress,
    ) -> None:
        losses: list[float] = []
        saved = time.monotonic()
        while progress.tokens < self.schedule.budget:
            batches = self.sequences.round(self.seed, progress.round)
            for batch in batches[progress.batch :]:
                before = progress.tokens
                self._reschedule()
                self._keep_before_decay(optimiser, trained, progress)
                losses.append(self._step(optimiser, batch, progress))
                progress.batch += 1
                done = progress.tokens >= self.schedule.budget
                if done or _crossed(before, progress.tokens, self.measure_every):
                    self._note(progress, sum(losses) / len(losses))
                    losses.clear()
                late = time.monotonic() - saved >= self.save_seconds
                if late or _crossed(before, progress.tokens, self.save_every):
                    checkpoint.save(state, trained, optimiser, progress)
                    saved = time.monotonic()
                if done:
                    return
            progress.round, progress.batch = progress.round + 1, 0

    def _step(self, optimiser: torch.optim.AdamW, batch: Batch, progress: Progress) -> float:
        started = time.monotonic()
        for group in optimiser.param_groups:
            group["lr"] = self.schedule.rate(progress.tokens) * group["factor"]
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            loss = masked_loss(self.model, batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        parameters = [p for group in optimiser.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        progress.tokens += batch.tokens
        progress.steps += 1
        progress.seconds += time.monotonic() - started
        return loss.item()

    def _reschedule(self) -> None:
        path = self.directory / "schedule.json"
        if path.exists():
            self.schedule = replace(self.schedule, **json.loads(path.read_text()))

    def _keep_before_decay(
        self,
        optimiser: torch.optim.AdamW,
        trained: dict[str, nn.Parameter],
        progress: Progress,
    ) -> None:
        decaying = progress.tokens >= self.schedule.decay_from
        if decaying and not progress.decaying:
            checkpoint.save(self.directory / BEFORE_DECAY, trained, optimiser, progress)
        progress.decaying = decaying

    def _note(self, progress: Progress, loss: float) -> None:
        """Add a point to the curve of held-out accuracy against training tokens."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            found = self.measure(self.model)
        self.model.train()
        path = self.directory / "curve.json"
        curve = json.loads(path.read_text()) if path.exists() else []
        point = {
            "tokens": progress.tokens,
            "steps": progress.steps,
            "seconds": round(progress.seconds),
            "rate": self.schedule.rate(progress.tokens),
            "loss": None if loss != loss else round(loss, 4),
            "accuracy": {name: value.as_dict() for name, value in found.items()},
        }
        curve = [old for old in curve if old["tokens"] < progress.tokens] + [point]
        checkpoint.write_atomically(path, json.dumps(curve, indent=1) + "\n")
        print(json.dumps(point), flush=True)


def optimiser_groups(groups: list[list[nn.Parameter]], layer_decay: float) -> list[dict[str, Any]]:
    """Groups for AdamW, each with its factor on the learning rate; vectors are not decayed."""
    made: list[dict[str, Any]] = []
    for depth, group in enumerate(groups):
        factor = layer_decay ** max(0, depth - 1)  # the head learns as fast as the top layer
        matrices = [p for p in group if p.ndim > 1]
        vectors = [p for p in group if p.ndim == 1]
        made.append({"params": matrices, "weight_decay": 0.01, "factor": factor})
        made.append({"params": vectors, "weight_decay": 0.0, "factor": factor})
    return made


def trained_parameters(model: DistilBertForMaskedLM) -> dict[str, nn.Parameter]:
    """What is not frozen, by name."""
    return {name: p for name, p in model.named_parameters() if p.requires_grad}


def masked_loss(model: DistilBertForMaskedLM, batch: Batch) -> torch.Tensor:
    """Cross-entropy at the masked positions; the head is run nowhere else."""
    attention = None if bool(batch.attention.all()) else batch.attention
    states = model.distilbert(input_ids=batch.inputs, attention_mask=attention)[0]
    where = batch.labels != IGNORED
    return nn.functional.cross_entropy(Head(model)(states[where]).float(), batch.labels[where])


def _crossed(before: int, after: int, every: int) -> bool:
    return before // every != after // every
