"""tricolore judges summaries, above all without references."""

from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.registry import get_measure, get_measures
from tricolore.run.run import Result, Run, score
from tricolore.score import Score, Span

__all__ = [
    "Example",
    "Measure",
    "Result",
    "Run",
    "Score",
    "Span",
    "SpecError",
    "get_measure",
    "get_measures",
    "score",
]
