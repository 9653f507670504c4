"""What to say at the end of a run: means, problems and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tricolore.models.spending import Usage
from tricolore.report.result_table import ResultTable
from tricolore.text.plural import plural


@dataclass(frozen=True, kw_only=True)
class RunSummary:
    """A summary of a run: means, problems and counts."""

    systems: ResultTable
    """The mean of every system and measure with its 95 % interval."""
    rows: int = 0
    rows_with_problem: int = 0
    first_problem: str = ""
    unusable_human: Mapping[str, int] = field(default_factory=dict)
    """Human scores that are not numbers: what is wrong, and in how many rows."""
    notes: Sequence[str] = ()
    """What was read from which column, and what may be wrong with it."""
    reused: int = 0
    """Scores that were found in the cache."""
    scored: int = 0
    """Scores that were computed."""
    parts: int = 0
    """Parts that the scores were written in; 0 if they were not."""
    parts_before: int = 0
    """Parts that were finished by an earlier run."""
    passing_problems: int = 0
    """Rows of parts with a problem that may go away, such as too little memory or time."""
    usage: Usage = field(default_factory=Usage)
    """Requests and tokens of measures that ask a service, and their cost."""

    @property
    def has_problems(self) -> bool:
        """Whether a score or a human score is missing."""
        return bool(self.rows_with_problem or self.unusable_human)

    @property
    def problem_lines(self) -> list[str]:
        """What is missing, in one line each."""
        lines = []
        if self.rows_with_problem:
            rows = plural(self.rows_with_problem, "row")
            lines.append(f"{rows} with a problem; the first: {self.first_problem}")
        for words, count in self.unusable_human.items():
            lines.append(f"{plural(count, 'row')} without a human score: {words}")
        return lines

    @property
    def parts_line(self) -> str:
        """How many parts there are, and how many were finished before; empty if there are none."""
        if not self.parts:
            return ""
        before = f", {self.parts_before} of them by an earlier run" if self.parts_before else ""
        return f"{plural(self.parts, 'part')} finished{before}."

    @property
    def cache_line(self) -> str:
        """How much was found in the cache; empty if nothing was."""
        return cache_line(self.reused, self.scored)


def cache_line(reused: int, scored: int) -> str:
    """How many scores were found in the cache; empty if none was.

    >>> cache_line(1, 3)
    '1 score from the cache, 3 computed.'
    """
    return f"{plural(reused, 'score')} from the cache, {scored} computed." if reused else ""
