"""How much a token counts in BERTScore: less if it is in many texts (Zhang et al. 2020, §3)."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tricolore.data.examples import ExampleFile
from tricolore.example import Example

Against = Literal["references", "source"]


@dataclass(frozen=True, eq=False)
class Idf:
    """The weight of a token by its id; without any texts every token counts the same."""

    texts: int = 0
    known: Mapping[int, float] = field(default_factory=dict)

    @staticmethod
    def of(texts: Iterable[str], ids: Callable[[str], Iterable[int]]) -> Idf:
        """Weights from the texts in which tokens are counted; repeated texts count repeatedly.

        >>> idf = Idf.of(["ab", "b"], lambda text: map(ord, text))
        >>> idf(map(ord, "abc")).round(3).tolist()  # log(3/2), log(3/3), log(3/1)
        [0.405, 0.0, 1.099]
        """
        copies = Counter(texts)
        counts: Counter[int] = Counter()
        for text, times in copies.items():
            for token in set(ids(text)):
                counts[token] += times
        total = copies.total()
        return Idf(total, {token: math.log((total + 1) / (n + 1)) for token, n in counts.items()})

    def __call__(self, ids: Iterable[int]) -> NDArray[np.float64]:
        """The weights of some tokens."""
        unseen = math.log(self.texts + 1) if self.texts else 1.0
        return np.array([self.known.get(token, unseen) for token in ids])


def read_texts(path: str, against: Against) -> Iterator[str]:
    """The lines of a .txt file, or the references or sources in the rows of any other file."""
    if path.endswith(".txt"):
        with Path(path).open(encoding="utf-8") as lines:
            yield from (line for line in lines if line.strip())
        return
    with ExampleFile(path, needs=frozenset({against})) as rows:
        for row in rows:
            if isinstance(row, Example):
                texts = row.source if against == "source" else row.references
                yield from (text for text in texts if text.strip())


def digest(path: str) -> str:
    """What identifies this file in a signature."""
    about = Path(path).stat()
    return _digest(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=16)
def _digest(path: str, changed: int, size: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]
