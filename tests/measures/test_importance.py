from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measures.importance_texts import BIGRAMS, CORPUS, NEWS, TOKENS, score
from tricolore import Example
from tricolore.measures.importance import Importance, importance
from tricolore.text.corpus import Corpus


def test_by_hand() -> None:
    # w = tf · log(10 / df), in order of rank
    ab, ca, bc = 2 * math.log(10), math.log(10), math.log(10 / 2)
    total = math.tanh(ab / 1) + math.tanh(ca / 2) + math.tanh(bc / 3)
    earned = math.tanh(ca / 2) + math.tanh(bc / 3)
    alpha = 1 / (1 + math.exp(20 * 3 / 5 - 10))
    found = score(BIGRAMS.fit(CORPUS), "b c a")
    assert found.value == pytest.approx(alpha * earned / total, abs=1e-12)
    assert found.parts["relevance"] == pytest.approx(earned / total, abs=1e-12)
    assert found.parts["penalty"] == pytest.approx(alpha, abs=1e-12)
    assert found.parts["matched"] == 1.0
    # "b c" of the summary's "b c", "c d", "d e"
    assert score(BIGRAMS.fit(CORPUS), "b c d e").parts["matched"] == pytest.approx(1 / 3)


def test_an_ngram_of_the_summary_counts_once() -> None:
    fitted = Importance(tokenizer="space", n=2, penalty=False).fit(CORPUS)
    assert score(fitted, "c a").value == score(fitted, "c a c a c a").value


AB, CA, BC = 2 * math.log(10), math.log(10), math.log(5)


@pytest.mark.parametrize(
    ("scoring", "weights"),  # of "a b", "c a", "b c", whose ranks are 1, 2, 3
    [
        ("importance", (AB, CA, BC)),
        ("exp-rank", (math.exp(-1), math.exp(-2), math.exp(-3))),
        ("inv-rank", (1, 1 / 2, 1 / 3)),
        ("constant", (1, 1, 1)),
        ("tanh", (math.tanh(AB), math.tanh(CA / 2), math.tanh(BC / 3))),
    ],
)
def test_scores_of_the_appendix(scoring: Any, weights: tuple[float, ...]) -> None:
    fitted = Importance(tokenizer="space", n=2, scoring=scoring, penalty=False).fit(CORPUS)
    found = score(fitted, "b c a")
    assert found.value == pytest.approx((weights[1] + weights[2]) / sum(weights), abs=1e-12)
    assert found.parts["penalty"] == 1.0


def test_bm25_by_hand() -> None:
    def idf(df: int) -> float:
        return math.log(1 + (10 - df + 0.5) / (df + 0.5))

    def damped(tf: int) -> float:
        return tf / (tf + 1.2 * (1 - 0.75 + 0.75 * 5 / (TOKENS / 10)))

    ab, ca, bc = damped(2) * idf(1), damped(1) * idf(1), damped(1) * idf(2)
    total = math.tanh(ab) + math.tanh(ca / 2) + math.tanh(bc / 3)
    fitted = Importance(tokenizer="space", n=2, weighting="bm25", penalty=False).fit(CORPUS)
    assert score(fitted, "a b").value == pytest.approx(math.tanh(ab) / total, abs=1e-12)


def test_a_document_from_elsewhere_counts_as_one_more(tmp_path: Path) -> None:
    path = str(tmp_path / "others.corpus")
    for weighting in ("tf-idf", "bm25"):
        measure = Importance(tokenizer="space", n=2, weighting=weighting)  # type: ignore[arg-type]
        Path(path).write_bytes(Corpus.fit(CORPUS[1:], tokenizer="space").to_bytes())
        alone = Importance(tokenizer="space", n=2, weighting=weighting, corpus=path)  # type: ignore[arg-type]
        together = score(measure.fit(CORPUS), "b c a").value
        assert score(alone, "b c a").value == pytest.approx(together, abs=1e-12)


def test_a_saved_corpus_gives_what_the_run_gave(tmp_path: Path) -> None:
    path = str(tmp_path / "saved.corpus")
    Path(path).write_bytes(Corpus.fit(CORPUS, tokenizer="space").to_bytes())
    saved = Importance(tokenizer="space", n=2, corpus=path)
    assert score(saved, "b c a").value == score(BIGRAMS.fit(CORPUS), "b c a").value
    # Neither the sources of the run nor the path, but the content says what the corpus is.
    assert saved.fit(CORPUS[:3]).signature() == saved.signature()
    assert saved.signature()["corpus"] == f"corpus ({Corpus.load(path).digest})"


def test_a_corpus_file_that_changes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "saved.corpus"
    Path(path).write_bytes(Corpus.fit(CORPUS, tokenizer="space").to_bytes())
    before = Importance(tokenizer="space", n=2, corpus=str(path)).signature()
    Path(path).write_bytes(Corpus.fit(CORPUS[1:], tokenizer="space").to_bytes())
    assert Importance(tokenizer="space", n=2, corpus=str(path)).signature() != before


