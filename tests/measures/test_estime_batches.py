"""What many summaries share, in any order, within bounds."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.estime import Estime
from tricolore.models import masked_vectors
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.model import shared

WORDS = """the The a in of was and . , dog cat bird fish Paris London Rome Berlin met slept ate saw
old new king queen went to home city river = [ ] MASK Met ##s ##ing ##er run Run walk""".split()
STORY = "the old king met the queen in Paris . the dog slept in London and a cat ate the fish ."
SUMMARY = "the king met a dog in London ."


def one(source: str | list[str], summary: str, *, evidence: bool = False, **chosen: Any):
    [score] = Estime(**chosen).score([Example(source=source, summary=summary)], evidence=evidence)
    return score


TEXTS = st.lists(st.sampled_from([w for w in WORDS if w[0] not in "#=["]), min_size=1, max_size=30)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    sources=st.lists(TEXTS, min_size=1, max_size=2),
    summaries=st.lists(TEXTS, min_size=2, max_size=4),
    budget=st.sampled_from([1, 64, 300, 4096]),
    at_once=st.sampled_from([1, 7, 4096]),
    layer=st.sampled_from(["0", "1", "3"]),
    value=st.sampled_from(["alarms", "winners"]),
)
def test_the_same_in_any_company(tiny, sources, summaries, budget, at_once, layer, value):
    made = Estime(model=tiny, layer=layer, distance=3, window=20, margin=3, value=value)
    examples = [
        Example(source=" ".join(source), summary=" ".join(summary))
        for source in sources
        for summary in summaries
    ]
    alone = [made.score([example])[0] for example in examples]
    lm = shared(MaskedLM, tiny)
    before = lm.budget.limit, masked_vectors._AT_ONCE
    try:
        lm.budget.limit, masked_vectors._AT_ONCE = budget, at_once
        together = made.score(examples[::-1], evidence=True)[::-1]
    finally:
        lm.budget.limit, masked_vectors._AT_ONCE = before
    for one, other in zip(alone, together, strict=True):
        assert one.problem == other.problem
        assert one.value == other.value or math.isnan(one.value)
        # Winners are settled only where they are the value.
        counts = ("alarms", "alarms_all", "coherence", *(["winners"] * (value == "winners")))
        for part in counts if one.parts else ():
            assert one.parts[part] == other.parts[part] or math.isnan(one.parts[part])
        if one.parts:
            assert one.parts["soft"] == pytest.approx(other.parts["soft"], abs=1e-6)


def test_the_source_is_run_once_for_all_its_summaries(tiny, asked):
    summaries = [SUMMARY, "a cat slept in Paris .", "the queen ate the fish"]
    Estime(model=tiny).score([Example(source=STORY, summary=text) for text in summaries])
    plain = [queries for queries, _, double in asked if not double]
    assert len(plain) == 1
    assert sum(len(query.positions) for query in plain[0]) == len(STORY.split()) + 8 + 6 + 5
    # No two inputs are alike.
    assert len(set(plain[0])) == len(plain[0])


def test_a_long_source_is_asked_for_in_parts(tiny, monkeypatch, asked):
    monkeypatch.setattr(masked_vectors, "_AT_ONCE", 300)
    words = [WORDS[at * at % 23] for at in range(3000)]
    score = one(" ".join(words), SUMMARY, model=tiny, layer="1")
    assert score.problem is None
    held = [sum(len(q.positions) for q in queries) for queries, _, double in asked if not double]
    assert max(held) <= 300
    assert sum(held) == 3000 + 8


def test_what_rounding_could_decide_is_decided_in_fp64(tiny, asked):
    # At layer 0 a masked token is its position and nothing else: with windows of 12 tokens, the
    # same position comes again and again, and its vectors are equal.
    score = one(STORY, SUMMARY, model=tiny, layer="0", window=12, margin=2)
    assert [double for *_, double in asked] == [False, True]
    assert score.problem is None
