"""Texts whose importance scores can be computed by hand."""

from __future__ import annotations

from typing import Any

from tricolore import Example
from tricolore.measures.importance import Importance

# Ten documents. Bigrams of the first: "a b" twice, in no other; "b c" also in the second;
# "c a" once, in no other.
SOURCE = "a b c a b"
CORPUS = [SOURCE, "b c x", *(f"x{i} y{i} z{i}" for i in range(8))]
TOKENS = 5 + 3 + 8 * 3
BIGRAMS = Importance(tokenizer="space", n=2)


def score(measure: Importance, summary: str, source: str = SOURCE, **options: Any) -> Any:
    [found] = measure.score([Example(source=source, summary=summary)], **options)
    return found


NEWS = (
    "The storm reached the coast on Monday and cut the power of ten thousand homes. "
    "Mayor Ellen Gray asked people to stay inside until the wind drops on Tuesday."
)
