"""One measure at many settings: `estime:layer=0..5`, `rouge-1:stem=true|false,value=f1|recall`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from tricolore.measure import Measure
from tricolore.registry import SpecError, get_measure
from tricolore.spec import split_specs

if TYPE_CHECKING:
    from tricolore.measures.estime import Estime

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+))?")


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
    name, _, written = spec.partition(":")
    pairs = [pair.partition("=") for pair in written.split(",") if pair.strip()]
    choices = {key.strip(): _choices(value.strip()) for key, _, value in pairs}
    swept = [key for key, values in choices.items() if len(values) > 1]
    fixed = [f"{key}={values[0]}" for key, values in choices.items() if key not in swept]
    series = f"{name}:{','.join(fixed)}" if fixed else name
    made = []
    for chosen in product(*choices.values()):
        settings = dict(zip(choices, chosen, strict=True))
        words = ",".join(f"{key}={value}" for key, value in settings.items())
        measure = get_measure(f"{name}:{words}" if words else name)
        point = Point(series, {key: settings[key] for key in swept}, measure.label)
        made.append((point, measure))
    return series, made


def _choices(written: str) -> list[str]:
    """The values that a setting of a sweep stands for.

    >>> _choices("0..3"), _choices("default|2..8..3"), _choices("../my.corpus")
    (['0', '1', '2', '3'], ['default', '2', '5', '8'], ['../my.corpus'])
    """
    found: list[str] = []
    for piece in written.split("|"):
        limits = _RANGE.fullmatch(piece)
        if limits is None:
            found.append(piece)
            continue
        first, last, step = int(limits[1]), int(limits[2]), int(limits[3] or 1)
        if first > last or not step:
            raise SpecError(f"the range {piece} holds nothing: write low..high or low..high..step")
        found += map(str, range(first, last + 1, step))
    return list(dict.fromkeys(found))


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
