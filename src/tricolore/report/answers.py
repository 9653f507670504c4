"""Results in words: which system is better, what was found, which measure agrees with people.

Pure functions from numbers to sentences; names of systems and measures are in them as they are, so
whoever shows a sentence escapes it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tricolore.measure import Direction
from tricolore.meta.agreements import MeasureAgreement
from tricolore.meta.choices import SYMBOLS
from tricolore.meta.system_tests import SystemComparison, SystemRank
from tricolore.report.result_table import Number
from tricolore.text.plural import listed, plural

_CLAIMS = {
    "numbers": "numbers or dates that {} does not have",
    "names": "names that {} does not have",
    "sentences": "sentences that no passage of {} supports well",
    "words": "words that {} does not have (often mere rewording)",
}
"""What summaries contain, by what is counted; `{}` is the source."""
_MOST_NAMED = 8
"""Systems that a sentence names; more are counted."""


def judged_answer(
    rows: int, documents: int, systems: Sequence[str], measures: Sequence[str]
) -> str:
    """What was judged, in one sentence.

    >>> judged_answer(6, 3, ["a", "b"], ["chrf"])
    '6 summaries of 3 documents by 2 systems, judged by 1 measure.'
    """
    named = [name for name in systems if name]
    by = f" by {plural(len(systems), 'system')}" if named else ""
    judged = f", judged by {plural(len(measures), 'measure')}" if measures else ""
    return f"{plural(rows, 'summary')} of {plural(documents, 'document')}{by}{judged}."


def comparison_answers(
    comparisons: Mapping[str, Sequence[SystemComparison]],
    rankings: Mapping[str, Sequence[SystemRank]],
    systems: Sequence[str],
    directions: Mapping[str, Direction],
    alpha: float = 0.05,
) -> list[str]:
    """Which system is better by which measure, as sentences.

    Args:
        comparisons: Every pair of systems, by measure.
        rankings: The systems with their ranks, by measure.
        systems: The compared systems.
        directions: Whether higher or lower is better, by measure.
        alpha: Significance level of corrected p-values.
    """
    if len(systems) == 2:
        return [_difference_of_two(comparisons, directions, alpha)]
    alike: dict[tuple[str, ...], list[str]] = {}
    for measure, ranks in rankings.items():
        first = sorted(place.system for place in ranks if place.rank == 1)
        alike.setdefault(tuple(first), []).append(measure)
    return [_first_rank(first, by, len(systems)) for first, by in alike.items()]


def _difference_of_two(
    comparisons: Mapping[str, Sequence[SystemComparison]],
    directions: Mapping[str, Direction],
    alpha: float,
) -> str:
    pairs = [one for each in comparisons.values() for one in each]
    differ = [one for one in pairs if one.significant(alpha)]
    alike = [one.measure for one in pairs if not one.significant(alpha)]
    said = [_difference(one, directions.get(one.measure, "neither")) for one in differ]
    if alike:
        said.append(f"no significant difference by {listed(alike)}")
    words = "; ".join(said)
    return f"{words[:1].upper()}{words[1:]}." if not differ else f"{words}."


def _difference(one: SystemComparison, direction: Direction) -> str:
    high, low = (one.first, one.second) if one.difference > 0 else (one.second, one.first)
    high, low = _name(high), _name(low)
    if one.difference < 0:
        one = replace(one, difference=-one.difference, low=-one.high, high=-one.low)
    amount = Number(one.difference, one.low, one.high).words
    if direction == "neither":
        return f"{high} has more {one.measure} than {low}, by {amount}"
    better, worse = (low, high) if direction == "lower" else (high, low)
    return f"{better} is better than {worse} by {one.measure}, by {amount}"


def _first_rank(first: Sequence[str], measures: Sequence[str], systems: int) -> str:
    by = f"By {listed(measures)}"
    if not first:
        return f"{by}, no system has a value."
    if len(first) == systems:
        return f"{by}, no system is significantly better than another."
    if len(first) > _MOST_NAMED:
        return f"{by}, {len(first)} of {systems} systems share the first rank."
    ranks = "ranks first" if len(first) == 1 else "share the first rank"
    return f"{by}, {listed([_name(name) for name in first])} {ranks} of {systems} systems."


def finding_answer(summaries: Mapping[str, int], checked: int, not_checked: int = 0) -> str:
    """In how many summaries something was found that the source does not support.

    Args:
        summaries: The number of summaries with at least one finding, by `numbers`, `names`,
            `sentences` and `words`; `contradicted` of those with numbers have one for which the
            source has another value.
        checked: The number of summaries that were checked.
        not_checked: The number of other rows.

    >>> finding_answer({"numbers": 14}, 120)
    '14 of 120 summaries contain numbers or dates that the source does not have.'
    """
    total = plural(checked, "summary")
    found: list[str] = []
    for column, claim in _CLAIMS.items():
        if number := summaries.get(column, 0):
            who = f"{number} of {total}" if not found else str(number)
            verb = "contains" if number == 1 else "contain"
            said = f"{who} {verb} {claim.format('it' if found else 'the source')}"
            if column == "numbers" and summaries.get("contradicted"):
                said += f" (in {summaries['contradicted']} it has another value)"
            found.append(said)
    said = "; ".join(found) or f"Nothing was found in {total}"
    if not_checked:
        said += f"; {plural(not_checked, 'row')} could not be checked"
    return f"{said}."


def agreement_answer(entries: Sequence[MeasureAgreement]) -> str:
    """Which measure agrees best with each human score, at the first level that is there."""
    level, statistic = entries[0].level, entries[0].statistic
    sign = -1.0 if statistic == "mae" else 1.0
    said = []
    for quality in dict.fromkeys(entry.quality for entry in entries):
        known = [
            entry
            for entry in entries
            if (entry.quality, entry.level, entry.statistic) == (quality, level, statistic)
            and math.isfinite(entry.agreement.value)
        ]
        if not known:
            said.append(f"none with {quality}")
            continue
        best = max(known, key=lambda entry: sign * entry.agreement.value)
        words = f"{best.measure} with {quality}, "
        words += Number(best.agreement.value, best.low, best.high).words
        if statistic != "mae" and math.isfinite(best.low) and best.low <= 0:
            words += ", which may be chance"
        said.append(words)
    kind = f"{'partial ' if entries[0].controls else ''}{SYMBOLS[statistic]}"
    return f"Measures that agree best with people ({level} level, {kind}): {'; '.join(said)}."


def missing_answer(missing: Mapping[str, int], rows: int) -> str:
    """Which measures have no value for how many rows; empty if none is missing.

    >>> missing_answer({"chrf": 0, "nli": 3, "estime": 3}, 12)
    'Without a value: nli and estime in 3 of 12 rows.'
    """
    by_count: dict[int, list[str]] = {}
    for measure, count in missing.items():
        if count:
            by_count.setdefault(count, []).append(measure)
    said = [
        f"{listed(measures)} in {count} of {plural(rows, 'row')}"
        for count, measures in by_count.items()
    ]
    return f"Without a value: {'; '.join(said)}." if said else ""


def _name(system: str) -> str:
    return system or "(none)"
