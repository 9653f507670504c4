"""The training text: documents cut into sentences and tokens, with a held-out part set aside.

Every story is kept twice, as it was written and lower-cased: most published summaries are
lower-cased, and a cased vocabulary cuts such text into other pieces.

Each file is one source; documents are separated by two blank lines. Which documents are held out
is decided by a digest of their text, so the split does not depend on order, seed or machine.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

# News sources of which a part is held out. The BBC files, which repeat each other and revise
# their own stories, are for training only.
NEWS = ("abc", "cnndm-valid", "reuters")
# How often a source is drawn, relative to its size: news in full sentences comes first, because
# that is what is summarised; the telegraphic Reuters wire and the novels of Brown come last.
WEIGHTS = {
    "abc": 1.8,
    "bbc": 1.6,
    "bbc-summaries": 1.6,
    "cnndm-valid": 3.0,
    "reuters": 0.4,
    "wikitext2": 0.5,
    "brown": 0.4,
}
HELD_OUT_SHARE = 0.03
# Some "documents" are whole files or long encyclopaedia pages; a summary speaks of one story.
_LONGEST_STORY = 30
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]?[A-Z0-9])")
_HEADING = re.compile(r"^\s*(= )+.*( =)+\s*$")

Sentence = list[int]


@dataclass(frozen=True)
class Story:
    """Consecutive sentences of one document, as token ids without special tokens.

    `lowercase` holds the same sentences in the same order, lower-cased before tokenisation.
    """

    source: str
    sentences: list[Sentence]
    lowercase: list[Sentence]

    def version(self, lowercase: bool) -> list[Sentence]:
        """The sentences, lower-cased or as they were written."""
        return self.lowercase if lowercase else self.sentences

    @property
    def length(self) -> int:
        """How many tokens there are."""
        return sum(map(len, self.sentences))


@dataclass(frozen=True)
class Corpus:
    """What is trained on, and what is not."""

    train: list[Story]
    held_out: list[Story]


def data_directory() -> Path:
    """Where the text lies: $TRICOLORE_DATA, or `shared/data` beside the repository."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("TRICOLORE_DATA", beside))


def sentences_of(text: str) -> list[str]:
    """Sentences by a plain rule: training needs passages of about the right size, no more."""
    lines = (line.strip() for line in text.splitlines() if not _HEADING.match(line))
    return [s for line in lines for s in _SENTENCE_END.split(line) if s]


def read_corpus(directory: Path, tokenizer: Tokenizer) -> Corpus:
    """Read every `*.txt.gz` of the directory; equal documents count once."""
    train_texts: list[tuple[str, list[str]]] = []
    held_texts: list[tuple[str, list[str]]] = []
    for source, sentences in _distinct_stories(directory):
        held = source in NEWS and _fraction("\n".join(sentences)) < HELD_OUT_SHARE
        (held_texts if held else train_texts).append((source, sentences))
    known = {s for _, sentences in train_texts for s in sentences if len(s) > 60}
    clean = [item for item in held_texts if not _repeats(item[1], known)]
    return Corpus(_encode(train_texts, tokenizer), _encode(clean, tokenizer))


def _distinct_stories(directory: Path) -> Iterator[tuple[str, list[str]]]:
    seen: set[str] = set()
    files = sorted(directory.glob("*.txt.gz"))
    if not files:
        raise FileNotFoundError(f"no *.txt.gz in {directory}; set TRICOLORE_DATA")
    for path in files:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
        for document in filter(str.strip, text.split("\n\n\n")):
            # Two files hold the same articles; their headlines tell, even where bodies differ.
            key = document.strip().splitlines()[0][:80] + document.strip()[80:160]
            if key in seen:
                continue
            seen.add(key)
            sentences = sentences_of(document)
            for start in range(0, len(sentences), _LONGEST_STORY):
                yield path.name.removesuffix(".txt.gz"), sentences[start : start + _LONGEST_STORY]


def _fraction(text: str) -> float:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) / 2**64


def _repeats(sentences: list[str], known: set[str]) -> bool:
    """Whether a story is a later version of one seen in training (agencies rewrite stories)."""
    return sum(s in known for s in sentences) > 1


def _encode(texts: list[tuple[str, list[str]]], tokenizer: Tokenizer) -> list[Story]:
    flat = [sentence for _, sentences in texts for sentence in sentences]
    lower = [sentence.lower() for sentence in flat]
    written, lowered = (
        iter(tokenizer.encode_batch_fast(part, add_special_tokens=False)) for part in (flat, lower)
    )
    stories = []
    for source, sentences in texts:
        pairs = [(next(written).ids, next(lowered).ids) for _ in sentences]
        pairs = [pair for pair in pairs if all(pair)]
        if len(pairs) >= 2:
            stories.append(Story(source, [a for a, _ in pairs], [b for _, b in pairs]))
    return stories
