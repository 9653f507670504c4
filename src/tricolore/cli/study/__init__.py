"""`tricolore study`: what evaluation papers ask of measures, one file per question."""

from __future__ import annotations

import typer

from tricolore.cli.command import Command
from tricolore.cli.study import (
    annotators,
    complementarity,
    mixes,
    ranges,
    robustness,
    scaling,
    spurious,
)
from tricolore.cli.suggestions import epilog

study = typer.Typer(
    help="Study measures: what papers ask besides the correlation with human scores.",
    no_args_is_help=True,
    epilog=epilog("tricolore study spurious scores.parquet --human coherence"),
)
for _module in (mixes, complementarity, scaling, robustness, spurious, annotators, ranges):
    _name = _module.__name__.rpartition(".")[2]
    _command = study.command(_name, cls=Command, epilog=epilog(_module.EXAMPLES))
    _command(getattr(_module, _name))
