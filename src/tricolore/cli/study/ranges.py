"""`tricolore study ranges`: where the values of a measure lie for kinds of summaries."""

from __future__ import annotations

from tricolore.cli.options import Empty, Format, Measures, Output, Plot, Scores
from tricolore.cli.output import begin, present

EXAMPLES = """
tricolore score examples/judged.jsonl -m rouge,chrf,coverage,length -o scores.parquet

tricolore study ranges scores.parquet -m rouge-1
"""


def ranges(
    scores: Scores,
    measures: Measures = "",
    empty: Empty = "worst",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Show where the values of each measure lie for each kind of summaries.

    A kind is what the column `system` says. A plot shows one measure. Importance
    paper, appendix A.3, figures 6 and 7.
    """
    from tricolore.api.studies import ranges as run

    form = begin(format, output, plot)
    present(run(scores, measures=measures, empty=empty), form, output, plot)
