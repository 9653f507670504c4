"""Results in words."""

from __future__ import annotations

import math
from typing import Any

from tricolore.meta.agreements import MeasureAgreement
from tricolore.meta.levels import Agreement
from tricolore.meta.system_tests import SystemComparison, SystemRank
from tricolore.report.answers import (
    agreement_answer,
    comparison_answers,
    finding_answer,
    judged_answer,
    missing_answer,
)


def pair(measure: str, difference: float, p: float, first: str = "A", second: str = "B") -> Any:
    low, high = difference - 0.04, difference + 0.04
    return SystemComparison(
        measure, first, second, 0.5 + difference, 0.5, difference, low, high, p, 20, corrected=p
    )


def ranks(**places: int | None) -> list[SystemRank]:
    return [SystemRank(name, rank, 0.5) for name, rank in places.items()]


def test_two_systems_are_compared_in_one_sentence() -> None:
    found = {
        "grounding": [pair("grounding", -0.06, 0.01)],
        "estime": [pair("estime", 0.5, 0.01)],
        "length": [pair("length", 7.0, 0.01)],
        "chrf": [pair("chrf", 0.01, 0.6)],
        "rouge-1": [pair("rouge-1", 0.01, math.nan)],
    }
    directions: Any = dict.fromkeys(found, "higher") | {"estime": "lower", "length": "neither"}
    [said] = comparison_answers(found, {}, ["A", "B"], directions)
    assert said == (
        "B is better than A by grounding, by 0.060 [0.020, 0.100]; "
        "B is better than A by estime, by 0.500 [0.460, 0.540]; "
        "A has more length than B, by 7.000 [6.960, 7.040]; "
        "no significant difference by chrf and rouge-1."
    )


def test_without_a_significant_difference_the_sentence_begins_with_a_capital() -> None:
    [said] = comparison_answers({"chrf": [pair("chrf", 0.1, 0.2)]}, {}, ["A", ""], {})
    assert said == "No significant difference by chrf."


def test_the_significance_level_counts() -> None:
    found = {"chrf": [pair("chrf", 0.1, 0.03, "A", "")]}
    [said] = comparison_answers(found, {}, ["A", ""], {"chrf": "higher"}, alpha=0.05)
    assert said.startswith("A is better than (none) by chrf")
    [said] = comparison_answers(found, {}, ["A", ""], {"chrf": "higher"}, alpha=0.01)
    assert said.startswith("No significant")


def test_many_systems_are_compared_by_their_first_ranks() -> None:
    rankings = {
        "chrf": ranks(A=1, B=2, C=2),
        "rouge-1": ranks(A=1, B=2, C=3),
        "estime": ranks(C=1, B=1, A=3),
        "nli": ranks(A=1, B=1, C=1),
        "bleu": ranks(A=None, B=None, C=None),
    }
    assert comparison_answers({}, rankings, ["A", "B", "C"], {}) == [
        "By chrf and rouge-1, A ranks first of 3 systems.",
        "By estime, B and C share the first rank of 3 systems.",
        "By nli, no system is significantly better than another.",
        "By bleu, no system has a value.",
    ]


def test_many_systems_with_the_first_rank_are_counted() -> None:
    many = {f"s{n}": 1 for n in range(9)} | {"last": 2}
    [said] = comparison_answers({}, {"chrf": ranks(**many)}, list(many), {})
    assert said == "By chrf, 9 of 10 systems share the first rank."


def test_findings() -> None:
    counts = {"numbers": 14, "contradicted": 3, "names": 1, "words": 7}
    assert finding_answer(counts, 120, 2) == (
        "14 of 120 summaries contain numbers or dates that the source does not have (in 3 it has "
        "another value); 1 contains names that it does not have; 7 contain words that it does not "
        "have (often mere rewording); 2 rows could not be checked."
    )
    assert finding_answer({}, 1) == "Nothing was found in 1 summary."


def entry(quality: str, measure: str, value: float, low: float, **more: Any) -> MeasureAgreement:
    agreement = Agreement(value, 0.01, 12)
    settings = {"level": "summary", "statistic": "spearman", "is_negated": False, **more}
    return MeasureAgreement(
        quality=quality, measure=measure, agreement=agreement, low=low, high=0.9, **settings
    )


def test_the_measure_that_agrees_best() -> None:
    entries = [
        entry("coherence", "chrf", 0.4, 0.1),
        entry("coherence", "nli", 0.5, -0.1),
        entry("coherence", "nli", 0.9, 0.8, level="system"),  # another level
        entry("fluency", "chrf", 0.3, 0.2),
        entry("fluency", "nli", math.nan, math.nan),
        entry("odd", "nli", math.nan, math.nan),
    ]
    assert agreement_answer(entries) == (
        "Measures that agree best with people (summary level, ρ): nli with coherence, 0.500 "
        "[-0.100, 0.900], which may be chance; chrf with fluency, 0.300 [0.200, 0.900]; none with "
        "odd."
    )


def test_the_smallest_error_is_the_best() -> None:
    entries = [
        entry("q", "chrf", 0.4, -0.1, statistic="mae"),
        entry("q", "nli", 0.2, -0.1, statistic="mae"),
    ]
    said = agreement_answer(entries)
    assert "nli with q, 0.200" in said
    assert "chance" not in said


def test_what_was_judged_and_what_is_missing() -> None:
    assert judged_answer(1, 1, [""], ["chrf"]) == "1 summary of 1 document, judged by 1 measure."
    assert missing_answer({"chrf": 0}, 5) == ""
    assert missing_answer({"chrf": 1, "nli": 5}, 5) == (
        "Without a value: chrf in 1 of 5 rows; nli in 5 of 5 rows."
    )
