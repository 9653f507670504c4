"""spaCy's words: as its own tokenizer cuts them, with their places."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.errors import Unavailable
from tricolore.text import spacy_words as module
from tricolore.text.spacy_words import spacy_version, spacy_words
from tricolore.text.words import word_spans, words


def test_words_are_those_of_spacy_without_white_space():
    spacy = pytest.importorskip("spacy")
    text = "Mr. O'Neil can't pay  $3.50;\nhe won't (U.S. law)."
    expected = [token.text for token in spacy.blank("en")(text) if not token.is_space]
    assert list(spacy_words(text).words) == expected
    assert words(text, "spacy", False) == tuple(expected)
    assert words(text, "spacy") == tuple(word.lower() for word in expected)
    assert spacy_version() == spacy.__version__


@given(st.text(st.sampled_from("aB '.-\n\t€3"), max_size=40))
def test_spans_find_the_words_again(text):
    pytest.importorskip("spacy")
    found = tuple(text[start:end] for start, end in word_spans(text, "spacy"))
    assert found == words(text, "spacy", False)


def test_without_spacy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    module._cutter.cache_clear()
    try:
        with pytest.raises(Unavailable, match="needs spaCy") as caught:
            words("a text that nobody has cut before", "spacy")
        assert "tricolore[spacy]" in caught.value.hint
        with pytest.raises(Unavailable):
            spacy_version()
    finally:
        module._cutter.cache_clear()
