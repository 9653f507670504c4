from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measures import meteor
from tricolore.measures.meteor import Meteor
from tricolore.registry import get_measure
from tricolore.score import Score
from tricolore.text.synonyms import wordnet_version

text = st.lists(st.sampled_from("the cat cats sat sits . on mat".split()), min_size=1).map(" ".join)


def score(summary: str, *references: str, evidence: bool = False, **settings: object) -> Score:
    measure = Meteor(**{"synonyms": "off", **settings})
    [found] = measure.score([Example(summary=summary, references=references)], evidence=evidence)
    return found


def test_definition() -> None:
    """P = 3/4, R = 3/5, Fmean = 10PR/(R+9P); "the cat" and "mat" are 2 chunks of 3 matches."""
    found = score("the cat ate mats", "on a mat the cat")
    f_mean = 10 * 0.75 * 0.6 / (0.6 + 9 * 0.75)
    penalty = 0.5 * (2 / 3) ** 3
    assert found.value == pytest.approx(f_mean * (1 - penalty))
    assert found.parts == pytest.approx(
        {
            "precision": 3 / 4,
            "recall": 3 / 5,
            "f_mean": f_mean,
            "penalty": penalty,
            "chunks": 2,
            "matches": 3,
        }
    )


def test_example_of_the_paper() -> None:
    """§2.2: "the president spoke to the audience" against "… then spoke …" makes two chunks."""
    found = score("the president spoke to the audience", "the president then spoke to the audience")
    assert (found.parts["chunks"], found.parts["matches"]) == (2, 6)
    whole = score("the president spoke to the audience", "the president spoke to the audience")
    assert whole.parts["penalty"] == pytest.approx(0.5 / 6**3)


def test_order_of_stages() -> None:
    # "cats" takes "cats" and leaves "cat" to "cat", although it comes first.
    found = score("cats cat", "cat cats", evidence=True)
    assert [(span.label, span.start) for span in found.evidence] == [("exact", 0), ("exact", 5)]
    found = score("cats sat", "cat sat", evidence=True)
    assert [span.label for span in found.evidence] == ["stem", "exact"]


def test_fewest_crossings() -> None:
    # The "the" of the summary goes with the second of the reference: no crossing, one chunk.
    summary, reference = "saw the dog", "the cat saw the dog"
    assert score(summary, reference).parts["chunks"] == 1
    # NLTK takes the last partner: here "the" is torn from "cat".
    torn = ("the cat", "the cat and the dog")
    assert score(*torn).parts["chunks"] == 1
    assert score(*torn, alignment="greedy").parts["chunks"] == 2


def test_no_match_is_zero() -> None:
    found = score("a b", "c d")
    assert found.value == 0
    assert tuple(found.parts) == Meteor.part_names


def test_best_reference() -> None:
    found = score("the cat", "a dog", "the cat sat", "the cat", evidence=True)
    assert found.value == score("the cat", "the cat").value
    assert [span.match and span.match.document for span in found.evidence] == [2, 2]


def test_settings_change_the_formula() -> None:
    # alpha 0.5 is the plain harmonic mean; gamma 0 takes the penalty away: 2·1·½/1½.
    assert score("a b", "a b c d", alpha=0.5, gamma=0.0).value == pytest.approx(2 / 3)
    # beta 1, two chunks of two matches: penalty ½.
    assert score("b a", "a b", beta=1.0).value == pytest.approx(0.5)


@pytest.mark.parametrize("spec", ["alpha=1.5", "gamma=-1", "beta=-1"])
def test_settings_out_of_range(spec: str) -> None:
    with pytest.raises(SpecError, match=spec.partition("=")[0]):
        get_measure(f"meteor:{spec}")


def test_synonyms_share_a_sense(monkeypatch: pytest.MonkeyPatch) -> None:
    senses = {"car": {"car.n.01"}, "autos": {"car.n.01", "auto.x"}, "tree": {"tree.n.01"}}
    monkeypatch.setattr(meteor, "senses", lambda word: frozenset(senses.get(word, ())))
    found = score("a car", "a tree autos", synonyms="auto", evidence=True)
    assert [(span.label, span.match and span.match.start) for span in found.evidence] == [
        ("exact", 0),
        ("synonym", 7),
    ]


def test_wordnet_is_asked_for_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor, "wordnet_version", lambda: "none")
    with pytest.raises(SpecError, match=r"nltk\.downloader wordnet"):
        get_measure("meteor:synonyms=on")
    assert Meteor().signature()["wordnet"] == "none"
    monkeypatch.setattr(meteor, "wordnet_version", lambda: "3.0")
    assert Meteor().signature()["wordnet"] == "3.0"
    assert Meteor(synonyms="off").signature()["wordnet"] == "none"


def test_problems() -> None:
    found = score("привет", "привет", tokenizer="google")
    assert math.isnan(found.value)
    assert "tokenizer=unicode" in str(found.problem)
    assert "no word in the reference" in str(score("a", "привет", tokenizer="google").problem)


@given(summary=text, reference=text, alignment=st.sampled_from(["crossings", "greedy"]))
def test_values_are_shares(summary: str, reference: str, alignment: str) -> None:
    found = score(summary, reference, alignment=alignment, evidence=True)
    assert 0 <= found.value <= 1
    assert found.parts["chunks"] <= found.parts["matches"] == len(found.evidence)
    assert found.value == score(summary, reference, alignment=alignment).value


