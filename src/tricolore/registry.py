"""From a spec such as `rouge-2:stem=true` to the measure that it names."""

from __future__ import annotations

import contextlib
import difflib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, get_type_hints

from tricolore.errors import SpecError, TricoloreError, did_you_mean
from tricolore.measure import Correlate, Direction, Measure, Need
from tricolore.settings import (
    OPEN_POLICY,
    Policy,
    Setting,
    SettingInfo,
    describe_settings,
    read_settings,
)
from tricolore.spec import SUMS, Spec, parse_specs, shown
from tricolore.spec import split_specs as split_specs  # also part of this module's interface


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
        except (Exception, SystemExit) as error:  # whatever the module of a plugin does
            words = f"{type(error).__name__}: {error}"
            raise SpecError(f"{self.path} cannot be loaded: {words}") from error
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
    "pyramid": "pyramid:Pyramid",
    "highres": "highres:HighRes",
}

_NEURAL = {
    "blanc-help": "blanc_help:BlancHelp",
    "blanc-tune": "blanc_tune:BlancTune",
    "estime": "estime:Estime",
    "supert": "supert:Supert",
    "sbert": "sbert:Sbert",
    "grounding": "grounding:Grounding",
    "bert-score": "bert_score:BertScore",
    "summaqa": "summaqa:SummaQA",
    "nli": "nli:Nli",
    "gruen": "gruen:Gruen",
    "mover-score": "mover_score:MoverScore",
    "yisi": "yisi:Yisi",
    "regressor": "regressor:Regressor",
    "judge": "judge:Judge",
}

_COMPOSED = {
    "sum": "measures.combination:Sum",
    "avg": "measures.combination:Average",
    "mix": "train.mix:Mix",
    "sum-qe": "train.sum_qe:SumQe",
    "sbert-regression": "train.sbert_regression:SbertRegression",
}
"""Names that need a setting: the terms of a sum, or the directory of a trained model."""

GROUPS: dict[str, tuple[str, ...]] = {
    "rouge": ("rouge-1", "rouge-2", "rouge-l"),
    "fragments": ("coverage", "density", "compression"),
}
"""Names that stand for several measures."""


@cache
def entries() -> dict[str, Entry]:
    """Every measure by the name that users type, ours and those of installed plugins."""
    ours = {f"rouge-{v}": _rouge(v) for v in ROUGE_VARIANTS}
    ours |= {
        name: Entry(f"tricolore.measures.{path}") for name, path in (_LEXICAL | _NEURAL).items()
    }
    plugins = {point.name: Entry(point.value) for point in entry_points(group="tricolore.measures")}
    taken = sorted(plugins.keys() & (ours.keys() | GROUPS.keys() | _COMPOSED.keys()))
    if taken:
        raise SpecError(f"an installed plugin takes the name of a measure of ours: {taken[0]}")
    return ours | plugins


_THESIS_ROUGE = re.compile(
    rf"rouge-({'|'.join(ROUGE_VARIANTS)})(-stem)?(-stop)?(?:-(p|r|f1))?(?!\n)"
)


def _thesis_rouge(name: str) -> Entry | None:
    """The thesis's names of ROUGE versions, such as `rouge-w-stem-stop-p`."""
    found = _THESIS_ROUGE.fullmatch(name)
    if found is None:
        return None
    variant, stem, stop, value = found.groups()
    chosen: dict[str, Setting] = {}
    if stem:
        chosen["stem"] = True
    if stop:
        chosen["stop_words"] = "smart"
    if value in ("p", "r"):
        chosen["value"] = {"p": "precision", "r": "recall"}[value]
    return _rouge(variant, **chosen)


@cache
def composed() -> dict[str, Entry]:
    """Sums, averages and trained estimators, by the name that their spec begins with."""
    return {name: Entry(f"tricolore.{path}") for name, path in _COMPOSED.items()}


def _rouge(variant: str, **settings: Setting) -> Entry:
    return Entry("tricolore.measures.rouge:Rouge", {"variant": variant, **settings})


def _entry(name: str) -> Entry | None:
    return entries().get(name) or composed().get(name) or _thesis_rouge(name)


