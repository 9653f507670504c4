"""Figures for papers: one function per kind of figure, independent of any study.

Colours are those of Okabe and Ito, which colour-blind people can tell apart; lines differ in
their markers too, so that a print in grey can be read. From the ninth on, colours come again with
other markers and line styles. Names come from data: they are shown as
text, in one line of bounded length, and never read as formulas.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

import numpy as np
from numpy.typing import NDArray

from tricolore.data.atomic import check_target, open_binary
from tricolore.errors import WriteError
from tricolore.text.printable import printable

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LineStyle = str | tuple[int, tuple[int, ...]]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
STYLES: tuple[LineStyle, ...] = ("-", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
"""Styles of lines, one per round of colours; thin lines are the dashed ones."""
ENDINGS = (".png", ".svg", ".pdf")
GREY = "#666666"
_LINE = 100  # characters per line of a warning below a figure
_NAME = 60  # characters of a name; the middle of a longer one is left out

_STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.8,
    "axes.titlesize": 9,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "xtick.color": "#333333",
    "ytick.color": "#333333",
    "savefig.dpi": 200,
    "svg.hashsalt": "tricolore",  # a fixed salt gives equal files for equal figures
    "text.parse_math": False,  # a name such as "$5 vs $10" is not a formula
    "text.usetex": False,
    "axes.formatter.use_mathtext": False,
}


@dataclass(frozen=True)
class Line:
    """A curve with its interval; `low` and `high` may be empty.

    A thin curve is a variant of the curve before it: it has the same colour and no legend entry.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    is_thin: bool = False


