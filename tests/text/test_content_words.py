"""Content words and what supports them."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.content_words import check_words, content_words, stems
from tricolore.text.synonyms import wordnet_version

SOURCE = "The ferry sank after officials decided on a small delay. Children ran to the doctors."

needs_wordnet = pytest.mark.skipif(
    wordnet_version() == "none", reason="WordNet is not on this machine"
)


def support(summary: str, *sources: str) -> dict[str, str | None]:
    return {word.text: word.support for word in check_words(summary, sources or (SOURCE,))}


def test_without_wordnet() -> None:
    program = f"""
from tricolore.text import wordnet
wordnet._places = lambda: iter(())
from tricolore.text.content_words import check_words
for word in check_words("Ferries sink; a child and a physician run.", [{SOURCE!r}]):
    print(word.text, word.support)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "Ferries stem",
        "sink stem",
        "child stem",
        "physician None",
        "run stem",
    ]


@needs_wordnet
def test_with_wordnet() -> None:
    assert support("The vessel sank after a decision; tiny delays annoyed physicians.") == {
        "vessel": "wider",
        "sank": "word",
        "decision": "derived",
        "tiny": "synonym",
        "delays": "stem",
        "annoyed": None,
        "physicians": "synonym",
    }


@needs_wordnet
def test_a_narrower_word_is_not_supported() -> None:
    assert support("The ferry left.", "The vessel left.")["ferry"] is None


@needs_wordnet
def test_names_have_no_synonyms() -> None:
    assert support("It was a vehicle.", "We met Mr Car.")["vehicle"] is None


def test_where_the_source_has_it() -> None:
    sources = ["Nothing.", SOURCE]
    [word] = check_words("Delayed.", sources)
    assert word.document == 1
    assert word.source_start is not None
    assert sources[1][word.source_start : word.source_end] == "delay"


def test_spans_that_are_checked_otherwise() -> None:
    summary = "Anna ran to Rome."
    found = check_words(summary, [SOURCE], [(0, 4), (12, 16)])
    assert [word.text for word in found] == ["ran"]


def test_function_words_have_no_content() -> None:
    assert content_words("They would not have been there without us, however; 42!") == ()


def test_irregular_forms() -> None:
    assert stems("ran") & stems("running")
    assert stems("children") & stems("child")


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text(summary: str, source: str) -> None:
    end = 0
    for word in check_words(summary, [source]):
        assert end <= word.start < word.end <= len(summary)
        assert summary[word.start : word.end] == word.text
        end = word.end
    assert all(word.support == "word" for word in check_words(source, [source]))
