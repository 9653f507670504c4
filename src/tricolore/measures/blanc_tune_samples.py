"""What BLANC-tune learns from: the summary with masked words, dataset_tune of figure 4.

Vasilyev, Dharnidharka, Bohannon (2020): Fill in the BLANC. Section 2.3.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal, Self

from tricolore.measures.blanc import BlancMeasure, apply_mask
from tricolore.measures.blanc_counts import MaskedItem, Masking
from tricolore.models.learning import Sample, Tuning
from tricolore.models.queries import Query
from tricolore.models.tokens import Tokens
from tricolore.settings import setting
from tricolore.text.normal import lower_case

Masks = Literal["evenly", "randomly"]

_RELEASED_IDS = range(1000, 30000)
"""The ids from which the released code samples random tokens, whatever the model."""


@dataclass(frozen=True, kw_only=True)
class SummarySamples(BlancMeasure, ABC):
    """A measure whose model learns from samples of the summary, with the settings of these."""

    masks_tune: Masks = setting("evenly", "How the summary is masked, with the same choices.")
    p_mask: float = setting(0.15, "The share of words that are masked `randomly`.")
    gap_tune: int = setting(0, "`gap` for the summary; 0: as for the source (released code).")
    gap_mask_tune: int = setting(
        0, "`gap_mask` for the summary; 0: as for the source (released code)."
    )
    min_word_tune: int = setting(
        0, "`min_word` for the summary; 0: as for the source (released code)."
    )
    min_lead_tune: int = setting(
        0, "`min_lead` for the summary; 0: as for the source (released code)."
    )
    min_followup_tune: int = setting(
        0, "`min_followup` for the summary; 0: as for the source (released code)."
    )
    p_replace: float = setting(
        0.1, "The share of the tokens to learn that are shown as a random token, not as the mask."
    )
    p_keep: float = setting(0.1, "The share of the tokens to learn that are shown as they are.")
    replacement: Literal["range", "vocabulary"] = setting(
        "range",
        "What random tokens are: those with ids 1000 to 29999, as far as the model has them "
        "(`range`, released code), or any that is not special (`vocabulary`).",
    )
    chunk: int = setting(
        64,
        "Number of tokens of the summary in a sample; 0: as many as the model reads (released "
        "code).",
    )
    stride: int = setting(
        32, "Tokens from the start of a chunk to that of the next; 0: half a chunk (released code)."
    )
    top: bool = setting(
        True,
        "Whether the first tokens, which are in fewer chunks, get chunks of their own (released "
        "code).",
    )
    passes: int = setting(1, "How often the summary is masked anew; N in the paper.")
    seed: int = setting(
        Tuning.seed, "Seed of the random masks, of the random tokens and of dropout."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, _LEAST)
        if not 0 < self.p_mask <= 1:
            raise ValueError(f"p_mask={self.p_mask} was given, but it is above 0 and at most 1")
        if self.p_replace + self.p_keep > 1:
            raise ValueError(
                f"p_replace={self.p_replace} and p_keep={self.p_keep} were given, "
                "but together they are at most 1"
            )
        self._for_summary()  # The gaps for the summary must fit each other, too.

    def samples(self, summary: str) -> Iterator[Sample]:
        """dataset_tune: "the very same summary but with different tokens masked"."""
        tokens = self.summary_tokens(summary)
        chance = Random(self.seed)
        reader = self._for_summary()
        room = self.lm.max_tokens - len(self.lm.frame())
        for _ in range(self.passes):
            for start, end in self._chunks(len(tokens), room):
                items, allowed = reader._items_of_chunk(tokens, start, end)
                for masking in reader.maskings_of(items, allowed, self.masks_tune, chance):
                    yield self._sample(tokens.ids[start:end], masking, chance)

    def summary_tokens(self, summary: str) -> Tokens:
        """The summary as the model learns it: read whole and not normalised (released code)."""
        return self.lm.tokenize(lower_case(summary) if self.lowercase else summary)

    def _for_summary(self) -> Self:
        """The same measure with the settings for the summary in place of those for the source."""
        names = ("gap", "gap_mask", "min_word", "min_lead", "min_followup")
        own: dict[str, Any] = {name: getattr(self, f"{name}_tune") for name in names}
        other = {
            name: value for name, value in own.items() if value not in (0, getattr(self, name))
        }
        if not other:
            return self
        try:
            return replace(self, **other)
        except ValueError as problem:
            raise ValueError(f"for the summary, {problem}") from problem

    def _chunks(self, length: int, room: int) -> Iterator[tuple[int, int]]:
        """Where chunks of the summary begin and end."""
        if not self.chunk and length <= room:
            yield from [(0, length)] if length else []
            return
        size = min(self.chunk or room, room)
        stride = min(self.stride or max(1, size // 2), size)
        for start in range(0, length, stride):
            yield start, min(start + size, length)
            if self.top and 0 < start < size:
                yield 0, start

    def _items_of_chunk(
        self, tokens: Tokens, start: int, end: int
    ) -> tuple[list[MaskedItem], list[bool]]:
        """Like `_items`, but a piece at the start of a chunk still continues the word before it."""
        first = max(0, start - 1)
        items, allowed = self._items(tokens.part(first, end))
        shift = start - first
        shifted = [tuple(at - shift for at in item if at >= shift) for item in items]
        kept = [at for at, item in enumerate(shifted) if item]
        return [shifted[at] for at in kept], [allowed[at] for at in kept]

    def _sample(self, ids: tuple[int, ...], masking: Masking, chance: Random) -> Sample:
        """80 % of what is to be learnt is masked, 10 % replaced, 10 % left as it is."""
        shown = apply_mask(ids, masking, self.lm.mask_id)
        places = sorted(at for item in masking for at in item)
        for at in places:
            draw = chance.random()
            if draw < self.p_replace:
                shown[at] = chance.choice(self._replacements())
            elif draw < self.p_replace + self.p_keep:
                shown[at] = ids[at]
        query = Query(self.lm.frame(shown), tuple(at + 1 for at in places))
        return Sample(query, tuple(ids[at] for at in places))

    def _replacements(self) -> Sequence[int]:
        known = self.lm.tokenizer.text_ids
        if self.replacement == "vocabulary" or known[-1] < _RELEASED_IDS.start:
            return known
        return range(_RELEASED_IDS.start, min(_RELEASED_IDS.stop, known[-1] + 1))

    # Masks of either kind.

    def maskings_of(
        self, items: Sequence[MaskedItem], allowed: Sequence[bool], masks: Masks, chance: Random
    ) -> list[Masking]:
        """Every way to mask the items that may be masked: figures 2 and 4."""
        if masks == "evenly":
            return self._evenly(items, allowed)
        count = max(1, int(len(items) * self.p_mask))  # N_mask
        left = [item for item, fits in zip(items, allowed, strict=True) if fits]
        chance.shuffle(left)
        return [tuple(sorted(left[i : i + count])) for i in range(0, len(left), count)]


def check_least(measure: BlancMeasure, least: Mapping[str, int]) -> None:
    """Raise an error if a setting is less than it may be."""
    for name, lowest in least.items():
        if getattr(measure, name) < lowest:
            raise ValueError(
                f"{name}={getattr(measure, name)} was given, but it is at least {lowest}"
            )


_LEAST = {
    "gap_tune": 0,
    "gap_mask_tune": 0,
    "min_word_tune": 0,
    "min_lead_tune": 0,
    "min_followup_tune": 0,
    "p_replace": 0,
    "p_keep": 0,
    "chunk": 0,
    "stride": 0,
    "passes": 1,
    "seed": 0,
}
