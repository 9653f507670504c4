"""Shuffles, cuts, random and spoiled summaries."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore import Example, get_measure
from tricolore.errors import PerturbError, SpecError
from tricolore.perturb.damage import Damaged, Undamaged, apply
from tricolore.perturb.kinds import KINDS, get_perturbation, get_perturbations
from tricolore.perturb.random_summaries import RandomSentences, RandomWords
from tricolore.perturb.shuffles import SentenceShuffle, Truncation
from tricolore.perturb.spoiled import SpoiledSentences
from tricolore.perturb.subtle_errors import SubtleErrors
from tricolore.settings import Policy
from tricolore.text.sentences import sentence_spans, sentences

SOURCE = (
    "The council bought two ferries. They cost 31 million crowns! Fishermen opposed the plan, as "
    "the station takes a third of the quay. Fares will rise by six per cent. A heading\n\n"
    "Islanders are exempt from the increase. The boats sail every forty minutes."
)
SUMMARY = "The boats are new.  Fares rise!\n\nFishermen are angry about it."
EXAMPLE = Example(source=SOURCE, summary=SUMMARY)
OFFLINE = [kind for kind in KINDS if kind != "subtle-errors"]


def test_a_shuffle_moves_sentences_and_leaves_what_is_between():
    seen = set()
    for seed in range(50):
        [made] = SentenceShuffle(seed=seed).damage([EXAMPLE])
        text = made.example.summary
        assert sorted(sentences(text)) == sorted(sentences(SUMMARY))
        assert text != SUMMARY
        gaps = [m[0] for m in re.finditer(r"\s{2,}", text)]
        assert gaps == ["  ", "\n\n"]
        seen.add(tuple(sentences(text)))
    assert len(seen) == 5  # all orders of three but the one that was


def test_a_cut_is_within_a_sentence():
    ends = {end for _, end in sentence_spans(SUMMARY)}
    seen = set()
    for seed in range(80):
        [made] = Truncation(seed=seed).damage([EXAMPLE])
        text = made.example.summary
        assert SUMMARY.startswith(text)
        assert len(text) not in ends
        assert SUMMARY[len(text)].isspace()
        seen.add(text)
    # 3 + 1 + 4 places between the words of the three sentences
    assert len(seen) == 8


def test_random_words_are_of_the_source_and_as_long():
    for seed in range(20):
        [made] = RandomWords(seed=seed).damage([EXAMPLE])
        text = made.example.summary
        assert set(text.split()) <= set(re.findall(r"\w+", SOURCE))
        assert len(SUMMARY) - 1 <= len(text) <= len(SUMMARY)


def test_random_words_of_a_short_source_are_used_again():
    [made] = RandomWords().damage([Example(source="two words", summary="x" * 59)])
    text = made.example.summary
    assert 57 <= len(text) <= 59
    assert abs(text.split().count("two") - text.split().count("words")) <= 2


def test_random_sentences_are_copies_about_as_long():
    seen = set()
    for seed in range(30):
        [made] = RandomSentences(seed=seed).damage([EXAMPLE])
        copied = sentences(made.example.summary)
        assert set(copied) <= set(sentences(SOURCE))
        assert len(copied) == len(set(copied))
        # Sentences have up to 77 letters: half of that off, and the space between.
        assert abs(len(made.example.summary) - len(SUMMARY)) <= 45
        seen.update(copied)
    assert seen == set(sentences(SOURCE))


def test_the_guard_finds_every_copied_sentence_again():
    """A summary of all sentences is a copy of each: with the guard there is nothing to guess."""
    example = Example(source=SOURCE, summary="x" * len(SOURCE))
    [made] = RandomSentences().damage([example])
    assert sorted(sentences(made.example.summary)) == sorted(sentences(SOURCE))
    [guarded] = get_measure("blanc-help:guard=skip").score([made.example])
    assert guarded.problem == "the summary is a copy of every sentence that could be masked"


def test_sentences_are_spoiled_one_after_the_other():
    made = SpoiledSentences(seed=4).damage_by([EXAMPLE], [1, 2, 3])[0]
    spans = sentence_spans(SUMMARY)
    for count, one in enumerate(made, 1):
        assert len(one.edits) == count
        assert {(e.change.start, e.change.end) for e in one.edits} <= set(spans)
        for edit in one.edits:
            assert set(edit.change.replacement.split()) <= set(re.findall(r"\w+", SOURCE))
            assert 0 <= len(edit.original) - len(edit.change.replacement) <= 1
    one, two, three = ({edit.change for edit in some.edits} for some in made)
    assert one < two < three
    assert SpoiledSentences(seed=4).damage([EXAMPLE], 1) == made[:1]
    [short] = SpoiledSentences().damage([EXAMPLE], 4)
    assert short.problem == "the summary has only 3 sentences"
    first = [SpoiledSentences(seed=seed).damage([EXAMPLE], 1)[0] for seed in range(30)]
    assert {one.edits[0].change.start for one in first} == {start for start, _ in spans}


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


def test_kinds_and_settings_that_there_are_not():
    with pytest.raises(PerturbError, match="did you mean 'truncation'"):
        get_perturbation("truncate")
    with pytest.raises(SpecError, match="truncation has no setting 'pos'"):
        get_perturbation("truncation:pos=NN")
    with pytest.raises(SpecError, match="together=x was given, but together must be a whole"):
        get_perturbation("subtle-errors:together=x")
    with pytest.raises(PerturbError, match="separate kinds of damage by commas"):
        get_perturbation("truncation+negation-swap")
    with pytest.raises(PerturbError, match="no kind of damage is named"):
        get_perturbations(" , ")
    with pytest.raises(PerturbError, match="at least one error"):
        get_perturbation("negation-swap").damage([EXAMPLE], 0)


def test_a_long_summary_is_damaged_in_no_time():
    long = Example(source=SOURCE * 50, summary=(SUMMARY + " Anna Bell is 12. ") * 1500)
    for kind in OFFLINE:
        [made] = get_perturbation(kind).damage([long], 3)
        assert isinstance(made, Damaged) or "names" in made.problem


def test_a_kind_is_a_spec():
    made = get_perturbation("Subtle_Errors: pos=noun+VBD, only=entities", seed=3, copy=1)
    assert made == SubtleErrors(pos="noun+VBD", only="entities", seed=3, copy=1)
    assert made.label == "subtle-errors:pos=noun+VBD,only=entities"
    assert get_perturbation(made.label, seed=3, copy=1) == made
    several = get_perturbations("negation-swap,truncation,negation-swap", seed=2, copies=2)
    assert [(one.label, one.seed, one.copy) for one in several] == [
        ("negation-swap", 2, 0),
        ("negation-swap", 2, 1),
        ("truncation", 2, 0),
        ("truncation", 2, 1),
    ]


def test_a_policy_is_asked_of_damage_too():
    policy = Policy(files=False, models=frozenset({"embedded"}))
    assert get_perturbation("subtle-errors", policy=policy) == SubtleErrors()
    with pytest.raises(SpecError, match="subtle-errors: model=bert is not allowed here"):
        get_perturbation("subtle-errors:model=bert", policy=policy)
