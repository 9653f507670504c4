"""tricolore judges summaries, above all without references."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Modules with the same name as a function of this package are imported first: importing one of them
# later would replace the function by the module.
for _name in ("perturb", "report", "score", "train"):
    import_module(f"tricolore.{_name}")
    del globals()[_name]

if TYPE_CHECKING:
    from tricolore.api.agreement import agreement, compare_measures
    from tricolore.api.atlas import atlas
    from tricolore.api.cache import cache_info, clear_cache, prune_cache
    from tricolore.api.check import check
    from tricolore.api.compare import compare
    from tricolore.api.corpus import fit_corpus
    from tricolore.api.evaluate import evaluate
    from tricolore.api.judge_pairs import judge_pairs
    from tricolore.api.map_batches import batch_schema, map_batches
    from tricolore.api.perturb import perturb
    from tricolore.api.report import report
    from tricolore.api.sensitivity import sensitivity
    from tricolore.api.sweep import sweep
    from tricolore.api.train import train
    from tricolore.data.columns import Columns
    from tricolore.errors import SpecError, TricoloreError
    from tricolore.example import Example
    from tricolore.measure import Measure
    from tricolore.models.placement import Placement
    from tricolore.registry import describe, get_measure, get_measures
    from tricolore.run.cache import Cache
    from tricolore.run.ray_parts import RayParts
    from tricolore.run.run import Result, Run, score
    from tricolore.score import Score, Span

    __version__: str

__all__ = [
    "Cache",
    "Columns",
    "Example",
    "Measure",
    "Placement",
    "RayParts",
    "Result",
    "Run",
    "Score",
    "Span",
    "SpecError",
    "TricoloreError",
    "__version__",
    "agreement",
    "atlas",
    "batch_schema",
    "cache_info",
    "check",
    "clear_cache",
    "compare",
    "compare_measures",
    "describe",
    "evaluate",
    "fit_corpus",
    "get_measure",
    "get_measures",
    "judge_pairs",
    "map_batches",
    "perturb",
    "prune_cache",
    "report",
    "score",
    "sensitivity",
    "sweep",
    "train",
]

_HOMES = {
    "Cache": "run.cache",
    "Columns": "data.columns",
    "Example": "example",
    "Measure": "measure",
    "Placement": "models.placement",
    "RayParts": "run.ray_parts",
    "Result": "run.run",
    "Run": "run.run",
    "Score": "score",
    "Span": "score",
    "SpecError": "errors",
    "TricoloreError": "errors",
    "agreement": "api.agreement",
    "atlas": "api.atlas",
    "batch_schema": "api.map_batches",
    "cache_info": "api.cache",
    "check": "api.check",
    "clear_cache": "api.cache",
    "compare": "api.compare",
    "compare_measures": "api.agreement",
    "describe": "registry",
    "evaluate": "api.evaluate",
    "fit_corpus": "api.corpus",
    "get_measure": "registry",
    "get_measures": "registry",
    "judge_pairs": "api.judge_pairs",
    "map_batches": "api.map_batches",
    "perturb": "api.perturb",
    "prune_cache": "api.cache",
    "report": "api.report",
    "score": "run.run",
    "sensitivity": "api.sensitivity",
    "sweep": "api.sweep",
    "train": "api.train",
}
"""Where each name is defined: it is imported when it is first used."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tricolore")
    if name not in _HOMES:
        raise AttributeError(f"module 'tricolore' has no attribute '{name}'")
    globals()[name] = found = getattr(import_module(f"tricolore.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
