from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.length import Length


def test_by_hand() -> None:
    text = "It rained, so we left. Nobody minded!"
    [score] = Length().score([Example(summary=text)])
    # it rained , so we left . nobody minded !
    assert score.value == 10
    assert score.parts == {"words": 10, "characters": len(text), "sentences": 2}


def test_needs_no_source_and_counts_as_it_is_told() -> None:
    rows = [Example(summary="Don't go."), Example(summary="   ")]
    assert [s.value for s in Length(tokenizer="space").score(rows[:1])] == [2]
    assert [s.value for s in Length(tokenizer="unicode").score(rows[:1])] == [3]
    assert Length().score(rows)[1].problem == "the summary is empty"


@given(st.lists(st.sampled_from(["cat", "dog", "saw", "it"]), min_size=1, max_size=30))
def test_words_add_up(cut: list[str]) -> None:
    assert Length().score([Example(summary=" ".join(cut))])[0].value == len(cut)
