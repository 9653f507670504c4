"""Clean summaries and their twins through a run."""

from tricolore import Example, Run
from tricolore.meta.sensitivity import DamageCase
from tricolore.perturb.kinds import get_perturbation
from tricolore.run.damaged_pairs import score_damaged_pairs

SOURCE = "Anna is here. Tom is there. It is late. " * 3
EXAMPLES = [
    Example(source=SOURCE, summary="Anna is here. Tom is there."),  # room for two errors
    Example(source=SOURCE, summary="It is late."),  # for one
    Example(source=SOURCE, summary="Nobody."),  # for none, and no second sentence
]


def test_every_summary_meets_its_own_twin():
    kinds = [get_perturbation(kind) for kind in ("negation-swap", "sentence-shuffle")]
    found = score_damaged_pairs(Run(["coverage,length"]), EXAMPLES, kinds, [1, 2])
    # "not" is not in the source: 6 of 6 words and marks become 8 of 9 (one error) or 8 of 10.
    one = found.cases[DamageCase("negation-swap", 1, "coverage")]
    assert one.clean == [1.0, 1.0]
    assert one.damaged == [8 / 9, 4 / 5]
    two = found.cases[DamageCase("negation-swap", 2, "coverage")]
    assert (two.clean, two.damaged) == ([1.0], [8 / 10])
    assert found.cases[DamageCase("negation-swap", 2, "length")].damaged == [10.0]
    shuffled = found.cases[DamageCase("sentence-shuffle", 0, "coverage")]
    assert (shuffled.clean, shuffled.damaged) == ([1.0], [1.0])
    assert found.left_out == {
        "the summary has no verb that can be negated": 2,
        "only 1 of the summary's verbs can be negated": 1,
        "the summary has no two sentences that differ": 2,
    }


def test_evidence_is_looked_at_where_errors_are_counted():
    kinds = [get_perturbation(kind) for kind in ("negation-swap", "random-words")]
    found = score_damaged_pairs(Run(["novelty"], evidence=True), EXAMPLES[:1], kinds, [1])
    where = found.cases[DamageCase("negation-swap", 1, "novelty")].location
    assert (where.damaged, where.words, where.damaged_words) == (1, 7, 2)
    assert where.spans
    assert not found.cases[DamageCase("random-words", 0, "novelty")].location.spans


def test_one_kind_with_two_settings_is_two_kinds():
    kinds = [get_perturbation(f"subtle-errors:pos={pos}", seed=1) for pos in ("noun", "verb")]
    found = score_damaged_pairs(Run(["length"]), EXAMPLES[:1], kinds, [1])
    assert list(found.cases) == [
        DamageCase("subtle-errors:pos=noun", 1, "length"),
        DamageCase("subtle-errors:pos=verb", 1, "length"),
    ]
    assert [len(twins.damaged) for twins in found.cases.values()] == [1, 1]
