"""`tricolore corpus`: learn document frequencies once, to score single pairs by later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tricolore.cli.options import (
    DocId,
    Encoding,
    InputFormat,
    References,
    Source,
    Summary,
    System,
    show_columns,
)


def corpus(
    file: Annotated[
        str, typer.Argument(help="A file as for `tricolore score`; only its sources are read.")
    ],
    output: Annotated[str, typer.Option("-o", "--output", help="Such as news.corpus.")],
    measure: Annotated[
        str, typer.Option("-m", "--measure", help="Whose tokeniser and settings to use.")
    ] = "importance",
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    format: InputFormat = None,
    encoding: Encoding = "",
) -> None:
    """Fit a corpus for the importance measure and save it: counts only, no text.

    Then: tricolore score new.jsonl -m importance:corpus=news.corpus
    """
    from tricolore.data.atomic import check_target, draft
    from tricolore.data.columns import Columns
    from tricolore.data.examples import ExampleFile, Sources
    from tricolore.errors import SpecError
    from tricolore.measures.importance import Importance
    from tricolore.registry import get_measure
    from tricolore.text.corpus import Corpus
    from tricolore.text.tokenizer import TokenizerError

    made = get_measure(measure)
    if not isinstance(made, Importance):
        raise SpecError(f"{made.name} needs no corpus; importance does")
    check_target(output)
    columns = Columns(
        source=source, summary=summary, references=references, system=system, doc_id=doc_id
    )
    needs = frozenset({"source"})
    try:
        with ExampleFile(
            file, columns, format=format, encoding=encoding, needs=needs, twice=True
        ) as rows:
            show_columns(rows)
            fitted = Corpus.fit(
                Sources(rows),
                tokenizer=made.tokenizer,
                vocabulary=made.vocabulary,
                sizes=sorted({2, 3, 4, made.n}),
                lower=made.lowercase,
                stop=made.stop_words != "none",
                tokenizer_file=made.tokenizer_file,
                name=Path(output).stem,
            )
        with draft(output) as path:
            fitted.save(path)
    except TokenizerError as error:
        raise SpecError(f"{made.label}: {error}") from error
    print(f"{output}: {fitted.documents} documents, {fitted.tokens} tokens ({fitted.digest})")
