"""Subtle errors with the embedded model."""

import json

import pytest
import torch

from tricolore import Example
from tricolore.errors import PerturbError
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.model import shared
from tricolore.models.queries import Query
from tricolore.perturb.casing import casing, fits
from tricolore.perturb.damage import Damaged, Undamaged
from tricolore.perturb.subtle_errors import SubtleErrors
from tricolore.text.inflections import is_inflection

TEXTS = [
    "The council voted on Tuesday to buy two electric ferries. They cost 31 million crowns.",
    "Harrow Island will replace its diesel boats;\n\n  fares go up six per cent for visitors\t!",
    "ENGINEERS of the FBI said Tom wasn’t there — Anna's friends left Paris in 1984 😀.",
    "Shares fell sharply after the company warned of lower profits, and the mayor resigned.",
]
EXAMPLES = [Example(source="The source is not read.", summary=text) for text in TEXTS]


@pytest.fixture(scope="module")
def lm():
    return shared(MaskedLM, "embedded")


@pytest.fixture(scope="module")
def damaged(lm):
    return SubtleErrors(seed=1).damage(EXAMPLES, 3)


def test_every_error_is_where_its_label_says_and_the_rest_is_untouched(damaged):
    for made, clean in zip(damaged, TEXTS, strict=True):
        assert len(made.edits) == 3
        assert made.problem == ""
        back = made.example.summary
        for edit in reversed(made.edits):
            assert back[edit.start : edit.end] == edit.change.replacement
            assert edit.change.replacement.lower() != edit.original.lower()
            assert fits(edit.change.replacement, edit.original)
            back = back[: edit.start] + edit.original + back[edit.end :]
        assert back == clean
        starts = [edit.change.start for edit in made.edits]
        assert starts == sorted(set(starts))


def test_parts_of_speech(lm):
    [plan] = SubtleErrors().plans(EXAMPLES[:1], 99)
    text = TEXTS[0]
    known = {text[c.start : c.end]: c.pos for c in plan.changes}
    assert known.items() >= {
        "The": "DT", "council": "NN", "Tuesday": "NNP", "31": "CD", "They": "PRP"
    }.items()  # fmt: skip


def likeliest(lm, ids, at, count):
    """Entries of the vocabulary and log-probabilities, by the net of transformers alone."""
    with torch.no_grad():
        scores = lm.net.module(input_ids=torch.tensor([ids])).logits[0, at].log_softmax(-1)
    found = scores.topk(count)
    return list(zip(lm.entries(found.indices.tolist()), found.values.tolist(), strict=True))


def test_the_best_guess_that_is_not_the_word_itself(lm):
    """Masked alone."""
    [made] = SubtleErrors(seed=2, together=1).damage(EXAMPLES[:1], 6)
    tokens = lm.tokenize(TEXTS[0])
    for edit in made.edits:
        at = tokens.spans.index((edit.change.start, edit.change.end))
        ids = list(lm.frame(tokens.ids))
        ids[at + 1] = lm.mask_id
        guesses = likeliest(lm, ids, at + 1, 40)
        words = [entry for entry, _ in guesses]
        rank = edit.change.rank
        assert words[rank - 1] == edit.change.replacement
        assert edit.change.probability == pytest.approx(
            2.718281828 ** guesses[rank - 1][1], rel=0.0501
        )
        for passed_over in words[: rank - 1]:
            assert (
                passed_over.lower() == edit.original.lower()
                or not passed_over.isalnum()
                or casing(passed_over) != casing(edit.original)
            )
    assert {edit.change.rank for edit in made.edits} & {1, 2}


def test_the_same_bytes_on_any_batch_size_and_in_any_company(lm, damaged):
    expected = [json.dumps(made.to_json()) for made in damaged]
    before = lm.budget.limit
    try:
        for budget in (1, 40, 100_000):
            lm.budget.limit = budget
            backwards = SubtleErrors(seed=1).damage(EXAMPLES[::-1], 3)
            assert [json.dumps(made.to_json()) for made in backwards[::-1]] == expected
    finally:
        lm.budget.limit = before
    [alone] = SubtleErrors(seed=1).damage(EXAMPLES[2:3], 3)
    assert json.dumps(alone.to_json()) == expected[2]


@pytest.mark.slow
def test_near_ties_are_decided_in_fp64(lm):
    """All guesses score -9 but "mayor" and "judge", which differ by 1e-10 of a random number.

    fp32 cannot tell these two; which comes first is then the lower id's, or an accident.
    """
    import torch

    module = lm.net.module
    old = module.get_output_embeddings()
    tied = torch.nn.Linear(old.in_features, old.out_features)
    noise = 1e-10 * torch.randn(old.in_features, generator=torch.Generator().manual_seed(1))
    mayor, judge = map(lm.tokenizer.id_of, ("mayor", "judge"))
    with torch.no_grad():
        tied.weight.zero_()
        tied.bias.fill_(-9.0)
        tied.bias[[mayor, judge]] = 9.0
        tied.weight[mayor], tied.weight[judge] = noise, -noise
    module.set_output_embeddings(tied)
    try:
        made = SubtleErrors(pos="noun+verb+preposition", together=1).damage(EXAMPLES, 99)
        edits, queries = [], []
        for one, text in zip(made, TEXTS, strict=True):
            tokens = lm.tokenize(text)
            for edit in one.edits:
                at = tokens.spans.index((edit.change.start, edit.change.end)) + 1
                ids = list(lm.frame(tokens.ids))
                ids[at] = lm.mask_id
                edits.append(edit)
                queries.append(Query(tuple(ids), (at,)))
        exact = lm.candidates(queries, 1, double=True)
        best = lm.entries(int(answer.ids[0, 0]) for answer in exact)
    finally:
        module.set_output_embeddings(old)
    small = [both for both in zip(edits, best, strict=True) if fits(both[1], both[0].original)]
    assert len(small) > 10
    assert all(edit.change.replacement == first for edit, first in small)
    assert {first for _, first in small} == {"mayor", "judge"}


