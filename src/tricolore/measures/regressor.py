"""A trained score for a pair of texts, as BLEURT gives it, by any checkpoint with one output.

Thibault Sellam, Dipanjan Das and Ankur Parikh (2020), "BLEURT: Learning Robust Metrics for Text
Generation".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measure import Direction, Need
from tricolore.measures.bert_score_idf import Against
from tricolore.measures.neural import LocalNetMeasure
from tricolore.models.model import Model
from tricolore.models.text_regressor import TextRegressor
from tricolore.score import Score
from tricolore.settings import ModelName, Setting, setting


@dataclass(frozen=True, kw_only=True)
class Regressor(LocalNetMeasure[TextRegressor]):
    """What a net that was trained on human scores predicts for reference and summary."""

    name = "regressor"
    extra: ClassVar[str] = "neural"
    model_class: ClassVar[type[Model]] = TextRegressor
    batch_size = 64
    bounds = (-math.inf, math.inf)
    cost: ClassVar[str] = "one pass of the model per summary and reference"
    part_names = ("lowest", "highest")
    part_directions: ClassVar[Mapping[str, Direction]] = dict.fromkeys(part_names, "higher")
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {"bleurt": {}}

    model: ModelName = setting(
        TextRegressor.default,
        "Model with one output: the path of a local directory, or a name on the model hub.",
    )
    against: Against = setting(
        "references",
        "The first text of a pair: each of the `references`, or each document of the `source`.",
    )
    text_order: Literal["summary_last", "summary_first"] = setting(
        "summary_last", "Which of the two texts comes first; BLEURT reads the summary last."
    )
    references: Literal["mean", "best"] = setting(
        "mean", "With several references or documents: the `mean` of the outputs, or the `best`."
    )
    max_tokens: int = setting(
        0,
        "Number of tokens of both texts that are read together, special tokens included; 0: all "
        "that the model can read.",
    )
    max_references: int = setting(
        100, "The largest number of references of a summary; with more there is no value."
    )

    def __post_init__(self) -> None:
        if self.max_references < 1:
            raise ValueError(f"max_references must be 1 or more, not {self.max_references}")
        if self.max_tokens < 0:
            raise ValueError(f"max_tokens must be 0 or more, not {self.max_tokens}")

    @cached_property
    def needs(self) -> frozenset[Need]:
        """What the summary is compared with."""
        return frozenset({self.against})

    def signature(self) -> dict[str, Any]:
        """The settings and the weights."""
        if self.max_tokens > 0 and self.max_tokens > self.loaded.max_tokens:
            raise SpecError(
                f"regressor: {self.model} reads at most {self.loaded.max_tokens} tokens at a time, "
                f"not {self.max_tokens}"
            )
        return super().signature()

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        others = [self._others(example) for example in examples]
        sound = [some if len(some) <= self.max_references else [] for some in others]
        pairs = [
            (text, example.summary)
            if self.text_order == "summary_last"
            else (example.summary, text)
            for example, some in zip(examples, sound, strict=True)
            for text in some
        ]
        values = iter(self.loaded.values(pairs, max_tokens=self.max_tokens))
        cut = iter(self.loaded.cut(pairs, max_tokens=self.max_tokens))
        scores = []
        for given, some in zip(others, sound, strict=True):
            if not some:
                scores.append(Score.missing(self._too_many(len(given))))
                continue
            own = [float(next(values)) for _ in some]
            was_cut = [next(cut) for _ in some]
            value = max(own) if self.references == "best" else sum(own) / len(own)
            parts = {"lowest": min(own), "highest": max(own)}
            scores.append(Score(value, parts, flags=("truncated",) if any(was_cut) else ()))
        return scores

    def _others(self, example: Example) -> list[str]:
        texts = example.source if self.against == "source" else example.references
        return [text for text in texts if text.strip()]

    def _too_many(self, count: int) -> str:
        return (
            f"there are {count:,} texts to compare with, more than "
            f"max_references={self.max_references}; set max_references higher to compare them"
        )
