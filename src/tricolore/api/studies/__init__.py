"""Studies of measures: what evaluation papers ask besides the correlation with human scores.

Each function returns a `Study`, with its data, its table and its figure.
"""

from tricolore.api.studies.annotators import annotators
from tricolore.api.studies.complementarity import complementarity
from tricolore.api.studies.mixes import mixes
from tricolore.api.studies.ranges import ranges
from tricolore.api.studies.robustness import robustness
from tricolore.api.studies.scaling import scaling
from tricolore.api.studies.spurious import spurious
from tricolore.api.studies.study import Study

__all__ = [
    "Study",
    "annotators",
    "complementarity",
    "mixes",
    "ranges",
    "robustness",
    "scaling",
    "spurious",
]
