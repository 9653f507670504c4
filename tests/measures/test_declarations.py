"""What measures declare of their evidence, for programs that show it."""

from typing import get_args

import pytest

from tricolore.example import Example
from tricolore.registry import get_measure
from tricolore.score import SpanKind

SOURCE = (
    "The old harbour bridge closed on Monday after engineers had warned of cracks for years. "
    "Ferries carried passengers across the river instead, and the city council promised repairs."
)
EXAMPLE = Example(
    source=SOURCE,
    summary="The harbour bridge closed after engineers warned of cracks, and trains and trains "
    "and trains carried passengers.",
    references="The bridge closed on Monday because engineers warned of cracks.",
)
LEXICAL = {
    "rouge-1": {"match"},
    "rouge-l": {"match"},
    "bleu": {"match"},
    "meteor": {"match"},
    "coverage": {"copied"},
    "density": {"copied"},
    "novelty": {"novel"},
    "redundancy:n=2": {"repeated"},
    "jensen-shannon": {"extra", "missing"},
    "importance:corpus=background": {"match", "missing"},
}
NEURAL = {
    "estime": {"fault"},
    "supert": {"similar"},
    "bert-score:model=all-MiniLM-L6-v2": {"similar"},
    "blanc-help": {"helped", "hurt", "unchanged"},
}


@pytest.mark.parametrize("spec", [*LEXICAL, *NEURAL])
def test_every_span_of_the_evidence_has_a_kind(spec):
    [score] = get_measure(spec).score([EXAMPLE], evidence=True)
    kinds = {span.kind for span in score.evidence}
    assert kinds
    assert kinds <= (LEXICAL | NEURAL)[spec]
    assert kinds <= set(get_args(SpanKind))


@pytest.mark.parametrize("spec", LEXICAL)
def test_all_kinds_of_a_measure_occur(spec):
    [score] = get_measure(spec).score([EXAMPLE], evidence=True)
    assert {span.kind for span in score.evidence} == LEXICAL[spec]