def test_a_corpus_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="neither `run` nor `background` nor a file"):
        Importance(corpus="nowhere.corpus").prepare()
    path = tmp_path / "spaces.corpus"
    Path(path).write_bytes(Corpus.fit(CORPUS, tokenizer="space").to_bytes())
    with pytest.raises(ValueError, match="made with tokenizer=space"):
        Importance(corpus=str(path)).prepare()
    with pytest.raises(ValueError, match="n=5"):
        Importance(corpus=str(path), tokenizer="space", n=5).prepare()


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 0},
        {"n": 11},
        {"vocabulary": 1},
        {"k": -1},
        {"b": 2},
        {"repetition": -1},
        {"epsilon": 1},
    ],
)
def test_settings_out_of_range(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Importance(**wrong)


def test_a_small_run_uses_the_background_and_says_so() -> None:
    small = Importance().fit([NEWS] * 50)
    assert small == Importance()
    assert small.signature()["corpus"].startswith("background 1 (")
    large = Importance().fit([NEWS + str(i) for i in range(10)])
    assert large.signature()["corpus"].startswith("run (")
    assert large.label == small.label == "importance"
    assert large != small
    good = score(small, "A storm cut the power of homes on the coast.", NEWS)
    bad = score(small, "Xylophones quickly jinx vivid zebras.", NEWS)
    assert 0 <= bad.value < good.value <= 1


@pytest.mark.parametrize("preset", Importance.presets)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_background_serves_the_presets(preset: str, n: int) -> None:
    found = score(Importance(**Importance.presets[preset], n=n), "The storm cut the power.", NEWS)
    assert 0 < found.value < 1


@pytest.mark.parametrize(
    "settings",
    [{"tokenizer": "space"}, {"n": 5}, {"vocabulary": 200}, {"stop_words": "nltk"}],
)
def test_where_the_background_does_not_serve_the_score_says_so(settings: dict[str, Any]) -> None:
    measure = Importance(**settings).fit([NEWS])
    found = score(measure, "The storm.", NEWS)
    assert math.isnan(found.value)
    assert "score 10 or more sources together or give a saved corpus" in found.problem
    assert measure.signature()["corpus"] == "none"


def test_gpt2_is_asked_for_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_: None)
    for sources in ([NEWS], [NEWS + str(i) for i in range(20)]):
        found = score(Importance(tokenizer="gpt2").fit(sources), "The storm.", NEWS)
        assert "GPT-2's tokeniser is not on this machine" in found.problem


def test_texts_without_ngrams_have_no_value() -> None:
    fitted = BIGRAMS.fit(CORPUS)
    assert score(fitted, "word").problem == "the summary has fewer than 2 tokens"
    assert score(fitted, "a b", source="word").problem == "the source has fewer than 2 tokens"
    assert score(fitted, " ").problem == "the summary is empty"
    foreign = score(Importance(), "дождь", source="Сегодня утром шёл дождь.")
    assert "unknown to the corpus" in foreign.problem


def test_where_all_documents_are_alike_there_is_no_value() -> None:
    same = [f"a b{' ' * i}" for i in range(1, 12)]
    found = score(BIGRAMS.fit(same), "a b", source=same[0])
    assert found.problem == "every n-gram of the source is in every document of the corpus"


@pytest.mark.parametrize(
    "text", ["\0" * 20, "🎉 party " * 5, "\ud800 lone \udfff", "مرحبا بالعالم " * 3]
)
@pytest.mark.parametrize("preset", Importance.presets)
def test_odd_text(text: str, preset: str) -> None:
    measure = Importance(**Importance.presets[preset])
    for fitted in (measure, measure.fit([*(NEWS + str(i) for i in range(10)), text])):
        for source, summary in ((text, NEWS), (NEWS, text), (text, text)):
            found = score(fitted, summary, source, evidence=True)
            assert (found.problem is None) != math.isnan(found.value)


def test_several_documents_are_one() -> None:
    fitted = BIGRAMS.fit(["a b\nc a b", *CORPUS[1:]])
    [found] = fitted.score([Example(source=["a b", "c a b"], summary="c a b")], evidence=True)
    assert found.value == score(fitted, "c a b", source="a b\nc a b").value
    places = {
        (span.match.document, span.match.start, span.match.end)
        for span in found.evidence
        if span.match
    }
    # "a b" stands first in the first document, "c a" in the second.
    assert places == {(0, 0, 3), (1, 0, 3)}
    # "b c" goes from the first to the second, and is shown where it begins.
    [missing] = [span for span in found.evidence if span.label == "missing"]
    assert (missing.document, missing.start, missing.end) == (0, 2, 3)


def test_goes_to_other_processes() -> None:
    fitted = BIGRAMS.fit(CORPUS)
    sent = pickle.loads(pickle.dumps(fitted))
    assert sent == fitted
    assert score(sent, "b c a") == score(fitted, "b c a")


def test_presets_have_short_labels() -> None:
    assert Importance(**Importance.presets["released"]).label == "importance:preset=released"
    assert Importance(**Importance.presets["paper"]) == Importance()


