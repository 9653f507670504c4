"""That figures are drawn of odd data too; that they are good to look at, somebody has to look."""

import sys
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.text import Text

from tricolore.errors import WriteError
from tricolore.report.plots import (
    Box,
    Dot,
    Labels,
    Line,
    boxes,
    check_plot,
    curves,
    dots,
    heatmap,
    save,
    sorted_points,
    standings,
)

NAN = float("nan")
LONG = "importance:n=2,weighting=bm25,tokenizer=words"

FIGURES = {
    "curves": lambda: curves(
        [
            Line("a", [0, 1, 2], [0.1, NAN, 0.3], [0, NAN, 0.2], [0.2, NAN, 0.4]),
            Line(LONG, [1], [0]),
        ],
        Labels("x", "y"),
    ),
    "words": lambda: curves(
        [Line("a", [0, 1], [1, 2], [0, 1], [2, 3])], Labels("x", "y", ["p", LONG])
    ),
    "dots": lambda: dots([Dot(LONG, 0.4, 0.1, 0.7, True), Dot("b", NAN)], Labels("x")),
    "heatmap": lambda: heatmap(np.array([[0.0, NAN], [1.0, 0.5]]), ["a", "b"], ["a", "b"], "c"),
    "signed": lambda: heatmap(
        np.array([[-1.0, 0.5]]),
        ["a"],
        ["p", "q"],
        "c",
        reach=(-1, 1),
        marked=np.array([[False, True]]),
        gap_before=1,
    ),
    "boxes": lambda: boxes([Box("a", [0, 1, 2, 3, 4], 2.5)], Labels("x")),
    "standings": lambda: standings([0.3, 0.1], [Dot("m", 0.2)], Labels("x", "y")),
    "points": lambda: sorted_points([("p", [0.2, NAN, 0.1]), ("m", [])], Labels("x", "y")),
}


@pytest.mark.parametrize("name", FIGURES)
def test_drawn_and_always_the_same(name, tmp_path):
    for copy in "ab":
        save(FIGURES[name](), str(tmp_path / f"{copy}.svg"))
    first = (tmp_path / "a.svg").read_bytes()
    assert first == (tmp_path / "b.svg").read_bytes()
    assert ElementTree.fromstring(first).tag.endswith("svg")


def test_the_words_are_in_the_figure():
    figure = FIGURES["dots"]()
    [axes] = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [LONG, "b"]
    assert axes.get_xlabel() == "x"


def looks(lines):
    """What a reader sees of each line: colour, marker and style."""
    return [
        (line.get_color(), line.get_marker(), str(line.get_linestyle()), line.get_fillstyle())
        for line in lines
    ]


@pytest.mark.parametrize("series", [9, 16, 32])
def test_no_two_series_look_the_same(series):
    names = [f"series {at}" for at in range(series)]
    over_numbers = [Line(name, [0, 1], [0, 1]) for name in names]
    dense = [Line(name, range(40), range(40)) for name in names]
    for figure in (
        curves(over_numbers, Labels("x", "y")),
        curves(over_numbers, Labels("x", "y", ["p", "q"])),
        curves(dense, Labels("x", "y")),
        standings([0.1], [Dot(name, 0.2) for name in names], Labels("x", "y")),
        sorted_points([(name, [0.1]) for name in names], Labels("x", "y")),
    ):
        [axes] = figure.axes
        drawn = looks(axes.lines)
        assert len(set(drawn)) == len(drawn) == series


def test_words_of_many_series_stay_beside_their_tick():
    lines = [Line(str(at), [0, 1], [0, 1]) for at in range(16)]
    [axes] = curves(lines, Labels("x", "y", ["p", "q"])).axes
    assert max(abs(line.get_xdata()[0]) for line in axes.lines) < 0.5


def test_a_thin_line_has_the_colour_of_the_one_before():
    figure = curves(
        [
            Line("a", [1, 2], [1, 2]),
            Line("a, varied", [1, 2], [2, 3], is_thin=True),
            Line("b", [1, 2], [3, 4]),
            Line("b, varied", [1, 2], [4, 5], is_thin=True),
        ],
        Labels("x", "y"),
    )
    a, thin_a, b, thin_b = figure.axes[0].get_lines()
    assert (a.get_color(), b.get_color()) == (thin_a.get_color(), thin_b.get_color())
    assert a.get_color() != b.get_color()
    assert thin_a.get_linewidth() < a.get_linewidth()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b"]


