"""Make src/tricolore/text/data/function-words.txt: the words that METEOR 1.5 gives less weight.

Denkowski & Lavie (2014): a function word is one whose relative frequency in a large corpus is above
10^-3. Punctuation is counted as words are. The list of METEOR's own release is not copied.

    python -m tools.function_words TEXT.txt.gz...

The texts may be any English news.
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tricolore.data.atomic import write_text
from tricolore.text.words import words

TARGET = Path(__file__).parent.parent / "src/tricolore/text/data/function-words.txt"
LEAST = 1e-3


def function_words(texts: Iterable[str], least: float = LEAST) -> list[str]:
    """The words that are more frequent than this, in order of the alphabet.

    >>> function_words(["the cat and the dog"], 0.3)
    ['the']
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(words(text, "words"))
    return sorted(word for word, count in counts.items() if count > least * counts.total())


def pieces(paths: Iterable[str]) -> Iterator[str]:
    """Compressed files in pieces of whole lines: fewer calls are faster."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            while some := stream.readlines(1 << 20):
                yield "".join(some)


if __name__ == "__main__":
    write_text(TARGET, "\n".join(function_words(pieces(sys.argv[1:]))) + "\n")
