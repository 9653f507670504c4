"""BLEU: the n-grams of the summary that the references have too, by sacrebleu."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tricolore.example import Example
from tricolore.measure import Language, Measure, Need
from tricolore.measures.fragments import shared_runs
from tricolore.score import Score, Span
from tricolore.settings import setting
from tricolore.text.ngrams import Ngrams

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU

ORDERS = 4
"""The longest n-grams that are counted."""

Smoothing = Literal["exp", "floor", "add-k", "none"]
BleuTokenizer = Literal["13a", "intl", "char", "zh", "none"]


@dataclass(frozen=True, kw_only=True)
class Bleu(Measure):
    """The precision of the summary's n-grams against the references, from 0 to 100.

    >>> example = Example(summary="the cat sat on a mat", references="the cat sat on the mat")
    >>> round(Bleu().score([example])[0].value, 1)  # (5/6 · 3/5 · 2/4 · 1/3) to the power of 1/4
    53.7
    """

    name = "bleu"
    level: Literal["sentence", "corpus"] = setting(
        "sentence",
        "What the value of a system is: the mean BLEU of its summaries (`sentence`) or the BLEU "
        "of all of them together (`corpus`).",
    )
    variant: Literal["sacrebleu", "clipped", "unclipped", "brevity"] = setting(
        "sacrebleu",
        "Which definition is used: `sacrebleu`, or one of the thesis (§2.4), which average over "
        "n: `clipped`, `unclipped` or `brevity` (`clipped` with a brevity penalty).",
    )
    order: int = setting(4, "Length of the longest n-grams, from 1 to 4.")
    smoothing: Smoothing = setting(
        "exp",
        "What is done for an n without a match: `exp` (half a match for the first such n, a "
        "quarter for the next, …), `floor` (0.1 matches), `add-k` (1 is added for n > 1) "
        "or `none` (the value is 0).",
    )
    tokenizer: BleuTokenizer = setting("13a", "How sacrebleu cuts texts into words.")
    lowercase: bool = setting(False, "Whether upper and lower case are treated as the same.")

    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    bounds = (0.0, 100.0)
    cost: ClassVar[str] = "half a millisecond"
    part_names = (
        "sys_len",
        "ref_len",
        *(f"correct_{n}" for n in (1, 2, 3, 4)),
        *(f"total_{n}" for n in (1, 2, 3, 4)),
    )

    def __post_init__(self) -> None:
        if not 1 <= self.order <= ORDERS:
            raise ValueError(f"order must be from 1 to {ORDERS}, not {self.order}")

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        _forget_lines(self.tokenizer)
        for example in examples:
            references = tuple(text for text in example.references if text.strip())
            parts = self._statistics(example.summary, references)
            if parts["sys_len"]:
                spans = self._spans(example) if evidence else ()
                yield Score(self._value(parts), parts, spans)
            else:
                yield Score.missing("there is no word in the summary")

    def _statistics(self, summary: str, references: tuple[str, ...]) -> dict[str, int]:
        """The counts that BLEU is made of; those of a corpus are their sums."""
        metric = _metric(self.tokenizer, self.lowercase, references)
        [counts] = metric._extract_corpus_statistics([summary], None)
        parts = dict(zip(self.part_names, counts, strict=True))
        if self.variant == "unclipped":
            parts |= _unclipped(metric, summary)
        return parts

    def _value(self, parts: Mapping[str, int]) -> float:
        if self.variant != "sacrebleu":
            return float(self._together(parts))
        from sacrebleu.metrics.bleu import BLEU

        orders = range(1, self.order + 1)
        found = BLEU.compute_bleu(
            [parts[f"correct_{n}"] for n in orders],
            [parts[f"total_{n}"] for n in orders],
            parts["sys_len"],
            parts["ref_len"],
            smooth_method=self.smoothing,
            effective_order=self.level == "sentence",
            max_ngram_order=self.order,
        )
        return float(found.score)

    @property
    def language(self) -> Language:
        """Some tokenizers are made for texts without spaces."""
        return "spaced" if self.tokenizer in ("13a", "none", "intl") else "any"

    @property
    def is_pooled(self) -> bool:
        """A corpus has its own BLEU, which is not a mean."""
        return self.level == "corpus"

    def pooled(self, sums: Mapping[str, Any]) -> Any:
        """The BLEU of a corpus, or the mean of the summaries' own."""
        if self.level == "sentence":
            return super().pooled(sums)
        return np.where(np.asarray(sums["count"]) > 0, self._together(sums), np.nan)

    def _together(self, sums: Mapping[str, Any]) -> NDArray[np.float64]:
        """The value that these counts give: numbers, or arrays of them."""
        orders = range(1, self.order + 1)
        correct = np.array([sums[f"correct_{n}"] for n in orders], dtype=float)
        total = np.array([sums[f"total_{n}"] for n in orders], dtype=float)
        penalty = _brevity_penalty(sums["sys_len"], sums["ref_len"])
        if self.variant == "sacrebleu":
            return penalty * _geometric(correct, total, self.smoothing, self.level == "sentence")
        # Thesis §2.4: the precisions for n = 1..4 are averaged. Where a text is too short to have
        # n-grams of a length, there is no precision to average.
        there = total > 0
        precision = np.where(there, correct / np.maximum(total, 1), 0)
        mean: NDArray[np.float64] = 100 * precision.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        return mean * penalty if self.variant == "brevity" else mean

    def signature(self) -> dict[str, Any]:
        """The settings, and sacrebleu's own signature, which has its version."""
        from sacrebleu.metrics.bleu import BLEU

        metric = BLEU(
            lowercase=self.lowercase,
            tokenize=self.tokenizer,
            smooth_method=self.smoothing,
            max_ngram_order=self.order,
            effective_order=self.level == "sentence",
        )
        metric.num_refs = -1  # sacrebleu's sign for a number that varies
        return {**super().signature(), "sacrebleu": str(metric.get_signature())}

    def _spans(self, example: Example) -> tuple[Span, ...]:
        """The runs of words that the summary shares with the references."""
        return shared_runs(
            example.summary,
            "reference",
            example.references,
            "words",
            self.lowercase,
            kind="match",
        )


