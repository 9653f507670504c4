"""`tricolore cache`: how large the cache of scores is, and making it smaller."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from tricolore.cli.command import Command
from tricolore.cli.options import CACHE_HELP, Format
from tricolore.cli.suggestions import epilog

if TYPE_CHECKING:
    from tricolore.api.cache import CacheRemoval

cache = typer.Typer(
    help="The cache of scores: show its size, remove old scores, or clear it.",
    no_args_is_help=True,
    epilog=epilog("tricolore cache info"),
)

CacheDirectory = Annotated[
    str,
    typer.Option("--cache", metavar="DIR", show_default="the user cache", help=CACHE_HELP),
]


@cache.command(cls=Command, epilog=epilog("tricolore cache info --format json"))
def info(directory: CacheDirectory = "user", format: Format = None) -> None:
    """Show the size of the cache, how many scores it has and when they were used.

    Uses are noted to the week.
    """
    from tricolore.api.cache import cache_info
    from tricolore.cli.output import put
    from tricolore.report.result_table import Number, ResultTable

    found = cache_info(directory)
    table = ResultTable(["cache", "MB", "scores", "first use", "last use", "set aside"])
    table.add(
        str(found.path),
        Number(found.bytes / 1e6),
        found.scores,
        str(found.first_use or ""),
        str(found.last_use or ""),
        len(found.set_aside),
    )
    if found.set_aside:
        table.notes.append(
            "Damaged files were set aside beside the cache; `tricolore cache clear` removes them."
        )
    put([("", table)], format or "table", "")


@cache.command(
    cls=Command,
    epilog=epilog("tricolore cache prune --older-than 90 --max-size 500"),
)
def prune(
    directory: CacheDirectory = "user",
    older_than: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="DAYS",
            show_default=False,
            help="Remove scores that were last used more than so many days ago.",
        ),
    ] = math.inf,
    max_size: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="MB",
            show_default=False,
            help="Remove the scores that were not used for longest until the file has at most so "
            "many megabytes.",
        ),
    ] = math.inf,
    format: Format = None,
) -> None:
    """Remove old scores from the cache.

    Runs may use the cache at the same time.
    """
    from tricolore.api.cache import prune_cache

    _show(prune_cache(directory, older_than=older_than, max_mb=max_size), format)


@cache.command(cls=Command, epilog=epilog("tricolore cache clear"))
def clear(directory: CacheDirectory = "user", format: Format = None) -> None:
    """Remove all scores from the cache, and damaged files that were set aside.

    Runs that use the cache at the same time go on with a new one. Downloaded data stay.
    """
    from tricolore.api.cache import clear_cache

    _show(clear_cache(directory), format)


def _show(removed: CacheRemoval, format: Format) -> None:
    from tricolore.cli.output import put
    from tricolore.report.result_table import Number, ResultTable

    table = ResultTable(["cache", "scores removed", "MB freed", "damaged files removed"])
    scores = Number(math.nan) if removed.scores is None else removed.scores
    table.add(str(removed.path), scores, Number(removed.bytes / 1e6), removed.set_aside)
    put([("", table)], format or "table", "")
