"""Names that the source has, but not there: would another name of the source fit better?

"The chief engineer, Dev Marlowe" is wrong if the source calls Helen Astbury the chief engineer. The
source has both names, so looking them up finds nothing. We put every other name of the passage that
supports the sentence in the place of the name and ask the sentence encoder: if the sentence fits
the source better with another name, as a whole and around the name, the name is probably swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tricolore.measures.grounding_support import EncodedSource, Support
from tricolore.measures.passages import Passage
from tricolore.models.encoder import Vectors
from tricolore.text.folding import folded
from tricolore.text.name_kinds import TypedName, typed_names
from tricolore.text.name_match import NameFinding
from tricolore.text.names import tokens

GAIN = 0.1
"""How much better the sentence must fit with another name.

Chosen on the seen half of examples/faithfulness.jsonl and on SummEval: with 0.03, most alarms on
SummEval were false.
"""
_CONTEXT = 8  # words on each side of the name that are tested by themselves
_MOST = 8  # other names that are tried


@dataclass(frozen=True)
class SwapTest:
    """A name of a summary, and the names that may belong in its place."""

    text: str
    """The sentence."""
    start: int
    """Where the name begins in the sentence."""
    end: int
    finding: NameFinding
    document: int
    """Which document of the source has the other names."""
    others: tuple[TypedName, ...]
    written: tuple[str, ...]
    """The other names as the summary would write them."""

    @property
    def variants(self) -> list[str]:
        """The sentence and the words around the name: as they are, then with each other name."""
        name = self.text[self.start : self.end]
        before, after = self.text[: self.start], self.text[self.end :]
        left = before[_words_back(before) :]
        right = after[: _words_ahead(after)]
        return [
            text
            for words in (name, *self.written)
            for text in (before + words + after, left + words + right)
        ]

    def better(self, fits: Sequence[float]) -> TypedName | None:
        """The other name that fits clearly better, from the fit of each variant."""
        whole, around = fits[::2], fits[1::2]
        gains = [
            min(here - whole[0], there - around[0])
            for here, there in zip(whole[1:], around[1:], strict=True)
        ]
        best = max(range(len(gains)), key=gains.__getitem__)
        return self.others[best] if gains[best] > GAIN else None


def swap_test(
    sentence: str, start: int, finding: NameFinding, support: Support, sources: Sequence[str]
) -> SwapTest | None:
    """The test of a name that the sources have, or None if there is nothing to test.

    The name of a person is tested if it is not in the passage that supports the sentence, and that
    passage names another person, whom the sentence does not name. Places are not tested: "at
    Anfield" and "at Liverpool" mean the same.

    Arguments:
        sentence: The sentence of the summary.
        start: Where the sentence begins in the summary.
        finding: The name.
        support: What supports the sentence.
        sources: The documents of the source.
    """
    if finding.document is None or finding.source_start is None or finding.source_end is None:
        return None
    own = _name_at(sources[finding.document], finding.source_start, finding.source_end)
    if own is None or own.kind != "person":
        return None
    passage = support.passage
    source = sources[passage.document]
    text = source[passage.start : passage.end]
    name = sentence[finding.start - start : finding.end - start]
    keys = {key for word in name.split() if (key := folded(word))}
    is_derived = not keys <= {*own.keys}  # Asian for Asia cannot be replaced by a place
    if is_derived or keys & {folded(token.text) for token in tokens(text)}:
        return None
    used = {folded(token.text) for token in tokens(sentence)} | {*own.keys}
    others = tuple(_others(source, passage, used))[:_MOST]
    if not others:
        return None
    written = tuple(_as_written(other, name, source) for other in others)
    at = finding.start - start, finding.end - start
    return SwapTest(sentence, *at, finding, passage.document, others, written)


def swapped_names(
    tests: Sequence[tuple[SwapTest, EncodedSource]], encode: Callable[[list[str]], list[Vectors]]
) -> Iterator[TypedName | None]:
    """For each test the name that fits better, if there is one; all are encoded in one call."""
    texts = list(dict.fromkeys(text for test, _ in tests for text in test.variants))
    vectors = dict(zip(texts, encode(texts), strict=True)) if texts else {}
    for test, source in tests:
        yield test.better([source.fit(vectors[text]) for text in test.variants])


def _name_at(text: str, start: int, end: int) -> TypedName | None:
    for typed in typed_names(text):
        if typed.name.start < end and start < typed.name.end:
            return typed
    return None


def _others(text: str, passage: Passage, used: set[str]) -> Iterator[TypedName]:
    """The people named in a passage who may stand in place of the name, each once."""
    seen: set[str] = set()
    for typed in typed_names(text):
        if typed.kind != "person" or not passage.covers(typed.name.start, typed.name.end):
            continue
        if typed.keys[-1] in seen or used & {*typed.keys}:
            continue
        seen.add(typed.keys[-1])
        yield typed


def _as_written(other: TypedName, name: str, source: str) -> str:
    """Another name in the style of the name that it replaces: a surname, or lower case."""
    words = other.name.words
    text = source[other.name.start : other.name.end] if " " in name else words[-1]
    return text.lower() if name.islower() else text


def _words_back(text: str) -> int:
    at = len(text)
    for _ in range(_CONTEXT):
        at = text.rstrip()[:at].rstrip().rfind(" ")
        if at < 0:
            return 0
    return at + 1


def _words_ahead(text: str) -> int:
    at = 0
    for _ in range(_CONTEXT + 1):
        at = text.find(" ", at + 1)
        if at < 0:
            return len(text)
    return at
