"""Unfreeze the top layers and train them with the head, by tokens, resumably."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import nn
from transformers import DistilBertForMaskedLM

from tools.embedded import checkpoint
from tools.embedded.checkpoint import Progress
from tools.embedded.heldout import Accuracy
from tools.embedded.network import Head, freeze_all_but_top
from tools.embedded.sequences import IGNORED, Batch, Sequences


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
    """

    model: DistilBertForMaskedLM
    sequences: Sequences
    measure: Callable[[DistilBertForMaskedLM], Accuracy]
    directory: Path
    top_layers: int
    schedule: Schedule
    seed: int = 0
    measure_every: int = 200_000
    save_every: int = 100_000

    def run(self) -> Progress:
        """Train until the budget is spent, from the last checkpoint if there is one."""
        chosen = freeze_all_but_top(self.model, self.top_layers)
        trained = trained_parameters(self.model)
        matrices = [p for p in chosen if p.ndim > 1]
        vectors = [p for p in chosen if p.ndim == 1]
        groups = [
            {"params": matrices, "weight_decay": 0.01},
            {"params": vectors, "weight_decay": 0.0},
        ]
        optimiser = torch.optim.AdamW(
            groups, lr=self.schedule.peak, betas=(0.9, 0.98), eps=1e-6, fused=True
        )
        state = self.directory / "state.safetensors"
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
        while progress.tokens < self.schedule.budget:
            batches = self.sequences.round(self.seed, progress.round)
            for batch in batches[progress.batch :]:
                before = progress.tokens
                losses.append(self._step(optimiser, batch, progress))
                progress.batch += 1
                done = progress.tokens >= self.schedule.budget
                if done or _crossed(before, progress.tokens, self.measure_every):
                    self._note(progress, sum(losses) / len(losses))
                    losses.clear()
                if _crossed(before, progress.tokens, self.save_every):
                    checkpoint.save(state, trained, optimiser, progress)
                if done:
                    return
            progress.round, progress.batch = progress.round + 1, 0

    def _step(self, optimiser: torch.optim.AdamW, batch: Batch, progress: Progress) -> float:
        started = time.monotonic()
        self._reschedule()
        for group in optimiser.param_groups:
            group["lr"] = self.schedule.rate(progress.tokens)
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

    def _note(self, progress: Progress, loss: float) -> None:
        """Add a point to the curve of held-out accuracy against training tokens."""
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
            **found.as_dict(),
        }
        curve = [old for old in curve if old["tokens"] < progress.tokens] + [point]
        checkpoint.write_atomically(path, json.dumps(curve, indent=1) + "\n")
        print(json.dumps(point), flush=True)


def trained_parameters(model: DistilBertForMaskedLM) -> dict[str, nn.Parameter]:
    """What is not frozen, by name."""
    return {name: p for name, p in model.named_parameters() if p.requires_grad}


def masked_loss(model: DistilBertForMaskedLM, batch: Batch) -> torch.Tensor:
    """Cross-entropy at the masked positions; the head is run nowhere else."""
    attention = None if bool(batch.attention.all()) else batch.attention
    states = model.distilbert(input_ids=batch.inputs, attention_mask=attention)[0]
    where = batch.labels != IGNORED
    return nn.functional.cross_entropy(Head(model)(states[where]), batch.labels[where])


def _crossed(before: int, after: int, every: int) -> bool:
    return before // every != after // every
