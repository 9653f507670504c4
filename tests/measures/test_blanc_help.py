"""BLANC-help by hand, with a model whose guesses can be foretold."""

from __future__ import annotations

from typing import Any

import pytest

from tricolore import Example
from tricolore.measures import blanc_help
from tricolore.measures.blanc_help import BlancHelp


def counts(score: Any) -> tuple[float, ...]:
    return tuple(score.parts[name] for name in ("s00", "s01", "s10", "s11"))


def one(measure: BlancHelp, source: Any, summary: str, **more: Any) -> Any:
    [score] = measure.score([Example(source=source, summary=summary)], **more)
    return score


# Figure 2.


def test_counts_by_hand(first_word):
    """With gap 2: alpha and gamma are masked, then delta (beta and the stop are too short).

    Summary in front: the guess is always "gamma". Filler in front: the first word left in the
    sentence, "in" and then "alpha". So alpha: wrong, wrong; gamma: wrong, right; delta: wrong,
    wrong.
    """
    score = one(BlancHelp(), "alpha in gamma delta.", "gamma rays.")
    assert counts(score) == (2, 1, 0, 0)
    assert score.value == score.parts["relative"] == 1 / 3
    assert score.parts["improve"] == 1 / 3
    assert first_word.texts() == [
        "[CLS] . . . [MASK] in [MASK] delta . [SEP]",
        "[CLS] gamma rays . [MASK] in [MASK] delta . [SEP]",
        "[CLS] . . . alpha in gamma [MASK] . [SEP]",
        "[CLS] gamma rays . alpha in gamma [MASK] . [SEP]",
    ]


def test_all_four_counts(first_word):
    """A sentence that says a word twice is guessed without help.

    "delta bank delta bank." masks delta twice (no help: "bank", wrong), then bank twice (no help:
    "delta", wrong). "echo echo fish." masks 1 and 3 (no help: the other "echo", right for the
    first, wrong for fish), then the second echo (no help: right).
    With "echo" in front: delta, bank, fish wrong; echo right.
    """
    source = "delta bank delta bank. echo echo fish."
    assert counts(one(BlancHelp(), source, "echo.")) == (5, 0, 0, 2)
    # With "bank" in front, bank is right (twice), and echo wrong (twice).
    score = one(BlancHelp(), source, "bank.")
    assert counts(score) == (3, 2, 2, 0)
    assert score.value == 0
    assert score.parts["improve"] == 2 / 5
    assert one(BlancHelp(value="improve"), source, "bank.").value == 2 / 5


def test_separator_and_filler(first_word):
    one(BlancHelp(separator="so then", filler="hm", gap=1), "alpha.", "gamma.")
    assert first_word.texts() == [
        "[CLS] hm hm so then [MASK] . [SEP]",
        "[CLS] gamma . so then [MASK] . [SEP]",
    ]


def test_a_word_is_right_if_all_its_pieces_are(first_word):
    words = BlancHelp(unit="words", gap=1)
    # Both pieces are guessed "aaaa": right for the first only.
    score = one(words, "aaaaBbbb.", "aaaa.")
    assert counts(score) == (1, 0, 0, 0)
    assert counts(one(words, "aaaaAaaa.", "aaaa.")) == (0, 1, 0, 0)
    # As tokens, the pieces are judged one by one, unless too short.
    tokens = BlancHelp(gap=1, min_followup=1)
    assert counts(one(tokens, "aaaaBbbb.", "aaaa.")) == (1, 1, 0, 0)


def test_documents_are_read_by_themselves(first_word):
    score = one(BlancHelp(gap=1), ("alpha.", "gamma."), "gamma.", evidence=True)
    assert counts(score) == (1, 1, 0, 0)
    assert {(span.document, span.label) for span in score.evidence} == {
        (0, "wrong either way"),
        (1, "helped"),
    }


# Section 2.4: sentences that the summary copies.

COPY = "alpha beta. gamma rays delta."


