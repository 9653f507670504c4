"""The tokens of sentences as vectors of length 1, kept for a while across calls.

A document that is asked about again and again, one summary at a time, is encoded once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from tricolore.models.sentence_encoder import SentenceEncoder, TokenVectors
from tricolore.models.vectors import unit_rows

LIMIT = 64 << 20
"""Bytes of vectors that are kept, at most."""

_VectorKey = tuple[str, str, str, int, str]
_kept: OrderedDict[_VectorKey, TokenVectors] = OrderedDict()
_size = 0
_lock = Lock()


def unit_vectors(
    encoder: SentenceEncoder, texts: Sequence[str], *, max_tokens: int = 0
) -> dict[str, TokenVectors]:
    """The tokens of each text and their vectors; what is not known is asked for at once."""
    different = list(dict.fromkeys(texts))
    keys = {text: _key(encoder, max_tokens, text) for text in different}
    with _lock:
        known = {text: _kept[key] for text, key in keys.items() if key in _kept}
        for text in known:
            _kept.move_to_end(keys[text])
    missing = [text for text in different if text not in known]
    asked = encoder.token_vectors(missing, max_tokens=max_tokens)
    new = {
        text: TokenVectors(found.tokens, unit_rows(found.vectors))
        for text, found in zip(missing, asked, strict=True)
    }
    with _lock:
        for text, found in new.items():
            _keep(keys[text], found)
    return known | new


def forget() -> None:
    """Forget everything, as a benchmark must before it times a run."""
    global _size
    with _lock:
        _kept.clear()
        _size = 0


def _key(encoder: SentenceEncoder, max_tokens: int, text: str) -> _VectorKey:
    return encoder.name, encoder.revision, encoder.precision, max_tokens, text


def _keep(key: _VectorKey, found: TokenVectors) -> None:
    global _size
    before = _kept.pop(key, None)
    _size += found.vectors.nbytes - (before.vectors.nbytes if before else 0)
    _kept[key] = found
    while _size > LIMIT and len(_kept) > 1:
        _, oldest = _kept.popitem(last=False)
        _size -= oldest.vectors.nbytes