class MeasureNames:
    """The names of all measures, for the parser of specs."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in GROUPS or _entry(name) is not None)

    def takes_text(self, name: str, setting: str) -> bool:
        """Whether a setting is free text: a path or the name of a model may contain a -."""
        entry = _entry(name)
        return entry is not None and get_type_hints(entry.load()).get(setting) is str


NAMES = MeasureNames()


def get_measure(spec: str | Spec, policy: Policy = OPEN_POLICY) -> Measure:
    """The one measure that a spec names.

    >>> get_measure("rouge-2:stem=true").label
    'rouge-2:stem=true'
    """
    made = get_measures([spec], policy)
    if len(made) != 1:
        raise SpecError(f"{shown(spec)} names {len(made)} measures where one is wanted")
    return made[0]


def get_measures(
    specs: str | Iterable[str | Spec | Measure], policy: Policy = OPEN_POLICY
) -> list[Measure]:
    """The measures that a list of specs names, each once.

    A comma separates specs as well as the settings of one: `a:x=1,y=2,b` is `a:x=1,y=2` and `b`.
    `policy` says which files and models the specs may name; measures that are given as objects are
    not checked.
    """
    made: list[Measure] = []
    for given in [specs] if isinstance(specs, str) else specs:
        if isinstance(given, Measure):
            made.append(given)
            continue
        for spec in parse_specs(given, NAMES) if isinstance(given, str) else [given]:
            made += _build(spec, policy)
    if not made:
        raise SpecError("no measure is named; `tricolore measures` lists them")
    return list({m.label: m for m in made}.values())


def direction_of(column: str) -> Direction:
    """Whether higher or lower is better in a column: a measure's label, or `label.part`.

    `neither` for parts without a better direction, such as counts, and for columns that no known
    measure wrote.

    >>> direction_of("estime"), direction_of("estime.soft"), direction_of("bleu.sys_len")
    ('lower', 'higher', 'neither')
    """
    with contextlib.suppress(TricoloreError):
        return get_measure(column).direction
    label, _, part = column.rpartition(".")
    with contextlib.suppress(TricoloreError):  # the layers of a model that is not installed
        return get_measure(label).part_directions.get(part, "neither")
    return "neither"


@dataclass(frozen=True)
class MeasureInfo:
    """A description of a measure, for lists, pages and forms."""

    name: str
    summary: str
    """The first line of the docstring of its class."""
    needs: tuple[Need, ...]
    reads: tuple[Need, ...]
    direction: Direction
    follows: Correlate
    """What it follows more than it follows quality."""
    bounds: tuple[float, float]
    cost: str
    extra: str
    parts: Mapping[str, Direction]
    """The names of the parts, and whether higher or lower is better in each."""
    presets: Mapping[str, Mapping[str, Setting]]
    settings: tuple[SettingInfo, ...]
    is_complete: bool = True
    """If False, needs, direction, bounds and parts follow from what the name alone does not say:
    the terms of a sum, or the directory of a trained measure."""


def describe(spec: str, policy: Policy = OPEN_POLICY) -> MeasureInfo:
    """The description of the measure that a spec or a name stands for.

    >>> info = describe("jensen-shannon")
    >>> info.direction, info.bounds, [setting.name for setting in info.settings][:2]
    ('lower', (0.0, 1.0), ['stem', 'stop_words'])
    """
    parsed = Spec.parse(spec, NAMES)
    if parsed.name in GROUPS:
        members = GROUPS[parsed.name]
        raise SpecError(f"'{spec}' names {len(members)} measures: {', '.join(members)}")
    entry = find(parsed.name)
    cls = entry.load()
    is_complete = parsed.name not in composed() or bool(parsed.terms or parsed.settings)
    told = _declared(_make(parsed, policy)) if is_complete else _UNKNOWN
    return MeasureInfo(
        name=parsed.name,
        summary=(cls.__doc__ or "").strip().partition("\n")[0],
        cost=cls.cost,
        extra=cls.extra,
        presets=cls.presets,
        # Settings that the name fixes are left out: `rouge-2` has a variant.
        settings=tuple(s for s in describe_settings(cls) if s.name not in entry.settings),
        is_complete=is_complete,
        **told,
    )


def _declared(measure: Measure) -> dict[str, Any]:
    directions = measure.part_directions
    return {
        "needs": tuple(sorted(measure.needs)),
        "reads": tuple(sorted(measure.reads)),
        "direction": measure.direction,
        "follows": measure.follows,
        "bounds": measure.bounds,
        "parts": {part: directions.get(part, "neither") for part in measure.part_names},
    }


_UNKNOWN: dict[str, Any] = {
    "needs": (),
    "reads": (),
    "direction": "neither",
    "follows": "",
    "bounds": (-math.inf, math.inf),
    "parts": {},
}


def find(name: str) -> Entry:
    """The entry of a name, or an error that suggests the nearest one."""
    entry = _entry(name)
    if entry is not None:
        return entry
    known = sorted({*entries(), *composed(), *GROUPS}, key=len, reverse=True)
    for first in known:
        second = name.removeprefix(f"{first}-")
        if second != name and difflib.get_close_matches(second, known, cutoff=0.8):
            name = second
            break
    hint = did_you_mean(name, known, "`tricolore measures` lists all")
    raise SpecError(f"there is no measure {shown(name)}{hint}")


def _build(spec: Spec, policy: Policy) -> list[Measure]:
    members = GROUPS.get(spec.name, (spec.name,))
    return [_make(Spec(member, spec.settings, spec.terms), policy) for member in members]


def _make(spec: Spec, policy: Policy) -> Measure:
    entry = find(spec.name)
    cls = entry.load()
    settings = read_settings(spec.name, cls, spec.settings, entry.settings, policy)
    if spec.name in SUMS:
        settings["_terms"] = _terms(spec, policy)
    try:
        return cls(**settings)
    except SpecError:  # of a term
        raise
    except ValueError as error:
        raise SpecError(f"{spec.name}: {error}") from error


def _terms(spec: Spec, policy: Policy) -> tuple[tuple[float, Measure], ...]:
    """The measures of a sum, each with its weight."""
    found = []
    for term in spec.terms:
        made = _build(term.spec, policy)
        if len(made) != 1:
            raise SpecError(
                f"{shown(term.spec)} names {len(made)} measures; in a sum, name each: "
                + "+".join(measure.label for measure in made)
            )
        found.append((term.weight, made[0]))
    return tuple(found)
