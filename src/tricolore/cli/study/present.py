"""How a study is shown: its table on the terminal or in a file, its figure in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tricolore.cli.output import form_of, put

if TYPE_CHECKING:
    from tricolore.api.studies.study import Study
    from tricolore.report.sheets import Form


def present(study: Study[Any], format: Form | None, output: str, plot: str) -> None:
    """Print the table, or write it to a file, and draw the figure."""
    from tricolore.report.plots import save
    from tricolore.report.tables import console

    form = form_of(format, output)
    figure = study.figure() if plot else None  # an error comes before anything is printed
    put([("", table) for table in study.tables], form, output)
    if figure is not None:
        save(figure, plot, study.warnings)
        if form == "table":
            console().print(f"Plot: {plot}", style="dim", soft_wrap=True)
