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

from tricolore.errors import SpecError, TricoloreError
from tricolore.measure import Direction, Measure
from tricolore.settings import Setting, write_setting
from tricolore.spec import Term, TermError, join_terms, split_terms
from tricolore.spec import split_specs as split_specs  # as well known here as get_measures


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
    "supert": "supert:Supert",
    "sbert": "sbert:Sbert",
    "bert-score": "bert_score:BertScore",
}

_COMPOSED = {
    "sum": "measures.combination:Sum",
    "avg": "measures.combination:Average",
    "mix": "train.mix:Mix",
    "sum-qe": "train.sum_qe:SumQe",
    "sbert-regression": "train.sbert_regression:SbertRegression",
}
"""What a name alone does not make: it must be told of what, or which trained model."""

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
    taken = sorted(plugins.keys() & (ours.keys() | GROUPS.keys() | _COMPOSED.keys()))
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


@cache
def composed() -> dict[str, Entry]:
    """Sums, averages and trained estimators, by the name that their spec begins with."""
    return {name: Entry(f"tricolore.{path}") for name, path in _COMPOSED.items()}


@cache
def _names() -> frozenset[str]:
    return frozenset({*aliases(), *entries(), *composed(), *GROUPS})


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

    `neither` for parts of which neither way is better, such as counts, and for columns that no
    known measure wrote.

    >>> direction_of("estime"), direction_of("estime.soft"), direction_of("bleu.sys_len")
    ('lower', 'higher', 'neither')
    """
    with contextlib.suppress(SpecError):
        return get_measure(column).direction
    label, _, part = column.rpartition(".")
    with contextlib.suppress(TricoloreError):  # a layer is counted by the model, if it is here
        return get_measure(label).part_directions.get(part, "neither")
    return "neither"


def _build(spec: str) -> list[Measure]:
    head, _, written = spec.partition(":")
    name = head.strip().lower().replace("_", "-")
    if name in ("sum", "avg"):
        return [_combine(name, written)]
    terms = get_terms(spec)
    if len(terms) > 1 or terms[0].weight != 1:
        return [_combine("sum", spec)]
    if terms[0].spec != spec.strip():  # it was in brackets
        return get_measures(terms[0].spec)
    given = dict(_read_pair(spec, pair) for pair in written.split(",") if pair.strip())
    if name in GROUPS:
        return [_make(member, given) for member in GROUPS[name]]
    return [_make(name, given)]


def get_terms(spec: str) -> list[Term]:
    """The terms of a sum, as they are written; only one where the spec is none."""
    try:
        return split_terms(spec, _names(), _takes_text)
    except TermError as error:
        raise SpecError(str(error)) from error


def write_terms(terms: Iterable[tuple[float, Measure]]) -> str:
    """A sum of measures as `get_terms` reads it."""
    written = [Term(weight, measure.label) for weight, measure in terms]
    return join_terms(written, _names(), _takes_text)


def _takes_text(name: str, key: str) -> bool:
    """Whether a setting is free text: a path or the name of a model may hold a -."""
    known = aliases() | entries() | composed()
    return name in known and get_type_hints(known[name].load()).get(key) is str


def _combine(name: str, written: str) -> Measure:
    """A sum or an average. `scaling` is never a setting of a term, so it may stand last."""
    of, scaling = written, {}
    if found := re.search(r"[,:]\s*scaling\s*=([^,:]*)$", written):
        of, scaling = written[: found.start()], {"scaling": found[1]}
    return _make(name, {"of": of.strip(), **scaling})


def _read_pair(spec: str, pair: str) -> tuple[str, str]:
    key, equals, value = pair.partition("=")
    if not equals:
        raise SpecError(f"'{pair}' in '{spec}' is not a setting: write name=value")
    return key.strip().replace("-", "_"), value.strip()


def find(name: str) -> Entry:
    """The entry of a name, or an error that suggests the nearest one."""
    known = aliases() | entries() | composed()
    if name not in known:
        for first in sorted(_names(), key=len, reverse=True):
            second = name.removeprefix(f"{first}-")
            if second != name and difflib.get_close_matches(second, _names(), cutoff=0.8):
                raise SpecError(f"there is no measure '{second}'" + _suggest(second, _names()))
        raise SpecError(f"there is no measure '{name}'" + _suggest(name, _names()))
    return known[name]


def _make(name: str, given: Mapping[str, str]) -> Measure:
    entry = find(name)
    cls = entry.load()
    settings = read_settings(name, cls, given, entry.settings)
    try:
        return cls(**settings)
    except SpecError:  # of a term
        raise
    except ValueError as error:
        raise SpecError(f"{name}: {error}") from error


def read_settings(
    name: str,
    cls: type[Any],
    given: Mapping[str, str],
    fixed: Mapping[str, Setting] | None = None,
) -> dict[str, Any]:
    """Settings from the words that people typed: the preset's, then fixed ones, then theirs."""
    given = dict(given)
    preset = given.pop("preset", None)
    settings: dict[str, Any] = {**_preset(name, cls, preset), **(fixed or {})}
    hints = get_type_hints(cls)
    choices = [f.name for f in dataclasses.fields(cls) if not f.name.startswith("_")]
    for key, text in given.items():
        if key not in choices:
            raise SpecError(
                f"{name} has no setting '{key}'" + _suggest(key, choices) + f" ({name} has: "
                f"{', '.join([*choices, 'preset'] if cls.presets else choices) or 'none'})"
            )
        settings[key] = _read_value(name, key, text, hints[key])
    return settings


def _preset(name: str, cls: type[Any], preset: str | None) -> Mapping[str, Setting]:
    if preset is None:
        return {}
    if preset not in cls.presets:
        has = f"has: {', '.join(cls.presets)}" if cls.presets else "has no presets"
        raise SpecError(f"{name} has no preset '{preset}'; it {has}")
    return cast(Mapping[str, Setting], cls.presets[preset])


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
