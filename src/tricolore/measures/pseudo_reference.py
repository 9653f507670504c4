"""Pseudo-references, for sources without references: sentences chosen from the source.

The methods of Yang Gao, Wei Zhao and Steffen Eger (2020), "SUPERT", section 5, and of the thesis,
section 5.2. Similarity is the cosine of the sentence encoder's vectors.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from tricolore.memo import LIMIT, Memo
from tricolore.models.encoder import Vectors
from tricolore.models.model import Precision
from tricolore.models.sentence_encoder import SentenceEncoder
from tricolore.text.sentences import sentence_spans

ReferenceFrom = Literal[
    "mech",
    "top20",
    "sd",
    "ref",
    "snip",
    "slr_i",
    "slr_g",
    "sc_i",
    "sc_g",
    "sps_i",
    "sps_g",
    "tc",
    "simmax",
]
"""What the pseudo-reference is made of.

mech    the first sentences of each document
top20   the first 20
sd      all of the source
ref     the references
snip    the snippets that are given as references, joined
slr     the sentences most similar to all others: LexRank with a sentence encoder
sc      the centres of clusters of sentences, by affinity propagation
sps     sentences similar to later ones and unlike earlier ones: PacSum with a sentence encoder
tc      the first sentences, and the central one of each clique among the others
simmax  sentences from the start up to the first that repeats one before

`_i`: of each document by itself; `_g`: of all documents together.
"""

_ALL = ("sd", "ref", "snip")
_FIRST = ("mech", "top20")
_TIE = 1e-5  # closer centralities are ties, which the earlier sentence wins
_CLIQUES = 10_000  # the most that are looked at: their number may grow exponentially


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one of several documents: its number in it, and its characters."""

    document: int
    number: int
    start: int
    end: int


@dataclass(frozen=True)
class Rule:
    """Which sentences are chosen."""

    reference_from: ReferenceFrom
    sentences: int
    """N of the first sentences, K of each document's graph."""
    pool: int
    """M of the graph of all documents."""
    similar: float
    """The cosine from which sentences are "highly similar"."""

    @property
    def by_vectors(self) -> bool:
        """Whether the choice needs the sentences' vectors."""
        return self.reference_from not in (*_ALL, *_FIRST)


_ChoiceKey = tuple[Rule, str, str, Precision, tuple[str, ...]]
_choices: Memo[_ChoiceKey, list[Sentence]] = Memo(
    LIMIT, lambda key, _: 100 + sum(map(len, key[-1]))
)
"""A cache of the choices for the latest sources; its size is in characters."""


def read(documents: Sequence[str]) -> list[Sentence]:
    """The sentences of some documents, in order.

    >>> read(["It rained. We left.", "It stopped."])[1]
    Sentence(document=0, number=1, start=11, end=19)
    """
    return [
        Sentence(document, number, start, end)
        for document, text in enumerate(documents)
        for number, (start, end) in enumerate(sentence_spans(text))
    ]


def texts_of(documents: Sequence[str], sentences: Iterable[Sentence]) -> list[str]:
    """The texts of some sentences."""
    return [documents[s.document][s.start : s.end] for s in sentences]


def choose(
    rule: Rule, sources: Sequence[tuple[str, ...]], encoder: Callable[[], SentenceEncoder]
) -> list[list[Sentence]]:
    """The chosen sentences of each source; the encoder is called once for all that need it."""
    if not rule.by_vectors:
        return [_by_place(rule, read(documents)) for documents in sources]
    loaded = encoder()

    def by_vectors(keys: list[_ChoiceKey]) -> Iterator[list[Sentence]]:
        """The choice for some sources, whose sentences are encoded together."""
        fresh = [(key[-1], read(key[-1])) for key in keys]
        texts = [text for documents, some in fresh for text in texts_of(documents, some)]
        vectors = loaded.embed(texts, normalised=True)
        for _, sentences in fresh:
            own, vectors = vectors[: len(sentences)], vectors[len(sentences) :]
            picked = _by_vectors(rule, sentences, own) if sentences else []
            yield [sentences[place] for place in picked]

    keys = [(rule, loaded.name, loaded.revision, loaded.precision, own) for own in sources]
    chosen = _choices.get_many(keys, by_vectors)
    return [chosen[key] for key in keys]


def _by_place(rule: Rule, sentences: list[Sentence]) -> list[Sentence]:
    if rule.reference_from in _ALL:
        return sentences
    first = 20 if rule.reference_from == "top20" else rule.sentences
    return [sentence for sentence in sentences if sentence.number < first]


