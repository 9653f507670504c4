from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measures.rouge import Rouge
from tricolore.registry import ROUGE_VARIANTS, get_measure
from tricolore.score import Score

text = st.lists(st.sampled_from("the cat dog sat sits on in mat a".split()), min_size=2).map(
    " ".join
)
variant = st.sampled_from(ROUGE_VARIANTS)


def score(summary: str, *references: str, evidence: bool = False, **settings: object) -> Score:
    example = Example(summary=summary, references=references)
    [found] = Rouge(**settings).score([example], evidence=evidence)
    return found


def prf(found: Score) -> tuple[float, float, float]:
    return found.parts["precision"], found.parts["recall"], found.parts["f1"]


GUNMAN = "police killed the gunman"


@pytest.mark.parametrize(
    ("variant", "summary", "value"),
    [
        # §3.1: the same bigram is shared, but only one of the two keeps the order of words.
        ("2", "police kill the gunman", 1 / 3),
        ("2", "the gunman kill police", 1 / 3),
        ("l", "police kill the gunman", 3 / 4),
        ("l", "the gunman kill police", 2 / 4),
        ("l", "the gunman police killed", 2 / 4),
        # §5.1: of the C(4,2) = 6 skip-bigrams 3, 1 and 2 are shared.
        ("s4", "police kill the gunman", 3 / 6),
        ("s4", "the gunman kill police", 1 / 6),
        ("s4", "the gunman police killed", 2 / 6),
        # With unigrams: 3 + 3 of 6 + 4.
        ("su4", "police kill the gunman", 6 / 10),
    ],
)
def test_gunman(variant: str, summary: str, value: float) -> None:
    assert prf(score(summary, GUNMAN, variant=variant)) == pytest.approx((value,) * 3)


def test_union_of_subsequences() -> None:
    """§3.2: w1 w2 from the first sentence, w1 w3 w5 from the second: 4 of 5 words."""
    found = score("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", variant="lsum")
    assert prf(found) == pytest.approx((4 / 10, 4 / 5, 2 * 0.4 * 0.8 / 1.2))


@pytest.mark.parametrize(("summary", "value"), [("a b c d h i k", 4 / 7), ("a h b k c i d", 2 / 7)])
def test_weighted_subsequence(summary: str, value: float) -> None:
    """§4, f(k) = k²: √(4²/7²) and √((1+1+1+1)/7²), the paper's 0.571 and 0.286."""
    found = score(summary, "a b c d e f g", variant="w", weight=2.0)
    assert prf(found) == pytest.approx((value,) * 3)


def test_counts_are_clipped() -> None:
    # "the" counts once: the reference has it once. 2 of 3 words; 2 of 2.
    assert prf(score("the the cat", "the cat")) == pytest.approx((2 / 3, 1, 0.8))


def test_skip_bigrams_reach_over_four_words() -> None:
    # 7 words: 6 + 5 + 4 + 3 + 2 pairs at distances 1 to 5; a…g, at distance 6, is not one.
    found = score("a b c d e f g", "a x y z u v g", variant="s4")
    assert found.value == 0.0
    shared = score("a b c d e f g", "x a y z u v f", variant="s4")  # a…f is at distance 5 in both
    assert shared.parts["precision"] == pytest.approx(1 / 20)


def test_value_is_the_part_asked_for() -> None:
    for value in ("f1", "precision", "recall"):
        found = score("a b c", "a b x y", value=value)
        assert found.value == found.parts[value]


REFERENCES = ("a b c d", "a", "x")
F1 = [2 / 3, 2 / 3, 0]


@pytest.mark.parametrize(
    ("references", "value", "expected"),
    [
        ("max", "f1", 2 / 3),
        ("max", "precision", 1),
        ("max", "recall", 1),
        ("mean", "f1", (2 / 3 + 2 / 3 + 0) / 3),
        ("mean", "precision", (1 + 1 / 2 + 0) / 3),
        # The best of the other two, for each reference left out in turn.
        ("jackknife", "precision", (1 / 2 + 1 + 1) / 3),
        ("jackknife", "recall", (1 + 1 / 2 + 1) / 3),
        # 2 + 1 + 0 words shared; 3 × 2 words in the summary; 4 + 1 + 1 in the references.
        ("pooled", "precision", 3 / 6),
        ("pooled", "recall", 3 / 6),
    ],
)
def test_several_references(references: str, value: str, expected: float) -> None:
    found = score("a b", *REFERENCES, references=references, value=value)
    assert found.value == pytest.approx(expected)


