"""`tricolore measures`: what there is to choose from."""

from __future__ import annotations


def measures() -> None:
    """List the measures: what they need, which way is better, their range and cost."""
    from rich.text import Text

    from tricolore.registry import GROUPS, composed, entries, get_measure
    from tricolore.report.tables import console, plain_table

    out = console()
    table = plain_table("measure", "needs", "better", "range", "cost", "presets", "extra")
    for column in table.columns[1:]:
        column.justify = "left"
    for name in entries():
        made = get_measure(name)
        low, high = made.range
        table.add_row(
            name,
            ", ".join(sorted(made.needs)) or "summary",
            made.direction,
            Text(f"{low:g} to {high:g}".replace("inf", "∞")),
            made.cost,
            ", ".join(made.presets),
            made.extra,
        )
    out.print(table)
    trained = ", ".join(name for name in composed() if name not in ("sum", "avg"))
    for group, members in GROUPS.items():
        out.print(f"{group} stands for {', '.join(members)}.", style="dim")
    out.print(
        "Sums and averages of any: blanc-help+rouge-lsum, avg:density+coverage. "
        f"Trained with `tricolore train`: {trained}.",
        style="dim",
    )
    out.print(
        "Any ROUGE also as in the thesis: rouge-w-stem-stop-p. "
        "`tricolore explain NAME` shows a measure's page.",
        style="dim",
    )