@dataclass(frozen=True)
class Dot:
    """A value with its interval, in its own row; `is_marked` highlights it."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    is_marked: bool = False


@dataclass(frozen=True)
class Box:
    """The spread of many values: 5, 25, 50, 75 and 95 %."""

    name: str
    quantiles: Sequence[float]
    mean: float = math.nan


@dataclass(frozen=True)
class Labels:
    """The labels of the axes."""

    x: str = ""
    y: str = ""
    ticks: Sequence[str] = field(default_factory=tuple)
    """Words in place of the numbers 0, 1, 2… of the x axis."""
    chance: float = math.nan
    """The value of a measure without information: a grey line."""


def check_plot(path: str) -> None:
    """Check that a figure can be drawn and saved, before anything is computed for it."""
    if Path(path).suffix.lower() not in ENDINGS:
        raise WriteError(f"{path} ends in none of {', '.join(ENDINGS)}, which figures are kept in")
    check_target(path, argument="plot")
    _check_matplotlib()


def check_plot_directory(path: str) -> None:
    """Check that figures can be drawn and saved in a directory, which need not be there."""
    place = Path(path)
    if place.exists() and not place.is_dir():
        raise WriteError(f"{path} is not a directory", argument="plot")
    check_target(place / "figure.svg" if place.exists() else f"{path}.svg", argument="plot")
    _check_matplotlib()


def _check_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise WriteError("figures need matplotlib: pip install 'tricolore[plots]'") from None


def save(figure: Figure, path: str, warnings: Sequence[str] = ()) -> None:
    """Save a figure; the file ending chooses the format. The warnings are written below it."""
    import matplotlib

    check_plot(path)
    date: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    ending = Path(path).suffix.lower()
    with (
        open_binary(path, argument="plot") as out,
        matplotlib.rc_context(_STYLE),
        _any_script(),
    ):
        if warnings:
            lines = [line for note in warnings for line in wrap(_one_line(note), _LINE)]
            figure.supxlabel("\n".join(lines), fontsize=6, color=GREY)
        figure.savefig(out, format=ending.removeprefix("."), metadata=date.get(ending))


@contextmanager
def _any_script() -> Iterator[None]:
    """Draw boxes for letters that the font does not have, without a warning for each."""
    with catch_warnings():
        filterwarnings("ignore", "Glyph .* missing from font")
        filterwarnings("ignore", "Matplotlib currently does not support")
        yield


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def _short(name: str) -> str:
    """A name in one line, not too long: its beginning and its end."""
    words = _one_line(name)
    half = _NAME // 2
    return words if len(words) <= _NAME else f"{words[:half]}…{words[1 - half :]}"


def _more_room(names: Sequence[str], usual: int) -> float:
    """The inches that names need which are longer than usual, so that the axes keep their size."""
    return 0.075 * max([0, *(len(name) - usual for name in names)])


def series_style(at: int) -> tuple[str, str, LineStyle]:
    """The colour, the marker and the line style of a series: no two of 32 are the same.

    >>> series_style(0), series_style(8)
    (('#0072B2', 'o', '-'), ('#0072B2', 'D', '-.'))
    """
    lap = at // len(COLOURS)
    marker = MARKERS[(at + 3 * lap) % len(MARKERS)]
    return COLOURS[at % len(COLOURS)], marker, STYLES[lap % len(STYLES)]


def _height(series: int) -> float:
    """The inches of a figure with a legend: more from the ninth series on."""
    return 3.4 + 0.07 * max(0, series - len(COLOURS))


@contextmanager
def _axes(width: float, height: float) -> Iterator[tuple[Figure, Axes]]:
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.add_subplot()


def curves(lines: Sequence[Line], labels: Labels) -> Figure:
    """Curves over one setting, with their intervals as bands; points where x is words."""
    from matplotlib.ticker import MaxNLocator

    thick = [line for line in lines if not line.is_thin]
    drawn: list[Artist] = []
    with _axes(5.2, _height(len(thick))) as (figure, axes):
        at = -1
        for line in lines:
            at += not line.is_thin
            colour, marker, style = series_style(at)
            if line.is_thin:
                axes.plot(line.x, line.y, "--", color=colour, linewidth=0.8, zorder=3)
                continue
            if labels.ticks:
                # Side by side and unconnected: there is nothing between words.
                aside = min(0.12, 0.8 / len(thick)) * (at - (len(thick) - 1) / 2)
                x = [place + aside for place in line.x]
                drawn += axes.plot(x, line.y, marker, color=colour, zorder=3)
                if len(line.low):
                    axes.vlines(x, line.low, line.high, color=colour, linewidth=1.2)
                continue
            dense = "" if len(line.x) > 30 else marker
            drawn += axes.plot(
                line.x, line.y, color=colour, marker=dense, linestyle=style, zorder=3
            )
            if len(line.low):
                axes.fill_between(
                    line.x, line.low, line.high, color=colour, alpha=0.15, linewidth=0, zorder=2
                )
        _name_axes(axes, labels)
        if not labels.ticks and all(float(x).is_integer() for line in lines for x in line.x):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        axes.grid(axis="y", color="#E5E5E5", linewidth=0.6)
        if math.isfinite(labels.chance):
            axes.axhline(labels.chance, color=GREY, linewidth=0.8, linestyle=":", zorder=1)
        _legend(figure, drawn, [line.name for line in thick])
        return figure


def dots(rows: Sequence[Dot], labels: Labels) -> Figure:
    """Values with intervals, one below the other, the first on top."""
    names = [_short(row.name) for row in rows]
    with _axes(5.2 + _more_room(names, 24), 0.9 + 0.22 * len(rows)) as (figure, axes):
        places = np.arange(len(rows))[::-1]
        for place, row in zip(places, rows, strict=True):
            colour = COLOURS[1] if row.is_marked else COLOURS[0]
            if math.isfinite(row.low):
                axes.plot([row.low, row.high], [place, place], color=colour, linewidth=1.2)
            axes.plot(row.value, place, "s" if row.is_marked else "o", color=colour)
        axes.set_yticks(places, names)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_ylim(-0.7, len(rows) - 0.3)
        axes.grid(axis="x", color="#E5E5E5", linewidth=0.6)
        axes.set_axisbelow(True)
        if math.isfinite(labels.chance):
            axes.axvline(labels.chance, color=GREY, linewidth=0.8, linestyle=":", zorder=1)
        _name_axes(axes, labels)
        return figure


def heatmap(
    values: NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
    label: str,
    *,
    reach: tuple[float, float] = (0.0, 1.0),
    marked: NDArray[np.bool_] | None = None,
    gap_before: int | None = None,
) -> Figure:
    """A table of numbers as a heat map; `marked` ones are bold and framed."""
    from matplotlib.patches import Rectangle

    wide, high = len(columns), len(rows)
    below, beside = [_short(name) for name in columns], [_short(name) for name in rows]
    width = 1.9 + 0.46 * wide + _more_room(beside, 14)
    height = 1.3 + 0.34 * high + 0.7 * _more_room(below, 12)  # they are turned by 45 degrees
    with _axes(width, height) as (figure, axes):
        is_signed = reach[0] < 0
        image = axes.imshow(
            values,
            cmap="RdBu_r" if is_signed else "cividis",
            vmin=reach[0],
            vmax=reach[1],
            aspect="auto",
        )
        middle = sum(reach) / 2
        for i in range(high):
            for j in range(wide):
                value = values[i, j]
                shown = "–" if math.isnan(value) else f"{value:z.2f}".replace("-", "−")
                is_dark = abs(value) > 0.65 * reach[1] if is_signed else value < middle
                is_marked = marked is not None and bool(marked[i, j])
                axes.text(
                    j,
                    i,
                    shown,
                    ha="center",
                    va="center",
                    fontsize=7,
                    color="white" if is_dark else "black",
                    fontweight="bold" if is_marked else "normal",
                )
                if is_marked:
                    corner = (j - 0.44, i - 0.44)
                    frame = Rectangle(corner, 0.88, 0.88, fill=False, lw=1.1, ec="black", zorder=5)
                    axes.add_patch(frame)
        axes.set_xticks(range(wide), below, rotation=45, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(high), beside)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        if gap_before is not None:
            axes.axvline(gap_before - 0.5, color="white", linewidth=5)
        bar = figure.colorbar(image, ax=axes, shrink=0.9, pad=0.03)
        bar.set_label(_short(label))
        bar.outline.set_visible(False)
        return figure


def boxes(groups: Sequence[Box], labels: Labels) -> Figure:
    """Box plots one below the other: box 25 to 75 %, line 5 to 95 %, median, mean."""
    names = [_short(group.name) for group in groups]
    with _axes(5.2 + _more_room(names, 24), 0.9 + 0.3 * len(groups)) as (figure, axes):
        places = np.arange(len(groups))[::-1]
        for place, group in zip(places, groups, strict=True):
            low, first, middle, third, high = group.quantiles
            axes.plot([low, high], [place, place], color=GREY, linewidth=1, zorder=1)
            axes.barh(place, third - first, 0.55, left=first, color=COLOURS[5], zorder=2)
            axes.plot([middle] * 2, [place - 0.27, place + 0.27], color="black", zorder=3)
            axes.plot(group.mean, place, "D", color=COLOURS[1], markersize=3.5, zorder=4)
        axes.set_yticks(places, names)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_ylim(-0.6, len(groups) - 0.4)
        axes.grid(axis="x", color="#E5E5E5", linewidth=0.6)
        axes.set_axisbelow(True)
        _name_axes(axes, labels)
        return figure


def standings(people: Sequence[float], measures: Sequence[Dot], labels: Labels) -> Figure:
    """Annotators as steps, the weakest first, and measures as lines across (BLANC, figure 7)."""
    with _axes(5.2, _height(1 + len(measures))) as (figure, axes):
        ordered = sorted(people)
        edges = np.arange(len(ordered) + 1) + 0.5
        drawn: list[Artist] = [
            axes.stairs(ordered, edges, color=GREY, linewidth=1.6, baseline=None)
        ]
        for at, row in enumerate(measures):
            # There are no markers: neighbours differ in style too.
            style = ("-", "--", "-.", ":")[(at + at // len(COLOURS)) % 4]
            colour = COLOURS[at % len(COLOURS)]
            drawn += axes.plot(edges[[0, -1]], [row.value] * 2, style, color=colour)
        axes.set_xticks(range(1, len(ordered) + 1))
        axes.set_xlim(0.5, len(ordered) + 0.5)
        axes.grid(axis="y", color="#E5E5E5", linewidth=0.6)
        _name_axes(axes, labels)
        _legend(figure, drawn, ["annotators", *(row.name for row in measures)])
        return figure


def sorted_points(groups: Sequence[tuple[str, Sequence[float]]], labels: Labels) -> Figure:
    """Each group of numbers sorted separately, the lowest first (BLANC, figure 9)."""
    drawn: list[Artist] = []
    with _axes(5.2, _height(len(groups))) as (figure, axes):
        for at, (_, values) in enumerate(groups):
            known = sorted(value for value in values if math.isfinite(value))
            # The first group is grey; then colours come again with other markers.
            marker = ("o", "+", "x", "^", "s", "D", "v", "*")[(at + 3 * (max(0, at - 1) // 8)) % 8]
            # A filled marker would hide those behind it.
            face = {"markerfacecolor": "none"} if marker not in "+x" else {}
            drawn += axes.plot(
                range(1, len(known) + 1),
                known,
                marker,
                color=GREY if at == 0 else COLOURS[(at - 1) % 8],
                markersize=3.5,
                markeredgewidth=0.9,
                **face,  # type: ignore[arg-type]
            )
        axes.grid(axis="y", color="#E5E5E5", linewidth=0.6)
        _name_axes(axes, labels)
        _legend(figure, drawn, [name for name, _ in groups])
        return figure


def _name_axes(axes: Axes, labels: Labels) -> None:
    axes.set_xlabel(_short(labels.x))
    axes.set_ylabel(_short(labels.y))
    if labels.ticks:
        ticks = [_short(words) for words in labels.ticks]
        is_long = sum(map(len, ticks)) > 50
        turned: dict[str, Any] = {"rotation": 30, "ha": "right"} if is_long else {}
        axes.set_xticks(range(len(ticks)), ticks, **turned)


def _legend(figure: Figure, drawn: Sequence[Artist], names: Sequence[str]) -> None:
    """Put the legend above the curves, not over them; a single curve has none."""
    if len(names) > 1:
        shown = [_short(name) for name in names]
        longest = max(map(len, shown))
        across = min(1 if longest > 36 else 2 if longest > 18 else 3, len(shown))
        numbers = [str(at) for at in range(len(shown))]
        legend = figure.legend(drawn, numbers, loc="outside upper left", ncols=across)
        # Names come later: before 3.10, matplotlib leaves out those that begin with an underscore.
        for text, name in zip(legend.get_texts(), shown, strict=True):
            text.set_text(name)
