"""The stored form of a score: a checksum, and its numbers in binary or all of it as JSON."""

from __future__ import annotations

import json
import struct
from math import inf, isnan
from zlib import crc32

from tricolore.run.cache_keys import MeasureKey
from tricolore.score import Score

_CHECKSUM = 4
"""The number of its bytes."""
_NUMBERS = b"."
"""What the numbers of a score begin with; JSON begins with a brace."""


class PackedForm:
    """The stored form of the scores of a measure.

    The checksum covers the key of the texts and the measure, too: a damaged key must not pass for
    another.
    """

    def __init__(self, measure: MeasureKey) -> None:
        self._names = measure.part_names
        self._seed = crc32(measure.digest)
        self._layout = struct.Struct(f"<Ic{1 + len(self._names)}d")
        self._size = self._layout.size

    def pack(self, score: Score, texts: bytes) -> bytes:
        """The stored form of a score under the key of its texts."""
        body = self._numbers(score) or json.dumps(score.to_json()).encode()
        return crc32(body, crc32(texts, self._seed)).to_bytes(_CHECKSUM, "little") + body

    def unpack(self, packed: object, texts: bytes) -> Score | None:
        """The inverse of `pack`; None for anything that is not a sound score of this key."""
        if not isinstance(packed, bytes) or len(packed) <= _CHECKSUM:
            return None
        checksum = crc32(packed[_CHECKSUM:], crc32(texts, self._seed))
        if len(packed) == self._size:  # in the usual case this is quick
            known, kind, value, *parts = self._layout.unpack(packed)
            has_value = -inf < value < inf or (parts and isnan(value))
            if known == checksum and kind == _NUMBERS and has_value:
                return Score(value, dict(zip(self._names, parts, strict=True)))
        if int.from_bytes(packed[:_CHECKSUM], "little") != checksum:
            return None
        try:
            return Score.from_json(json.loads(packed[_CHECKSUM:]))
        except (ValueError, RecursionError):
            return None

    def _numbers(self, score: Score) -> bytes:
        """The value and the parts; empty for a score that has more than the usual numbers."""
        if score.evidence or score.problem is not None or score.flags:
            return b""
        numbers = (score.value, *score.parts.values())
        if tuple(score.parts) != self._names or not all(isinstance(n, float) for n in numbers):
            return b""
        return self._layout.pack(0, _NUMBERS, *numbers)[_CHECKSUM:]