@pytest.mark.parametrize(
    ("guard", "fronts"),
    [
        ("none", ["alpha beta .", ". . .", "alpha beta .", ". . ."]),
        # The first sentence is skipped, ...
        ("skip", ["alpha beta .", ". . ."]),
        # ... or guessed without its copy: nothing is left of the summary, ...
        ("remove", ["", "", "alpha beta .", ". . ."]),
        # ... or with the other sentence of the source in its place.
        ("replace", ["gamma rays delta .", ". . . .", "alpha beta .", ". . ."]),
    ],
)
def test_guard(first_word, guard, fronts):
    one(BlancHelp(guard=guard, gap=1), COPY, "alpha beta.")
    sentences = {"[MASK] [MASK] . [SEP]", "[MASK] [MASK] [MASK] . [SEP]"}
    for text, front in zip(first_word.texts(), swapped(fronts), strict=True):
        assert text.removeprefix(f"[CLS] {front}".rstrip() + " ") in sentences


def swapped(texts: list[str]) -> list[str]:
    """Fillers are asked first."""
    return [
        text
        for helped, base in zip(texts[::2], texts[1::2], strict=True)
        for text in (base, helped)
    ]


def test_the_sentence_nearest_in_length_takes_the_place_of_a_copy(first_word):
    source = "alpha beta. one. gamma delta. four. what they said was this."
    one(BlancHelp(guard="replace", gap=1), source, "alpha beta. four.")
    # Of the sentences that are not in the summary, "gamma delta." is as long as "alpha beta.",
    # and "one." as "four.".
    assert "[CLS] gamma delta . four . [MASK] [MASK] . [SEP]" in first_word.texts()
    assert "[CLS] alpha beta . one . [MASK] . [SEP]" in first_word.texts()


def test_nothing_left_by_the_guard(first_word):
    score = one(BlancHelp(guard="skip"), "alpha beta.", "alpha beta.")
    assert score.problem == "the summary is a copy of every sentence that could be masked"
    # Without another sentence, the copy is removed.
    assert counts(one(BlancHelp(guard="replace"), "alpha beta.", "alpha beta.")) == (2, 0, 0, 0)


# Texts that do not fit: the model of these tests reads 30 tokens, 28 without its own.


def test_a_long_sentence_is_cut_first(first_word):
    one(BlancHelp(gap=1, sentence_min=10), "word " * 40, "gamma rays.")
    assert first_word.texts()[1] == f"[CLS] gamma rays . {'[MASK] ' * 25}[SEP]"


def test_then_sentences_of_the_summary(first_word):
    summary = "a b c d e f g. h i j k l m n o p q r s t. u."  # 8, 14 and 2 tokens
    one(BlancHelp(gap=1, sentence_min=10), "word " * 40, summary)
    # 28 - 10 = 18 tokens are left for the summary: its first sentence.
    assert first_word.texts()[1] == f"[CLS] a b c d e f g . {'[MASK] ' * 10}[SEP]"


def test_and_the_beginning_of_its_first(first_word):
    one(BlancHelp(gap=1, sentence_min=25), "word " * 40, "a b c d e f g h i j k l m n o p q.")
    # Half of the room is the summary's, if it needs it: 14 of its 18 tokens.
    assert first_word.texts()[1] == f"[CLS] e f g h i j k l m n o p q . {'[MASK] ' * 14}[SEP]"


def test_a_source_of_any_length_is_planned_in_pieces(first_word, monkeypatch):
    """Between two calls of the model at most so many tokens, and one sentence more."""
    source = "alpha in gamma delta. " * 500
    examples = [Example(source=source, summary=text) for text in ("gamma rays.", "delta.")]
    whole = BlancHelp().score(examples)
    assert len(first_word.asked) == 1
    monkeypatch.setattr(blanc_help, "_MOST_TOKENS", 1000)
    assert BlancHelp().score(examples) == whole
    planned = [sum(len(query.ids) for query in queries) for queries in first_word.asked[1:]]
    assert len(planned) > 10
    assert max(planned) < 1000 + 100


# One filler for several summaries.


def test_fillers_of_like_length_are_one(first_word):
    summaries = ["gamma.", "gamma rays.", "gamma rays on the.", "a b c d e f g h."]  # 2 3 5 9
    examples = [Example(source="alpha in gamma.", summary=text) for text in summaries]

    def fillers(step):
        first_word.asked.clear()
        BlancHelp(filler_step=step, gap=1).score(examples)
        return [text.count(".") - 1 for text in first_word.texts()[::2]]

    assert fillers(1) == [2, 3, 5, 9]
    assert fillers(4) == [4, 4, 8, 12]
    # There is room for 28 tokens, of which the sentence takes 4.
    assert fillers(100) == [24, 24, 24, 24]


