"""`tricolore explain`: the docs page of one measure, in the terminal."""

from __future__ import annotations

import re
from importlib.resources import files
from inspect import cleandoc
from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = """
tricolore explain importance
"""


def explain(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Measure, such as importance; its settings may follow."
        ),
    ],
) -> None:
    """Show the page of a measure.

    The page says what the measure measures, by which equation, and what it is blind to.
    """
    from rich.markdown import Markdown

    from tricolore.report.terminal import console
    from tricolore.text.printable import printable

    out = console()
    text = printable(page(_plain_name(name)), keep="\n")  # of a plugin, perhaps
    out.print(Markdown(text) if out.is_terminal else text)


def _plain_name(spec: str) -> str:
    """The name of the page for a spec.

    >>> _plain_name("Coverage:preset=released"), _plain_name("importance-estime")
    ('coverage', 'sum')
    """
    from tricolore.registry import NAMES
    from tricolore.spec import Spec

    return Spec.parse(spec, NAMES).name


def page(name: str) -> str:
    """The page of a measure, as Markdown."""
    from tricolore.errors import SpecError
    from tricolore.registry import GROUPS, find

    pages = _pages()
    if name not in GROUPS:
        find(name)  # an unknown name is an error that suggests the nearest one
    family = "rouge" if name.startswith("rouge") else name
    if (path := pages / f"{family}.md").is_file():
        return re.sub(r"<!--.*?-->\n?", "", path.read_text(encoding="utf-8"))
    if name in GROUPS:
        return "\n\n".join(page(member) for member in GROUPS[name])
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
