"""Which of two summaries a language model prefers, asked in both orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import combinations
from typing import Any

from tricolore.api.running import (
    CacheChoice,
    ProgressChoice,
    names_of,
    notes_on_columns,
    read_examples,
    scoring,
)
from tricolore.arguments import check_arguments
from tricolore.data.columns import Columns
from tricolore.errors import ReadError, SpecError
from tricolore.example import Example, Unreadable
from tricolore.measures.judge import Judge
from tricolore.measures.judge_pair import PairJudge
from tricolore.meta.intervals import too_few_note
from tricolore.meta.win_rates import PositionBias, WinRate, position_bias, win_rate
from tricolore.models.spending import Usage
from tricolore.registry import get_measure
from tricolore.report.result_table import Number, ResultTable


@dataclass(frozen=True)
class PairPreference:
    """The preference for the summary of one system over that of another, for one document.

    Preferences are from 0 to 1: `if_first` where the summary of `system` came first, `if_second`
    where it came second. They are None, and `problem` says why, if there is none.
    """

    doc_id: str
    system: str
    other: str
    if_first: float | None = None
    if_second: float | None = None
    problem: str = ""


@dataclass(frozen=True)
class PairsResult:
    """Systems compared in pairs by a language model. In a notebook it shows answer and table."""

    preferences: Sequence[PairPreference]
    win_rates: Sequence[WinRate]
    """One per pair of systems."""
    position: PositionBias
    """The preference for the first position, over all pairs."""
    usage: Usage
    """Requests and tokens, and their cost; what was in the cache took none."""
    signature: Mapping[str, Any]
    notes: Sequence[str] = ()

    @property
    def problems(self) -> list[PairPreference]:
        """The pairs without a preference."""
        return [one for one in self.preferences if one.problem]

    @property
    def table(self) -> ResultTable:
        """One row per pair of systems; the note says how biased the judge is by position."""
        headers = ("system", "other", "documents", "wins", "ties", "losses", "win rate")
        sheet = ResultTable([*headers, "same in both orders"])
        for one in self.win_rates:
            rate = Number(one.rate, one.low, one.high, is_marked=one.low > 0.5 or one.high < 0.5)
            counts = one.documents, one.wins, one.ties, one.losses
            sheet.add(one.system, one.other, *counts, rate, Number(one.agreement))
        fewest = min((one.documents for one in self.win_rates), default=0)
        lines = [self.position_line, self.problem_line, too_few_note(fewest)]
        sheet.notes += [*filter(None, lines), *self.notes]
        return sheet

    @property
    def position_line(self) -> str:
        """The position bias in words."""
        found = self.position
        if not found.pairs:
            return ""
        shown = Number(found.rate, found.low, found.high).words
        verdict = "the order matters to this judge" if found.is_biased else "no bias is evident"
        return (
            f"Position: the summary that comes first is preferred with {shown}; 0.5 is unbiased, "
            f"so {verdict}. Both orders have the same winner in {100 * found.agreement:.0f} % of "
            f"{found.pairs} pairs."
        )

    @property
    def problem_line(self) -> str:
        """How many pairs have no preference, and why the first has none; empty if all have."""
        if not self.problems:
            return ""
        count = len(self.problems)
        pairs = "1 pair" if count == 1 else f"{count} pairs"
        return f"{pairs} with a problem; the first: {self.problems[0].problem}"

    @property
    def answer(self) -> str:
        """The result in words."""
        said = []
        for one in self.win_rates:
            rate = Number(one.rate, one.low, one.high).words
            if one.low > 0.5 or one.high < 0.5:
                better, worse = (one.system, one.other)[:: 1 if one.rate > 0.5 else -1]
                said.append(f"{better} is preferred to {worse} (win rate of {one.system}: {rate}).")
            else:
                said.append(f"Neither {one.system} nor {one.other} is clearly preferred ({rate}).")
        return " ".join(said)

    def to_json(self) -> list[dict[str, Any]]:
        """The rows of the table as plain values."""
        return self.table.to_json()

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.answer)}</p>\n{self.table.html()}"


def judge_pairs(
    data: Any,
    judge: str | Judge,
    *,
    systems: str | Sequence[str] = (),
    columns: Columns | Mapping[str, str] | None = None,
    encoding: str = "",
    limit: int | None = None,
    cache: CacheChoice = None,
    offline: bool = False,
    progress: ProgressChoice = False,
    max_cost: float | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> PairsResult:
    """Let a language model compare the summaries of systems in pairs, each in both orders.

    An empty summary loses without being sent. If both are empty, it is a tie.

    Args:
        data: Summaries of two or more systems, as for `evaluate`.
        judge: The judge, or a spec of it: "judge:model=NAME,aspect=consistency".
        systems: The systems to compare; all if none are named.
        columns: Which columns are what, where their names do not tell: {"summary": "abstract"}.
        encoding: Encoding of a text file that is not UTF-8, such as "cp1252".
        limit: Read only the first so many rows.
        cache: Where preferences are looked up and kept: a directory, "user", or none.
        offline: Whether only a server on this machine may be asked.
        progress: How to show progress, or a function that is called after every pair.
        max_cost: The most that requests may cost, in the currency of the judge's prices. Pairs that
            are left when it is reached get a problem.
        resamples: Number of bootstrap resamples for the intervals.
        seed: Seed of the random resampling.
    """
    check_arguments(judge_pairs, locals())
    asked = PairJudge.like(_judge(judge))
    rows = read_examples(
        data, columns, needs=asked.needs - {"references"}, limit=limit, encoding=encoding
    )
    summaries = _Summaries.of(rows.at_least_one(), names_of(systems))
    pairs = list(summaries.pairs())
    sent = [pair for pair in pairs if pair.is_sent]
    found: dict[_SummaryPair, PairPreference] = {
        pair: pair.settled() for pair in pairs if not pair.is_sent
    }
    usage, signature = Usage(), asked.signature()
    if sent:
        with scoring(
            [pair.example for pair in sent],
            [asked],
            cache=cache,
            offline=offline,
            progress=progress,
            max_cost=max_cost,
        ) as scored:
            for pair, result in zip(sent, scored.results, strict=True):
                found[pair] = pair.preference(result.scores[asked.label])
        usage = scored.run.usage
    preferences = [found[pair] for pair in pairs]
    judged = _columns([found[pair] for pair in sent])
    return PairsResult(
        preferences,
        [
            _rate(preferences, one, two, resamples, seed)
            for one, two in combinations(summaries.systems, 2)
        ],
        position_bias(*judged, resamples=resamples, seed=seed),
        usage,
        signature,
        [*notes_on_columns(rows), *summaries.notes],
    )


def _judge(given: str | Judge) -> Judge:
    made = get_measure(given) if isinstance(given, str) else given
    if not isinstance(made, Judge):
        raise SpecError(f"{made.label} is not a judge", "give a spec such as judge:model=NAME")
    return made


def _columns(found: Iterable[PairPreference]) -> tuple[list[str], list[float], list[float]]:
    known = [
        (one.doc_id, one.if_first, one.if_second)
        for one in found
        if one.if_first is not None and one.if_second is not None
    ]
    return [one[0] for one in known], [one[1] for one in known], [one[2] for one in known]


def _rate(
    found: Sequence[PairPreference], system: str, other: str, resamples: int, seed: int
) -> WinRate:
    own = [one for one in found if (one.system, one.other) == (system, other)]
    return win_rate(system, other, *_columns(own), resamples=resamples, seed=seed)


@dataclass(frozen=True, eq=False)
class _SummaryPair:
    """Two summaries of a document."""

    one: Example
    two: Example

    @property
    def is_sent(self) -> bool:
        """Whether the judge is asked: not if a summary is empty."""
        return bool(self.one.summary.strip() and self.two.summary.strip())

    @property
    def example(self) -> Example:
        """The pair as `PairJudge` takes it."""
        return Example(
            source=self.one.source,
            summary=self.one.summary,
            references=self.two.summary,
            doc_id=self.one.doc_id,
        )

    def settled(self) -> PairPreference:
        """The preference where a summary is empty."""
        has = bool(self.one.summary.strip()), bool(self.two.summary.strip())
        value = {(True, False): 1.0, (False, True): 0.0}.get(has, 0.5)
        return PairPreference(*self._names, value, value)

    def preference(self, score: Any) -> PairPreference:
        """The preference that a score has."""
        if score.problem is not None:
            return PairPreference(*self._names, problem=score.problem)
        return PairPreference(*self._names, score.parts["if_first"], score.parts["if_second"])

    @property
    def _names(self) -> tuple[str, str, str]:
        return self.one.doc_id, self.one.system, self.two.system


@dataclass
class _Summaries:
    """The first summary of each document by each system."""

    systems: list[str]
    documents: dict[str, dict[str, Example]] = field(default_factory=dict)
    repeated: int = 0
    unreadable: int = 0

    @staticmethod
    def of(rows: Iterable[Example | Unreadable], asked: Sequence[str]) -> _Summaries:
        found = _Summaries([])
        known: dict[str, None] = {}
        for row in rows:
            if isinstance(row, Unreadable):
                found.unreadable += 1
                continue
            known[row.system] = None
            if not asked or row.system in asked:
                own = found.documents.setdefault(row.doc_id, {})
                found.repeated += row.system in own
                own.setdefault(row.system, row)
        for name in asked:
            if name not in known:
                raise ReadError(f"there is no system '{name}'; there are: {', '.join(known)}")
        found.systems = list(asked or known)
        if len(found.systems) < 2:
            raise ReadError(f"two systems are needed to compare, not {len(found.systems)}")
        if not any(len(own) > 1 for own in found.documents.values()):
            raise ReadError(
                "no document has summaries of two of these systems",
                "give rows of one document the same doc_id",
            )
        return found

    def pairs(self) -> Iterator[_SummaryPair]:
        """All pairs of summaries, document by document."""
        for own in self.documents.values():
            for one, two in combinations(self.systems, 2):
                if one in own and two in own:
                    yield _SummaryPair(own[one], own[two])

    @property
    def notes(self) -> list[str]:
        """What was left out."""
        counted = {
            "rows could not be read": self.unreadable,
            "rows repeat a document and system, and were left out": self.repeated,
            "documents lack a summary of some system": sum(
                len(own) < len(self.systems) for own in self.documents.values()
            ),
        }
        return [f"{count} {words}." for words, count in counted.items() if count]
