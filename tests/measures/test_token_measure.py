"""What MoverScore and YiSi share: cut texts, empty texts, sources instead of references."""

from __future__ import annotations

import pytest

from tricolore import Example
from tricolore.measures.mover_score import MoverScore
from tricolore.measures.token_measure import TokenMeasure
from tricolore.measures.yisi import Yisi

BOTH = (MoverScore, Yisi)


@pytest.mark.parametrize("measure", BOTH)
def test_long_texts_are_cut_and_flagged(measure: type[TokenMeasure], tiny: str) -> None:
    made = measure(model=tiny, max_tokens=6)
    long, short = made.score(
        [
            Example(summary="dog cat bird fish Paris", references="dog"),
            Example(summary="dog cat bird fish", references="dog"),
        ]
    )
    assert (long.flags, short.flags) == (("truncated",), ())
    assert long.value == pytest.approx(short.value)


@pytest.mark.parametrize("measure", BOTH)
def test_long_references_are_flagged(measure: type[TokenMeasure], tiny: str) -> None:
    # Five tokens and two special ones are one more than six.
    references = ("dog", "dog cat bird fish Paris")
    [score] = measure(model=tiny, max_tokens=6).score(
        [Example(summary="dog", references=references)]
    )
    assert score.flags == ("truncated",)


@pytest.mark.parametrize("measure", BOTH)
def test_evidence_is_of_the_nearest_reference(measure: type[TokenMeasure], tiny: str) -> None:
    example = Example(summary=" king", references=("Rome", "  king"))
    [score] = measure(model=tiny).score([example], evidence=True)
    [span] = score.evidence
    assert (span.start, span.end) == (1, 5)
    assert span.match is not None
    assert (span.match.document, span.match.start, span.match.end) == (1, 2, 6)


@pytest.mark.parametrize("measure", BOTH)
def test_a_source_as_the_reference(measure: type[TokenMeasure], tiny: str) -> None:
    example = Example(source="the dog met", summary="the dog slept", references="Rome")
    other = Example(summary="the dog slept", references="the dog met")
    [score] = measure(model=tiny, against="source").score([example], evidence=True)
    assert score.value == pytest.approx(measure(model=tiny).score([other])[0].value)
    assert {span.match.where for span in score.evidence if span.match} == {"source"}


@pytest.mark.parametrize("measure", BOTH)
def test_an_idf_file_without_texts(measure: type[TokenMeasure], tiny: str, tmp_path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("\n")
    with pytest.raises(ValueError, match="has no references to count in"):
        measure(model=tiny, idf=str(empty)).score([Example(summary="dog", references="dog")])