WORDS = st.sampled_from("the cat sat on mats Cats dogs barking 7 . , rain it’s".split())
TEXT = st.lists(WORDS, min_size=4, max_size=25).map(" ".join)
SOURCES = st.lists(TEXT, min_size=10, max_size=12, unique=True)
MEASURES = st.builds(
    Importance,
    tokenizer=st.sampled_from(["bpe", "space", "characters"]),
    n=st.sampled_from([2, 3, 4]),
    weighting=st.sampled_from(["tf-idf", "bm25"]),
    scoring=st.sampled_from(["importance", "exp-rank", "inv-rank", "constant", "tanh"]),
    penalty=st.booleans(),
    lowercase=st.booleans(),
    neighbours=st.sampled_from(["off", "legacy", "fixed"]),
    repetition=st.sampled_from([0.0, 0.5]),
    length=st.sampled_from(["tokens", "n-grams"]),
    epsilon=st.sampled_from([0.0, 1e-6]),
)


@settings(deadline=None)
@given(
    SOURCES,
    TEXT,
    st.sampled_from([1, 2, 3]),
    st.sampled_from(["bpe", "space", "characters"]),
    st.integers(0, 9),
)
def test_the_measure_gives_what_the_definition_gives(
    corpus: list[str], summary: str, n: int, tokenizer: Any, at: int
) -> None:
    measure = Importance(tokenizer=tokenizer, n=n).fit(corpus)
    found = score(measure, summary, corpus[at])
    if found.problem:  # all W are 0, and so is N
        assert found.problem == "every n-gram of the source is in every document of the corpus"
        return
    if tokenizer == "space":
        expected = importance(summary, corpus[at], corpus, n=n)
    else:
        cut = Corpus.fit(corpus, tokenizer=tokenizer, sizes=[n]).tokenizer
        expected = importance(
            summary, corpus[at], corpus, n=n, tokenize=lambda text: cut.ids(text).tolist()
        )
    assert found.value == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(MEASURES, SOURCES, TEXT)
def test_lies_between_zero_and_one(measure: Importance, corpus: list[str], summary: str) -> None:
    found = score(measure.fit(corpus), summary, corpus[0])
    if found.problem is None:
        assert 0 <= found.value <= 1
        assert set(found.parts) == set(Importance.part_names)
        assert all(0 <= part <= 1 for part in found.parts.values())


@settings(deadline=None)
@given(MEASURES, SOURCES)
def test_the_whole_document_earns_the_penalty_only(measure: Importance, corpus: list[str]) -> None:
    found = score(measure.fit(corpus), corpus[0], corpus[0])
    if found.problem is None:
        # epsilon, where there is one, is also added to the sum that divides
        assert found.parts["relevance"] == pytest.approx(1, abs=1e-3 if measure.epsilon else 1e-9)
        if measure.penalty and measure.length == "tokens" and not measure.epsilon:
            assert found.value == pytest.approx(1 / (1 + math.exp(10)))


@settings(deadline=None)
@given(MEASURES, SOURCES, TEXT, st.integers(0, 20))
def test_more_of_the_source_never_lowers_the_relevance(
    measure: Importance, corpus: list[str], summary: str, start: int
) -> None:
    fitted = measure.fit(corpus)
    before = score(fitted, summary, corpus[0])
    after = score(fitted, summary + " " + " ".join(corpus[0].split()[start:]), corpus[0])
    if before.problem is None and after.problem is None:
        assert after.parts["relevance"] >= before.parts["relevance"] - 1e-12


@settings(deadline=None)
@given(MEASURES, SOURCES, st.lists(TEXT, min_size=2, max_size=6), st.randoms())
def test_batch_order_and_evidence_change_nothing(
    measure: Importance, corpus: list[str], summaries: list[str], random: Any
) -> None:
    fitted = measure.fit(corpus)
    examples = [Example(source=random.choice(corpus), summary=text) for text in summaries]
    together = [(s.value, s.problem) for s in fitted.score(examples)]
    backwards = [(s.value, s.problem) for s in fitted.score(examples[::-1], evidence=True)]
    one_by_one = [(s.value, s.problem) for e in examples for s in fitted.score([e])]
    assert repr(together) == repr(backwards[::-1]) == repr(one_by_one)


@pytest.mark.slow
def test_summeval_near_the_paper(summeval_examples: list[Example]) -> None:
    """The paper's table 1 has 0.73 at system level; its table 2 has 0.23 at summary level."""
    from scipy.stats import spearmanr

    scores = Importance().fit([e.source[0] for e in summeval_examples]).score(summeval_examples)
    by_system: dict[str, list[tuple[float, float]]] = {}
    for example, found in zip(summeval_examples, scores, strict=True):
        pair = (found.value, example.human["relevance"])
        by_system.setdefault(example.system, []).append(pair)
    means = [
        [sum(column) / len(pairs) for column in zip(*pairs, strict=True)]
        for pairs in by_system.values()
    ]
    assert spearmanr(*zip(*means, strict=True)).statistic == pytest.approx(0.73, abs=0.05)
    pooled = [pair for pairs in by_system.values() for pair in pairs]
    # Ours is higher than the paper's; docs/measures/importance.md says what is known of why.
    assert 0.23 < spearmanr(*zip(*pooled, strict=True)).statistic < 0.4
