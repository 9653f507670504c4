"""From a spec such as `rouge-2:stem=true` to the measure that it names."""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from itertools import product
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from tricolore.measure import Direction, Measure, Setting, write_setting


class SpecError(ValueError):
    """A measure spec that names nothing, or a setting that does not fit."""


@dataclass(frozen=True)
class Entry:
    """Where the class of a measure is, and the settings that its name stands for."""

    path: str
    settings: Mapping[str, Setting] = field(default_factory=dict)

    def load(self) -> type[Measure]:
        """The class itself; only now is its module imported."""
        module, _, name = self.path.partition(":")
        try:
            found = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise SpecError(f"{self.path} cannot be loaded: {error}") from error
        if not (isinstance(found, type) and issubclass(found, Measure)):
            raise SpecError(f"{self.path} is not a Measure")
        return found


ROUGE_VARIANTS = ("1", "2", "3", "4", "l", "lsum", "w", "s4", "su4")

_LEXICAL = {
    "bleu": "bleu:Bleu",
    "chrf": "chrf:Chrf",
    "meteor": "meteor:Meteor",
    "jensen-shannon": "jensen_shannon:JensenShannon",
    "coverage": "fragments:Coverage",
    "density": "fragments:Density",
    "compression": "fragments:Compression",
    "novelty": "novelty:Novelty",
    "redundancy": "redundancy:Redundancy",
    "length": "length:Length",
    "importance": "importance:Importance",
}

_NEURAL = {
    "blanc-help": "blanc_help:BlancHelp",
    "blanc-tune": "blanc_tune:BlancTune",
    "estime": "estime:Estime",
}

GROUPS: dict[str, tuple[str, ...]] = {
    "rouge": ("rouge-1", "rouge-2", "rouge-l"),
    "fragments": ("coverage", "density", "compression"),
}
"""Names that stand for several measures."""


@cache
def entries() -> dict[str, Entry]:
    """Every measure by the name people type, ours and those of installed plugins."""
    ours = {f"rouge-{v}": _rouge(v) for v in ROUGE_VARIANTS}
    ours |= {
        name: Entry(f"tricolore.measures.{path}") for name, path in (_LEXICAL | _NEURAL).items()
    }
    plugins = {point.name: Entry(point.value) for point in entry_points(group="tricolore.measures")}
    taken = sorted(plugins.keys() & (ours.keys() | GROUPS.keys()))
    if taken:
        raise SpecError(f"an installed plugin takes the name of a measure of ours: {taken[0]}")
    return ours | plugins


@cache
def aliases() -> dict[str, Entry]:
    """The thesis's names of ROUGE versions, such as `rouge-w-stem-stop-p`."""
    values = {"": {}, "-p": {"value": "precision"}, "-r": {"value": "recall"}, "-f1": {}}
    made = {}
    for variant, stem, stop, (ending, value) in product(
        ROUGE_VARIANTS, (False, True), (False, True), values.items()
    ):
        name = f"rouge-{variant}{'-stem' * stem}{'-stop' * stop}{ending}"
        chosen = {key: True for key, wanted in (("stem", stem), ("stop", stop)) if wanted}
        made[name] = _rouge(variant, **chosen, **value)
    return {name: entry for name, entry in made.items() if name not in entries()}


def _rouge(variant: str, **settings: Setting) -> Entry:
    return Entry("tricolore.measures.rouge:Rouge", {"variant": variant, **settings})


def get_measure(spec: str) -> Measure:
    """The one measure that a spec names.

    >>> get_measure("rouge-2:stem=true").label
    'rouge-2:stem=true'
    """
    made = get_measures(spec)
    if len(made) != 1:
        raise SpecError(f"'{spec}' names {len(made)} measures where one is wanted")
    return made[0]


def get_measures(specs: str | Iterable[str | Measure]) -> list[Measure]:
    """The measures that a list of specs names, each once.

    A comma separates specs as well as the settings of one: `a:x=1,y=2,b` is `a:x=1,y=2` and `b`.
    """
    given = [specs] if isinstance(specs, str) else list(specs)
    made: list[Measure] = []
    for spec in given:
        if isinstance(spec, Measure):
            made.append(spec)
        else:
            made += [m for single in split_specs(spec) for m in _build(single)]
    if not made:
        raise SpecError("no measure is named; `tricolore measures` lists them")
    return list({m.label: m for m in made}.values())


