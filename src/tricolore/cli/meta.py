"""`tricolore meta`: how well measures agree with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tricolore.cli.options import Empty
from tricolore.cli.output import Format, Output, form_of, put

if TYPE_CHECKING:
    from tricolore.data.score_table import ScoreTable
    from tricolore.report.statistics import TitledTable

_STATISTICS = ("spearman", "kendall-b", "kendall-c", "pearson", "mae")
_LEVELS = ("summary", "document", "system")
_PAIRS, _RUN = "Is one measure better than another?", "How it is drawn"


def meta(
    scores: Annotated[str, typer.Argument(help="What `tricolore score --human ... -o` wrote.")],
    human: Annotated[str, typer.Option(help="Human scores, with commas; all if not said.")] = "",
    measures: Annotated[
        str,
        typer.Option(
            "-m", "--measures", "--measure", help="Columns of the scores; all measures if not said."
        ),
    ] = "",
    empty: Empty = "worst",
    level: Annotated[
        Literal["summary", "document", "system", "all"],
        typer.Option(help="One shows all statistics; all shows one statistic at every level."),
    ] = "all",
    by: Annotated[
        str,
        typer.Option(
            help="The statistics that intervals are drawn for, with commas, the first one sorts: "
            "spearman, kendall-b, kendall-c, pearson, mae, or all."
        ),
    ] = "spearman",
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="Test every two measures.", rich_help_panel=_PAIRS),
    ] = False,
    better_than: Annotated[
        str,
        typer.Option(help="Test all measures against this one.", rich_help_panel=_PAIRS),
    ] = "",
    test: Annotated[
        Literal["permutation", "williams"], typer.Option(help="How.", rich_help_panel=_PAIRS)
    ] = "permutation",
    permutations: Annotated[
        int,
        typer.Option(min=0, help="0: 50 a test, and at least 1000.", rich_help_panel=_PAIRS),
    ] = 0,
    bootstrap: Annotated[
        int,
        typer.Option(min=0, help="Resamples of the intervals; 0: none.", rich_help_panel=_RUN),
    ] = 1000,
    over: Annotated[
        Literal["documents", "systems", "both"],
        typer.Option(help="What is drawn, and swapped in tests.", rich_help_panel=_RUN),
    ] = "both",
    seed: Annotated[int, typer.Option(help="Of what is drawn.", rich_help_panel=_RUN)] = 0,
    format: Format = None,
    output: Output = "",
) -> None:
    """How well measures agree with people: correlations and errors at three levels.

    Each with p-value and bootstrap interval; and which measure is better than which.
    """
    from tricolore.data.score_table import ScoreTable
    from tricolore.meta.agreements import agreements
    from tricolore.report.statistics import long_table

    form = form_of(format, output)
    asked = _asked(by)
    table = ScoreTable.read(scores).with_empty(empty)
    columns, qualities = table.select(measures), table.qualities(human)
    levels: Any = _LEVELS if level == "all" else (level,)
    if pairs or better_than:
        rules = {"test": test, "over": over, "permutations": permutations or None, "seed": seed}
        sheets = _contests(table, columns, qualities, levels, asked[0], better_than, form, rules)
        sheets[-1][1].notes += table.notes
        put(sheets, form, output)
        return
    rest: Any = _STATISTICS[:-1] if level != "all" or form in ("csv", "json") else []
    entries = agreements(
        table,
        columns,
        qualities,
        levels=levels,
        statistics=list(dict.fromkeys([*asked, *rest])),
        intervals=asked if bootstrap else (),
        over=over,
        resamples=bootstrap,
        seed=seed,
    )
    if form in ("csv", "json"):
        sheets = [long_table(entries)]
    else:
        sheets = _sheets(entries, asked, level, wide=bool(output) or form != "table")
    sheets[-1][1].notes += table.notes
    put(sheets, form, output)


def _asked(by: str) -> list[Any]:
    """The statistics that are named."""
    names = [name.strip() for name in by.split(",") if name.strip()]
    if names == ["all"]:
        names = list(_STATISTICS[:-1])
    for name in names:
        if name not in _STATISTICS:
            raise typer.BadParameter(
                f"'{name}' is not one of {', '.join(_STATISTICS)} or all", param_hint="--by"
            )
    return list(dict.fromkeys(names)) or ["spearman"]


def _sheets(entries: Any, asked: list[Any], level: str, *, wide: bool) -> list[TitledTable]:
    from tricolore.report.statistics import fits, level_tables, statistic_tables
    from tricolore.report.terminal import console

    if level != "all":
        return statistic_tables(entries, asked[0])
    out = console()
    made = []
    for statistic in asked:
        sheets = level_tables(entries, statistic)
        if not wide and not all(fits(out, sheet) for _, sheet in sheets):
            mine = [entry for entry in entries if entry.statistic == statistic]
            sheets = statistic_tables(mine, statistic)
        made += sheets
    return made


def _contests(
    table: ScoreTable,
    columns: list[str],
    qualities: list[str],
    levels: Any,
    statistic: Any,
    better_than: str,
    form: str,
    rules: dict[str, Any],
) -> list[TitledTable]:
    from tricolore.errors import ReadError
    from tricolore.meta.agreements import signed_for
    from tricolore.meta.choices import SYMBOLS
    from tricolore.meta.measure_tests import compare_measure_pairs
    from tricolore.meta.permutation import default_permutations
    from tricolore.report.statistics import matrix_table, measure_test_table

    base = table.select(better_than)[0] if better_than else ""
    columns = list(dict.fromkeys([*columns, base] if base else columns))
    pairs = [(c, base) for c in columns if c != base] if base else None
    if len(columns) < 2:
        raise ReadError(f"{table.name}: two measures are needed for a test, not {len(columns)}")
    count = len(pairs) if pairs else len(columns) * (len(columns) - 1) // 2
    if rules["test"] == "williams":
        how = "Williams' test"
    else:
        drawn = rules["permutations"] or default_permutations(count)
        how = f"paired permutation test, {drawn} permutations of {rules['over']}"
    note = f"{how}; Holm's correction for {count} tests."
    values = {c: signed_for(table, c, statistic) for c in columns}
    made = []
    for quality in qualities:
        for level in levels:
            try:
                found = compare_measure_pairs(
                    values, table.human[quality], table.grid, level, statistic, pairs=pairs, **rules
                )
            except ValueError as error:
                raise ReadError(str(error)) from error
            title = f"{quality}, {level} level, {SYMBOLS[statistic]}"
            as_matrix = not base and form in ("table", "markdown", "latex")
            made.append((matrix_table if as_matrix else measure_test_table)(title, found, note))
    return made