def _by_vectors(rule: Rule, sentences: Sequence[Sentence], vectors: Vectors) -> list[int]:
    """The indices of the chosen sentences, in the order of the text."""
    numbers = np.array([sentence.number for sentence in sentences])
    if rule.reference_from == "tc":
        return top_and_cliques(vectors, numbers < rule.sentences, rule.similar)
    kind, _, scope = rule.reference_from.partition("_")
    if scope == "g":
        groups, count = [np.arange(len(sentences))], rule.pool
    else:
        groups, count = list(_documents(sentences)), rule.sentences
    chosen: list[int] = []
    for group in groups:
        own, places = vectors[group], numbers[group]
        if kind == "slr":
            picked = highest(lexrank(own), count)
        elif kind == "sps":
            picked = highest(pacsum(own, places), count)
        elif kind == "sc":
            picked = cluster_centres(own)
        else:
            picked = before_repetition(own, rule.similar)
        chosen += [int(group[at]) for at in picked]
    return sorted(chosen)


def _documents(sentences: Sequence[Sentence]) -> Iterator[npt.NDArray[np.intp]]:
    of = np.array([sentence.document for sentence in sentences])
    for document in dict.fromkeys(of.tolist()):
        yield np.flatnonzero(of == document)


def lexrank(vectors: Vectors) -> npt.NDArray[np.float64]:
    """SLR: the sum of a sentence's similarities to all others."""
    exact = vectors.astype(np.float64)
    return np.asarray(exact @ exact.sum(axis=0) - (exact**2).sum(axis=1))


def pacsum(vectors: Vectors, places: npt.NDArray[np.int_]) -> npt.NDArray[np.float64]:
    """SPS: the mean similarity to later sentences less the mean similarity to earlier ones.

    Later and earlier compare positions within documents; a sentence at the same position in another
    document is neither.
    """
    exact = vectors.astype(np.float64)
    last = int(places.max())
    sums = np.zeros((last + 2, exact.shape[1]))
    np.add.at(sums, places + 1, exact)
    counts = np.bincount(places + 1, minlength=last + 2)
    upto, number = sums.cumsum(axis=0), counts.cumsum()
    earlier = (exact * upto[places]).sum(axis=1) / np.maximum(1, number[places])
    rest = number[-1] - number[places + 1]
    later = (exact * (upto[-1] - upto[places + 1])).sum(axis=1) / np.maximum(1, rest)
    return np.asarray(later - earlier)


def highest(scores: npt.NDArray[np.float64], count: int) -> list[int]:
    """The indices of the highest scores; near ties go to the earlier one.

    >>> highest(np.array([0.2, 0.9, 0.5, 0.9]), 3)
    [1, 2, 3]
    """
    left, chosen = scores.copy(), []
    for _ in range(min(count, len(scores))):
        at = int(np.flatnonzero(left >= left.max() - _TIE)[0])
        chosen.append(at)
        left[at] = -np.inf
    return sorted(chosen)


def cluster_centres(vectors: Vectors) -> list[int]:
    """SC: the centres of clusters; affinity propagation finds their number."""
    if len(vectors) == 1:
        return [0]
    from sklearn.cluster import AffinityPropagation

    cosines = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it did not converge, which is checked below
        found = AffinityPropagation(affinity="precomputed", random_state=0).fit(cosines)
    centres = [int(at) for at in found.cluster_centers_indices_]
    return sorted(centres) or highest(lexrank(vectors), 1)


def before_repetition(vectors: Vectors, similar: float) -> list[int]:
    """The sentences from the start up to the first that is highly similar to one before it."""
    for at in range(1, len(vectors)):
        if float((vectors[:at] @ vectors[at]).max()) > similar:
            return list(range(at))
    return list(range(len(vectors)))


def top_and_cliques(vectors: Vectors, first: npt.NDArray[np.bool_], similar: float) -> list[int]:
    """TC: the first sentences, and the central sentence of each clique among the others."""
    import networkx

    top, rest = np.flatnonzero(first), np.flatnonzero(~first)  # (i)
    graph = networkx.Graph()
    for at, row in enumerate(rest):  # (ii)
        cosines = vectors[rest[at + 1 :]] @ vectors[row]
        graph.add_edges_from((int(row), int(n)) for n in rest[at + 1 :][cosines >= similar])
    chosen = set(top.tolist())
    for clique in islice(networkx.find_cliques(graph), _CLIQUES):  # (iii)
        members = np.array(sorted(clique))
        centre = int(members[highest(lexrank(vectors[members]), 1)[0]])
        if not (vectors[top] @ vectors[centre] >= similar).any():  # (iv)
            chosen.add(centre)
    return sorted(chosen)
