"""One measure at many settings: `estime:layer=0..5`, `rouge-1:stem=true|false,value=f1|recall`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from tricolore.errors import SpecError
from tricolore.measure import Measure
from tricolore.registry import get_measure, get_terms
from tricolore.spec import split_specs

if TYPE_CHECKING:
    from tricolore.measures.estime import Estime

_NUMBER = r"\d+(?:\.\d+)?"
_RANGE = re.compile(rf"(-?{_NUMBER})\.\.(-?{_NUMBER})(?:\.\.({_NUMBER}))?")
_SETTING = re.compile(r"(?P<key>\w+)=(?P<value>[^,()]*)")
_SETTING_OF_TERM = re.compile(r"(?P<key>\w+)=(?P<value>[^,()+]*)")
_MOST = 1000
"""Settings in a sweep."""


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
        """The swept settings in one word."""
        return ",".join(f"{key}={value}" for key, value in self.settings.items())


@dataclass(frozen=True)
class Sweep:
    """The points, and the measures that give all of them."""

    points: list[Point]
    measures: list[Measure]


def plan(specs: str | Iterable[str]) -> Sweep:
    """Every setting that specs stand for; those that one measure can give together, by one.

    >>> sweep = plan("rouge-2:stem=true|false,value=f1")
    >>> [(point.label, point.column) for point in sweep.points]
    [('stem=true', 'rouge-2:stem=true'), ('stem=false', 'rouge-2')]
    """
    given = split_specs(specs) if isinstance(specs, str) else list(specs)
    points: list[Point] = []
    measures: dict[str, Measure] = {}
    for spec in given:
        for point, measure in _shared(*_expand(spec)):
            points.append(point)
            measures[measure.label] = measure
    if not any(point.settings for point in points):
        raise SpecError(
            f"nothing is swept in '{', '.join(given)}': write a range such as layer=0..5, or "
            "choices such as stem=true|false"
        )
    return Sweep(points, list(measures.values()))


Made = list[tuple[Point, Measure]]


def _expand(spec: str) -> tuple[str, Made]:
    """The spec without what is swept, and every setting with its measure."""
    setting = _SETTING_OF_TERM if _is_sum(spec) else _SETTING
    swept = {
        match: choices
        for match in setting.finditer(spec)
        if len(choices := _choices(match["value"].strip())) > 1
    }
    if (count := prod(map(len, swept.values()))) > _MOST:
        raise SpecError(f"'{spec}' stands for {count} settings; a sweep takes up to {_MOST}")
    series = _with(spec, swept, None)
    made = []
    for chosen in product(*swept.values()):
        measure = get_measure(_with(spec, swept, chosen))
        settings = dict(zip(_names(swept), chosen, strict=True))
        made.append((Point(series, settings, measure.label), measure))
    return series, made


def _names(swept: Iterable[re.Match[str]]) -> list[str]:
    """The names of the swept settings; the second of a name, in another term, is numbered."""
    found: list[str] = []
    for match in swept:
        before = sum(name.partition(" ")[0] == match["key"] for name in found)
        found.append(f"{match['key']} {before + 1}" if before else match["key"])
    return found


def _is_sum(spec: str) -> bool:
    return spec.partition(":")[0].strip() in ("sum", "avg") or len(get_terms(spec)) > 1


def _with(spec: str, swept: Iterable[re.Match[str]], chosen: Sequence[str] | None) -> str:
    """The spec with chosen values in place of the swept ones; None leaves these settings out."""
    pieces, at = [], 0
    for number, match in enumerate(swept):
        pieces.append(spec[at : match.start("value") if chosen else match.start()])
        pieces += [chosen[number]] if chosen else []
        at = match.end()
    made = "".join([*pieces, spec[at:]])
    return made if chosen else re.sub(r",+(?=,)|[:,]+(?=[+)]|$)|(?<=:),+", "", made)


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


def _shared(series: str, made: Made) -> Made:
    """The same points from fewer measures, where a measure gives several settings in one pass."""
    if series.partition(":")[0] != "estime":
        return made
    return _by_layers(made)


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
        # The first of them is the measure's own layer, so that no other is run.
        whole = replace(base, layer=together[0], layers="+".join(together))
        part = f"{base.value}_l{measure.settings['layer']}"
        found.append((replace(point, column=f"{whole.label}.{part}"), whole))
    return found


def _layerless(measure: Measure) -> Estime | None:
    """The measure but for its layer, if layers can be taken together."""
    from tricolore.measures.estime import Estime

    if not isinstance(measure, Estime) or measure.layers or not measure.layer.isdigit():
        return None
    return replace(measure, layer="default") if measure.value in _PER_LAYER else None
