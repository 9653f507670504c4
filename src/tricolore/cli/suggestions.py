"""Examples below a command's options, and suggestions for a mistyped option."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MEANT = {
    "metric": "measures",
    "metrics": "measures",
    "measure": "measures",
    "out": "output",
    "outfile": "output",
    "document": "source",
    "article": "source",
    "text": "source",
    "prediction": "summary",
    "predictions": "summary",
    "candidate": "summary",
    "hypothesis": "summary",
    "reference": "references",
    "refs": "references",
    "model": "system",
    "id": "doc-id",
    "target": "human",
    "bootstrap": "resamples",
    "draws": "resamples",
    "plots": "plot",
    "as": "format",
    "by": "coefficient",
    "workers": "jobs",
    "processes": "jobs",
    "gpu": "device",
    "no-cache": "cache",
    "max-rows": "limit",
}
"""Names of options in other programs."""


def suggested_options(given: str, known: Iterable[str]) -> list[str]:
    """The options that were probably meant.

    >>> suggested_options("--metric", ["--measures", "--device", "--strict"])
    ['--measures']
    >>> suggested_options("--sumary", ["--summary", "--source"])
    ['--summary']
    """
    options = list(known)
    meant = f"--{_MEANT.get(given.lstrip('-'), '')}"
    if meant in options:
        return [meant]
    return difflib.get_close_matches(given, options, n=1, cutoff=0.75)


def epilog(examples: str) -> str:
    """The examples that are shown below the options of a command."""
    lines = [line.strip() for line in examples.strip().splitlines() if line.strip()]
    if not lines:
        return ""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n\n".join([title, *lines])