def direction_of(column: str) -> Direction:
    """Which way is better in a column of scores: a measure's label, or `label.part`.

    A part that the measure could have for its value has the direction of that value. `neither`
    for other parts, such as counts, and for columns that no measure of ours wrote.

    >>> direction_of("estime"), direction_of("estime.soft"), direction_of("bleu.sys_len")
    ('lower', 'higher', 'neither')
    """
    with contextlib.suppress(SpecError):
        return get_measure(column).direction
    label, _, part = column.rpartition(".")
    part = re.sub(r"_l\d+$", "", part)  # ESTIME's parts at another layer
    try:
        measure = get_measure(label)
        if part not in get_args(get_type_hints(type(measure)).get("value")):
            return "neither"
        return dataclasses.replace(measure, value=part).direction  # type: ignore[call-arg]
    except SpecError:
        return "neither"


def split_specs(specs: str) -> list[str]:
    """Cut a comma-separated list into single specs.

    >>> split_specs("rouge,importance:n=3,weighting=bm25,chrf")
    ['rouge', 'importance:n=3,weighting=bm25', 'chrf']
    """
    found: list[str] = []
    for piece in filter(None, (piece.strip() for piece in specs.split(","))):
        is_setting = "=" in piece and ":" not in piece.partition("=")[0]
        if is_setting and found:
            found[-1] += ("," if ":" in found[-1] else ":") + piece
        else:
            found.append(piece)
    return found


def _build(spec: str) -> list[Measure]:
    name, _, written = spec.partition(":")
    name = name.strip().lower().replace("_", "-")
    given = dict(_read_pair(spec, pair) for pair in written.split(",") if pair.strip())
    if name in GROUPS:
        return [_make(member, given) for member in GROUPS[name]]
    return [_make(name, given)]


def _read_pair(spec: str, pair: str) -> tuple[str, str]:
    key, equals, value = pair.partition("=")
    if not equals:
        raise SpecError(f"'{pair}' in '{spec}' is not a setting: write name=value")
    return key.strip().replace("-", "_"), value.strip()


def find(name: str) -> Entry:
    """The entry of a name, or an error that suggests the nearest one."""
    known = aliases() | entries()
    if name not in known:
        raise SpecError(f"there is no measure '{name}'" + _suggest(name, {*known, *GROUPS}))
    return known[name]


def _make(name: str, given: Mapping[str, str]) -> Measure:
    entry = find(name)
    cls = entry.load()
    given = dict(given)
    preset = given.pop("preset", None)
    settings: dict[str, Any] = {**_preset(name, cls, preset), **entry.settings}
    hints = get_type_hints(cls)
    choices = [f.name for f in dataclasses.fields(cls) if not f.name.startswith("_")]
    for key, text in given.items():
        if key not in choices:
            raise SpecError(
                f"{name} has no setting '{key}'" + _suggest(key, choices) + f" ({name} has: "
                f"{', '.join([*choices, 'preset'] if cls.presets else choices) or 'none'})"
            )
        settings[key] = _read_value(name, key, text, hints[key])
    try:
        return cls(**settings)
    except ValueError as error:
        raise SpecError(f"{name}: {error}") from error


def _preset(name: str, cls: type[Measure], preset: str | None) -> Mapping[str, Setting]:
    if preset is None:
        return {}
    if preset not in cls.presets:
        has = f"has: {', '.join(cls.presets)}" if cls.presets else "has no presets"
        raise SpecError(f"{name} has no preset '{preset}'; it {has}")
    return cls.presets[preset]


def _read_value(name: str, key: str, text: str, hint: Any) -> Setting:
    wanted: Iterable[Setting]
    if get_origin(hint) is Literal:
        wanted = get_args(hint)
        for choice in get_args(hint):
            if write_setting(choice) == text.lower():
                return cast(Setting, choice)
        expected = "one of " + ", ".join(write_setting(choice) for choice in wanted)
    elif hint is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() in words:
            return words[text.lower()]
        expected = "true or false"
    elif hint in (int, float):
        try:
            return int(text) if hint is int else float(text)
        except ValueError:
            expected = "a whole number" if hint is int else "a number"
    else:
        return text
    raise SpecError(f"{name}: {key}={text} was given, but {key} must be {expected}")


def _suggest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else "; `tricolore measures` lists all"
