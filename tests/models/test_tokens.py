"""Tokens and their places in the text, on every family."""

from __future__ import annotations

from pathlib import Path

from tricolore.models import MaskedLM

from .conftest import TEXT


def test_spans_point_into_the_text(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    tokens = model.tokenize(TEXT[1])
    covered = {place for a, b in tokens.spans for place in range(a, b)}
    assert covered >= {place for place, letter in enumerate(TEXT[1]) if letter != " "}
    assert [a for a, _ in tokens.spans] == sorted(a for a, _ in tokens.spans)
    assert len(tokens) == len(tokens.spans) > 5


def test_words_are_the_tokenizers_own(checkpoint: Path) -> None:
    """Follow-up pieces are told apart without looking for the mark of one kind of tokenizer."""
    model = MaskedLM.load(str(checkpoint))
    text = "The council dangerously warned."
    tokens = model.tokenize(text)
    first = [at for at in range(len(tokens)) if not tokens.continues(at)]
    begins = {tokens.spans[at][0] for at in first}
    assert begins >= {text.index(word) for word in text.split()}
    assert not any(tokens.leads(at) and tokens.continues(at) for at in range(len(tokens)))
    assert any(tokens.leads(at) for at in range(len(tokens)))
    for at, token in enumerate(tokens.ids):
        start, end = tokens.spans[at]
        # An unknown word has the length of its entry, a lone mark of a space none.
        known = token != model.tokenizer.unk_id and model.tokenizer.entry(token) != "▁"
        assert not known or model.tokenizer.length(token) == end - start


def test_what_looks_like_a_mask_is_text(checkpoint: Path) -> None:
    """A user's text is data: it must not be able to mask anything."""
    model = MaskedLM.load(str(checkpoint))
    tokenizer = model.tokenizer
    special = {tokenizer.cls_id, tokenizer.sep_id, tokenizer.mask_id, tokenizer.pad_id}
    written = " ".join(model.entries(special))
    assert not special & set(model.tokenize(f"The {written} council").ids)
    mask = tokenizer.entry(tokenizer.mask_id)
    assert len(model.guess(f"The {mask} council {mask}.")) == 2
