from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer

from tricolore.text.sentences import sentences
from tricolore.text.treebank import treebank_words


def test_words_stand_where_they_are_said_to():
    text = "He said: \"I can't go…\" (The U.S. won't.)  ``Never'' -- it's $5, gonna?"
    found = treebank_words(text)
    written = [text[start:end] for start, end in found.spans]
    assert found.words[:6] == ("He", "said", ":", "``", "I", "ca")
    assert written[:6] == ["He", "said", ":", '"', "I", "ca"]
    quotes = {"``": ('"', "``", "''"), "''": ('"', "``", "''")}
    for word, there in zip(found.words, written, strict=True):
        assert there in quotes.get(word, (word,))


@given(st.text(alphabet="ab '\"`.,!?-()$\n“”’…é", max_size=60))
def test_like_nltk_on_our_sentences(text):
    found = treebank_words(text)
    cutter = NLTKWordTokenizer()
    assert list(found.words) == [w for s in sentences(text) for w in cutter.tokenize(s)]
    ends = [0, *(end for _, end in found.spans)]
    for before, (start, end), word in zip(ends, found.spans, found.words, strict=False):
        assert before <= start < end
        assert text[start:end] == word or word in ("``", "''")


def test_no_words():
    assert treebank_words("").words == treebank_words(" \n").words == ()
