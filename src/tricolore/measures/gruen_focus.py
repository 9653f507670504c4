"""How near adjacent sentences are in meaning: the word mover's distance as GRUEN measures it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from tricolore.arrays import Floats
from tricolore.measures.word_mover import euclidean, transport
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.vectors import unit_rows
from tricolore.text.stop import stop_words
from tricolore.text.words import words

Unfocused = Literal["near", "distant"]
"""Which adjacent sentences are penalised.

near     those at a small distance: the authors' code takes the distance for a similarity
distant  those at a large distance, which is what the paper describes
"""
PENALTY = 0.1
LEAST = 0.05
MIDDLE = 7.0
NORM = 6.8
"""The length given to word vectors, since the constants above are for spaCy's: those of "dog",
"cat" and "banana" in its documentation have the lengths 7.03, 6.68 and 6.70."""


def content_words(sentence: str) -> Counter[str]:
    """The words of letters only that are no stop words, with their numbers.

    >>> sorted(content_words("The dog saw the 2 dogs."))
    ['dog', 'dogs', 'saw']
    """
    stops = stop_words("nltk")
    found = words(sentence, "words", False)
    return Counter(word for word in found if word.isalpha() and word.lower() not in stops)


def word_vectors(lm: MaskedLM, vocabulary: Iterable[str]) -> dict[str, Floats]:
    """A vector per word: the mean of the input vectors of its tokens, with the length NORM."""
    ids = {word: lm.tokenize(word).ids for word in dict.fromkeys(vocabulary)}
    known = sorted({token for tokens in ids.values() for token in tokens})
    rows = dict(zip(known, lm.input_vectors(known).astype(np.float64), strict=True))
    return {
        word: NORM * unit_rows(np.mean([rows[token] for token in tokens], axis=0)[None])[0]
        for word, tokens in ids.items()
        if tokens
    }


def word_mover_distance(
    here: Mapping[str, int], there: Mapping[str, int], vectors: Mapping[str, Floats]
) -> float:
    """The earth mover's distance of two bags of words; NaN if one of them is empty.

    A word that occurs f times has the weight log(1 + f), as in the library of the authors' code.
    """
    mine = [word for word in here if word in vectors]
    theirs = [word for word in there if word in vectors]
    if not mine or not theirs:
        return math.nan
    costs = euclidean(
        np.array([vectors[word] for word in mine]), np.array([vectors[word] for word in theirs])
    )
    same = np.array(mine)[:, None] == np.array(theirs)[None, :]
    costs[same] = 0.0  # where rounding would leave 1e-7
    weights = [np.log1p([bag[w] for w in some]) for bag, some in ((here, mine), (there, theirs))]
    return transport(weights[0], weights[1], costs)[0]


def focus_score(distance: float, unfocused: Unfocused) -> float:
    """The score of two sentences between 0 and 1; below LEAST is penalised.

    >>> round(focus_score(7.0, "near"), 3), focus_score(4.0, "near") < LEAST
    (0.5, True)
    >>> focus_score(10.0, "distant") < LEAST < focus_score(9.9, "distant")
    True
    """
    if math.isnan(distance):
        return 1.0
    sign = 1 if unfocused == "near" else -1
    return 1 / (1 + math.exp(-sign * (distance - MIDDLE)))


def adjacent_distances(lm: MaskedLM, sentences: Sequence[str]) -> list[float]:
    """The distance of each sentence to the next."""
    bags = [content_words(sentence) for sentence in sentences]
    vectors = word_vectors(lm, (word for bag in bags for word in bag))
    return [word_mover_distance(here, there, vectors) for here, there in pairwise(bags)]
