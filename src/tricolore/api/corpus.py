"""Learn document frequencies once, for scoring single summaries later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tricolore.api.inputs import inputs_of
from tricolore.api.running import read_examples
from tricolore.arguments import check_arguments
from tricolore.data.atomic import check_target, open_binary
from tricolore.data.columns import Columns
from tricolore.data.examples import Examples, Sources
from tricolore.data.outputs import reserved
from tricolore.errors import SpecError
from tricolore.measures.importance import Importance
from tricolore.registry import get_measure
from tricolore.text.corpus import Corpus
from tricolore.text.tokenizer import TokenizerError


def fit_corpus(
    data: Any,
    output: str | Path,
    measure: str = "importance",
    *,
    columns: Columns | None = None,
    limit: int | None = None,
) -> Corpus:
    """Count the n-grams of all sources and save the counts, but no text.

    Args:
        data: Examples: anything that `evaluate` takes. Only their sources are used.
        output: The file to write. `importance:corpus=FILE` scores with it.
        measure: The importance measure whose tokenizer and settings are used.
        columns: The names of the columns, if they are not the usual ones.
        limit: Read at most this many rows.
    """
    check_arguments(fit_corpus, locals())
    made = get_measure(measure)
    if not isinstance(made, Importance):
        raise SpecError(f"{made.name} needs no corpus; importance does")
    with reserved([(output, "output")], inputs_of(data, [measure])):
        check_target(output)
        rows = read_examples(data, columns, needs={"source"}, limit=limit)
        fitted = _fitted(rows, made, Path(output).stem)
        with open_binary(output) as out:
            out.write(fitted.to_bytes())
    return fitted


def _fitted(rows: Examples, made: Importance, name: str) -> Corpus:
    try:
        return Corpus.fit(
            Sources(rows),
            tokenizer=made.tokenizer,
            vocabulary=made.vocabulary,
            sizes=sorted({2, 3, 4, made.n}),
            lower=made.lowercase,
            stop=made.stop_words != "none",
            tokenizer_file=made.tokenizer_file,
            name=name,
        )
    except TokenizerError as error:
        raise SpecError(f"{made.label}: {error}") from error
