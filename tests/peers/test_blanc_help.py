"""Equality with the authors' package: the same counts, cuts and masks as blanc 0.3.4."""

from __future__ import annotations

from typing import Any

import blanc034
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.blanc import _every, fit_lengths
from tricolore.measures.blanc_help import BlancHelp
from tricolore.text.sentences import sentences

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def peer() -> Any:
    return blanc034.load()


@pytest.fixture(scope="module")
def random_bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return blanc034.random_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def pairs(cnndm555: list[dict[str, Any]]) -> list[Example]:
    """Real summaries, short ones, with one sentence of their sources: a pass takes long."""
    found = []
    for row in sorted(cnndm555, key=lambda row: len(row["summary"])):
        source = max(sentences(row["source"])[:3], key=len)
        if 80 < len(source) < 140:
            found.append(Example(source=source, summary=row["summary"]))
    return found[:20]


def theirs(peer: Any, pairs: list[Example], model: str, **settings: Any) -> list[Any]:
    measure = peer.BlancHelp(model, measure="relative-counts", show_progress_bar=False, **settings)
    return measure.eval_pairs([pair.source[0] for pair in pairs], [pair.summary for pair in pairs])


def ours(pairs: list[Example], **settings: Any) -> list[Any]:
    found = []
    for score in BlancHelp(**settings).score(pairs):
        s = score.parts
        found.append((score.value, [[s["s00"], s["s01"]], [s["s10"], s["s11"]]]))
    return found


@pytest.fixture(scope="module")
def ours_embedded(pairs: list[Example]) -> list[Any]:
    return ours(pairs)


@pytest.mark.parametrize(("batch", "count"), [(1, 6), (8, 20)])
def test_the_same_counts_with_the_embedded_model(peer, pairs, ours_embedded, batch, count):
    expected = theirs(peer, pairs[:count], "embedded", inference_batch_size=batch)
    assert ours_embedded[:count] == expected
    both = [sum(s[i][j] for _, s in expected) for i in (0, 1) for j in (0, 1)]
    assert min(both) > 0  # else it would prove little


OTHER_THEIRS = {
    "gap": 3,
    "min_token_length_normal": 1,
    "min_token_length_lead": 3,
    "min_token_length_followup": 2,
    "filler_token": "the",
    "help_sep": "; so",
}
OTHER_OURS = {
    "gap": 3,
    "min_word": 1,
    "min_lead": 3,
    "min_followup": 2,
    "filler": "the",
    "separator": "; so",
}
ROWS = {"gap": 6, "gap_mask": 2}


@pytest.mark.parametrize(
    ("batch", "asked", "set_to"),
    [(1, {}, {}), (8, {}, {}), (8, ROWS, ROWS), (1, OTHER_THEIRS, OTHER_OURS)],
    ids=["default-1", "default-8", "rows-8", "other-1"],
)
def test_the_same_counts_with_a_random_bert(peer, pairs, random_bert, batch, asked, set_to):
    expected = theirs(peer, pairs, random_bert, inference_batch_size=batch, **asked)
    assert ours(pairs, model=random_bert, **set_to) == expected
    assert any(s[0][1] + s[1][0] + s[1][1] for _, s in expected)


def test_the_same_guesses(peer, pairs, random_bert):
    """Not only who was right: a random net is mostly wrong on both sides."""
    measure = peer.BlancHelp(random_bert, show_progress_bar=False, inference_batch_size=4)
    [pair] = pairs[:1]
    outputs, _ = measure.mask_and_infer(
        measure.model, [pair.source[0]], [[pair.summary]], sep=measure.help_sep
    )
    expected = [token for guesses in outputs[0][0] for token in guesses.values()]
    ask = BlancHelp(model=random_bert)
    asked = []
    predict = ask.lm.predict

    def spy(queries):
        asked.extend(queries)
        return predict(queries)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ask.lm, "predict", spy)
        ask.score([pair])
    # The package asks with the summary first, we with the filler first.
    both = zip(asked[::2], asked[1::2], strict=True)
    swapped = [query for base, helped in both for query in (helped, base)]
    got = [token for ids in predict(swapped) for token in ask.lm.entries(ids)]
    assert got == expected
    assert len(set(got)) > 5


def test_long_texts_are_cut_alike(peer, pairs, random_bert):
    long_sentence = " ".join(pairs[0].source[0].replace(".", ",").split() * 20)
    long_summary = " ".join(pair.summary for pair in pairs)
    no_stop = " ".join(long_summary.replace(".", ",").replace("?", ",").replace("!", ",").split())
    texts = [
        Example(source=long_sentence, summary=pairs[0].summary),
        Example(source=pairs[0].source[0], summary=long_summary),
        Example(source=long_sentence, summary=long_summary),
        Example(source=long_sentence, summary=no_stop),
    ]
    assert ours(texts, model=random_bert) == theirs(
        peer, texts, random_bert, inference_batch_size=8
    )


def test_letters_with_accents_and_ligatures(peer, random_bert):
    pair = Example(
        source="The café ﬁnally opened in São Paulo after three years, oﬃcials said…",
        summary="A café opened in São Paulo.",
    )
    assert ours([pair], model=random_bert) == theirs(peer, [pair], random_bert)


@given(
    sentence=st.integers(0, 700),
    summary=st.lists(st.integers(0, 300), min_size=1, max_size=5),
    separator=st.integers(0, 5),
    least=st.integers(1, 200),
)
@settings(max_examples=300, deadline=None)
def test_cut_is_the_package_s_cut(peer, sentence, summary, separator, least):
    numbers = iter(range(10_000))
    parts = [[next(numbers) for _ in range(length)] for length in summary]
    if sentence + sum(summary) + separator + 2 > 512 and not parts[0]:
        parts[0] = [next(numbers)]  # the package asserts this
    lengths = [len(part) for part in parts]
    flat = [token for part in parts for token in part]
    text = list(range(sentence))
    expected = peer.utils.truncate_sentence_and_summary(text, parts, separator, least)
    kept, start, end = fit_lengths(sentence, lengths, 512 - 2 - separator, least)
    assert (text[:kept], flat[start:end]) == expected


@given(
    entries=st.lists(st.sampled_from(["a", "abcd", "ab", "##s", "##abcdef"]), max_size=12),
    gap=st.integers(1, 7),
    row=st.integers(1, 2),
)
@settings(max_examples=300, deadline=None)
def test_masks_are_the_package_s_masks(peer, entries, gap, row):
    row = min(row, gap)
    lengths = (4, 2, 5)
    allowed = [
        peer.utils.is_token_large_enough(entry, (entries[i + 1 :] + [""])[0], lengths)
        for i, entry in enumerate(entries)
    ]
    _, expected = peer.utils.mask_tokens_evenly(entries, gap, lengths, "[MASK]", row)
    got = [places for places in _every(allowed, gap, row, overlap=True) if places]
    assert got == [list(answers) for answers in expected]
