"""Settings as fields of a dataclass, each with a line of help, written and read as text.

Measures, estimators and perturbations all take their settings this way, so that they share one
grammar (`name:setting=value,…`), one table of help and one set of errors.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from tricolore.errors import SpecError, did_you_mean
from tricolore.spec import Spec, shown

LARGEST = 2**31 - 1
"""The largest whole number that is accepted anywhere; the smallest is minus this."""
Setting = str | int | float | bool
ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class Opens:
    """Marks a setting whose text names a `file`, a `model` or an `address` that is opened.

    `words` are values that name nothing to open, besides the empty text.
    """

    what: Literal["file", "model", "address"]
    words: tuple[str, ...] = ()


FilePath = Annotated[str, Opens("file")]
"""A setting that names a file or directory on this machine."""
ModelName = Annotated[str, Opens("model")]
"""A setting that names a model: an installed one, a local directory, or one on the hub."""
ModelRevision = Annotated[str, Opens("model")]
"""A setting that names a version of a model: other weights than those that were allowed."""
ServerAddress = Annotated[str, Opens("address")]
"""A setting that names a server to which texts are sent."""


def setting(default: ValueT, help: str) -> ValueT:
    """A field with a default and a line of help that is available at run time.

    >>> @dataclass(frozen=True, kw_only=True)
    ... class Ngrams(Settings):
    ...     n: int = setting(2, "Number of words in an n-gram.")
    >>> Ngrams().settings, Ngrams.help_of("n")
    ({'n': 2}, 'Number of words in an n-gram.')
    """
    return dataclasses.field(default=default, metadata={"help": help})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A frozen dataclass whose fields are settings; fields that begin with `_` are not."""

    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {}
    """Named groups of settings. The defaults of the fields are the first preset."""

    @classmethod
    def setting_fields(cls) -> dict[str, dataclasses.Field[Any]]:
        """The fields that are settings, by name."""
        return {f.name: f for f in dataclasses.fields(cls) if not f.name.startswith("_")}

    @classmethod
    def defaults(cls) -> dict[str, Setting]:
        """The default of every setting."""
        return {name: cast(Setting, f.default) for name, f in cls.setting_fields().items()}

    @classmethod
    def help_of(cls, name: str) -> str:
        """The line of help of a setting."""
        return str(cls.setting_fields()[name].metadata.get("help", ""))

    @property
    def settings(self) -> dict[str, Setting]:
        """The settings by name."""
        return {name: getattr(self, name) for name in self.setting_fields()}


def write_setting(value: Setting) -> str:
    """A setting as it is written in a spec.

    >>> write_setting(True)
    'true'
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def shortest_spec(
    name: str,
    settings: Mapping[str, Setting],
    defaults: Mapping[str, Setting],
    presets: Mapping[str, Mapping[str, Setting]],
) -> Spec:
    """The shortest spec that makes these settings again, with a preset where that is shorter.

    >>> str(shortest_spec("chrf", {"n": 6, "b": 2}, {"n": 6, "b": 3}, {}))
    'chrf:b=2'
    """
    candidates = []
    for preset, changed in {"": {}, **presets}.items():
        base = {**defaults, **changed}
        words = {"preset": preset} if preset else {}
        words |= {k: write_setting(v) for k, v in settings.items() if v != base[k]}
        candidates.append(words)
    return Spec(name, min(candidates, key=len))


@dataclass(frozen=True)
class Policy:
    """What the settings of a spec may open: for programs that take specs from untrusted users.

    `files`: whether settings may name files and directories of this machine, and addresses of
    servers, which may be within its network. `models`: the names
    of the models that may be used; any if None. The models that measures use by default must be
    on the list as well.
    """

    files: bool = True
    models: frozenset[str] | None = None

    def check(self, name: str, cls: type[Settings], settings: Mapping[str, Setting]) -> None:
        """Raise `SpecError` for a setting that opens what may not be opened."""
        for key, opens in _opening(cls).items():  # type: ignore[arg-type]
            value = str(settings[key])
            if value and value not in opens.words and not self._allows(opens, value):
                models = ", ".join(sorted(self.models or ()))
                what = "an address" if opens.what == "address" else f"a {opens.what}"
                raise SpecError(
                    f"{name}: {key}={value} is not allowed here, for it names {what}",
                    f"the models are: {models}" if models and opens.what == "model" else "",
                )

    def _allows(self, opens: Opens, value: str) -> bool:
        if opens.what in ("file", "address"):
            return self.files
        if self.models is not None:
            return value in self.models
        is_path = value.startswith(("/", ".", "~")) or os.path.isdir(value)
        return self.files or not is_path


OPEN_POLICY = Policy()
"""Everything may be opened."""


def read_settings(
    name: str,
    cls: type[Settings],
    given: Mapping[str, str],
    fixed: Mapping[str, Setting] | None = None,
    policy: Policy = OPEN_POLICY,
) -> dict[str, Any]:
    """Settings from the words of a spec: the preset's, then fixed ones, then the given ones."""
    given = dict(given)
    preset = given.pop("preset", None)
    settings: dict[str, Any] = {**_preset(name, cls, preset), **(fixed or {})}
    hints = _hints(cls)  # type: ignore[arg-type]
    known = list(cls.setting_fields())
    for key, text in given.items():
        if key not in known:
            has = ", ".join([*known, "preset"] if cls.presets else known) or "none"
            raise SpecError(
                f"{name} has no setting {shown(key)}{did_you_mean(key, known)} ({name} has: {has})"
            )
        settings[key] = _read_value(name, key, text, hints[key])
    policy.check(name, cls, {**cls.defaults(), **settings})
    return settings