@given(summary=text)
def test_the_same_text_is_one_chunk(summary: str) -> None:
    found = score(summary, summary)
    matches = len(summary.split())
    assert (found.parts["chunks"], found.parts["matches"]) == (1, matches)
    assert found.value == pytest.approx(1 - 0.5 / matches**3)


@given(summary=text, reference=text)
def test_both_alignments_match_as_many(summary: str, reference: str) -> None:
    ours, greedy = (score(summary, reference, alignment=a) for a in ("crossings", "greedy"))
    assert ours.parts["matches"] == greedy.parts["matches"]


@given(summary=text, references=st.lists(text, min_size=1, max_size=3), more=text)
def test_references(summary: str, references: list[str], more: str) -> None:
    one = score(summary, *references, more)
    assert one == score(summary, more, *reversed(references))
    assert one.value >= score(summary, *references).value


def weighted_meteor(summary, reference, pairs, functional):
    """METEOR 1.5 by its formula, as MeteorScorer.computeMetrics of its Java code computes it.

    `pairs` are (place, other place, weight of the module), in order; `functional` are the function
    words. The parameters are those for English.
    """
    alpha, beta, gamma, delta = 0.85, 0.2, 0.6, 0.75

    def weight(word):
        return 1 - delta if word in functional else delta

    precision = sum(w * weight(summary[i]) for i, _, w in pairs) / sum(map(weight, summary))
    recall = sum(w * weight(reference[j]) for _, j, w in pairs) / sum(map(weight, reference))
    f_mean = 1 / ((1 - alpha) / precision + alpha / recall)
    steps = pairwise(pairs)
    chunks = 1 + sum((c - a, d - b) != (1, 1) for (a, b, _), (c, d, _) in steps)
    is_same = len(pairs) == len(summary) == len(reference) and chunks == 1
    frag = 0 if is_same else chunks / len(pairs)
    return f_mean * (1 - gamma * frag**beta)


def test_meteor_15_by_hand() -> None:
    """the-the (exact), cats-cat (stem), sat-sat (exact), mat-mat (exact); 'the', 'on' count 1/4.

    P: words the cats sat on mat, of weights 1/4 3/4 3/4 1/4 3/4 = 11/4; matched are
       1/4 + 0.6 * 3/4 + 3/4 + 3/4 = 2.2
    R: words the cat sat by a mat, of weights 1/4 3/4 3/4 1/4 1/4 3/4 = 3; matched 2.2
    Four matches in two chunks: the cats sat, mat.
    """
    found = score("the cats sat on mat", "the cat sat by a mat", **METEOR_15)
    assert found.parts["precision"] == pytest.approx(2.2 / 2.75)
    assert found.parts["recall"] == pytest.approx(2.2 / 3)
    assert found.parts["penalty"] == pytest.approx(0.6 * (2 / 4) ** 0.2)
    pairs = [(0, 0, 1), (1, 1, 0.6), (2, 2, 1), (4, 5, 1)]
    summary, reference = "the cats sat on mat".split(), "the cat sat by a mat".split()
    expected = weighted_meteor(summary, reference, pairs, {"the", "on", "by", "a"})
    assert found.value == pytest.approx(expected)


METEOR_15 = get_measure("meteor:preset=meteor-1.5").settings | {"synonyms": "off"}


def test_meteor_15_of_equal_texts_is_1() -> None:
    assert score("the cat sat", "the cat sat", **METEOR_15).value == 1
    assert score("the cat", "the cat", **{**METEOR_15, "identical_penalty": True}).value < 1
    # Whole words of both, but in two chunks.
    assert score("the cat sat", "sat the cat", **METEOR_15).value < 1


@given(text, text)
def test_meteor_15_is_its_formula_on_our_alignment(summary: str, reference: str) -> None:
    measure = Meteor(**METEOR_15)
    ours, theirs = tuple(summary.split()), tuple(reference.split())
    modules = {"exact": 1.0, "stem": 0.6}
    pairs = [(m.place, m.other, modules[m.stage]) for m in measure._align(ours, theirs)]
    expected = weighted_meteor(ours, theirs, pairs, {"the", "on", "."}) if pairs else 0.0
    assert score(summary, reference, **METEOR_15).value == pytest.approx(expected)


@given(text, text)
def test_without_weights_all_words_count_alike(summary: str, reference: str) -> None:
    plain = score(summary, reference)
    assert plain.parts["precision"] == plain.parts["matches"] / len(summary.split())
    assert plain.parts["recall"] == plain.parts["matches"] / len(reference.split())


def test_synonyms_have_their_weight() -> None:
    if wordnet_version() == "none":
        pytest.skip("WordNet is not installed")
    found = score("a car", "an automobile", synonyms="on", synonym_weight=0.8, delta=1.0)
    assert found.parts["precision"] == pytest.approx(0.8)


def test_a_text_of_function_words_alone_has_no_weight_with_delta_1() -> None:
    assert score("of the", "of the", delta=1.0).value == 0


@pytest.mark.parametrize("name", ["delta", "stem_weight", "synonym_weight"])
def test_weights_are_shares(name: str) -> None:
    with pytest.raises(SpecError, match=f"{name} must be between 0 and 1"):
        get_measure(f"meteor:{name}=1.5")
