"""Settings as fields of a dataclass, each with a line of help, written and read as words.

Measures, estimators and perturbations all take their settings this way, so that one grammar
(`name:setting=value,…`), one table of help and one set of errors serves them all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar, cast

Setting = str | int | float | bool
Value = TypeVar("Value")


@dataclass(frozen=True)
class Opens:
    """Marks a setting whose text names something that is opened: a `file` or a `model`."""

    what: str


FilePath = Annotated[str, Opens("file")]
"""A setting that names a file or directory on this machine."""
ModelName = Annotated[str, Opens("model")]
"""A setting that names a model: an installed one, a local directory, or one on the hub."""


def setting(default: Value, help: str) -> Value:
    """A field with a default and a line of help that is there at run time.

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
) -> str:
    """The shortest words that make these settings again, with a preset where that is shorter.

    >>> shortest_spec("chrf", {"n": 6, "b": 2}, {"n": 6, "b": 3}, {})
    'chrf:b=2'
    """
    candidates = []
    for preset, changed in {"": {}, **presets}.items():
        base = {**defaults, **changed}
        words = [f"preset={preset}"] if preset else []
        words += [f"{k}={write_setting(v)}" for k, v in settings.items() if v != base[k]]
        candidates.append(words)
    shortest = min(candidates, key=len)
    return f"{name}:{','.join(shortest)}" if shortest else name