@dataclass(frozen=True)
class SettingInfo:
    """The description of a setting."""

    name: str
    type: str
    """As text: `choice`, `true or false`, `whole number`, `number`, `text`, `file`, `model`,
    `address`."""
    choices: tuple[str, ...]
    default: Setting
    help: str
    opens: Literal["", "file", "model", "address"]


def describe_settings(cls: type[Settings]) -> tuple[SettingInfo, ...]:
    """All settings of a measure, an estimator or a perturbation."""
    hints, opening = _hints(cls), _opening(cls)  # type: ignore[arg-type]
    return tuple(
        SettingInfo(
            name=name,
            type=opening[name].what if name in opening else _type_words(hints[name]),
            choices=tuple(map(write_setting, _choices(hints[name]))),
            default=cast(Setting, field.default),
            help=cls.help_of(name),
            opens=opening[name].what if name in opening else "",
        )
        for name, field in cls.setting_fields().items()
    )


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    """The types of the settings, found once, for finding them takes milliseconds."""
    return get_type_hints(cls)


@cache
def _opening(cls: type[Any]) -> dict[str, Opens]:
    """The settings that open something."""
    hints = get_type_hints(cls, include_extras=True)
    found = {}
    for name in cls.setting_fields():
        for mark in getattr(hints[name], "__metadata__", ()):
            if isinstance(mark, Opens):
                found[name] = mark
    return found


def _choices(hint: Any) -> tuple[Setting, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def _type_words(hint: Any) -> str:
    words = {bool: "true or false", int: "whole number", float: "number"}
    return "choice" if _choices(hint) else words.get(hint, "text")


def _preset(name: str, cls: type[Settings], preset: str | None) -> Mapping[str, Setting]:
    if preset is None:
        return {}
    if preset not in cls.presets:
        has = f"has: {', '.join(cls.presets)}" if cls.presets else "has no presets"
        raise SpecError(f"{name} has no preset {shown(preset)}; it {has}")
    return cls.presets[preset]


def _read_value(name: str, key: str, text: str, hint: Any) -> Setting:
    if choices := _choices(hint):
        for choice in choices:
            if write_setting(choice) == text.lower():
                return choice
        expected = "one of " + ", ".join(write_setting(choice) for choice in choices)
    elif hint is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() in words:
            return words[text.lower()]
        expected = "true or false"
    elif hint in (int, float):
        expected = "a whole number" if hint is int else "a number"
        with suppress(ValueError):
            number = int(text) if hint is int else float(text)
            if math.isfinite(number) if hint is float else abs(number) <= LARGEST:
                return number
            expected += f" from {-LARGEST} to {LARGEST}" if hint is int else " that is finite"
    else:
        return text
    given = shown(text)[1:-1]
    raise SpecError(f"{name}: {key}={given} was given, but {key} must be {expected}")
