"""SUPERT: whole scores by the definition, settings, evidence, odd texts, and what is shared."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measures.supert_definition import (
    OTHER,
    PARTS,
    STORY,
    SUMMARY,
    assert_parts,
    by_definition,
    one,
    vectors_of,
)
from tricolore import Example, get_measure
from tricolore.measures import supert as supert_module
from tricolore.measures import supert_tokens
from tricolore.measures.supert import Supert, supert
from tricolore.measures.supert_tokens import Excerpt, SentenceReader
from tricolore.memo import forget
from tricolore.models.model import shared
from tricolore.models.sentence_encoder import SentenceEncoder
from tricolore.text.sentences import sentences


def test_the_first_sentences_of_all_documents_as_one(tiny):
    chosen = [*sentences(STORY)[:2], *sentences(OTHER)[:2]]
    expected = by_definition(vectors_of(tiny, chosen), vectors_of(tiny, sentences(SUMMARY)))
    score = one([STORY, OTHER], SUMMARY, model=tiny, max_sentences=2)
    assert_parts(score, expected)
    assert score.value == score.parts["f1"]
    for value in PARTS:
        chosen_value = one([STORY, OTHER], SUMMARY, model=tiny, max_sentences=2, value=value)
        assert chosen_value.value == chosen_value.parts[value]


def test_one_a_document_is_the_mean(tiny):
    own = vectors_of(tiny, sentences(SUMMARY))
    each = [by_definition(vectors_of(tiny, sentences(text)), own) for text in (STORY, OTHER)]
    score = one([STORY, OTHER], SUMMARY, model=tiny, per="document")
    assert_parts(score, np.mean(each, axis=0))


def test_the_released_code_joins_fewer_than_15_sentences(tiny):
    few, many = [STORY, OTHER], [" ".join([STORY] * 4), OTHER]
    more = [" ".join([STORY] * 5), OTHER]
    assert [len(sentences(" ".join(s))) for s in (few, many, more)] == [5, 14, 17]
    joined = [one(s, SUMMARY, model=tiny, reference_from="sd").parts for s in (few, many)]
    assert [
        one(s, SUMMARY, model=tiny, reference_from="sd", per="released").parts for s in (few, many)
    ] == [pytest.approx(parts, abs=1e-6) for parts in joined]
    split = one(more, SUMMARY, model=tiny, reference_from="sd", per="document").parts
    assert one(more, SUMMARY, model=tiny, reference_from="sd", per="released").parts == split


def test_references_stand_each_by_itself_and_snippets_are_joined(tiny):
    given = {"source": "", "references": [STORY, OTHER], "model": tiny}
    own = vectors_of(tiny, sentences(SUMMARY))
    each = [by_definition(vectors_of(tiny, sentences(text)), own) for text in (STORY, OTHER)]
    assert_parts(one(summary=SUMMARY, reference_from="ref", **given), np.mean(each, axis=0))
    whole = vectors_of(tiny, [*sentences(STORY), *sentences(OTHER)])
    assert_parts(one(summary=SUMMARY, reference_from="snip", **given), by_definition(whole, own))
    assert (
        Supert(reference_from="ref").needs == Supert(reference_from="snip").needs == {"references"}
    )
    assert Supert().needs == {"source"}
    assert one(STORY, SUMMARY, model=tiny, reference_from="ref").problem == "there is no reference"


SENTENCES = st.lists(
    st.sampled_from("the dog cat king queen Paris Rome met slept saw old new , run".split()),
    min_size=1,
    max_size=8,
).map(lambda words: " ".join(words) + " .")
TEXTS = st.lists(SENTENCES, min_size=1, max_size=4).map(" ".join)


@settings(max_examples=20, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(TEXTS, min_size=1, max_size=3))
def test_the_measure_gives_what_the_definition_gives(tiny, documents, summaries):
    encoder = shared(SentenceEncoder, tiny)
    forget()
    scores = Supert(model=tiny, max_sentences=2).score(
        [Example(source=documents, summary=summary) for summary in summaries]
    )
    for summary, score in zip(summaries, scores, strict=True):
        assert_parts(score, supert(encoder, summary, documents, max_sentences=2))


def test_the_definition_with_the_default_encoder():
    documents = ["Engineers had warned of danger. The bridge was closed.", "The mayor agreed."]
    score = one(documents, "The old bridge is closed.")
    encoder = shared(SentenceEncoder, SentenceEncoder.default)
    assert_parts(score, supert(encoder, "The old bridge is closed.", documents))


@settings(max_examples=15, deadline=None)
@given(TEXTS)
def test_a_text_is_like_itself(tiny, text):
    assert one(text, text, model=tiny, reference_from="sd").parts == pytest.approx(
        dict.fromkeys(PARTS, 1.0), abs=1e-6
    )


@settings(max_examples=15, deadline=None)
@given(TEXTS, TEXTS)
def test_precision_is_recall_the_other_way_round(tiny, first, second):
    here = one(first, second, model=tiny, reference_from="sd", value="recall").parts
    there = one(second, first, model=tiny, reference_from="sd", value="recall").parts
    assert here["precision"] == pytest.approx(there["recall"], abs=1e-6)
    assert here["f1"] == pytest.approx(there["f1"], abs=1e-6, nan_ok=True)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=2, max_size=5), st.randoms())
def test_rows_do_not_depend_on_their_company(tiny, pairs, random):
    made = Supert(model=tiny, value="recall")
    rows = [Example(source=source, summary=summary) for source, summary in pairs]
    rows += [Example(source=rows[0].source, summary=rows[-1].summary)]
    order = random.sample(range(len(rows)), len(rows))
    forget()
    together = made.score([rows[at] for at in order])
    for at, score in zip(order, together, strict=True):
        forget()
        [alone] = made.score([rows[at]])
        assert score.value == pytest.approx(alone.value, abs=1e-6)


def test_evidence_is_the_best_match_of_every_token(tiny):
    score = one([STORY, OTHER], SUMMARY, model=tiny, evidence=True)
    assert [SUMMARY[s.start : s.end] for s in score.evidence] == SUMMARY.split()
    weights = [span.weight for span in score.evidence]
    assert np.mean(weights) == pytest.approx(score.parts["precision"], abs=1e-4)
    for span in score.evidence:
        assert span.match is not None
        word = (STORY, OTHER)[span.match.document][span.match.start : span.match.end]
        assert span.label == f"most like “{word}” in source {span.match.document + 1}"
    plain = one([STORY, OTHER], SUMMARY, model=tiny)
    assert plain.evidence == ()
    assert plain.parts == score.parts


def test_evidence_among_several_pseudo_references(tiny):
    source = ["the dog slept .", "the queen met the king ."]
    score = one(source, "the king met the queen .", model=tiny, per="document", evidence=True)
    own = vectors_of(tiny, ["the king met the queen ."])
    for at, span in enumerate(score.evidence):
        best = max(by_definition(vectors_of(tiny, [text]), own[at : at + 1])[0] for text in source)
        assert span.weight == pytest.approx(best, abs=1e-4)


def test_evidence_in_a_reference(tiny):
    score = one(
        "",
        "the dog slept .",
        references=["the dog slept ."],
        model=tiny,
        reference_from="ref",
        evidence=True,
    )
    assert {span.match.where for span in score.evidence} == {"reference"}
    assert score.evidence[1].label == "most like “dog” in the reference"


@pytest.mark.parametrize(
    ("source", "summary", "problem"),
    [
        (STORY, "the of and", "the summary has no word but stop words"),
        ("the of and", SUMMARY, "the source has no word but stop words"),
        (STORY, "\u200b\u200b", "the summary has no word but stop words"),
        (STORY, " ", "the summary is empty"),
        ("", SUMMARY, "the source is empty"),
    ],
)
def test_what_cannot_be_compared_is_said(tiny, source, summary, problem):
    made = Supert(model=tiny, stop_words="nltk")
    rows = [Example(source=source, summary=summary), Example(source=STORY, summary=SUMMARY)]
    bad, good = made.score(rows)
    assert bad.problem == problem
    assert math.isnan(bad.value)
    assert good.problem is None


def test_no_word_at_all(tiny):
    assert one(STORY, "\u200b", model=tiny).problem == (
        "the summary has no word that the model can read"
    )
    assert one("\u200b", SUMMARY, model=tiny).problem == (
        "the source has no word that the model can read"
    )


def test_a_document_of_stop_words_does_not_count(tiny):
    rest = one([STORY, OTHER], SUMMARY, model=tiny, stop_words="nltk", per="document")
    more = one([STORY, "the of .", OTHER], SUMMARY, model=tiny, stop_words="nltk", per="document")
    assert more.parts != rest.parts  # a full stop is a word
    none = one([STORY, "the of", OTHER], SUMMARY, model=tiny, stop_words="nltk", per="document")
    assert none.parts == pytest.approx(rest.parts, abs=1e-6)


def test_f1_where_recall_is_negative_is_the_lower_of_the_two():
    # An unknown sign is unlike all of this, so that recall is below 0.
    text = "Engineers had warned of danger for years."
    score = one(text, "👍👍", value="recall")
    assert score.value < 0
    assert score.parts["f1"] == min(score.parts["precision"], score.parts["recall"])
    assert one(text, "👍👍").value == score.parts["f1"]


def test_large_texts(tiny):
    huge = "dog " * 5000
    documents = [STORY, OTHER] * 100
    for score in (one(huge, SUMMARY, model=tiny), one(STORY, huge, model=tiny)):
        assert score.problem is None
    for per in ("source", "document"):
        assert one(documents, SUMMARY, model=tiny, per=per).problem is None
    same = one([STORY, OTHER], SUMMARY, model=tiny).parts
    assert one(documents, SUMMARY, model=tiny).parts == pytest.approx(same, abs=1e-6)
    assert one("half \ud83d of a sign .", "a \ud83d dog", model=tiny).problem is None


@pytest.mark.parametrize("held", [1, 60, 150])
def test_texts_are_read_some_at_a_time(tiny, held, monkeypatch):
    made = Supert(model=tiny, per="document")
    rows = [Example(source=[STORY, OTHER], summary=text) for text in (SUMMARY, OTHER, "a cat .")]
    rows += [Example(source=OTHER, summary=STORY)]
    whole = made.score(rows, evidence=True)
    monkeypatch.setattr(supert_module, "_CHARACTERS", held)
    forget()
    for cut, score in zip(made.score(rows, evidence=True), whole, strict=True):
        assert cut.parts == pytest.approx(score.parts, abs=1e-6)
        assert [s.match for s in cut.evidence] == [s.match for s in score.evidence]


def test_a_source_is_read_once(tiny, monkeypatch):
    asked: list[list[str]] = []
    token_vectors = SentenceEncoder.token_vectors

    def note(self, texts, **given):
        asked.append(list(texts))
        return token_vectors(self, texts, **given)

    monkeypatch.setattr(SentenceEncoder, "token_vectors", note)
    forget()
    rows = [Example(source=STORY, summary=text) for text in ("a dog .", "a bird .")]
    rows += [Example(source=OTHER, summary="a dog .")]
    Supert(model=tiny).score(rows)
    assert asked[0] == ["a dog .", "a bird ."]
    assert asked[1] == sentences(STORY + " " + OTHER)
    Supert(model=tiny, value="recall").score([Example(source=STORY, summary="a fish .")])
    assert asked[2:] == [["a fish ."]]


def test_what_is_kept_is_bounded(tiny, monkeypatch):
    monkeypatch.setattr(supert_tokens._kept, "limit", 20 * 32 * 4)  # 20 tokens of 32 numbers
    forget()
    read = SentenceReader(shared(SentenceEncoder, tiny), 64)
    texts = [f"dog {word} ." for word in "the a in of was and cat bird fish".split()]
    assert [len(tokens) for tokens in read([Excerpt.whole(text) for text in texts])] == [3] * 9
    assert [key[-1] for key in supert_tokens._kept.kept] == texts[-6:]  # 18 tokens


def test_a_reader_of_fewer_tokens_is_asked_anew(tiny):
    encoder = shared(SentenceEncoder, tiny)
    excerpt = Excerpt.whole("the old king met the queen .")
    lengths = [len(SentenceReader(encoder, most)([excerpt])[0]) for most in (64, 4, 64)]
    assert lengths == [7, 2, 7]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"max_sentences": 0}, "max_sentences must be 1 or more, not 0"),
        ({"pool": -1}, "pool must be 1 or more, not -1"),
        ({"max_tokens": -2}, "max_tokens must be 3 or more"),
        ({"similar": 75.0}, "similar is a cosine"),
    ],
)
def test_what_does_not_fit_is_said(chosen, words):
    with pytest.raises(ValueError, match=words):
        Supert(**chosen)


def test_presets():
    released = get_measure("supert:preset=released")
    assert (released.max_sentences, released.stop_words, released.max_tokens) == (15, "nltk", 130)
    assert get_measure("supert:preset=paper") == get_measure("supert") == Supert()
