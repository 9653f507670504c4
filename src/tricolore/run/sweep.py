"""One measure at many settings: `estime:layer=0..5`, `rouge-1:stem=true|false,value=f1|recall`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from tricolore.errors import SpecError
from tricolore.measure import Measure
from tricolore.registry import NAMES, get_measure
from tricolore.spec import Spec, parse_specs

if TYPE_CHECKING:
    from tricolore.measures.estime import Estime

_NUMBER = r"\d+(?:\.\d+)?"
_RANGE = re.compile(rf"(-?{_NUMBER})\.\.(-?{_NUMBER})(?:\.\.({_NUMBER}))?")
_MOST = 1000
"""The most settings in a sweep."""


@dataclass(frozen=True)
class Point:
    """One setting of a sweep, and the column of the scores that holds it."""

    series: str
    """The spec without what is swept."""
    settings: Mapping[str, str]
    """What is swept, as it was written."""
    column: str

    @property
    def label(self) -> str:
        """The swept settings as a short label."""
        return ",".join(f"{key}={value}" for key, value in self.settings.items())


@dataclass(frozen=True)
class Sweep:
    """The points, and the measures that give all of them."""

    points: list[Point]
    measures: list[Measure]


def plan(specs: str | Iterable[str]) -> Sweep:
    """Every setting that specs stand for; one measure computes several where it can.

    >>> sweep = plan("rouge-2:stem=true|false,value=f1")
    >>> [(point.label, point.column) for point in sweep.points]
    [('stem=true', 'rouge-2:stem=true'), ('stem=false', 'rouge-2')]
    """
    asked = [specs] if isinstance(specs, str) else list(specs)
    points: list[Point] = []
    measures: dict[str, Measure] = {}
    for spec in (spec for text in asked for spec in parse_specs(text, NAMES)):
        for point, measure in _shared(spec.name, _expand(spec)):
            points.append(point)
            measures[measure.label] = measure
    if not any(point.settings for point in points):
        raise SpecError(
            f"nothing is swept in '{', '.join(asked)}': write a range such as layer=0..5, or "
            "choices such as stem=true|false"
        )
    return Sweep(points, list(measures.values()))


Made = list[tuple[Point, Measure]]


@dataclass(frozen=True)
class _Swept:
    """A setting with several values: its path through the terms, and the values."""

    path: tuple[int, ...]
    setting: str
    values: list[str]


def _expand(spec: Spec) -> Made:
    """Every setting that a spec stands for, with its measure."""
    swept = list(_swept(spec))
    if (count := prod(len(one.values) for one in swept)) > _MOST:
        raise SpecError(f"'{spec}' stands for {count} settings; a sweep takes up to {_MOST}")
    series = str(_with_values(spec, swept, [None] * len(swept)))
    made = []
    for chosen in product(*(one.values for one in swept)):
        measure = get_measure(_with_values(spec, swept, chosen))
        settings = dict(zip(_names(swept), chosen, strict=True))
        made.append((Point(series, settings, measure.label), measure))
    return made


def _swept(spec: Spec, path: tuple[int, ...] = ()) -> Iterator[_Swept]:
    """The settings of a spec and of its terms that have several values."""
    for at, term in enumerate(spec.terms):
        yield from _swept(term.spec, (*path, at))
    for name, text in spec.settings.items():
        # The scaling of a sum is itself written as a range.
        values = text.split("|") if spec.terms else _choices(text)
        if len(values) > 1:
            yield _Swept(path, name, values)


def _names(swept: Iterable[_Swept]) -> list[str]:
    """The names of the swept settings; a name that recurs in another term gets a number."""
    found: list[str] = []
    for one in swept:
        before = sum(name.partition(" ")[0] == one.setting for name in found)
        found.append(f"{one.setting} {before + 1}" if before else one.setting)
    return found


def _with_values(spec: Spec, swept: Iterable[_Swept], chosen: Iterable[str | None]) -> Spec:
    """The spec with chosen values of the swept settings; None leaves a setting out."""
    for one, value in zip(swept, chosen, strict=True):
        spec = _with_value(spec, one.path, one.setting, value)
    return spec


def _with_value(spec: Spec, path: tuple[int, ...], setting: str, value: str | None) -> Spec:
    if not path:
        return spec.with_setting(setting, value)
    first, *rest = path
    term = spec.terms[first]
    changed = replace(term, spec=_with_value(term.spec, tuple(rest), setting, value))
    return replace(spec, terms=(*spec.terms[:first], changed, *spec.terms[first + 1 :]))


def _choices(written: str) -> list[str]:
    """The values that a setting of a sweep stands for.

    >>> _choices("0..3"), _choices("default|2..8..3"), _choices("../my.corpus")
    (['0', '1', '2', '3'], ['default', '2', '5', '8'], ['../my.corpus'])
    >>> _choices("0.5..1..0.25")
    ['0.5', '0.75', '1.00']
    """
    found: dict[str, None] = {}
    for piece in written.split("|"):
        limits = _RANGE.fullmatch(piece.strip())
        if limits is None:
            found[piece.strip()] = None
            continue
        value, last, step = (Decimal(limit) for limit in (limits[1], limits[2], limits[3] or "1"))
        if value > last or not step:
            raise SpecError(f"the range {piece} holds nothing: write low..high or low..high..step")
        if (last - value) / step >= _MOST:
            raise SpecError(f"the range {piece} holds more than {_MOST} values")
        while value <= last:
            found[str(value)] = None
            value += step
    return list(found)


def _shared(name: str, made: Made) -> Made:
    """The same points from fewer measures, where a measure gives several settings in one pass."""
    return _by_layers(made) if name == "estime" else made


_PER_LAYER = ("alarms", "winners", "soft", "coherence")


def _by_layers(made: Made) -> Made:
    """ESTIME gives its count for any layers in one pass of the model (paper, appendix A)."""
    bases = [_layerless(measure) for _, measure in made]
    layers: dict[Estime, dict[str, None]] = {}
    for base, (_, measure) in zip(bases, made, strict=True):
        if base is not None:
            layers.setdefault(base, {})[measure.settings["layer"]] = None  # type: ignore[index]
    found: Made = []
    for base, (point, measure) in zip(bases, made, strict=True):
        together = list(layers[base]) if base is not None else []
        if base is None or len(together) == 1:
            found.append((point, measure))
            continue
        # The first of them is the measure's own `layer`, so that no further layer is computed.
        whole = replace(base, layer=together[0], layers="+".join(together))
        part = f"{base.value}_l{measure.settings['layer']}"
        found.append((replace(point, column=f"{whole.label}.{part}"), whole))
    return found


def _layerless(measure: Measure) -> Estime | None:
    """The measure without its layer, if layers can be computed together."""
    from tricolore.measures.estime import Estime

    if not isinstance(measure, Estime) or measure.layers or not measure.layer.isdigit():
        return None
    return replace(measure, layer="default") if measure.value in _PER_LAYER else None
