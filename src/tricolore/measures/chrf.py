"""chrF: the character n-grams that summary and reference share, by sacrebleu."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tricolore.example import Example
from tricolore.measure import Direction, Measure, Need
from tricolore.score import Score
from tricolore.settings import setting

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF


@dataclass(frozen=True, kw_only=True)
class Chrf(Measure):
    """The F-score of the summary's character n-grams against the references, from 0 to 100.

    >>> example = Example(summary="the cat", references="the cats")
    >>> [score] = Chrf().score([example])
    >>> round(score.value, 1), score.parts["precision"]
    (77.6, 100.0)
    """

    name = "chrf"
    level: Literal["sentence", "corpus"] = setting(
        "sentence",
        "What the value of a system is: the mean chrF of its summaries (`sentence`) or the chrF "
        "of all of them together (`corpus`).",
    )
    char_order: int = setting(6, "Length of the longest character n-grams.")
    word_order: int = setting(0, "Length of the longest word n-grams; 2 is chrF++.")
    beta: int = setting(2, "How many times as much recall counts as precision (β).")
    lowercase: bool = setting(False, "Whether upper and lower case are treated as the same.")
    whitespace: bool = setting(False, "Whether white space is part of the n-grams.")

    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    bounds = (0.0, 100.0)
    cost: ClassVar[str] = "a millisecond"
    part_names = ("precision", "recall")
    part_directions: ClassVar[Mapping[str, Direction]] = {"precision": "higher", "recall": "higher"}

    def __post_init__(self) -> None:
        if self.char_order < 1 or self.word_order < 0:
            raise ValueError(
                "char_order must be 1 or more and word_order 0 or more, not "
                f"{self.char_order} and {self.word_order}"
            )
        if self.beta < 1:
            raise ValueError(f"beta must be 1 or more, not {self.beta}")
        if self.level == "corpus":
            # A corpus has one count for each order, and how many orders there are is a setting.
            names = tuple(
                f"{kind}_{order}"
                for order in self._orders
                for kind in ("summary", "reference", "match")
            )
            object.__setattr__(self, "part_names", names)

    @property
    def _orders(self) -> tuple[str, ...]:
        chars = (f"char{n}" for n in range(1, self.char_order + 1))
        return (*chars, *(f"word{n}" for n in range(1, self.word_order + 1)))

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            metric = self._metric(tuple(text for text in example.references if text.strip()))
            # The counts for the reference that gives the best value.
            [counts] = metric._extract_corpus_statistics([example.summary], None)
            value = float(metric._aggregate_and_compute([counts]).score)
            if self.level == "corpus":
                yield Score(value, dict(zip(self.part_names, counts, strict=True)))
            else:
                precision, recall = _means(np.array(counts, dtype=float).reshape(-1, 3))
                yield Score(value, {"precision": float(precision), "recall": float(recall)})

    def _metric(self, references: tuple[str, ...]) -> CHRF:
        return _metric(
            self.char_order,
            self.word_order,
            self.beta,
            self.lowercase,
            self.whitespace,
            references,
        )

    @property
    def is_pooled(self) -> bool:
        """A corpus has its own chrF, which is not a mean."""
        return self.level == "corpus"

    def pooled(self, sums: Mapping[str, Any]) -> Any:
        """The chrF of a corpus, or the mean of the summaries' own."""
        if self.level == "sentence":
            return super().pooled(sums)
        counts = np.array([sums[name] for name in self.part_names], dtype=float)
        precision, recall = _means(counts.reshape(-1, 3, *counts.shape[1:]))
        both = self.beta**2 * precision + recall
        f_score = (1 + self.beta**2) * precision * recall / np.where(both > 0, both, 1)
        return np.where(np.asarray(sums["count"]) > 0, f_score, np.nan)

    def signature(self) -> dict[str, Any]:
        """The settings, and sacrebleu's own signature, which has its version."""
        metric = self._metric(())
        metric.num_refs = -1  # sacrebleu's sign for a number that varies
        return {**super().signature(), "sacrebleu": str(metric.get_signature())}


def _means(counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Precision and recall in per cent, over the orders that both texts have n-grams of.

    `counts` has for each order the n-grams of the summary, of the reference, and of both.
    """
    own, other, both = counts[:, 0], counts[:, 1], counts[:, 2]
    there = (own > 0) & (other > 0)
    orders = np.maximum(there.sum(axis=0), 1)
    precision = np.where(there, both / np.maximum(own, 1), 0).sum(axis=0) / orders
    recall = np.where(there, both / np.maximum(other, 1), 0).sum(axis=0) / orders
    return 100 * precision, 100 * recall


@lru_cache(maxsize=32)
def _metric(
    char_order: int,
    word_order: int,
    beta: int,
    lowercase: bool,
    whitespace: bool,
    references: tuple[str, ...],
) -> CHRF:
    """sacrebleu's counts of the references, kept for the other summaries of a document."""
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(
        char_order, word_order, beta, lowercase, whitespace, references=[[t] for t in references]
    )
