"""Hidden vectors at masked positions of many texts.

Every unit of a text (a token, or the tokens of a word) is masked once, the model reads a window of
the text around it, and the hidden vector at the unit's first token is taken. Units that are far
enough apart are masked in the same window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tricolore.models.masked_lm import MaskedLM
from tricolore.models.queries import Query

HiddenVectors = npt.NDArray[Any]
"""Hidden vectors: layers × units × width."""
WindowUnits = tuple[int, "Window", tuple[int, ...]]
"""A text, a window of it, and the units whose vectors are wanted."""

_AT_ONCE = 1 << 13  # vectors requested at a time


class Unit(NamedTuple):
    """What is masked at once: tokens `first` to `end` of a text."""

    first: int
    end: int
    number: int
    """Its index among all units of the text, including those that are not masked."""


@dataclass(frozen=True)
class MaskableText:
    """A text as token ids, and the units of it that are masked."""

    ids: tuple[int, ...]
    units: tuple[Unit, ...]


class Window(NamedTuple):
    """One input of the model: tokens `start` to `end` of a text, with some units masked."""

    start: int
    end: int
    units: tuple[int, ...]


@dataclass(frozen=True)
class Windows:
    """Which units are masked together (ESTIME paper, section 2 and appendix F)."""

    distance: int = 8
    """How far one masked unit is from the next, in units."""
    margin: int = 50
    """Tokens that a window has on each side of a masked unit, unless the text ends there."""
    size: int = 450
    """Tokens in a window."""
    edge: Literal["text", "window"] = "text"
    """`window`: the margin is kept at the ends of the text too, and is one token smaller on the
    right, as in the authors' package."""

    def within(self, longest: int) -> Windows:
        """The same for a model that reads fewer tokens: the margin shrinks with the window."""
        if self.size <= longest:
            return self
        return Windows(self.distance, self.margin * longest // self.size, longest, self.edge)

    def of(self, text: MaskableText) -> Iterator[Window]:
        """The windows in which every unit of a text is masked once."""
        for group in self._groups([unit.number for unit in text.units]):
            yield from self._split(text, group)

    def _groups(self, numbers: Sequence[int]) -> Iterator[list[int]]:
        """Groups of units at least `distance` apart, each starting at the first unit left."""
        left = list(range(len(numbers)))
        while left:
            taken: list[int] = []
            rest: list[int] = []
            for index in left:
                is_far = not taken or numbers[index] - numbers[taken[-1]] >= self.distance
                (taken if is_far else rest).append(index)
            yield taken
            left = rest

    def _split(self, text: MaskableText, group: Sequence[int]) -> Iterator[Window]:
        """Windows that begin `margin` tokens before the first unit that is still to be masked."""
        units, length = text.units, len(text.ids)
        index = 0
        while index < len(group):
            start = max(0, units[group[index]].first - self.margin)
            end = min(length, start + self.size)
            last = self._last_maskable(start, end, length)
            # A word longer than the window is masked as far as the window reaches.
            stop = index + 1
            while stop < len(group) and units[group[stop]].end - 1 <= last:
                stop += 1
            yield Window(start, end, tuple(group[index:stop]))
            index = stop

    def _last_maskable(self, start: int, end: int, length: int) -> int:
        if self.edge == "window":
            return min(start + self.size - self.margin, end - 1)
        return length - 1 if end == length else start + self.size - self.margin - 1


class MaskedVectors:
    """The vectors of all units of some texts, at some layers of a model."""

    def __init__(
        self, lm: MaskedLM, texts: Sequence[MaskableText], windows: Windows, layers: Sequence[int]
    ) -> None:
        self._lm = lm
        self._texts = texts
        self._layers = layers
        windows = windows.within(lm.max_tokens - 2)
        self._windows = [list(windows.of(text)) for text in texts]

    @cached_property
    def vectors(self) -> list[HiddenVectors]:
        """One array per text, in fp32."""
        arrays = [
            np.empty((len(self._layers), len(text.units), self._lm.width), dtype=np.float32)
            for text in self._texts
        ]
        everything = [(text, w, w.units) for text, ws in enumerate(self._windows) for w in ws]
        for text, units, vectors in self._answers(everything, double=False):
            arrays[text][:, units] = vectors
        return arrays

    def exact(self, wanted: Sequence[set[int]]) -> list[dict[int, HiddenVectors]]:
        """The vectors of some units of each text in fp64: slow, and free of rounding noise.

        One dictionary per text, from the unit to its vectors (layers × width).
        """
        some = []
        for text, (units, windows) in enumerate(zip(wanted, self._windows, strict=True)):
            for window in windows:
                asked = tuple(unit for unit in window.units if unit in units)
                if asked:
                    some.append((text, window, asked))
        found: list[dict[int, HiddenVectors]] = [{} for _ in self._texts]
        for text, unit_numbers, vectors in self._answers(some, double=True):
            found[text].update(zip(unit_numbers, vectors.transpose(1, 0, 2), strict=True))
        return found

    def _answers(
        self, asked: Sequence[WindowUnits], *, double: bool
    ) -> Iterator[tuple[int, list[int], HiddenVectors]]:
        """Texts, windows and units with the vectors of the units, a bounded number at a time."""
        for chunk in self._chunks(asked):
            queries = [self._query(text, window, units) for text, window, units in chunk]
            answers = self._lm.vectors(queries, self._layers, double=double)
            for (text, _, units), vectors in zip(chunk, answers, strict=True):
                yield text, list(units), vectors

    def _chunks(self, asked: Sequence[WindowUnits]) -> Iterator[list[WindowUnits]]:
        chunk: list[WindowUnits] = []
        held = 0
        for item in asked:
            _, window, units = item
            # Long windows with few masked units also cost memory.
            size = len(units) * len(self._layers) + (window.end - window.start) // 8
            if chunk and held + size > _AT_ONCE:
                yield chunk
                chunk, held = [], 0
            chunk.append(item)
            held += size
        if chunk:
            yield chunk

    def _query(self, number: int, window: Window, asked: Sequence[int]) -> Query:
        text = self._texts[number]
        ids = list(text.ids[window.start : window.end])
        for index in window.units:
            unit = text.units[index]
            for place in range(unit.first, min(unit.end, window.end)):
                ids[place - window.start] = self._lm.mask_id
        # One opening token comes before the window.
        positions = tuple(1 + text.units[index].first - window.start for index in asked)
        return Query(self._lm.frame(ids), positions)
