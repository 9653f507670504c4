"""HighRES: the formula by hand, its properties, evidence, and highlights that do not fit."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example, get_measure
from tricolore.errors import SpecError
from tricolore.measures.highres import HighRes, highlight_weights
from tricolore.measures.importance import Importance
from tricolore.testing import check_measure

SOURCE = "the cat sat on the mat"
TWO = [{"text": "cat sat", "annotator": "a"}, {"start": 8, "end": 22, "annotator": "b"}]


def one(example, *, evidence=False, **chosen):
    [score] = HighRes(**chosen).score([example], evidence=evidence)
    return score


def parts(example, **chosen):
    return one(example, **chosen).parts


def test_unigrams_by_hand():
    # Annotator a: cat sat (2 of K = 4 words); b: sat on the mat (4 of 4). NumH / N:
    # the 0, cat 1/4, sat 1/4 + 1/2 = 3/4, on 1/2, the 1/2, mat 1/2
    # β: the (0 + 1/2) / 2 = 1/4, cat 1/4, sat 3/4, on 1/2, mat 1/2
    # Σ β count over the source: 2/4 + 1/4 + 3/4 + 1/2 + 1/2 = 5/2
    example = Example(source=SOURCE, summary="the dog sat sat by the the mat", highlights=TWO)
    # shared: the min(3, 2) / 4, sat min(2, 1) 3/4, mat 1/2 = 7/4; the summary has 8 words
    found = parts(example, max_words=4)
    assert found["recall"] == pytest.approx((7 / 4) / (5 / 2))
    assert found["precision"] == pytest.approx((7 / 4) / 8)
    assert found["f1"] == pytest.approx(2 * 0.7 * 0.21875 / (0.7 + 0.21875))


def test_bigrams_by_hand():
    # Mean weights: the-cat 1/8, cat-sat 1/2, sat-on 5/8, on-the 1/2, the-mat 1/2; Σ = 9/4
    example = Example(source=SOURCE, summary="cat sat on a mat", highlights=TWO)
    found = parts(example, n=2, max_words=4)
    assert found["recall"] == pytest.approx((1 / 2 + 5 / 8) / (9 / 4))
    assert found["precision"] == pytest.approx((1 / 2 + 5 / 8) / 4)


def by_definition(source, summary, marked, n, k):
    """Highlight-based ROUGE by the equation of docs/measures/highres.md, for words that are cut."""
    annotators = len(marked)
    num_h = [sum(sum(own) / k for own in marked if own[j]) for j in range(len(source))]

    def grams(text):
        return [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]

    def beta(g):
        at = [i for i, other in enumerate(grams(source)) if other == g]
        weights = [sum(num_h[j] / annotators for j in range(i, i + n)) / n for i in at]
        return sum(weights) / len(weights) if at else 0.0

    in_source, in_summary = Counter(grams(source)), Counter(grams(summary))
    both = sum(beta(g) * min(in_source[g], in_summary[g]) for g in in_summary)
    recall = both / sum(beta(g) * in_source[g] for g in in_source)
    return recall, both / sum(in_summary.values())


cut = st.lists(st.sampled_from("abcd"), min_size=4, max_size=12)


@given(cut, cut, st.data(), st.integers(1, 3))
def test_values_are_those_of_the_definition(source, summary, data, n):
    # Words of one letter: word j is the characters from 2j to 2j + 1.
    highlights, marked = [], []
    for annotator in range(data.draw(st.integers(1, 3))):
        first = data.draw(st.integers(0, len(source) - 1))
        last = data.draw(st.integers(first, len(source) - 1))
        place = {"start": 2 * first, "end": 2 * last + 1, "annotator": str(annotator)}
        highlights.append(place)
        marked.append([first <= j <= last for j in range(len(source))])
    example = Example(source=" ".join(source), summary=" ".join(summary), highlights=highlights)
    found = parts(example, n=n, max_words=12)
    recall, precision = by_definition(source, summary, marked, n, 12)
    assert found["recall"] == pytest.approx(recall)
    assert found["precision"] == pytest.approx(precision)
    assert 0 <= found["recall"] <= 1
    assert 0 <= found["precision"] <= 1


def test_an_annotator_of_few_words_counts_less_unless_all_count_alike():
    marked = [[True, False, False, False], [False, True, True, True]]
    assert highlight_weights(marked, max_words=4) == [0.125, 0.375, 0.375, 0.375]
    assert highlight_weights(marked, max_words=0) == [0.5, 0.5, 0.5, 0.5]
    assert highlight_weights(marked, max_words=2) == [0.25, 0.5, 0.5, 0.5], "no more than whole"


def test_snippets_may_have_other_blanks_and_are_found_in_any_document():
    source = ["a dog", "the cat\n  sat on"]
    spans = [{"start": 4, "end": 13, "document": 1}]
    summary = "cat"
    snippet = one(Example(source=source, summary=summary, highlights=["cat sat"]))
    span = one(Example(source=source, summary=summary, highlights=spans))
    assert snippet.value == span.value == pytest.approx(0.5)


def test_a_snippet_of_a_document_is_not_sought_before_it():
    # Only "cat" of the second document is highlighted: cat-sat weighs 0, cat-ran (1 + 0) / 2.
    highlights = [{"text": "cat", "document": 1}]
    example = Example(source=["cat sat", "cat ran"], summary="cat ran", highlights=highlights)
    found = parts(example, n=2, max_words=0)
    assert (found["recall"], found["precision"]) == (1, 0.5)


def test_no_ngram_goes_from_one_document_to_the_next():
    highlights = [{"text": "a dog"}, {"text": "sat"}]
    score = one(
        Example(source=["a dog", "sat there"], summary="dog sat", highlights=highlights), n=2
    )
    assert score.value == 0


def test_evidence_is_what_is_shared_and_what_is_missing():
    example = Example(source=SOURCE, summary="A cat lay.", highlights=["cat sat", "the mat"])
    spans = one(example, evidence=True).evidence
    shared = [span for span in spans if span.where == "summary"]
    assert [example.summary[s.start : s.end] for s in shared] == ["cat"]
    assert SOURCE[shared[0].match.start : shared[0].match.end] == "cat"
    missing = {SOURCE[s.start : s.end] for s in spans if s.kind == "missing"}
    assert missing == {"sat", "the mat"}


def test_the_ten_heaviest_missing_stretches_are_shown():
    # Eleven letters with an x between them; both annotators highlight all, but the second not "a":
    # a weighs 1/2 and each other letter 1, so that a, though it is the first, is left off.
    letters = "abcdefghijk"
    source = " x ".join(letters)
    highlights = [
        {"start": 4 * at, "end": 4 * at + 1, "annotator": annotator}
        for annotator in "12"
        for at in range(int(annotator) - 1, len(letters))
    ]
    example = Example(source=source, summary="y", highlights=highlights)
    spans = one(example, evidence=True, max_words=0).evidence
    assert [(source[s.start : s.end], s.weight) for s in spans] == [(c, 1.0) for c in letters[1:]]


IMPORTANT = (
    "The council of Harrow Island voted on Tuesday to buy two electric ferries. The vessels will "
    "cost 31 million crowns. The old boats have linked the island to the mainland for years."
)


def test_without_people_the_weights_are_those_of_importance():
    summaries = ["Harrow Island will buy electric ferries.", "They have to the on it will of."]
    [good, bad] = HighRes(weights="importance").score(
        [Example(source=IMPORTANT, summary=text) for text in summaries]
    )
    assert good.value > bad.value > 0
    whole = one(Example(source=IMPORTANT, summary=IMPORTANT), weights="importance")
    assert whole.parts["recall"] == pytest.approx(1)


def test_the_weight_by_importance_is_the_largest_share_of_a_word_and_of_the_document():
    places = Importance(corpus="background").place_weights(IMPORTANT)
    start, end, _ = max(places, key=lambda place: place[2])
    assert IMPORTANT[start:end] == "c fer"  # of "electric" and of "ferries"
    # Both words have the largest share of all, so both weigh 1: (1 + 1) / 2.
    example = Example(source=IMPORTANT, summary="electric ferries")
    assert parts(example, weights="importance")["precision"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        (Example(source="a b", summary="a"), "there are no highlights of the source"),
        (Example(source="", summary="a", highlights=["a"]), "the source is empty"),
        (
            Example(source="a", summary="a", highlights=["a", "b"]),
            "highlight 2 is not in the source",
        ),
        (
            Example(source="a", summary="a", highlights=[{"start": 0, "end": 9}]),
            "highlight 1 is outside of the source",
        ),
        (
            Example(source="a", summary="a", highlights=[{"start": 0, "end": 1, "document": 1}]),
            "highlight 1 is outside of the source",
        ),
        (
            Example(source="a  b", summary="a", highlights=[{"start": 1, "end": 2}]),
            "no word of the source has a weight",
        ),
    ],
)
def test_what_has_no_value(example, problem):
    assert one(example).problem == problem


def test_texts_that_are_too_short():
    example = Example(source="a b", summary="a", highlights=["a"])
    assert one(example, n=2).problem == "the summary has fewer than 2 words"


@pytest.mark.parametrize(
    ("spec", "words"),
    [("highres:n=0", "n must be from 1 to 4"), ("highres:max_words=-1", "max_words must be 0")],
)
def test_settings_that_do_not_fit(spec, words):
    with pytest.raises(SpecError, match=words):
        get_measure(spec)


def test_it_passes_the_checks_of_measures():
    check_measure(HighRes(), [Example(source=SOURCE, summary="the cat", highlights=TWO)])
    check_measure(HighRes(weights="importance"), [Example(source=IMPORTANT, summary="ferries")])
