"""What measures declare of their parts and their evidence, for programs that show them."""

from typing import get_args

import pytest

from tricolore.example import Example
from tricolore.registry import direction_of, entries, get_measure
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


@pytest.mark.parametrize("name", entries())
def test_directions_are_of_parts_that_exist(name):
    measure = get_measure(name)
    assert set(measure.part_directions) <= set(measure.part_names)


@pytest.mark.parametrize(
    ("column", "direction"),
    [
        ("importance.relevance", "higher"),
        ("importance.penalty", "higher"),
        ("importance.matched", "higher"),
        ("meteor.precision", "higher"),
        ("meteor.penalty", "lower"),
        ("meteor.chunks", "neither"),
        ("sbert.cosine", "higher"),
        ("chrf.recall", "higher"),
        ("rouge-2.recall", "higher"),
        ("supert.precision", "higher"),
        ("blanc-help.improve", "higher"),
        ("blanc-help.s01", "neither"),
        ("estime.alarms_per_checked", "lower"),
        ("estime.coherence", "higher"),
        ("estime.checked", "neither"),
        ("estime:layers=1+2.soft_l2", "higher"),
        ("estime:layers=1+2.alarms_l1", "lower"),
        ("estime:value=soft.alarms", "lower"),
        ("jensen-shannon.source", "lower"),
        ("redundancy.repeated_2", "lower"),
        ("novelty.novel_1", "neither"),
        ("coverage.words", "neither"),
        ("importance-estime.estime", "lower"),
        ("importance.nothing", "neither"),
        ("not-a-measure.f1", "neither"),
    ],
)
def test_direction_of_a_part(column, direction):
    assert direction_of(column) == direction
