"""`tricolore train`: human scores in, a directory with an estimator of them out."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import (
    CachePlace,
    Device,
    DocId,
    Encoding,
    Human,
    InputFormat,
    Jobs,
    Judged,
    Limit,
    MaxRowMb,
    Offline,
    Output,
    ProgressOption,
    References,
    Seed,
    Source,
    Summary,
    System,
    columns_of,
    engine_of,
    open_examples,
)
from tricolore.cli.output import print_lines

EXAMPLES = """
tricolore train mix examples/judged.jsonl --of density,coverage --human coherence --folds 4 -o model

tricolore score examples/judged.jsonl -m mix:directory=model
"""


def train(
    estimator: Annotated[
        str,
        typer.Argument(
            metavar="ESTIMATOR",
            help="What to train: mix, sum-qe or sbert-regression; settings may follow, as in "
            "sum-qe:epochs=5.",
        ),
    ],
    file: Judged,
    human: Human,
    output: Output,
    of: Annotated[
        str,
        typer.Option(
            metavar="SPECS",
            show_default=False,
            help="Measures of a mix, separated by commas: density,coverage.",
        ),
    ] = "",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            show_default=False,
            help="Setting of the estimator, such as solver=gradient; it may be given repeatedly.",
        ),
    ] = None,
    bounds: Annotated[
        str,
        typer.Option(
            metavar="LOW,HIGH", help="Ends of the scale of the human scores; they become 0 and 1."
        ),
    ] = "1,5",
    folds: Annotated[
        int, typer.Option(min=2, metavar="N", help="Number of folds of the cross-validation.")
    ] = 5,
    restarts: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            metavar="N",
            show_default="as many as the estimator needs",
            help="Number of trainings from different seeds whose predictions are averaged.",
        ),
    ] = None,
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    limit: Limit = None,
    cache: CachePlace = "user",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    progress: ProgressOption = "auto",
    seed: Seed = 0,
) -> None:
    """Train an estimator of human scores.

    Cross-validates it by document, prints how well it predicts documents that it has not seen,
    and writes a directory that `tricolore score -m ESTIMATOR:directory=DIRECTORY` scores with.
    """
    from tricolore.api.train import train as train_estimator
    from tricolore.report.terminal import console

    settings = _settings(set_ or [])
    ends = _bounds(bounds)
    columns = columns_of(source, summary, references, system, doc_id)
    with open_examples(
        file,
        columns,
        format=input_format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    ) as examples:
        report = train_estimator(
            examples,
            estimator,
            human,
            output,
            of=of,
            settings=settings,
            bounds=ends,
            folds=folds,
            restarts=restarts,
            seed=seed,
            cache=cache,
            engine=engine_of(jobs),
            device=device,
            offline=offline,
            progress=progress,
        )
    report.table.write(console(), "table")
    for count, why in report.left_out:
        rows = "1 row was left out" if count == 1 else f"{count} rows were left out"
        print_lines([f"{rows}: {why}"], "yellow")
    use = f"To use it: tricolore score FILE -m {report.spec}"
    print_lines([f"Estimator: {report.trained.path}", use], "dim")


def _settings(pairs: list[str]) -> dict[str, str]:
    from tricolore.errors import SpecError

    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SpecError(f"--set {pair} is not a setting: write --set name=value")
        settings[key.strip().replace("-", "_")] = value.strip()
    return settings


def _bounds(written: str) -> tuple[float, float]:
    from tricolore.errors import TrainingError

    try:
        low, high = (float(end) for end in written.split(","))
    except ValueError:
        raise TrainingError(f"--bounds {written} is not two numbers, such as 1,5") from None
    return low, high