def test_a_reference_without_words_is_left_out() -> None:
    assert score("a b", "a b", "…", references="mean").value == 1


@pytest.mark.parametrize(
    ("summary", "reference", "settings", "words"),
    [
        ("привет", "привет", {}, "tokenizer=unicode"),
        ("hello", "привет", {}, "tokenizer=unicode"),
        ("…!", "hello", {}, "no word in the summary"),
        ("of the", "hello", {"stop_words": "smart"}, "stop words"),
        ("hello", "of the", {"stop_words": "smart"}, "stop words"),
        ("hello there", "hello", {"variant": "2"}, "too few words for rouge-2"),
        ("hello", "", {}, "no reference"),
    ],
)
def test_problems(summary: str, reference: str, settings: dict[str, object], words: str) -> None:
    found = score(summary, reference, **settings)
    assert math.isnan(found.value)
    assert words in str(found.problem)


def test_a_summary_too_short_for_ngrams_shares_none() -> None:
    assert prf(score("hello", "hello there", variant="2")) == (0, 0, 0)


def test_settings_out_of_range() -> None:
    with pytest.raises(SpecError, match="weight must be 1 or more"):
        get_measure("rouge-w:weight=0.5")


def test_aliases_of_one_measure_have_one_label() -> None:
    assert (
        get_measure("ROUGE-W-STEM-STOP-P").label
        == "rouge-w:stem=true,stop_words=smart,value=precision"
    )
    for variant, stem, stop in product(ROUGE_VARIANTS, (False, True), (False, True)):
        stop_words = "smart" if stop else "none"
        name = f"rouge-{variant}{'-stem' * stem}{'-stop' * stop}"
        for ending, value in {"": "f1", "-p": "precision", "-r": "recall", "-f1": "f1"}.items():
            made = get_measure(name + ending)
            assert made == Rouge(variant=variant, stem=stem, stop_words=stop_words, value=value)
            assert get_measure(made.label) == made
    assert get_measure("rouge-l-f1").label == get_measure("rouge-l").label == "rouge-l"
    assert get_measure("rouge-2:preset=released").label == "rouge-2:preset=released"


@given(variant=variant, summary=text, reference=text)
def test_values_are_shares(variant: str, summary: str, reference: str) -> None:
    for settings in ({}, {"stem": True}, {"rules": "1.5.5"}):
        found = score(summary, reference, variant=variant, **settings)
        if found.problem is None:
            assert all(0 <= part <= 1 for part in found.parts.values())
            assert tuple(found.parts) == Rouge.part_names


@given(variant=variant, summary=text)
def test_the_same_text_is_one(variant: str, summary: str) -> None:
    found = score(summary, summary, variant=variant)
    assume(found.problem is None)
    assert prf(found) == pytest.approx((1, 1, 1))


@given(variant=variant, summary=text, reference=text)
def test_swapping_swaps(variant: str, summary: str, reference: str) -> None:
    one, other = (
        score(a, b, variant=variant) for a, b in ((summary, reference), (reference, summary))
    )
    assume(one.problem is None and other.problem is None)
    precision, recall, f1 = prf(one)
    assert prf(other) == pytest.approx((recall, precision, f1))


@given(
    variant=variant,
    summary=text,
    references=st.lists(text, min_size=2, max_size=4).flatmap(
        lambda given: st.tuples(st.just(given), st.permutations(given))
    ),
    how=st.sampled_from(["max", "mean", "jackknife", "pooled"]),
    value=st.sampled_from(["f1", "precision", "recall"]),
)
def test_references_have_no_order(
    variant: str, summary: str, references: tuple[list[str], list[str]], how: str, value: str
) -> None:
    found = [score(summary, *r, variant=variant, references=how, value=value) for r in references]
    assume(found[0].problem is None)
    assert prf(found[0]) == pytest.approx(prf(found[1]))


