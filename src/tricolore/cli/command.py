"""What all commands have in common: suggestions for a mistyped option, and safe outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from tricolore.cli.suggestions import suggested_options

_PATHS = ("FILE", "FILE|DIR...", "SCORES", "PATH")
_SPECS = ("SPECS", "SPEC", "ESTIMATOR", "NAME=VALUE")
"""What options and arguments take that name files, as their help shows it."""


class Command(TyperCommand):
    """A command that never writes over what it reads.

    Its outputs are the options of the help panel "Output" that take a PATH. They are checked
    before the command runs, and kept from other processes while it runs.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; the error about one that does not exist suggests the right one."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if type(error).__name__ == "NoSuchOption":
                options = [name for parameter in self.params for name in parameter.opts]
                found: Any = error
                found.possibilities = suggested_options(found.option_name, options)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run the command, unless an output of it is one of its inputs."""
        outputs = [
            (path, option.name)
            for option in self.outputs()
            for path in _written(ctx.params[option.name])
        ]
        if not outputs:
            return super().invoke(ctx)
        from tricolore.data.outputs import reserved

        with reserved(outputs, self._inputs(ctx.params)):
            return super().invoke(ctx)

    def outputs(self) -> list[Any]:
        """The options that name what is written."""
        return [parameter for parameter in self.params if _is_output(parameter)]

    def _inputs(self, values: Mapping[str, Any]) -> Iterator[Path]:
        from tricolore.api.inputs import inputs_of, named_files

        for parameter in self.params:
            value = values.get(parameter.name)
            if not value or _is_output(parameter):
                continue
            if parameter.name == "cache":
                yield from inputs_of(cache=value)
            elif parameter.metavar in _PATHS:
                yield from map(Path, [value] if isinstance(value, str) else value)
            elif parameter.metavar in _SPECS:
                for text in [value] if isinstance(value, str) else value:
                    yield from named_files(text)
                    yield from named_files(f"set:{text}")  # of `--set name=value`


def _written(path: str) -> Iterator[str | Path]:
    """The path that an option names, and the figures that may be replaced in a directory."""
    if path:
        yield path
        with suppress(OSError):  # whoever writes it reports that
            yield from Path(path).glob("*.svg")


def _is_output(parameter: Any) -> bool:
    panel = getattr(parameter, "rich_help_panel", None)
    return panel == "Output" and parameter.metavar == "PATH"
