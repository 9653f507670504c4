"""Words of the same and of a wider meaning; tests/peers/test_nltk_meteor.py compares with NLTK."""

import subprocess
import sys

import pytest

from tricolore.text.synonyms import (
    derived,
    frequent_senses,
    lemmas,
    main_senses,
    senses,
    similar_senses,
    synonyms,
    wider_senses,
    wordnet_version,
)

PROGRAM = """
from tricolore.text import wordnet
wordnet._places = lambda: iter(())
from tricolore.text.synonyms import *
from tricolore.text import synonyms as s
print(s.wordnet_version(), len(s.senses("car")), len(s.synonyms("car")), len(s.derived("announce")))
print(len(s.lemmas("cars")), len(s.similar_senses("tiny")), len(s.wider_senses("ferry")))
"""

needs_wordnet = pytest.mark.skipif(
    wordnet_version() == "none", reason="WordNet is not on this machine"
)


def test_without_wordnet_no_word_has_synonyms():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["none", "0", "0", "0", "0", "0", "0"]


@needs_wordnet
def test_relations():
    assert senses("cars") & senses("automobiles")
    assert "automobile" in synonyms("cars")
    assert lemmas("left") == {"left", "leave"}
    assert {"announcement", "announcer"} < derived("announced")
    assert similar_senses("tiny") & frequent_senses("small")
    # Numbers are all like "cardinal", but not like each other.
    assert not similar_senses("sixteen") & frequent_senses("eleven")
    # A ferry is a boat, and a boat a vessel; a vessel is no ferry.
    assert wider_senses("ferry") & main_senses("vessel")
    assert not wider_senses("vessel") & main_senses("ferry")
