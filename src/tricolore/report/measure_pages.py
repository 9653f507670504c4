"""The docs page of a measure: as Markdown, and what a reader of its values needs as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING

from tricolore.errors import SpecError
from tricolore.registry import GROUPS, NAMES, find
from tricolore.spec import Spec
from tricolore.text.printable import printable

if TYPE_CHECKING:
    from markdown_it.token import Token

_EXTRACT = ("Range, direction, cost", "Blind to")
"""The sections of a page that say how to read a value."""


def page_name(spec: str) -> str:
    """The name of the page for a spec.

    >>> page_name("Coverage:preset=released"), page_name("importance-estime")
    ('coverage', 'sum')
    """
    return Spec.parse(spec, NAMES).name


def measure_page(name: str) -> str:
    """The page of a measure, as Markdown."""
    pages = _pages()
    if name not in GROUPS:
        find(name)  # an unknown name is an error that suggests the nearest one
    family = "rouge" if name.startswith("rouge") else name
    if (path := pages / f"{family}.md").is_file():
        return re.sub(r"<!--.*?-->\n?", "", path.read_text(encoding="utf-8"))
    if name in GROUPS:
        return "\n\n".join(measure_page(member) for member in GROUPS[name])
    cls = find(name).load()
    text = cls.page or cleandoc(cls.__doc__ or "")
    if not text:
        raise SpecError(f"{name} comes with no page")
    return text


def _pages() -> Path:
    installed = Path(str(files("tricolore"))) / "docs" / "measures"
    # In a checkout the pages are in docs/.
    checkout = Path(__file__).parents[3] / "docs" / "measures"
    return installed if installed.is_dir() else checkout


def page_extract(page: str) -> str:
    """What the page of a measure says before its first section, and on how to read a value.

    >>> page_extract("# M\\n\\nWhat.\\n\\n## Equation\\n\\nE.\\n\\n## Blind to\\n\\nOrder.")
    'What.\\n\\n#### Blind to\\n\\nOrder.'
    """
    head, *sections = re.split(r"^## ", page, flags=re.MULTILINE)
    kept = [re.sub(r"\A# .*\n+", "", head).strip()]
    for section in sections:
        title, _, text = section.partition("\n")
        if title.strip() in _EXTRACT:
            kept.append(f"#### {title.strip()}\n\n{text.strip()}")
    return "\n\n".join(kept)


def markdown_html(text: str) -> str:
    """Markdown as HTML: tags in it are text, and links are only their words.

    A report is one file, so that a link to another page would lead nowhere.

    >>> markdown_html("See <b>[density](density.md)</b>.")
    '<p>See &lt;b&gt;density&lt;/b&gt;.</p>\\n'
    """
    from markdown_it import MarkdownIt

    reader = MarkdownIt("js-default", {"html": False, "linkify": False}).enable("table")
    tokens = reader.parse(printable(text, keep="\n\t"))
    for token in tokens:
        if token.children:
            token.children = list(_without_links(token.children))
    made: str = reader.renderer.render(tokens, reader.options, {})
    return made


def _without_links(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type in ("link_open", "link_close"):
            continue
        if token.type == "image":
            yield from _without_links(token.children or [])
        else:
            yield token