def test_more_errors_hold_the_fewer(lm, damaged):
    for (one, two, four), three in zip(
        SubtleErrors(seed=1).damage_by(EXAMPLES, [1, 2, 4]), damaged, strict=True
    ):
        changes = [{edit.change for edit in made.edits} for made in (one, two, three, four)]
        assert changes[0] < changes[1] < changes[2] < changes[3]


def test_seeds_and_copies_differ(damaged):
    [other] = SubtleErrors(seed=2).damage(EXAMPLES[:1], 3)
    [copy] = SubtleErrors(seed=1, copy=1).damage(EXAMPLES[:1], 3)
    found = {made.example.summary for made in (damaged[0], other, copy)}
    assert len(found) == 3


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"pos": "noun"}, {"council", "Tuesday"}),  # ferries and crowns are several pieces
        ({"pos": "VBD"}, {"voted", "cost"}),
        ({"pos": "number+pronoun"}, {"two", "31", "million", "They"}),
        ({"only": "entities"}, {"Tuesday"}),
        ({"only": "numbers"}, {"two", "31"}),
        ({"only": "entities+numbers", "pos": "CD"}, {"two", "31"}),
    ],
)
def test_only_some_words(lm, settings, expected):
    [made] = SubtleErrors(**settings).damage(EXAMPLES[:1], 20)
    assert {edit.original for edit in made.edits} == expected
    assert made.problem.startswith(f"the summary has only {len(expected)} word")


def test_no_inflections(lm):
    voted, votes, agreed = map(lm.tokenizer.id_of, ("voted", "votes", "agreed"))
    guesses = [voted, votes, agreed]
    assert SubtleErrors()._chosen("voted", voted, guesses) == (2, "votes", True)
    other = SubtleErrors(inflections=False)._chosen("voted", voted, guesses)
    assert other == (3, "agreed", True)
    assert is_inflection("went", "Go")
    assert not is_inflection("went", "came")


def test_casing_is_kept(lm):
    city, rome, paris, he, fbi = map(lm.tokenizer.id_of, ("city", "Rome", "Paris", "he", "FBI"))

    def chosen(old, *guesses):
        return SubtleErrors()._chosen(old, city, guesses)

    assert chosen("town", rome, city) == (2, "city", True)  # a name is passed over
    assert chosen("Rome", city, rome, paris) == (3, "Paris", True)
    assert chosen("CIA", he, fbi) == (2, "FBI", True)
    assert chosen("16", rome, city) == (1, "Rome", True)  # digits have no casing
    # None is written so: the best is rewritten.
    assert chosen("CIA", he, rome) == (1, "HE", False)
    assert chosen("town", rome, paris) == (1, "rome", False)
    piece, mark = map(lm.tokenizer.id_of, ("##ing", ","))
    assert chosen("town", piece, mark, lm.mask_id) is None


def test_halves_of_words_are_no_words(lm):
    [plan] = SubtleErrors().plans([Example(summary="Tom wasn’t at Anna’s; he can't.")], 99)
    text = "Tom wasn’t at Anna’s; he can't."
    assert {text[c.start : c.end] for c in plan.changes} == {"Tom", "at", "Anna", "he"}


@pytest.mark.parametrize(
    ("summary", "problem"),
    [
        ("", "the summary is empty"),
        (" \n", "the summary is empty"),
        ("😀 🎉 …!?", "the summary has no whole word that could be replaced"),
        ("U.S.", "the summary has no whole word that could be replaced"),
    ],
)
def test_no_words_at_all(lm, summary, problem):
    example = Example(summary=summary)
    assert SubtleErrors().damage([example], 3) == [Undamaged(example, problem)]


def test_fewer_words_than_errors(lm):
    [made] = SubtleErrors().damage([Example(summary="😀 Rain fell 🎉")], 3)
    assert len(made.edits) == 2
    assert made.problem == "the summary has only 2 whole words"
    assert made.example.summary.startswith("😀 ")
    assert made.example.summary.endswith(" 🎉")


@pytest.mark.slow
def test_a_summary_longer_than_the_model_reads(lm):
    text = " ".join(TEXTS) * 40
    assert len(lm.tokenize(text)) > 2 * lm.max_tokens
    [made] = SubtleErrors(seed=3).damage([Example(summary=text)], 5)
    assert isinstance(made, Damaged)
    assert len(made.edits) == 5
    assert len(text) - 200 < len(made.example.summary) < len(text) + 200
    # Each was guessed from as much on both sides as the model reads.
    tokens, room = lm.tokenize(text), lm.max_tokens - 2
    for edit in made.edits:
        at = tokens.spans.index((edit.change.start, edit.change.end))
        first = min(max(at - room // 2, 0), len(tokens) - room)
        ids = list(lm.frame(tokens.ids[first : first + room]))
        ids[at - first + 1] = lm.mask_id
        guesses = likeliest(lm, ids, at - first + 1, edit.change.rank)
        entry, score = guesses[-1]
        assert entry == edit.change.replacement
        assert edit.change.probability == pytest.approx(2.718281828**score, rel=0.0501)


def test_settings_that_do_not_fit():
    with pytest.raises(PerturbError, match="'nouns' is no part of speech; write noun, name"):
        SubtleErrors(pos="nouns")
    with pytest.raises(PerturbError, match="at least 1"):
        SubtleErrors(together=0)
