"""`tricolore measures`: what there is to choose from."""

from __future__ import annotations


def measures() -> None:
    """List the measures: what they need, which way is better, their range and cost."""
    from rich.text import Text

    from tricolore.registry import GROUPS, composed, entries, get_measure
    from tricolore.report.tables import Column, console, print_columns

    out = console()
    rows = []
    for name in entries():
        made = get_measure(name)
        low, high = made.bounds
        rows.append(
            (
                name,
                ", ".join(sorted(made.needs)) or "summary",
                made.direction,
                f"{low:g} to {high:g}".replace("inf", "∞"),
                made.cost,
                ", ".join(made.presets),
                made.extra,
            )
        )
    headers = ("measure", "needs", "better", "range", "cost", "presets", "extra")
    texts = ("needs", "cost", "presets")
    columns = [
        Column(header, [Text(cell) for cell in cells], is_words=True, wraps=header in texts)
        for header, cells in zip(headers, zip(*rows, strict=True), strict=True)
    ]
    print_columns(out, columns)
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