@given(
    variant=variant,
    summary=text,
    references=st.lists(text, min_size=1, max_size=3),
    more=text,
    value=st.sampled_from(["f1", "precision", "recall"]),
)
def test_one_more_reference_never_lowers_the_best(
    variant: str, summary: str, references: list[str], more: str, value: str
) -> None:
    before = score(summary, *references, variant=variant, value=value)
    assume(before.problem is None)
    assert score(summary, *references, more, variant=variant, value=value).value >= before.value


def spans(found: Score, summary: str, references: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = []
    for span in found.evidence:
        assert span.match is not None
        match = span.match
        pairs.append(
            (summary[span.start : span.end], references[match.document][match.start : match.end])
        )
    return pairs


def test_evidence_is_the_shared_ngrams() -> None:
    summary, references = "Cats sat; the cats slept.", ("A dog.", "The cat sat. The cats slept.")
    found = score(summary, *references, variant="2", stem=True, evidence=True)
    assert spans(found, summary, references) == [
        ("Cats sat", "cat sat"),
        ("sat; the", "sat. The"),
        ("the cats", "The cat"),
        ("cats slept", "cats slept"),
    ]
    assert found.evidence[0].label == "cat sat"
    assert [span.match and span.match.document for span in found.evidence] == [1] * 4


@pytest.mark.parametrize("variant", ["l", "w"])
def test_evidence_is_the_common_subsequence(variant: str) -> None:
    found = score("police kill the gunman", GUNMAN, variant=variant, evidence=True)
    shared = [(word, word) for word in ("police", "the", "gunman")]
    assert spans(found, "police kill the gunman", (GUNMAN,)) == shared


def test_evidence_of_skip_bigrams_is_weighed_words() -> None:
    found = score("police kill the gunman", GUNMAN, variant="s4", evidence=True)
    # police…the, police…gunman, the…gunman: each word takes part in two.
    assert [(span.label, span.weight) for span in found.evidence] == [
        ("police", 2),
        ("the", 2),
        ("gunman", 2),
    ]


@given(variant=variant, summary=text, reference=text, rules=st.sampled_from(["paper", "1.5.5"]))
def test_evidence_adds_up(variant: str, summary: str, reference: str, rules: str) -> None:
    summary, reference = summary.replace("mat", "mat\n"), reference.replace("mat", "mat\n")
    settings = {"variant": variant, "rules": rules}
    found = score(summary, reference, **settings, evidence=True)
    plain = score(summary, reference, **settings)
    assume(plain.problem is None)
    assert (found.value, found.parts) == (plain.value, plain.parts)
    assert bool(found.evidence) == (plain.value > 0)
    if variant in ("1", "l", "lsum"):
        assert len(found.evidence) == pytest.approx(found.parts["recall"] * len(reference.split()))
    for ours, theirs in spans(found, summary, (reference,)):
        assert ours.split() == theirs.split()


@given(text, text, variant)
def test_against_the_source_is_the_source_as_reference(summary: str, other: str, kind: str) -> None:
    example = Example(source=other, summary=summary)
    [found] = Rouge(variant=kind, against="source").score([example], evidence=True)
    expected = score(summary, other, variant=kind, evidence=True)
    assert found.parts == expected.parts
    assert found.problem == (expected.problem and expected.problem.replace("reference", "source"))
    assert [(s.start, s.end) for s in found.evidence] == [
        (s.start, s.end) for s in expected.evidence
    ]
    assert all(s.match and s.match.where == "source" for s in found.evidence)


def test_what_it_needs_follows_from_what_it_compares_with() -> None:
    rouge = get_measure("rouge-1:against=source")
    assert rouge.needs == {"source"}
    assert get_measure("rouge-1").needs == {"references"}
    [found] = rouge.score([Example(summary="a", references="a")])
    assert found.problem == "the source is empty"
