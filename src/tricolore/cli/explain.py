"""`tricolore explain`: the docs page of one measure, in the terminal."""

from __future__ import annotations

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

    from tricolore.report.measure_pages import measure_page, page_name
    from tricolore.report.terminal import console
    from tricolore.text.printable import printable

    out = console()
    text = printable(measure_page(page_name(name)), keep="\n")  # of a plugin, perhaps
    out.print(Markdown(text) if out.is_terminal else text)