def test_chance_is_a_line():
    lines = (
        curves([Line("a", [1, 2], [0.6, 0.7])], Labels("x", "y", chance=0.5)).axes[0].get_lines()
    )
    assert [0.5, 0.5] in [list(line.get_ydata()) for line in lines]
    lines = dots([Dot("a", 0.6)], Labels("x", chance=0.5)).axes[0].get_lines()
    assert [0.5, 0.5] in [list(line.get_xdata()) for line in lines]
    assert len(dots([Dot("a", 0.6)], Labels("x")).axes[0].get_lines()) == 1


def test_png(tmp_path):
    save(FIGURES["boxes"](), str(tmp_path / "x.png"))
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_places_that_cannot_be(tmp_path, monkeypatch):
    with pytest.raises(WriteError, match=r"\.png, \.svg, \.pdf"):
        check_plot("x.jpg")
    with pytest.raises(WriteError, match="cannot be written: there is no directory") as error:
        save(FIGURES["boxes"](), str(tmp_path / "no" / "x.png"))
    assert error.value.argument == "plot"
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(WriteError, match=r"pip install 'tricolore\[plots\]'"):
        check_plot("x.png")


def test_warnings_are_written_below_a_figure(tmp_path):
    path = tmp_path / "figure.svg"
    figure = dots([Dot("a", 0.5)], Labels("x"))
    save(figure, str(path), ["10 empty summaries, left out: $C$ 10."])
    assert figure.get_supxlabel() == "10 empty summaries, left out: $C$ 10."
    assert path.stat().st_size


ODD = {
    "$\\frac{$": "$\\frac{$",
    "$5 vs $10": "$5 vs $10",
    "_nolegend_": "_nolegend_",
    "_": "_",
    "a\nb\tc\x1b": "a b c␛",
    "\ud800": "�",
    "模型 모델 عربى": "模型 모델 عربى",
    "\\%^~&": "\\%^~&",
    "x" * 40 + "y" * 40: "x" * 30 + "…" + "y" * 29,
}
"""Names that come from data, and how they are shown."""
AXES = Labels("$\\frac{$", "_$\\frac{$")
ODD_FIGURES = {
    "curves": lambda: curves([Line(name, [1, 2], [1, 2]) for name in ODD], AXES),
    "words": lambda: curves(
        [Line(name, [0, 1], [1, 2]) for name in ODD], Labels("x", "y", [*ODD][:2])
    ),
    "ticks": lambda: curves([Line("a", [*range(len(ODD))], [1] * 9)], Labels("x", "y", [*ODD])),
    "dots": lambda: dots([Dot(name, 1) for name in ODD], AXES),
    "heatmap": lambda: heatmap(np.eye(len(ODD)), [*ODD], [*ODD], "$\\frac{$"),
    "boxes": lambda: boxes([Box(name, [0, 1, 2, 3, 4]) for name in ODD], AXES),
    "standings": lambda: standings([1, 2], [Dot(name, 1) for name in ODD], AXES),
    "points": lambda: sorted_points([(name, [1, 2]) for name in ODD], AXES),
}


@pytest.mark.parametrize("name", ODD_FIGURES)
def test_names_are_text_and_no_formulas(name, tmp_path):
    """Matplotlib fails at a broken formula, and warns of a letter that the font lacks."""
    figure = ODD_FIGURES[name]()
    save(figure, str(tmp_path / "x.png"), ["$\\frac{$ \x1b 模型"])
    texts = [text.get_text() for text in figure.findobj(Text)]
    for shown in ODD.values():
        assert shown in texts
    assert not any(text.get_parse_math() for text in figure.findobj(Text))


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_odd_names_in_other_formats(ending, tmp_path):
    save(ODD_FIGURES["curves"](), str(tmp_path / f"x.{ending}"), [*ODD])
    assert (tmp_path / f"x.{ending}").stat().st_size


def test_formulas_in_the_settings_of_the_user_change_nothing(tmp_path):
    with matplotlib.rc_context({"text.usetex": True, "axes.formatter.use_mathtext": True}):
        save(ODD_FIGURES["dots"](), str(tmp_path / "x.svg"))
    assert (tmp_path / "x.svg").stat().st_size


def test_a_figure_has_no_path_of_the_user(tmp_path):
    place = tmp_path / "secret-place"
    place.mkdir()
    for ending in ("png", "svg", "pdf"):
        save(FIGURES["boxes"](), str(place / f"secret-name.{ending}"))
        assert b"secret" not in (place / f"secret-name.{ending}").read_bytes()


def test_axes_keep_their_size_beside_long_names(tmp_path):
    save(figure := dots([Dot("x" * 60, 1)], Labels("x")), str(tmp_path / "x.png"))
    width = figure.axes[0].get_position().width * figure.get_size_inches()[0]
    assert width > 2.5
