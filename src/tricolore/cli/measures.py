"""`tricolore measures`: what there is to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tricolore.registry import MeasureInfo
    from tricolore.report.terminal import SafeConsole
    from tricolore.settings import SettingInfo

EXAMPLES = """
tricolore measures

tricolore measures rouge-2
"""


def measures(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            show_default=False,
            help="Measure whose settings are shown, such as rouge-2.",
        ),
    ] = "",
) -> None:
    """List the measures, or show the settings of one.

    The list says what each measure needs, which direction is better, its range and its cost.
    """
    from tricolore.registry import describe, entries
    from tricolore.report.terminal import console

    if name:
        _show_one(console(), describe(name))
    else:
        _show_all(console(), [describe(known) for known in entries()])


def _show_all(out: SafeConsole, found: list[MeasureInfo]) -> None:
    from tricolore.registry import GROUPS, composed

    headers = ("measure", "needs", "better", "range", "cost", "presets", "extra")
    rows = [
        (
            info.name,
            ", ".join(info.needs) or "summary",
            info.direction,
            _bounds(info),
            info.cost,
            ", ".join(info.presets),
            info.extra,
        )
        for info in found
    ]
    _print_table(out, headers, rows, wrapped=("needs", "cost", "presets"))
    trained = ", ".join(name for name in composed() if name not in ("sum", "avg"))
    for group, members in GROUPS.items():
        out.print(f"{group} stands for {', '.join(members)}.", style="dim")
    out.print(
        "Sums and averages of any: blanc-help+rouge-lsum, avg:density+coverage. "
        f"Trained with `tricolore train`: {trained}.",
        style="dim",
    )
    out.print(
        "Any ROUGE also as in the thesis: rouge-w-stem-stop-p. `tricolore measures NAME` shows "
        "the settings of a measure, `tricolore explain NAME` its page.",
        style="dim",
    )


def _show_one(out: SafeConsole, info: MeasureInfo) -> None:
    from tricolore.settings import write_setting

    out.print(f"{info.name}: {info.summary}")
    if info.is_complete:
        needs = ", ".join(info.needs) or "nothing but the summary"
        better = {"neither": "neither direction is better"}.get(
            info.direction, f"{info.direction} is better"
        )
        follows = f"; follows {info.follows} more than quality" if info.follows else ""
        out.print(f"needs {needs}; from {_bounds(info)}; {better}{follows}", style="dim")
    parts = [
        name if way == "neither" else f"{name} ({way} is better)"
        for name, way in info.parts.items()
    ]
    if parts:
        out.print(f"parts: {', '.join(parts)}", style="dim")
    for preset, changed in info.presets.items():
        words = ", ".join(f"{key}={write_setting(value)}" for key, value in changed.items())
        out.print(f"preset={preset}: {words or 'the defaults'}", style="dim")
    rows = [(s.name, _type(s), write_setting(s.default), s.help) for s in info.settings]
    _print_table(out, ("setting", "type", "default", "meaning"), rows, wrapped=("type", "meaning"))


def _type(setting: SettingInfo) -> str:
    return ", ".join(setting.choices) or setting.type


def _bounds(info: MeasureInfo) -> str:
    low, high = info.bounds
    return f"{low:g} to {high:g}".replace("inf", "∞")


def _print_table(
    out: SafeConsole,
    headers: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    *,
    wrapped: tuple[str, ...],
) -> None:
    from tricolore.report.terminal import Column, print_columns

    columns = [
        Column(header, cells, is_words=True, wraps=header in wrapped)
        for header, cells in zip(headers, zip(*rows, strict=True), strict=True)
    ]
    print_columns(out, columns)
