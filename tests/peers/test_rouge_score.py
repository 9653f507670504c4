"""Equal to rouge-score 0.1.2 on every variant that it has."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from tricolore.example import Example
from tricolore.measures.rouge import Rouge

pytestmark = pytest.mark.slow
PEERS = {v: f"rouge{v}" for v in "1234"} | {"l": "rougeL", "lsum": "rougeLsum"}
SCORERS = {stem: RougeScorer(list(PEERS.values()), use_stemmer=stem) for stem in (False, True)}

# Words that repeat and share stems, breaks of line, and whatever else text may hold.
words = st.sampled_from(
    "The cats cat sitting sat, ON mats. don't \n generalizations £5 naïve K".split(" ")
)
text = st.lists(words, min_size=1, max_size=30).map(" ".join) | st.text(min_size=1)


def check(summary: str, references: list[str], stem: bool) -> None:
    theirs = SCORERS[stem].score_multi(references, summary)
    for variant, peer in PEERS.items():
        example = Example(summary=summary, references=references)
        [ours] = Rouge(variant=variant, stem=stem).score([example])
        if ours.problem is not None:
            # rouge-score gives 0 where there is nothing to compare; we say so.
            assert theirs[peer] == (0, 0, 0)
            continue
        assert ours.parts["f1"] == pytest.approx(theirs[peer].fmeasure, abs=1e-9)
        if len(references) == 1:  # of several that are equally good by F1, it takes the first
            assert ours.parts["precision"] == pytest.approx(theirs[peer].precision, abs=1e-9)
            assert ours.parts["recall"] == pytest.approx(theirs[peer].recall, abs=1e-9)


@given(summary=text, reference=text, stem=st.booleans())
def test_any_text(summary: str, reference: str, stem: bool) -> None:
    check(summary, [reference], stem)


@given(summary=text, references=st.lists(text, min_size=2, max_size=4), stem=st.booleans())
def test_several_references(summary: str, references: list[str], stem: bool) -> None:
    check(summary, references, stem)


@pytest.mark.parametrize("stem", [False, True])
def test_summeval(summeval: list[dict[str, Any]], stem: bool) -> None:
    def lines(text: str) -> str:
        return text.replace(" . ", " .\n")

    for row in summeval[:: 4 if stem else 1]:
        check(lines(row["summary"]), [lines(row["references"][0])], stem)


def test_summeval_several_references(summeval: list[dict[str, Any]]) -> None:
    for row in summeval[::16]:
        check(row["summary"], row["references"], stem=False)