# Evidence.


def test_the_heat_map_points_into_the_text_as_given(first_word):
    """NFKD makes two letters of a ligature, and two characters of a letter with an accent."""
    source = "oﬃcials   said: éclair, aﬃrmed."
    score = one(BlancHelp(gap=1), source, "aﬃrmed.", evidence=True)
    assert [(source[s.start : s.end], s.weight, s.label) for s in score.evidence] == [
        ("aﬃrmed", 1.0, "helped"),
        ("oﬃcials", 0.0, "wrong either way"),
        ("said:", 0.0, "wrong either way"),
        ("éclair,", 0.0, "wrong either way"),
    ]


def test_hurt_and_right_either_way(first_word):
    score = one(BlancHelp(), "echo echo fish.", "bank.", evidence=True)
    assert [(s.start, s.weight, s.label) for s in score.evidence] == [
        (0, -1.0, "hurt"),
        (5, -1.0, "hurt"),
        (10, 0.0, "wrong either way"),
    ]
    [first, *_] = one(BlancHelp(), "echo echo fish.", "echo.", evidence=True).evidence
    assert (first.start, first.weight, first.label) == (0, 0.0, "right either way")


def test_a_word_masked_twice_has_one_span(first_word):
    measure = BlancHelp(gap=2, gap_mask=2)
    score = one(measure, "alpha gamma.", "gamma.", evidence=True)
    assert counts(score) == (2, 2, 0, 0)
    assert [(s.start, s.weight) for s in score.evidence] == [(6, 1.0), (0, 0.0)]


def test_what_each_sentence_of_the_summary_adds(first_word):
    """Without "gamma.", the first word is "delta": gamma is lost and delta is won.

    gamma and delta are masked at once, so no help comes from the sentence. All: 1 of 2 are
    right. Without the first sentence 1 of 2, without the second 1 of 2; without the only one, 0.
    """
    measure = BlancHelp(gap=1, ablate=True)
    score = one(measure, "gamma delta.", "gamma. delta.", evidence=True)
    assert counts(score) == (1, 1, 0, 0)
    summary = [span for span in score.evidence if span.where == "summary"]
    assert [(s.start, s.end, s.weight, s.label) for s in summary] == [
        (0, 6, 0.0, "without it 0.500"),
        (7, 13, 0.0, "without it 0.500"),
    ]
    assert "[CLS] . . delta . [MASK] [MASK] . [SEP]" in first_word.texts()
    [only] = [
        span
        for span in one(measure, "gamma delta.", "gamma.", evidence=True).evidence
        if span.where == "summary"
    ]
    assert only.weight == 0.5
    # Without evidence it costs nothing: one query with the filler, one with the summary.
    assert one(measure, "gamma delta.", "gamma.").value == 0.5
    assert len(first_word.asked[-1]) == 2


@pytest.mark.parametrize("guard", ["none", "remove", "replace"])
def test_without_a_sentence_the_summary_is_as_long_as_before(first_word, guard):
    source = "gamma delta. one bear."
    one(BlancHelp(gap=1, ablate=True, guard=guard), source, "gamma delta. honey.", evidence=True)
    lengths = [len(text.split()) for text in first_word.texts()]
    # A filler, the summary, and the summary without each of its two sentences.
    assert lengths[:4] == [lengths[0]] * 4
    assert lengths[4:] == [lengths[4]] * 4


# Settings.


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"gap": 0}, "gap_mask is at least 1 and at most gap"),
        ({"gap": 2, "gap_mask": 3}, "gap_mask is at least 1 and at most gap"),
        ({"min_word": 0}, "min_word=0 was given, but it is at least 1"),
        ({"filler_step": 0}, "filler_step=0 was given"),
        ({"filler": " "}, "filler is empty"),
    ],
)
def test_settings_that_make_no_sense(wrong, words):
    with pytest.raises(ValueError, match=words):
        BlancHelp(**wrong)


def test_a_separator_that_fills_the_model(first_word):
    score = one(BlancHelp(separator="so " * 40), "alpha.", "beta.")
    assert score.problem == ("the separator leaves no room for a text: the model reads 30 tokens")
