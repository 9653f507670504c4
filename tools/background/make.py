"""Make the background corpus that ships with the package: `python tools/background/make.py`.

Reads `text/*.txt.gz` below TRICOLORE_DATA (or `../shared/data`) and writes token merges and
document frequencies only; no text is kept. The same input gives the same bytes.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from tricolore.text.corpus import BACKGROUND, Corpus, Table

REPO = Path(__file__).parents[2]
DATA = Path(os.environ.get("TRICOLORE_DATA", REPO.parent / "shared" / "data"))
OUT = REPO / "src" / "tricolore" / "text" / "data"

# bbc-summaries repeats the stories of bbc.
SOURCES = ("abc", "bbc", "brown", "cnndm-valid", "reuters", "wikitext2")
# Document frequencies only compare well between documents of a like size: shorter ones are left
# out, and longer ones (whole files, encyclopaedia pages) cut into parts of about STORY characters.
SHORTEST, LONGEST, STORY = 1_000, 6_000, 3_000
# Every second document: the other half would add a third to the size and change little.
STEP = 2
# n-grams of fewer documents are left out, or the file would have megabytes.
LEAST = {2: 1, 3: 3, 4: 50}
# Rarer characters than these are unknown, or they would fill the whole vocabulary of 100.
ALPHABET = {False: 80, True: 60}


def documents(path: Path) -> Iterator[str]:
    """The documents of a file, of a like size."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        text = file.read()
    for whole in re.split(r"\n{3,}", text):
        for part in stories(whole) if len(whole) > LONGEST else [whole]:
            if len(part) >= SHORTEST:
                yield part


def stories(text: str) -> Iterator[str]:
    """A long text in parts that end with a line or a sentence."""
    part = ""
    for line in re.split(r"\n+|(?<=[.!?]) +(?=[A-Z])", text):
        part += line + "\n"
        if len(part) > STORY:
            yield part
            part = ""
    yield part


def rounded(table: Table) -> Table:
    """Counts rounded to steps of 10 %, which changes an idf by 0.05 at most."""
    steps = np.rint(np.log(table.counts) / np.log(1.1))
    return replace(table, counts=np.rint(1.1**steps).astype(np.int32))


def main() -> None:
    """Write one file for each way of preparing text."""
    texts = [doc for name in SOURCES for doc in documents(DATA / "text" / f"{name}.txt.gz")]
    for (lower, stop), file in BACKGROUND.items():
        fitted = Corpus.fit(
            texts[::STEP],
            sizes=tuple(LEAST),
            lower=lower,
            stop=stop,
            alphabet=ALPHABET[lower],
            name="background 1",
        )
        corpus = replace(
            fitted,
            tables={n: rounded(table.pruned(LEAST[n])) for n, table in fitted.tables.items()},
            # Which documents it was made of is of no use to anyone who does not have them.
            members=np.empty(0, np.uint64),
        )
        (OUT / file).write_bytes(corpus.to_bytes())
        size = (OUT / file).stat().st_size
        listed = {n: len(table.keys) for n, table in corpus.tables.items()}
        print(f"{file}: {corpus.documents} documents, {listed}, {size:,} bytes, {corpus.digest}")


if __name__ == "__main__":
    main()
