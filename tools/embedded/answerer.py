"""The question answerer: the embedded encoder with a span head that looks from the mask.

The net is `transformers.SplinterForQuestionAnswering` (Ram et al. 2021), whose head compares the
state of the masked token with the state of every token of the passage. The head starts as the
masked-LM head twice, so that before any training it points at words that the masked LM expects.
The encoder is frozen; its upper layers learn a change of low rank (Hu et al. 2021), so that the
file of the answerer is small and the encoder is stored once.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import string
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn
from transformers import SplinterForQuestionAnswering

from tools.embedded import checkpoint
from tools.embedded.export import packed, write_digests
from tools.embedded.questions import ClozePair, QuestionBatch, Questions, batched
from tricolore.models import embedded, embedded_answerer

STATE = "answerer.safetensors"
RANK, TOP_LAYERS = 16, 3
_SCALE = 0.012  # of the first scores: similarities of normalised vectors of 768 numbers


class LowRank(nn.Module):
    """A frozen linear map plus a learnt one of low rank."""

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.linear = linear
        self.down = nn.Parameter(torch.randn(rank, linear.in_features) / rank**0.5 * 0.1)
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """Apply both."""
        out: torch.Tensor = self.linear(states) + (states @ self.down.T) @ self.up.T
        return out


def fresh(directory: Path, rank: int, top_layers: int, seed: int) -> SplinterForQuestionAnswering:
    """The net before training, on the encoder of a packed model."""
    torch.manual_seed(seed)
    encoder = embedded_answerer.encoder_tensors(directory)
    config = json.loads((directory / "config.json").read_text())
    mask = embedded_answerer.mask_id(directory)
    model: Any = SplinterForQuestionAnswering(embedded_answerer.splinter_config(config, mask))
    missing, unexpected = model.load_state_dict(encoder.splinter, strict=False)
    wrong = [name for name in missing if "splinter_qass" not in name] + list(unexpected)
    if wrong:
        raise ValueError(f"these tensors do not fit: {wrong}")
    head = model.splinter_qass
    with torch.no_grad():
        for name in ("query_start", "query_end", "start", "end"):
            transform = getattr(head, f"{name}_transform")
            transform.dense.weight.copy_(encoder.head["vocab_transform.weight"])
            transform.dense.bias.copy_(encoder.head["vocab_transform.bias"])
            transform.LayerNorm.weight.copy_(encoder.head["vocab_layer_norm.weight"])
            transform.LayerNorm.bias.copy_(encoder.head["vocab_layer_norm.bias"])
        width = config["dim"]
        norm = encoder.head["vocab_layer_norm.weight"].square().sum().item()
        for classifier in (head.start_classifier, head.end_classifier):
            classifier.weight.copy_(torch.eye(width) * (_SCALE * width / norm))
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    for layer in model.splinter.encoder.layer[-top_layers:]:
        for parent in list(layer.modules()):
            for name, child in list(parent.named_children()):
                if type(child) is nn.Linear:
                    setattr(parent, name, LowRank(child, rank))
    for parameter in head.parameters():
        parameter.requires_grad_(True)
    return model  # type: ignore[no-any-return]


def trained_parameters(model: nn.Module) -> dict[str, nn.Parameter]:
    """What is not frozen, by name."""
    return {name: p for name, p in model.named_parameters() if p.requires_grad}


def logits(model: Any, batch: QuestionBatch) -> tuple[torch.Tensor, torch.Tensor]:
    """Scores of starts and ends, one row per question."""
    attention = None if bool(batch.attention.all()) else batch.attention
    states = model.splinter(input_ids=batch.inputs, attention_mask=attention)[0]
    head = model.splinter_qass
    asked = states[batch.rows, batch.masks]
    found = []
    for kind in ("start", "end"):
        queries = getattr(head, f"query_{kind}_transform")(asked)
        queries = getattr(head, f"{kind}_classifier")(queries)
        keys = getattr(head, f"{kind}_transform")(states)[batch.rows]
        scores = torch.einsum("qd,qtd->qt", queries, keys)
        found.append(scores.masked_fill(batch.attention[batch.rows] == 0, -1e9))
    return found[0], found[1]


def loss(model: Any, batch: QuestionBatch) -> torch.Tensor:
    """Minus the log-probability of the right starts and ends, all occurrences together."""
    total = torch.tensor(0.0)
    pairs = zip(logits(model, batch), (batch.starts, batch.ends), strict=True)
    for scores, right in pairs:
        logs = scores.log_softmax(-1).masked_fill(~right, -torch.inf)
        total = total - logs.logsumexp(-1).mean()
    return total / 2


def export(model: Any, directory: Path) -> Path:
    """Pack what was trained beside the encoder that it was trained on."""
    trained = trained_parameters(model)
    named = {_file_name(name): p.detach().contiguous() for name, p in trained.items()}
    encoder = hashlib.sha256((directory / embedded.WEIGHTS).read_bytes()).hexdigest()
    path = directory / embedded_answerer.FILE
    save_file(packed(named), path, metadata={"format": "pt", embedded_answerer.ENCODER: encoder})
    path.chmod(0o644)  # safetensors writes for the owner only
    write_digests(directory)
    return path


def _file_name(name: str) -> str:
    """`query.up` in the net stands for a change of `query.weight`."""
    for end in (embedded_answerer.UP, embedded_answerer.DOWN):
        if name.endswith(end):
            return name.removesuffix(end) + ".weight" + end
    return name


@dataclass
class AnswererTraining:
    """Training that can be killed at any time and goes on where its last checkpoint stands."""

    model: Any
    questions: Questions
    measure: Callable[[Any], dict[str, float]]
    directory: Path
    budget: int
    peak: float = 1e-3
    head_peak: float = 1e-4
    seed: int = 0
    measure_every: int = 60_000
    save_seconds: float = 120.0

    def run(self) -> None:
        """Train until the budget of tokens is spent."""
        trained = trained_parameters(self.model)
        low_rank = [p for n, p in trained.items() if n.endswith((".up", ".down"))]
        head = [p for n, p in trained.items() if not n.endswith((".up", ".down"))]
        optimiser = torch.optim.AdamW(
            [{"params": low_rank, "peak": self.peak}, {"params": head, "peak": self.head_peak}],
            betas=(0.9, 0.98),
            weight_decay=0.0,
        )
        state = self.directory / STATE
        progress = checkpoint.Progress()
        if state.exists():
            progress = checkpoint.load(state, trained, optimiser)
        else:
            self._note(progress, [])
        losses: list[float] = []
        saved = time.monotonic()
        while progress.tokens < self.budget_now():
            for batch in self.questions.round(self.seed, progress.round)[progress.batch :]:
                before = progress.tokens
                losses.append(self._step(optimiser, batch, progress))
                progress.batch += 1
                if before // self.measure_every != progress.tokens // self.measure_every:
                    self._note(progress, losses)
                    losses.clear()
                if time.monotonic() - saved > self.save_seconds:
                    checkpoint.save(state, trained, optimiser, progress)
                    saved = time.monotonic()
                if progress.tokens >= self.budget_now():
                    break
            else:
                progress.round, progress.batch = progress.round + 1, 0
        checkpoint.save(state, trained, optimiser, progress)
        self._note(progress, losses)

    def budget_now(self) -> int:
        """The budget of tokens; a file `budget` in the directory replaces it during training."""
        path = self.directory / "budget"
        return int(path.read_text()) if path.exists() else self.budget

    def _step(
        self, optimiser: torch.optim.AdamW, batch: QuestionBatch, progress: checkpoint.Progress
    ) -> float:
        started = time.process_time()
        done = progress.tokens / self.budget_now()
        rate = min(1.0, (progress.steps + 1) / 40, max(0.02, (1 - done) / 0.6))
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * rate
        found = loss(self.model, batch)
        optimiser.zero_grad(set_to_none=True)
        found.backward()
        nn.utils.clip_grad_norm_(trained_parameters(self.model).values(), 1.0)
        optimiser.step()
        progress.tokens += batch.tokens
        progress.steps += 1
        progress.seconds += time.process_time() - started
        return found.item()

    def _note(self, progress: checkpoint.Progress, losses: Sequence[float]) -> None:
        point = {
            "tokens": progress.tokens,
            "steps": progress.steps,
            "cpu_seconds": round(progress.seconds),
            "loss": round(sum(losses) / len(losses), 4) if losses else None,
            **self.measure(self.model),
        }
        with (self.directory / "curve.jsonl").open("a") as curve:
            curve.write(json.dumps(point) + "\n")
        print(json.dumps(point), flush=True)


def held_out(questions: Questions, count: int, seed: int) -> list[ClozePair]:
    """Questions with one mask, half of them without an answer."""
    rng = random.Random(f"held out/{seed}")
    return [questions.pair(rng, answerable=i % 2 == 0, masks=1) for i in range(count)]


def accuracy(model: Any, questions: Questions, pairs: Sequence[ClozePair]) -> dict[str, float]:
    """Exact match and F1 of the best span, where there is an answer, and where there is none."""
    exact, f1, span_f1, none = [], [], [], []
    encoded = [questions.encode(pair) for pair in pairs]
    kept = [(e, p) for e, p in zip(encoded, pairs, strict=True) if len(e.ids) <= 400]
    with torch.inference_mode():
        for tokens, pair in kept:
            [batch] = batched([tokens], 10**6)
            start, end = logits(model, batch)
            answer, null = best_span(questions, tokens, pair, start[0], end[0])
            given = "" if null else answer
            if pair.answers[0]:
                exact.append(normal(given) == normal(_gold(pair)))
                f1.append(overlap(given, _gold(pair)))
                span_f1.append(overlap(answer, _gold(pair)))
            else:
                none.append(null)
    both = [*exact, *none]
    return {
        name: round(sum(map(float, values)) / max(1, len(values)), 4)
        for name, values in (
            ("exact", exact),
            ("f1", f1),
            ("f1_forced", span_f1),
            ("unanswerable", none),
            ("all", both),
        )
    }


def best_span(
    questions: Questions, tokens: Any, pair: ClozePair, start: torch.Tensor, end: torch.Tensor
) -> tuple[str, bool]:
    """The best span of the passage, and whether "no answer" is better than it."""
    passage = questions.tokenizer.encode(pair.passage, add_special_tokens=False)
    first = len(tokens.ids) - 1 - len(passage.ids)
    a, b = start.log_softmax(-1), end.log_softmax(-1)
    inside = slice(first, first + len(passage.ids))
    scores = a[inside, None] + b[None, inside]
    allowed = torch.ones_like(scores).triu() - torch.ones_like(scores).triu(15)
    scores = scores.masked_fill(allowed == 0, -torch.inf)
    at = int(scores.argmax())
    i, j = divmod(at, scores.shape[1])
    text = pair.passage[passage.offsets[i][0] : passage.offsets[j][1]]
    return text, bool(a[0] + b[0] > scores[i, j])


def _gold(pair: ClozePair) -> str:
    start, end = pair.answers[0][0]
    return pair.passage[start:end]


def normal(answer: str) -> str:
    """Lower case, without punctuation and articles, as SQuAD compares answers."""
    plain = "".join(c for c in answer.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", plain).split())


def overlap(answer: str, gold: str) -> float:
    """F1 of the words of two answers."""
    given, right = normal(answer).split(), normal(gold).split()
    same = sum((Counter(given) & Counter(right)).values())
    return 2 * same / (len(given) + len(right)) if same else 0.0
