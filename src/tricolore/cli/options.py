"""The options that several commands share: one name, one meaning and one help text each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tricolore.arguments import MOST_RESAMPLES
from tricolore.meta.choices import Coefficient, Level
from tricolore.settings import LARGEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tricolore.data.columns import Columns as ColumnNames
    from tricolore.data.examples import ExampleFile
    from tricolore.run.engine import Engine
    from tricolore.run.part_engines import PartEngine

FormName = Literal["table", "markdown", "latex", "csv", "json", "html"]

_INPUT, _OUTPUT, _RUN = "Input", "Output", "Run"
FLAG = " "
"""Shown as the value of an option that takes none."""


def _input(*names: str, help: str, **settings: Any) -> Any:
    settings = {"show_default": False, **settings}
    return typer.Option(*names, help=help, rich_help_panel=_INPUT, **settings)


def _output(*names: str, help: str, **settings: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=_OUTPUT, **settings)


def _run(*names: str, help: str, **settings: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=_RUN, **settings)


# Input.

Examples = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="File of summaries with their sources: JSON Lines, JSON, CSV, TSV (each also with "
        ".gz) or Parquet; - is standard input.",
    ),
]
ExampleFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="Files of summaries with their sources: JSON Lines, JSON, CSV, TSV (each also with "
        ".gz) or Parquet; or a pattern, such as 'data/*.jsonl'; - is standard input.",
    ),
]
Judged = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="File of summaries with their sources and human scores, as for `tricolore score`.",
    ),
]
Scores = Annotated[
    str,
    typer.Argument(
        metavar="SCORES",
        help="File or directory of scores that `tricolore score -o` has written.",
    ),
]
Source = Annotated[
    str,
    _input(
        metavar="COLUMN",
        help="Name of the column with the source text.",
        show_default="source, document, article, text, input or another usual name",
    ),
]
Summary = Annotated[
    str,
    _input(
        metavar="COLUMN",
        help="Name of the column with the summary.",
        show_default="generated, prediction, summary, output or another usual name",
    ),
]
References = Annotated[
    str,
    _input(
        metavar="COLUMN",
        help="Name of the column with the reference summaries.",
        show_default="references, reference, highlights, target or another usual name",
    ),
]
System = Annotated[
    str,
    _input(
        metavar="COLUMN",
        help="Name of the column with the system that wrote the summary.",
        show_default="system, model or another usual name",
    ),
]
DocId = Annotated[
    str,
    _input(
        metavar="COLUMN",
        help="Name of the column that identifies the source document.",
        show_default="doc_id, id or another usual name",
    ),
]
Human = Annotated[
    str,
    _input(
        "--human",
        metavar="NAMES",
        help="Names of the human scores, separated by commas: columns, or keys in the column "
        "`human`.",
    ),
]
InputFormat = Annotated[
    Literal["jsonl", "csv", "tsv", "parquet"] | None,
    _input("--input-format", help="Format of the input, where the name of the file does not tell."),
]
Encoding = Annotated[
    str,
    _input(help="Encoding of a text file, such as cp1252 or utf-16.", show_default="utf-8"),
]
MaxRowMb = Annotated[
    float,
    _input(
        min=0.001,
        metavar="MB",
        help="The longest row of a text file that is read, in MB.",
        show_default="64",
    ),
]
Limit = Annotated[int | None, _input(min=1, metavar="N", help="Read only the first N rows.")]

# What to compute.

_MEASURES = typer.Option(
    "-m",
    "--measures",
    metavar="SPECS",
    help="Measures, separated by commas, with their settings: "
    "rouge,importance:n=2. `tricolore measures` lists them. Without it, `score` takes a "
    "recommended set, `atlas` all measures whose models are on this machine, and commands that "
    "read a score file take those of the file.",
)
Measures = Annotated[str, _MEASURES]
ChosenMeasures = Annotated[str | None, _MEASURES]
"""Measures where there is a recommended set if none are given; an empty text is an error."""
Kinds = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="SPECS",
        help="Kinds of damage, separated by commas, with their settings: "
        "subtle-errors:pos=noun,entity-swap. There are subtle-errors, entity-swap, number-swap, "
        "negation-swap, spoiled-sentences; and, for the summary as a whole, sentence-shuffle, "
        "truncation, random-words, random-sentences.",
    ),
]
Control = Annotated[
    str,
    typer.Option(
        "--control",
        metavar="SPECS",
        help="Measures to hold constant, separated by commas: shows partial correlations "
        "(spearman, pearson). novelty:n=3,length asks what is left of a measure once copying and "
        "length are known. In `meta` they are columns of the score file.",
    ),
]
ErrorsPerSummary = Annotated[
    str,
    typer.Option(
        metavar="NUMBERS",
        help="Number of errors in each damaged summary; several numbers, separated by commas, "
        "give several versions.",
    ),
]
Copies = Annotated[
    int,
    typer.Option(
        min=1,
        max=10_000,
        metavar="N",
        help="Number of differently damaged versions per summary.",
    ),
]
LEVEL_HELP = "Level at which measures and human scores are correlated."
LevelOption = Annotated[Level, typer.Option("--level", help=LEVEL_HELP)]
CoefficientOption = Annotated[
    Coefficient,
    typer.Option("--coefficient", help="Coefficient of the correlation with human scores."),
]
Empty = Annotated[
    Literal["worst", "skip"],
    typer.Option(
        "--empty",
        help="How an empty summary counts: as the worst possible value, or not at all (skip).",
    ),
]
Systems = Annotated[
    str,
    typer.Option(
        "--systems",
        metavar="NAMES",
        help="Names of the systems to compare, separated by commas.",
        show_default="all",
    ),
]
Pairs = Annotated[
    bool,
    typer.Option(
        "--pairs",
        metavar=FLAG,
        help="Show the test of every pair: of systems in `compare`, of measures in `meta`.",
    ),
]
Permutations = Annotated[
    int,
    typer.Option(
        min=0,
        max=MOST_RESAMPLES,
        metavar="N",
        help="Number of random permutations; 0 means 50 per test or more.",
    ),
]

# Output.

Output = Annotated[
    str,
    _output(
        "-o",
        "--output",
        metavar="PATH",
        show_default=False,
        help="Path of the result. The ending of a file chooses its format; `train` and "
        "`atlas` write a directory, and so does `score` if the path ends in /.",
    ),
]
PartRows = Annotated[
    int,
    _output(
        "--part-rows",
        min=1,
        metavar="N",
        help="Number of rows per part, where a directory of parts is written.",
    ),
]
FORMAT_HELP = "Format of what is printed or written."
Format = Annotated[
    FormName | None,
    _output(
        "--format",
        show_default="table, or what the name of the output says",
        help=FORMAT_HELP,
    ),
]
CsvFormulasOption = Annotated[
    Literal["protect", "keep"],
    _output(
        "--csv-formulas",
        help="Text in CSV and TSV that a spreadsheet would take for a formula: write an apostrophe "
        "before it (protect), or keep it as it is. Our commands remove the apostrophe again.",
    ),
]
Plot = Annotated[
    str,
    _output(
        "--plot",
        metavar="PATH",
        show_default=False,
        help="Draw the result as a .png, .svg or .pdf file; a command that draws several figures "
        "takes a directory.",
    ),
]
ReportFile = Annotated[
    str,
    _output(
        "--report",
        metavar="PATH",
        show_default=False,
        help="Also write an HTML page with answers, tables, charts and examples to this file.",
    ),
]
MostExamples = Annotated[
    int,
    _output(
        "--most-examples",
        min=0,
        metavar="N",
        help="The most examples that the page shows; more are sampled at random.",
    ),
]
Evidence = Annotated[
    bool,
    _output(
        "--evidence",
        metavar=FLAG,
        help="Also write the spans of text that each score is based on.",
    ),
]
Show = Annotated[
    int,
    _output(
        min=0,
        metavar="N",
        help="Show the evidence for N rows: the first ones in `score`, the worst in `check`.",
    ),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", metavar=FLAG, help="Exit with code 1 if any row has a problem."),
]
Signatures = Annotated[
    bool,
    _output(
        "--signatures",
        metavar=FLAG,
        help="Print the signature of each measure: all that its values depend on. Files of scores "
        "always have them.",
    ),
]

# How to run.

CACHE_HELP = "Directory of the cache of scores."
CachePlace = Annotated[
    str,
    _run(
        "--cache",
        metavar="DIR|off",
        show_default="the user cache",
        help=CACHE_HELP,
    ),
]
_JOBS = {"min": 1, "metavar": "N", "help": "Number of processes."}
Jobs = Annotated[int, _run(**_JOBS)]
ScoreJobs = Annotated[int | None, _run("--jobs", show_default="1", **_JOBS)]
"""The same where an engine may choose the number."""
EngineName = Annotated[
    Literal["local", "ray"],
    _run(
        "--engine",
        help="Where rows are scored: by processes of this machine, or by actors of Ray, as many as "
        "--jobs says, or one per CPU. Ray needs a directory as the output.",
    ),
]
Address = Annotated[
    str,
    _run(
        "--address",
        metavar="HOST:PORT",
        show_default="Ray is started on this machine",
        help="Address of a Ray cluster, whose nodes see the input and the output under the same "
        "paths.",
    ),
]
Timeout = Annotated[
    float | None,
    _run(
        "--timeout",
        metavar="SECONDS",
        help="The most seconds that a batch of rows may take, including loading a model. Rows of a "
        "batch that takes longer are scored one by one; a row that takes longer gets a problem.",
        show_default=False,
    ),
]
MaxCost = Annotated[
    float | None,
    _run(
        "--max-cost",
        min=0,
        metavar="AMOUNT",
        help="The most that the measure `judge` may spend, in the currency of its settings "
        "input_price and output_price. Rows that are left when the limit is reached get a "
        "problem.",
        show_default=False,
    ),
]
Device = Annotated[
    str,
    _run(
        show_default="the fastest available",
        help="Device for models: cpu, cuda or mps.",
    ),
]
Offline = Annotated[
    bool,
    _run(
        "--offline",
        metavar=FLAG,
        help="Never use the network; only a judge on this machine is asked.",
    ),
]
Seed = Annotated[int, _run(min=0, max=LARGEST, metavar="N", help="Seed of the random numbers.")]
ProgressOption = Annotated[
    Literal["auto", "bar", "log", "off"],
    _run(
        "--progress",
        help="Show progress on standard error as a bar on a terminal (bar), as a line per minute "
        "(log), as a bar on a terminal and as lines elsewhere (auto), or not at all (off).",
    ),
]
RESAMPLES_HELP = "Number of bootstrap resamples."
Resamples = Annotated[
    int, _run("--resamples", min=2, max=MOST_RESAMPLES, metavar="N", help=RESAMPLES_HELP)
]


def columns_of(
    source: str = "",
    summary: str = "",
    references: str = "",
    system: str = "",
    doc_id: str = "",
    human: str = "",
) -> ColumnNames:
    """The columns that the options name."""
    from tricolore.api.running import names_of
    from tricolore.data.columns import Columns

    return Columns(
        source=source,
        summary=summary,
        references=references,
        system=system,
        doc_id=doc_id,
        human=tuple(names_of(human)),
    )


def open_examples(
    files: str | Sequence[str],
    columns: ColumnNames,
    *,
    format: Any = None,
    encoding: str = "",
    max_row_mb: float = 64,
    limit: int | None = None,
) -> ExampleFile:
    """The examples of the files that a command names."""
    from tricolore.data.examples import example_file

    return example_file(
        [files] if isinstance(files, str) else files,
        columns,
        format=format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    )


def engine_of(jobs: int, timeout: float | None = None) -> Engine:
    """The engine that the options name. Plugins run in processes of their own."""
    from tricolore.run.processes import local_engine

    return local_engine(jobs, timeout, plugins_apart=True)


def score_engine(
    name: Literal["local", "ray"], jobs: int | None, timeout: float | None, address: str
) -> Engine | PartEngine:
    """The engine that the options of `score` name."""
    from tricolore.errors import TricoloreError

    if name == "ray":
        from tricolore.run.ray_parts import RayParts

        return RayParts(jobs or 0, timeout, address)
    if address:
        raise TricoloreError("--address is for --engine ray")
    return engine_of(jobs or 1, timeout)


def whole_numbers(written: str, option: str) -> list[int]:
    """Numbers from 1 that are separated by commas."""
    from tricolore.errors import TricoloreError

    try:
        numbers = [int(word) for word in written.split(",")]
    except ValueError:
        numbers = [0]
    if min(numbers) < 1:
        raise TricoloreError(f"{option} takes whole numbers from 1, as 1,2,3, not '{written}'")
    return numbers
