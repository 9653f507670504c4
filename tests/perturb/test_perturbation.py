"""What every kind of damage has to do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.perturb.ferry_texts import EXAMPLE, SOURCE, SUMMARY
from tricolore import Example
from tricolore.perturb.damage import Damaged, Undamaged, apply
from tricolore.perturb.kinds import KINDS, get_perturbation

OFFLINE = [kind for kind in KINDS if kind != "subtle-errors"]


@pytest.mark.parametrize(
    ("kind", "summary", "source", "problem"),
    [
        ("sentence-shuffle", "One only.", "", "the summary has no two sentences that differ"),
        ("sentence-shuffle", "Same. Same.", "", "the summary has no two sentences that differ"),
        ("truncation", "Word.", "", "the summary has no sentence of two words that could be cut"),
        ("random-words", "A word.", "😀 !", "the source has no words"),
        ("random-words", "A word.", "", "there is no source to take other words from"),
        ("random-sentences", "All.", "All.", "the source has no sentence that is not in the"),
        ("random-sentences", "All.", (), "there is no source to take other words from"),
        ("spoiled-sentences", "All.", "...", "the source has no words"),
        ("spoiled-sentences", "", "Words.", "the summary is empty"),
    ],
)
def test_what_cannot_be_done_is_said(kind, summary, source, problem):
    [made] = get_perturbation(kind).damage([Example(summary=summary, source=source)])
    assert isinstance(made, Undamaged)
    assert made.problem.startswith(problem)


TEXTS = st.one_of(
    st.text(max_size=80), st.sampled_from([SUMMARY, "😀 🎉.", "a", "A b. C d? \n\nE"])
)


@pytest.mark.parametrize("kind", OFFLINE)
@settings(max_examples=40, deadline=None)
@given(summary=TEXTS, source=st.one_of(TEXTS, st.just(SOURCE)), count=st.integers(1, 4))
def test_any_text_is_damaged_or_the_reason_is_said(kind, summary, source, count):
    example = Example(source=source, summary=summary)
    [made] = get_perturbation(kind, seed=1).damage([example], count)
    if isinstance(made, Damaged):
        assert made.example.summary != summary
        changes = [edit.change for edit in made.edits]
        assert apply(summary, changes) == (made.example.summary, made.edits)
        assert len(made.edits) == count or made.problem or kind not in _COUNTED
    else:
        assert made.problem


_COUNTED = {kind for kind in OFFLINE if get_perturbation(kind).counted}


@pytest.mark.parametrize("kind", OFFLINE)
def test_company_and_copies(kind):
    others = [
        Example(source=SOURCE, summary=s) for s in ("He is 12. Anna is 13.", "A Bell. Or no.")
    ]
    here = get_perturbation(kind, seed=5)
    together = here.damage([*others, EXAMPLE], 2)
    assert together == [here.damage([one], 2)[0] for one in [*others, EXAMPLE]]
    again = [get_perturbation(kind, seed=5, copy=n).damage([EXAMPLE], 2)[0] for n in range(8)]
    if isinstance(together[-1], Damaged) and kind != "negation-swap":  # all its verbs, at 2
        assert len({one.example.summary for one in again}) > 1


def test_a_long_summary_is_damaged_in_no_time():
    long = Example(source=SOURCE * 50, summary=(SUMMARY + " Anna Bell is 12. ") * 1500)
    for kind in OFFLINE:
        [made] = get_perturbation(kind).damage([long], 3)
        assert isinstance(made, Damaged) or "names" in made.problem
