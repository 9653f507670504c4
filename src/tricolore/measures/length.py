"""Length: how long a summary is, with which many human scores correlate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tricolore.example import Example
from tricolore.measure import Measure, Need
from tricolore.score import Score
from tricolore.settings import setting
from tricolore.text.sentences import sentence_spans
from tricolore.text.words import TOKENIZER_HELP, Tokenizer, words


@dataclass(frozen=True, kw_only=True)
class Length(Measure):
    """The number of words of the summary.

    >>> score = Length().score([Example(summary="It rained. We left.")])[0]
    >>> score.value, score.parts["sentences"]
    (6.0, 2.0)
    """

    name = "length"
    tokenizer: Tokenizer = setting("words", TOKENIZER_HELP)

    needs: ClassVar[frozenset[Need]] = frozenset()
    direction = "neither"
    follows = "length"
    bounds = (0.0, float("inf"))
    language = "spaced"
    cost: ClassVar[str] = "microseconds"
    part_names = ("words", "characters", "sentences")

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            size = len(words(example.summary, self.tokenizer, True))
            yield Score(
                float(size),
                {
                    "words": size,
                    "characters": len(example.summary),
                    "sentences": len(sentence_spans(example.summary)),
                },
            )