def _brevity_penalty(sys_len: ArrayLike, ref_len: ArrayLike) -> NDArray[np.float64]:
    sys_len, ref_len = np.asarray(sys_len, dtype=float), np.asarray(ref_len, dtype=float)
    short = (sys_len < ref_len) & (sys_len > 0)
    return np.where(short, np.exp(1 - np.where(short, ref_len / np.maximum(sys_len, 1), 1)), 1.0)


def _geometric(
    correct: NDArray[np.float64], total: NDArray[np.float64], smoothing: Smoothing, effective: bool
) -> NDArray[np.float64]:
    """The geometric mean of the precisions as sacrebleu takes it; one row per order."""
    matched = correct.any(axis=0)
    if smoothing == "add-k":
        correct[1:] += 1
        total[1:] += 1
    there = np.logical_and.accumulate(total > 0)
    missed = there & (correct == 0)
    if smoothing == "exp":
        instead = 0.5 ** np.cumsum(missed, axis=0)
    else:
        instead = np.full_like(correct, 0.1 if smoothing == "floor" else 0)
    hits = np.where(missed, instead, np.where(there, correct, 0))
    precision = 100 * hits / np.where(there, total, 1)
    logs = np.log(precision, where=precision > 0, out=np.full_like(precision, -np.inf))
    if effective:
        mean = np.where(there, logs, 0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    else:
        mean = logs.mean(axis=0)
    return np.where(matched, np.exp(mean), 0.0)


@lru_cache(maxsize=64)
def _metric(tokenize: str, lowercase: bool, references: tuple[str, ...]) -> BLEU:
    """sacrebleu's counts of the references, kept for the other summaries of a document."""
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(lowercase=lowercase, tokenize=tokenize, references=[[text] for text in references])


def _unclipped(metric: BLEU, summary: str) -> dict[str, int]:
    """How many n-grams of the summary a reference has, however often each is used."""
    cut = metric._preprocess_segment(summary).split()
    references: Any = metric._ref_cache
    known = references[0]["ref_ngrams"]
    return {
        f"correct_{n}": sum(gram in known for gram in Ngrams(cut, n)) for n in range(1, ORDERS + 1)
    }


def _forget_lines(tokenize: str) -> None:
    """Empty sacrebleu's cache of lines, which would grow to 65,536 of them."""
    tokenizer = _metric(tokenize, False, ("",)).tokenizer
    for part in (tokenizer, *vars(tokenizer).values()):
        cached: Any = type(part).__call__ if callable(part) else None
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()
