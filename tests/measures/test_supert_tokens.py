"""The tokens that SUPERT compares."""

from __future__ import annotations

import pytest

from tests.measures.supert_definition import (
    STORY,
    SUMMARY,
    assert_parts,
    by_definition,
    one,
    vectors_of,
)
from tricolore.measures.grounding import Grounding
from tricolore.measures.pseudo_reference import read
from tricolore.measures.supert_tokens import Excerpt, _kept
from tricolore.models.model import shared
from tricolore.models.sentence_encoder import SentenceEncoder
from tricolore.text.sentences import sentences
from tricolore.text.stop import stop_words


def test_stop_words_are_left_out_on_both_sides(tiny):
    listed = stop_words("nltk")
    reference = vectors_of(tiny, sentences(STORY), listed)
    expected = by_definition(reference, vectors_of(tiny, sentences(SUMMARY), listed))
    assert_parts(one(STORY, SUMMARY, model=tiny, stop_words="nltk"), expected)


@pytest.fixture(scope="module")
def byte_level(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random RoBERTa that knows "dog", "the" and some letters; a space is part of a word."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaModel

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    entries = [*special, *"Ġthedogs", "do", "dog", "Ġdog", "th", "the", "Ġthe"]
    joins = [("d", "o"), ("do", "g"), ("Ġ", "dog"), ("t", "h"), ("th", "e"), ("Ġ", "the")]
    known = {entry: at for at, entry in enumerate(dict.fromkeys(entries))}
    tokenizer = Tokenizer(models.BPE(known, joins))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    names = dict(zip(("cls", "pad", "sep", "unk", "mask"), special, strict=True))
    directory = tmp_path_factory.mktemp("bytes")
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **{f"{kind}_token": name for kind, name in names.items()}
    ).save_pretrained(directory)
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4}
    RobertaModel(RobertaConfig(vocab_size=len(known), **shape)).save_pretrained(directory)
    return str(directory)


def test_a_piece_within_a_word_is_no_stop_word(tiny, byte_level):
    assert {"s", "the"} <= stop_words("nltk")
    for model in (tiny, byte_level):  # dog ##s; Ġdog s
        score = one("the dogs", "the dogs the", model=model, stop_words="nltk", evidence=True)
        assert [(span.start, span.end) for span in score.evidence] == [(4, 7), (7, 8)]


def test_pieces_of_a_sentence_that_are_read(tiny):
    cut = one("the old king met", "the old queen slept", model=tiny, max_tokens=4)
    encoder = shared(SentenceEncoder, tiny)
    two = [
        encoder.token_vectors([text], max_tokens=4)[0].vectors
        for text in ("the old king met", "the old queen slept")
    ]
    assert len(two[0]) == 2
    assert_parts(cut, by_definition(*two))
    # More than the model reads is what it reads.
    assert (
        one(STORY, SUMMARY, model=tiny, max_tokens=5000).parts
        == one(STORY, SUMMARY, model=tiny, max_tokens=64).parts
    )


def test_reading_ahead_gives_the_same_in_one_call(monkeypatch):
    """What was read ahead is not encoded again, and other sentences still are."""
    texts = [("A cat sat. A dog ran.",), ("The owl is awake.", "A cat sat.")]
    reader = Grounding()._reader
    expected = [reader([Excerpt(some, read(some))])[0] for some in texts]
    _kept.clear()
    calls = []
    encode = type(reader.encoder).token_vectors

    def counted(self, asked, **options):
        calls.append(list(asked))
        return encode(self, asked, **options)

    monkeypatch.setattr(type(reader.encoder), "token_vectors", counted)
    ahead = reader.read_ahead(texts)
    assert [sorted(call) for call in calls] == [["A cat sat.", "A dog ran.", "The owl is awake."]]
    _kept.clear()
    for some, before in zip(texts, expected, strict=True):
        [found] = ahead([Excerpt(some, read(some))])
        assert found.places.tolist() == before.places.tolist()
        assert found.vectors == pytest.approx(before.vectors, abs=1e-5)
    assert len(calls) == 1
    ahead([Excerpt.whole("A fox.")])
    assert calls[1:] == [["A fox."]]
