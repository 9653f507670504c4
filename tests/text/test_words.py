import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.words import word_spans, words

KINDS = ["words", "space", "google", "unicode"]


def test_each_tokenizer_on_one_sentence():
    text = "Don't panic: 3.5 % of Zürich's cafés…"
    assert words(text, "space") == ("don't", "panic:", "3.5", "%", "of", "zürich's", "cafés…")
    assert words(text, "unicode") == (
        *("don", "t", "panic", "3", "5", "of", "zürich", "s", "cafés"),
    )
    assert words(text, "google") == (
        *("don", "t", "panic", "3", "5", "of", "z", "rich", "s", "caf", "s"),
    )
    assert words("A-b!", "words", False) == ("A", "-", "b", "!")


@pytest.mark.parametrize("kind", KINDS)
@given(st.text())
def test_spans_find_the_words_again(kind, text):
    found = [text[start:end].lower() for start, end in word_spans(text, kind)]
    # Lowering a part can differ from lowering the whole only by the Greek final sigma.
    assert [word.replace("ς", "σ") for word in found] == [
        word.replace("ς", "σ") for word in words(text, kind)
    ] or len(text.lower()) != len(text)


@pytest.mark.parametrize("kind", KINDS)
@given(st.text())
def test_shortcuts_find_what_the_pattern_finds(kind, text):
    assert words(text, kind, False) == tuple(text[a:b] for a, b in word_spans(text, kind, False))


def test_very_many_marks():
    marks = [chr(0x2200 + i) for i in range(200)]  # mathematical signs
    assert words(f"a{''.join(marks)}b") == ("a", *marks, "b")


def test_spans_where_lowering_changes_the_length():
    text = "İstanbul ve İzmir"  # each capital becomes two characters
    spans = word_spans(text, "space")
    assert [text[a:b] for a, b in spans] == ["İstanbul", "ve", "İzmir"]


def test_treebank_words_are_lowered_after_they_are_cut():
    text = 'He CAN\'T say "No".'
    assert words(text, "treebank", False) == ("He", "CA", "N'T", "say", "``", "No", "''", ".")
    assert words(text, "treebank") == ("he", "ca", "n't", "say", "``", "no", "''", ".")
    assert len(word_spans(text, "treebank")) == 8
