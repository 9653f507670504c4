"""Pages of HTML: templates with autoescape, and the files that pages share."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tricolore.errors import WriteError
from tricolore.report.painting import PaintedMark, Painting, pieces
from tricolore.score import Where
from tricolore.text.printable import printable

if TYPE_CHECKING:
    from jinja2 import Environment


_UNSAFE = re.compile("[<>&\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What means something in HTML, and what is better not in a file as it is."""


@dataclass(frozen=True)
class PaintedPiece:
    """Words of a text with the mark that gives them their colour."""

    words: str
    mark: PaintedMark | None


def painted_pieces(
    text: str, painting: Painting | None, where: Where = "summary", document: int = 0
) -> Iterator[PaintedPiece]:
    """A text in pieces, each with its mark, and with visible control characters.

    >>> [piece.words for piece in painted_pieces("a b", None)]
    ['a b']
    """
    shown = printable(text, keep="\n\t")
    if painting is None:
        yield PaintedPiece(shown, None)
        return
    for piece in pieces(len(shown), painting.of(where, document)):
        mark = painting.marks[piece.marks[0]] if piece.marks else None
        yield PaintedPiece(shown[piece.start : piece.end], mark)


def json_in_html(value: Any) -> str:
    r"""A value as JSON that can stand in a script element: no text in it can end the element.

    >>> json_in_html({"a": "</script>"})
    '{"a":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


@cache
def page_file(name: str) -> str:
    """The text of a file that pages share: a style or a script."""
    return (files("tricolore.report") / "page" / name).read_text(encoding="utf-8")


@cache
def templates() -> Environment:
    """The environment of all templates: it escapes every value."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise WriteError("pages need jinja2: pip install 'tricolore[report]'") from error
    made = Environment(
        loader=PackageLoader("tricolore.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["painted_pieces"] = painted_pieces
    made.filters["printable"] = printable
    # Safe, as no character is left that means something in HTML.
    made.filters["json_in_html"] = lambda value: Markup(json_in_html(value))
    return made
