"""Text that is safe to show: control characters become visible."""

from __future__ import annotations

import re

_CONTROLS = range(0x20)
_PICTURES = {chr(code): chr(0x2400 + code) for code in _CONTROLS} | {"\x7f": "\u2421"}
_UNKNOWN = "\ufffd"

UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""C0, DEL and C1, the separators of lines and paragraphs, the characters that reorder text
(embeddings, overrides and isolates), and surrogates, which no encoding can write."""

MARKS = frozenset([*_PICTURES.values(), _UNKNOWN])
"""What stands for characters that cannot be shown."""


def printable(text: str, keep: str = "") -> str:
    r"""A text in which a mark of one character stands for each character that cannot be shown.

    Those are what a terminal takes for a command, what changes the order of the text around it,
    and what no encoding can write. `keep` has those that the layout understands, such as "\n".

    >>> printable("a\x1b[31mb\n"), printable("a\tb\n", keep="\n")
    ('a␛[31mb␊', 'a␉b\n')
    """
    return UNPRINTABLE.sub(lambda found: _mark(found.group(), keep), text)


def _mark(letter: str, keep: str) -> str:
    return letter if letter in keep else _PICTURES.get(letter, _UNKNOWN)
