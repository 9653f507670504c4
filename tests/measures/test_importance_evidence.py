"""Evidence of importance."""

from __future__ import annotations

import pytest

from tests.measures.importance_texts import BIGRAMS, CORPUS, NEWS, SOURCE, score
from tricolore import Example
from tricolore.measures.importance import Importance


def test_evidence_between_documents_stays_inside_them() -> None:
    sources = ["ab", "cd", "", "ef"]
    fitted = Importance(tokenizer="characters", n=2).fit(["\n".join(sources), *CORPUS])
    [found] = fitted.score([Example(source=sources, summary="xy")], evidence=True)
    assert len(found.evidence) == 8  # nine characters with their line breaks, each pair once
    for span in found.evidence:
        assert 0 <= span.start <= span.end <= len(sources[span.document])


def test_evidence_is_what_was_earned_and_what_is_missing() -> None:
    found = score(BIGRAMS.fit(CORPUS), "we c a b", evidence=True)
    matched = [span for span in found.evidence if span.label == "matched"]
    missing = [span for span in found.evidence if span.label == "missing"]
    assert [("we c a b"[s.start : s.end], s.where) for s in matched] == [
        ("a b", "summary"),
        ("c a", "summary"),
    ]
    assert [SOURCE[s.match.start : s.match.end] for s in matched if s.match] == ["a b", "c a"]
    assert [(SOURCE[s.start : s.end], s.where) for s in missing] == [("b c", "source")]
    assert sum(s.weight for s in matched) == pytest.approx(found.parts["relevance"])
    assert sum(s.weight for s in found.evidence) == pytest.approx(1)
    assert found.value == score(BIGRAMS.fit(CORPUS), "we c a b").value


def test_evidence_stands_in_the_text_as_given() -> None:
    measure = Importance(**Importance.presets["released"])
    summary = "“Mayor” ELLEN Gray asked people to stay inside."
    found = score(measure, summary, NEWS, evidence=True)
    assert found.evidence
    for span in found.evidence:
        if span.label == "matched":
            assert span.match is not None
            here = summary[span.start : span.end].lower()
            there = NEWS[span.match.start : span.match.end].lower()
            assert here.replace(" ", "")[:2] == there.replace(" ", "")[:2]
