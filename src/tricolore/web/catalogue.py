"""What a server offers: the measures and kinds of damage that its policy allows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tricolore.api.recommended import recommended
from tricolore.errors import SpecError, TricoloreError
from tricolore.measure import Composed, Measure, flatten
from tricolore.models.loading import missing_for
from tricolore.perturb.kinds import KINDS, find_perturbation
from tricolore.perturb.perturbation import Perturbation
from tricolore.registry import describe, entries, get_measure, get_measures
from tricolore.settings import Policy, SettingInfo, Settings, describe_settings

_MOST_SIGNATURES = 1000


class Catalogue:
    """Measures and kinds of damage, with the models that they may use.

    Settings may name no file, and only models that measures use by default or that the operator
    has named. All of them must be on this machine: a measure whose model is not is listed as not
    available, and refused before any work begins.
    """

    def __init__(self, models: Sequence[str] = ()) -> None:
        for name in models:
            if missing := missing_for(name):
                raise TricoloreError(
                    f"the model {name} cannot be offered: {missing} is not on this machine",
                    argument="model",
                )
        self._missing = {name: missing_for(name) for name in {*_default_models(), *models}}
        self._offered = list(models)
        self.policy = Policy(files=False, models=frozenset(self._missing))
        self._signatures: dict[str, dict[str, Any]] = {}
        self._broken: dict[object, str] = {}
        self._not_warm: Mapping[str, str] = {}

    def measures(self, specs: Sequence[str]) -> list[Measure]:
        """The measures that specs of a stranger name; an error for what is not offered."""
        made = get_measures(specs, self.policy)
        for measure in flatten(made):
            if why_not := self.why_not(measure):
                raise SpecError(
                    f"{measure.name} is not available on this server: {why_not}",
                    argument="measures",
                )
        return made

    def note_not_warm(self, problems: Mapping[str, str]) -> None:
        """Take note of measures, by label, whose models could not be loaded, and why."""
        if problems != self._not_warm:
            self._not_warm = problems
            self._broken = {
                _model_key(get_measure(label)): words.partition("\n")[0]
                for label, words in problems.items()
            }

    def recommended(self, *, source: bool, references: bool) -> list[Measure]:
        """The recommended measures, as far as they are offered."""
        found = recommended(source=source, references=references).measures
        return [measure for measure in found if not self.why_not(measure)]

    def why_not(self, measure: Settings) -> str:
        """Why a measure or a kind of damage cannot be used here; empty if it can."""
        if isinstance(measure, Measure) and measure.is_remote:
            return "it sends texts to another service"
        for name in _models_of(measure.settings, type(measure)):
            if missing := self._missing.get(name, ""):
                return f"{missing} is not installed"
        return self._broken.get(_model_key(measure), "")

    def to_warm(self, specs: Sequence[str] | None) -> list[Measure]:
        """Measures that load models at the start: those named, else one for every model.

        Specs of the operator may name anything.
        """
        if specs is not None:
            return [measure for spec in specs for measure in flatten(get_measures(spec))]
        found: dict[object, Measure] = {}
        for name in entries():
            measure = get_measure(name)
            if _models_of(measure.settings, type(measure)) and not self.why_not(measure):
                found.setdefault(_model_key(measure), measure)
        return list(found.values())

    def measures_json(self) -> list[dict[str, Any]]:
        """All measures, for a form: the recommended ones first, in their order."""
        usual = [m.name for refs in (False, True) for m in recommended(references=refs).measures]
        names = dict.fromkeys([*(name for name in usual if name in entries()), *entries()])
        return [self._measure_json(name, name in usual) for name in names]

    def _measure_json(self, name: str, is_recommended: bool) -> dict[str, Any]:
        info, measure = describe(name), get_measure(name)
        why_not = self.why_not(measure)
        return {
            "name": name,
            "summary": info.summary,
            "meaning": measure.meaning,
            "needs": list(info.needs),
            "direction": info.direction,
            "follows": info.follows,
            "bounds": finite(info.bounds),
            "cost": info.cost,
            "parts": dict(info.parts),
            "presets": {preset: dict(of) for preset, of in info.presets.items()},
            "settings": self._settings_json(info.settings),
            "is_available": not why_not,
            "is_recommended": is_recommended,
            "why_not": why_not,
        }

    def perturbations_json(self) -> list[dict[str, Any]]:
        """All kinds of damage, for a form."""
        return [self._perturbation_json(find_perturbation(kind)) for kind in KINDS]

    def _perturbation_json(self, cls: type[Perturbation]) -> dict[str, Any]:
        why_not = self.why_not(cls())
        settings = [s for s in describe_settings(cls) if s.name not in ("seed", "copy")]
        return {
            "kind": cls.kind,
            "summary": (cls.__doc__ or "").strip().partition("\n")[0],
            "needs_source": cls.needs_source,
            "is_counted": cls.counted,
            "settings": self._settings_json(settings),
            "is_available": not why_not,
            "why_not": why_not,
        }

    def _settings_json(self, settings: Iterable[SettingInfo]) -> list[dict[str, Any]]:
        """The settings that a stranger may choose: no file, server or revision."""
        return [
            {
                "name": setting.name,
                "type": setting.type,
                "default": setting.default,
                "help": setting.help,
                "choices": self._choices(setting),
            }
            for setting in settings
            if setting.opens not in ("file", "address")
            and (setting.opens != "model" or setting.default)
        ]

    def _choices(self, setting: SettingInfo) -> list[str]:
        if setting.opens == "model":
            return list(dict.fromkeys([str(setting.default), *self._offered]))
        return list(setting.choices)

    def measure_json(self, measure: Measure, *, is_fitted: bool) -> dict[str, Any]:
        """A measure of an answer; `is_fitted` to the texts of one request."""
        return {
            "label": measure.label,
            "direction": measure.direction,
            "bounds": finite(measure.bounds),
            "meaning": measure.meaning,
            "follows": measure.follows,
            "signature": self._signature(measure, is_fitted),
        }

    def _signature(self, measure: Measure, is_fitted: bool) -> dict[str, Any]:
        if is_fitted:
            return plain_signature(measure)
        if measure.label not in self._signatures:
            if len(self._signatures) >= _MOST_SIGNATURES:
                self._signatures.clear()
            self._signatures[measure.label] = plain_signature(measure)
        return self._signatures[measure.label]


def plain_signature(measure: Measure) -> dict[str, Any]:
    """The signature of a measure as JSON can hold it."""
    signature: dict[str, Any] = finite(measure.signature())
    return signature


def finite(value: Any) -> Any:
    """Plain values with None for numbers that JSON does not have.

    >>> finite({"bounds": (0.0, math.inf)})
    {'bounds': [0.0, None]}
    """
    if isinstance(value, dict):
        return {str(key): finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _default_models() -> set[str]:
    """The models that measures and kinds of damage use unless another one is named."""
    classes: list[type[Settings]] = [entry.load() for entry in entries().values()]
    classes += [find_perturbation(kind) for kind in KINDS]
    return {name for cls in classes for name in _models_of(cls.defaults(), cls)}


def _model_key(measure: Settings) -> object:
    """Measures with the same key share a model."""
    models = tuple(_models_of(measure.settings, type(measure)))
    return getattr(type(measure), "model_class", type(measure)), models


def _models_of(settings: Any, cls: type[Settings]) -> list[str]:
    """The models that settings name."""
    if issubclass(cls, Composed):
        return []
    return [str(settings[name]) for name in _model_settings(cls) if settings[name]]  # type: ignore[arg-type]


@cache
def _model_settings(cls: type[Settings]) -> tuple[str, ...]:
    """The settings that name a model, found once per class: every request asks for them."""
    return tuple(info.name for info in describe_settings(cls) if info.opens == "model")
