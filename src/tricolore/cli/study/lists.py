"""Parsing lists of numbers on the command line."""

from __future__ import annotations

import math

from tricolore.errors import SpecError


def numbers(written: str, option: str) -> list[float]:
    """Numbers that are separated by commas.

    >>> numbers("0, 0.5,1", "--shares")
    [0.0, 0.5, 1.0]
    """
    try:
        found = [float(word) for word in written.split(",")] if written.strip() else []
    except ValueError:
        found = [math.nan]
    if not all(map(math.isfinite, found)):
        raise SpecError(f"{option} takes numbers separated by commas, not '{written}'")
    return found


def label_values(written: str, option: str) -> dict[str, float]:
    """Labels and their numbers.

    >>> label_values("bad=0,good=3", "--values")
    {'bad': 0.0, 'good': 3.0}
    """
    found = {}
    for pair in filter(None, written.split(",")):
        label, equals, value = pair.rpartition("=")
        try:
            found[label.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise SpecError(f"{option} takes label=number separated by commas, not '{pair}'")
    return found


def number_values(written: str, option: str) -> dict[float, float]:
    """Numbers as labels, and their numbers.

    >>> number_values("0=3,1=3,2=1", "--weights")
    {0.0: 3.0, 1.0: 3.0, 2.0: 1.0}
    """
    try:
        return {float(label): value for label, value in label_values(written, option).items()}
    except ValueError:
        raise SpecError(
            f"{option} takes number=number separated by commas, not '{written}'"
        ) from None
