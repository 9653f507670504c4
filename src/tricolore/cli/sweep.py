"""`tricolore sweep`: one measure at many settings, and how each agrees with human scores."""

from __future__ import annotations

from tricolore.cli.options import (
    CachePlace,
    CoefficientOption,
    Device,
    DocId,
    Empty,
    Encoding,
    Format,
    Human,
    InputFormat,
    Jobs,
    Judged,
    LevelOption,
    Limit,
    MaxRowMb,
    Measures,
    Offline,
    Output,
    Plot,
    ProgressOption,
    References,
    Resamples,
    Seed,
    Source,
    Summary,
    System,
    columns_of,
    engine_of,
    open_examples,
)
from tricolore.cli.output import answer, begin

EXAMPLES = """
tricolore sweep examples/judged.jsonl -m "chrf:beta=1..3" --human coherence

tricolore sweep examples/judged.jsonl -m "rouge-1:stem=true|false" --human coherence --plot stem.svg
"""


def sweep(
    file: Judged,
    measures: Measures,
    human: Human = "",
    level: LevelOption = "summary",
    coefficient: CoefficientOption = "spearman",
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    limit: Limit = None,
    empty: Empty = "worst",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
    cache: CachePlace = "user",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    progress: ProgressOption = "auto",
    resamples: Resamples = 1000,
    seed: Seed = 0,
) -> None:
    """Compare the settings of a measure.

    Scores summaries with every setting that a range (estime:layer=0..5) or choices
    (rouge-1:stem=true|false) stand for, and prints how well each agrees with human scores.
    """
    from tricolore.api.sweep import sweep as compare_settings

    form = begin(format, output, plot)
    columns = columns_of(source, summary, references, system, doc_id)
    with open_examples(
        file,
        columns,
        format=input_format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    ) as examples:
        result = compare_settings(
            examples,
            measures,
            human,
            level=level,
            coefficient=coefficient,
            resamples=resamples,
            seed=seed,
            empty=empty,
            cache=cache,
            engine=engine_of(jobs),
            device=device,
            offline=offline,
            progress=progress,
        )
    answer(result.table, form, output, plot, result.figure, result.scores.notes)
