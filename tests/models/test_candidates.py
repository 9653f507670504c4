"""`MaskedLM.candidates` against what transformers computes by itself, on every family."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import torch

from tricolore.models import MaskedLM, Query

from .conftest import TEXT, queries_for


def test_candidates_are_the_highest_of_the_whole_model(checkpoint: Path) -> None:
    from transformers import AutoModelForMaskedLM

    model = MaskedLM.load(str(checkpoint))
    whole = AutoModelForMaskedLM.from_pretrained(checkpoint).eval().double()
    queries = queries_for(model)
    # In fp32, rounding may swap two candidates that are nearly equal; in fp64 it does not.
    exact, quick = (model.candidates(queries, 7, double=double) for double in (True, False))
    for query, found, rounded in zip(queries, exact, quick, strict=True):
        with torch.no_grad():
            logits = whole(input_ids=torch.tensor([query.ids])).logits[0]
        expected = logits[list(query.positions)].softmax(-1).topk(7)
        assert found.ids.tolist() == expected.indices.tolist()
        np.testing.assert_allclose(found.probabilities, expected.values.numpy(), rtol=1e-9)
        np.testing.assert_allclose(rounded.probabilities, expected.values.numpy(), rtol=1e-3)


def test_the_first_candidate_is_the_prediction(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    queries = queries_for(model)
    first = [found.ids[:, 0].tolist() for found in model.candidates(queries, 3)]
    assert first == [guessed.tolist() for guessed in model.predict(queries)]


def test_company_changes_no_order_that_is_sure(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    queries = queries_for(model)
    shuffled = random.Random(3).sample(range(len(queries)), len(queries))
    exact = model.candidates(queries, 30, double=True)
    sure = 0
    for budget in (1, 100, 10_000):
        model.budget.limit = budget
        again = model.candidates(queries, 30, double=True)
        for one, other in zip(again, exact, strict=True):
            assert one.ids.tolist() == other.ids.tolist()
            np.testing.assert_allclose(one.probabilities, other.probabilities, rtol=1e-9)
        answers = model.candidates([queries[i] for i in shuffled], 30)
        for place, answer in zip(shuffled, answers, strict=True):
            for at, ids in enumerate(answer.ids):
                for rank, token in enumerate(ids.tolist(), 1):
                    if not answer.unsure(at, rank):
                        sure += 1
                        assert token == exact[place].ids[at, rank - 1]
    assert sure > 1000


def test_a_near_tie_makes_both_its_ranks_unsure(checkpoint: Path) -> None:
    """The vocabulary's scores are 3, 2, 1, 0, -9 … but for two neighbours that differ by 1e-10.

    fp32 cannot tell these two, and would not always take the same one first; fp64 can.
    """
    model = MaskedLM.load(str(checkpoint))
    old = model.net.module.get_output_embeddings()
    projection = torch.nn.Linear(old.in_features, old.out_features)
    model.net.module.set_output_embeddings(projection)
    noise = torch.randn(old.in_features, generator=torch.Generator().manual_seed(1))
    queries = queries_for(model)[:12]
    ids = [20, 15, 10, 5]
    for place in range(3):
        low, high = ids[place + 1], ids[place]
        chosen = set()
        for sign in (1, -1):
            with torch.no_grad():
                projection.weight.zero_()
                projection.bias.fill_(-9.0)
                projection.bias[ids] = torch.tensor([3.0, 2.0, 1.0, 0.0])
                projection.bias[low] = projection.bias[high]
                projection.weight[low] = sign * 1e-10 * noise
                projection.weight[high] = -sign * 1e-10 * noise
            for found in model.candidates(queries, 3):
                for at in range(len(found.ids)):
                    unsure = [rank for rank in (1, 2, 3) if found.unsure(at, rank)]
                    assert unsure == [rank for rank in (place + 1, place + 2) if rank <= 3]
            exact = model.candidates(queries, 3, double=True)
            chosen |= {int(row[place]) for answer in exact for row in answer.ids}
        assert chosen == {low, high}  # both orders occur, so neither is the lower id's by default


def test_equal_scores_come_in_the_order_of_their_ids(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    old = model.net.module.get_output_embeddings()
    projection = torch.nn.Linear(old.in_features, old.out_features)
    with torch.no_grad():
        projection.weight.zero_()
        projection.bias.zero_()
        projection.bias[[11, 7, 9]] = 1.0
    model.net.module.set_output_embeddings(projection)
    [found] = model.candidates(queries_for(model)[:1], 4, double=True)
    assert found.ids.tolist() == [[7, 9, 11, 0]] * len(found.ids)


def test_more_candidates_than_there_are_words(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    query = queries_for(model)[0]
    [found] = model.candidates([query], 10_000)
    assert sorted(found.ids[0].tolist()) == list(range(found.ids.shape[1]))
    np.testing.assert_allclose(found.probabilities.sum(-1), 1.0, rtol=1e-5)


def test_a_query_without_positions_has_no_candidates(checkpoint: Path) -> None:
    model = MaskedLM.load(str(checkpoint))
    [found] = model.candidates([Query(model.frame(model.tokenize("The old bridge").ids), ())], 4)
    assert found.ids.shape == found.probabilities.shape == (0, 4)


def test_entries_as_words(checkpoint: Path) -> None:
    """An entry can stand where another stood if both begin a word in the same way."""
    model = MaskedLM.load(str(checkpoint))
    tokenizer = model.tokenizer
    tokens = model.tokenize(TEXT[0])
    begins = [at for at in range(1, len(tokens) - 1) if not tokens.continues(at)]
    start, end, here = next(
        (*tokens.spans[at], tokens.ids[at])
        for at in begins
        if tokens.spans[at][1] > tokens.spans[at][0]
    )
    assert tokenizer.as_word(here, here) == TEXT[0][start:end]
    for special in (tokenizer.cls_id, tokenizer.mask_id, tokenizer.unk_id):
        assert special is None or tokenizer.as_word(special, here) is None
    marks = [tokenizer.entry(token)[:1] in "▁Ġ" for token in tokenizer.text_ids]
    alike = [tokenizer.as_word(token, here) is not None for token in tokenizer.text_ids]
    if any(marks):  # BPE and SentencePiece: a word after a space
        assert alike == marks
    else:  # WordPiece
        pieces = [tokenizer.entry(token).startswith("##") for token in tokenizer.text_ids]
        assert alike == [not piece for piece in pieces]
