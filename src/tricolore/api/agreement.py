"""How well measures agree with human scores, and whether one measure agrees better than another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from tricolore.api.running import names_of
from tricolore.api.score_tables import ScoresOrFile, settled_table
from tricolore.arguments import check_arguments
from tricolore.data.empty import Empty
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError, SpecError, TricoloreError
from tricolore.meta.agreements import MeasureAgreement, agreements, signed_for
from tricolore.meta.choices import (
    LEVELS,
    PARTIAL_COEFFICIENTS,
    STATISTICS,
    SYMBOLS,
    USUAL_COEFFICIENTS,
    Level,
    Over,
    Statistic,
)
from tricolore.meta.measure_tests import MeasureComparison, Test, compare_measure_pairs
from tricolore.meta.permutation import default_permutations
from tricolore.meta.spurious import scored_columns
from tricolore.report.agreement_tables import level_tables, long_table, statistic_tables
from tricolore.report.result_table import OutputFormat
from tricolore.report.statistics import TitledTable, fits, matrix_table, measure_test_table
from tricolore.spec import split_specs

if TYPE_CHECKING:
    from tricolore.report.terminal import SafeConsole


_NO_PARTIAL_TAU = (
    "has no partial correlation here: it is not a correlation of residuals, and no test of "
    "Kendall's partial τ is known for tied scores"
)


@dataclass(frozen=True)
class AgreementResult:
    """The agreement of measures with human scores, at one level or at all of them.

    `entries` has one entry per human score, level, statistic and measure. In a notebook it shows
    the tables.
    """

    scores: ScoreTable
    """The values that were correlated; empty summaries are settled."""
    entries: Sequence[MeasureAgreement]
    level: Level | Literal["all"]
    statistics: Sequence[Statistic]
    """The statistics that have intervals; tables are sorted by the first one."""
    control: Sequence[str] = ()
    """The columns that are held constant: the correlations are partial if there are any."""

    def value(
        self,
        measure: str,
        human: str = "",
        level: Level | None = None,
        statistic: Statistic | None = None,
    ) -> float:
        """One number: by default the first human score, level and statistic there are."""
        [column], [*qualities] = self.scores.select(measure), names_of(human)
        for entry in self.entries:
            if (
                entry.measure == column
                and (not qualities or entry.quality in self.scores.qualities(qualities))
                and entry.level == (level or self.entries[0].level)
                and entry.statistic == (statistic or self.statistics[0])
            ):
                return entry.agreement.value
        raise TricoloreError(f"there is no such agreement of {measure} here")

    @property
    def tables(self) -> list[TitledTable]:
        """The tables with their titles, whatever their width."""
        return self.sheets()

    def sheets(
        self, form: OutputFormat = "table", *, screen: SafeConsole | None = None
    ) -> list[TitledTable]:
        """The tables with their titles: programs (csv, json) get one row per number.

        Args:
            form: What the tables will be written as.
            screen: A terminal; tables that are too wide for it are split by level.
        """
        if form in ("csv", "json"):
            sheets = [long_table(self.entries)]
        elif self.level != "all":
            sheets = statistic_tables(self.entries, self.statistics[0])
        else:
            sheets = [each for name in self.statistics for each in self._by_level(name, screen)]
        sheets[-1][1].notes += self.scores.notes
        return sheets

    def to_json(self) -> list[dict[str, Any]]:
        """One row per number, as plain values."""
        return long_table(self.entries)[1].to_json()

    def _repr_html_(self) -> str:
        return "\n".join(_with_title(self.tables))

    def _by_level(self, statistic: Statistic, screen: SafeConsole | None) -> list[TitledTable]:
        sheets = level_tables(self.entries, statistic)
        if screen is None or all(fits(screen, sheet) for _, sheet in sheets):
            return sheets
        mine = [entry for entry in self.entries if entry.statistic == statistic]
        return statistic_tables(mine, statistic)


def agreement(
    scores: ScoresOrFile,
    human: str | Sequence[str] = (),
    *,
    measures: str | Sequence[str] = "",
    level: Level | Literal["all"] = "all",
    statistics: str | Sequence[str] = ("spearman",),
    control: str | Sequence[str] = (),
    empty: Empty | None = None,
    resamples: int = 1000,
    over: Over = "both",
    seed: int = 0,
) -> AgreementResult:
    """How well measures agree with human scores: correlations and errors with intervals.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`.
        human: The human scores to agree with; all if none are named.
        measures: The measures, by label or its beginning; all if not given.
        level: What is correlated: all summaries ("summary"), the summaries of each document
            ("document"), the means of systems ("system"), or each of these ("all").
        statistics: The statistics that intervals are computed for: "spearman", "kendall-a",
            "kendall-b", "kendall-c", "pearson", "mae", or "all" for the coefficients that allow for
            ties in ranks: all but "kendall-a". Tables are sorted by the first one. Coefficients of
            "all" that are not named are computed without an interval.
        control: Columns to hold constant, such as "novelty:n=3,length": the correlations are then
            partial ("spearman" and "pearson" only). They are not measures themselves, unless
            `measures` names them.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
        resamples: Number of bootstrap resamples for the intervals; 0 for no intervals.
        over: What is resampled: "documents", "systems" or "both".
        seed: Seed of the random resampling.

    >>> table = ScoreTable.of(
    ...     ["1", "1", "2", "2"],
    ...     ["a", "b", "a", "b"],
    ...     {"chrf": [20, 10, 12, 5]},
    ...     {"relevance": [1, 0.75, 0.5, 0.2]},
    ... )
    >>> round(agreement(table, resamples=0).value("chrf", level="summary"), 2)
    0.8
    """
    check_arguments(agreement, locals())
    given = split_specs(control) if isinstance(control, str) else control
    asked = _partial_statistics(statistics) if given else _statistics(statistics)
    table = settled_table(scores, empty)
    controls = scored_columns(table, given) if given else []
    columns = table.select(measures)
    if not measures:
        columns = [column for column in columns if column not in controls]
    if not columns:
        raise ReadError(f"{table.name} has no measure but the controls: {', '.join(controls)}")
    others = PARTIAL_COEFFICIENTS if controls else USUAL_COEFFICIENTS
    entries = agreements(
        table,
        columns,
        table.qualities(human),
        levels=_levels(level),
        statistics=list(dict.fromkeys([*asked, *others])),
        intervals=asked if resamples else (),
        controls=controls,
        over=over,
        resamples=resamples,
        seed=seed,
    )
    return AgreementResult(table, entries, level, asked, controls)


@dataclass(frozen=True)
class MeasureTestResult:
    """Pairs of measures: which of the two agrees better with human scores, and how surely.

    `tests` has the pairs by human score and level. In a notebook it shows the tables.
    """

    scores: ScoreTable
    tests: Mapping[tuple[str, Level], Sequence[MeasureComparison]]
    statistic: Statistic
    better_than: str
    """The measure that all others were tested against; empty if all pairs were."""
    note: str
    """Which test it is, and what the p-values are corrected for."""

    @property
    def tables(self) -> list[TitledTable]:
        """The tables with their titles."""
        return self.sheets()

    def sheets(self, form: OutputFormat = "table") -> list[TitledTable]:
        """The tables with their titles: a matrix of p-values, or one row per pair.

        Programs (csv, json), HTML, and tests against one measure get one row per pair.
        """
        is_matrix = not self.better_than and form in ("table", "markdown", "latex")
        make = matrix_table if is_matrix else measure_test_table
        sheets = [
            make(f"{quality}, {level} level, {SYMBOLS[self.statistic]}", tests, self.note)
            for (quality, level), tests in self.tests.items()
        ]
        sheets[-1][1].notes += self.scores.notes
        return sheets

    def to_json(self) -> list[dict[str, Any]]:
        """One row per pair, human score and level, as plain values."""
        return [
            {"human": quality, "level": level, **row}
            for (quality, level), tests in self.tests.items()
            for row in measure_test_table("", tests, self.note)[1].to_json()
        ]

    def _repr_html_(self) -> str:
        return "\n".join(_with_title(self.sheets("html")))


def compare_measures(
    scores: ScoresOrFile,
    human: str | Sequence[str] = (),
    *,
    measures: str | Sequence[str] = "",
    better_than: str = "",
    level: Level | Literal["all"] = "all",
    statistic: str = "spearman",
    test: Test = "permutation",
    permutations: int = 0,
    empty: Empty | None = None,
    over: Over = "both",
    seed: int = 0,
) -> MeasureTestResult:
    """Test which measures agree better with human scores than others.

    P-values are two-sided; Holm's correction is for all tests of one human score and level.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`.
        human: The human scores to agree with; all if none are named.
        measures: The measures, by label or its beginning; all if not given.
        better_than: Test all measures against this one; every pair if not given.
        level: "summary", "document", "system", or "all" of these.
        statistic: What is compared: "spearman", "kendall-a", "kendall-b", "kendall-c", "pearson" or
            "mae".
        test: Significance test: "permutation" or "williams".
        permutations: Number of random permutations; 0 means 50 per test, and at least 1000.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
        over: What is permuted: "documents", "systems" or "both".
        seed: Seed of the random permutations.
    """
    check_arguments(compare_measures, locals())
    [name] = _statistics([statistic], "statistic")
    table = settled_table(scores, empty)
    qualities = table.qualities(human)
    columns = table.select(measures)
    base = table.select(better_than)[0] if better_than else ""
    columns = list(dict.fromkeys([*columns, base] if base else columns))
    if len(columns) < 2:
        raise ReadError(f"{table.name}: two measures are needed for a test, not {len(columns)}")
    pairs = [(column, base) for column in columns if column != base] if base else None
    count = len(pairs) if pairs else len(columns) * (len(columns) - 1) // 2
    permutations = permutations or default_permutations(count)
    how = "Williams' test"
    if test == "permutation":
        how = f"paired permutation test, {permutations} permutations of {over}"
    values = {column: signed_for(table, column, name) for column in columns}
    rules: dict[str, Any] = {"test": test, "over": over, "permutations": permutations}
    found = {}
    for quality in qualities:
        for each in _levels(level):
            try:
                found[quality, each] = compare_measure_pairs(
                    *(values, table.human[quality], table.grid, each, name),
                    pairs=pairs,
                    seed=seed,
                    **rules,
                )
            except ValueError as error:
                raise ReadError(str(error)) from error
    note = f"{how[0].upper()}{how[1:]}; Holm's correction for {count} tests."
    return MeasureTestResult(table, found, name, base, note)


def _levels(level: Level | Literal["all"]) -> tuple[Level, ...]:
    return LEVELS if level == "all" else (level,)


def _statistics(given: str | Sequence[str], argument: str = "statistics") -> list[Statistic]:
    """The statistics that are named, each once."""
    names = names_of(given)
    if names == ["all"]:
        return [*USUAL_COEFFICIENTS]
    known = {str(name): name for name in STATISTICS}
    for name in names:
        if name not in known:
            words = f"'{name}' is not one of {', '.join(STATISTICS)} or all"
            raise SpecError(words, argument=argument)
    return [known[name] for name in names] or ["spearman"]


def _partial_statistics(given: str | Sequence[str]) -> list[Statistic]:
    """The statistics that are named; only those that are correlations of residuals."""
    names = names_of(given)
    found = _statistics(PARTIAL_COEFFICIENTS if names == ["all"] else names)
    for name in found:
        if name not in PARTIAL_COEFFICIENTS:
            why = "is an error, not a correlation" if name == "mae" else _NO_PARTIAL_TAU
            raise SpecError(
                f"'{name}' {why}", "use spearman or pearson with controls", argument="statistics"
            )
    return found


def _with_title(sheets: Sequence[TitledTable]) -> Iterator[str]:
    for title, sheet in sheets:
        yield f"<h4>{escape(title)}</h4>" if title else ""
        yield sheet.html()
