"""`tricolore study`: what evaluation papers ask of measures, one file per question."""

from __future__ import annotations

import typer

from tricolore.cli.study.annotators import annotators
from tricolore.cli.study.complementarity import complementarity
from tricolore.cli.study.mixes import mixes
from tricolore.cli.study.ranges import ranges
from tricolore.cli.study.robustness import robustness
from tricolore.cli.study.scaling import scaling
from tricolore.cli.study.spurious import spurious

study = typer.Typer(
    help="Study measures: what papers ask besides the correlation with human scores.",
    no_args_is_help=True,
)
for command in (mixes, complementarity, scaling, robustness, spurious, annotators, ranges):
    study.command()(command)
