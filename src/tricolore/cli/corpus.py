"""`tricolore corpus`: learn document frequencies once, to score single summaries by later."""

from __future__ import annotations

from tricolore.cli.options import (
    DocId,
    Encoding,
    Examples,
    InputFormat,
    Limit,
    MaxRowMb,
    Measures,
    Output,
    References,
    Source,
    Summary,
    System,
    columns_of,
    open_examples,
)
from tricolore.cli.output import print_lines

EXAMPLES = """
tricolore corpus examples/summaries.jsonl -o news.corpus

tricolore score examples/summaries.jsonl -m importance:corpus=news.corpus
"""


def corpus(
    file: Examples,
    output: Output,
    measures: Measures = "importance",
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    limit: Limit = None,
) -> None:
    """Learn document frequencies.

    Counts the n-grams of all sources for the importance measure and writes the counts, but no
    text, to a file. The settings of the measure decide how words are counted.
    """
    from tricolore.api.corpus import fit_corpus

    columns = columns_of(source, summary, references, system, doc_id)
    with open_examples(
        file,
        columns,
        format=input_format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    ) as examples:
        fitted = fit_corpus(examples, output, measures)
    words = f"{output}: {fitted.documents} documents, {fitted.tokens} tokens ({fitted.digest})"
    print_lines([words], "")
