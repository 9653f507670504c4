"""ESTIME's `released` preset gives what blanc 0.3.4 gives."""

from __future__ import annotations

import math
from typing import Any

import blanc034
import pytest

from tricolore import Example
from tricolore.measures.estime import Estime

pytestmark = pytest.mark.slow
NAMES = {
    "alarms": "alarms",
    "alarms_adjusted": "alarms_adjusted",
    "alarms_alltokens": "alarms_all",
    "soft": "soft",
    "coherence": "coherence",
}


@pytest.fixture(scope="module")
def pairs(cnndm555: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The beginnings of 20 articles and of their summaries."""
    return [(row["source"][:260], row["summary"][:110]) for row in cnndm555[:20]]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return blanc034.random_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> str:
    return blanc034.random_bert(tmp_path_factory.mktemp("raw"), width=48, seed=2)


def theirs(pairs, model: str, layer: int, *, raw: str = "", **settings: Any):
    made = blanc034.load().Estime(
        path_mdl=model,
        path_mdl_raw=raw or model,
        i_layer_context=layer,
        output=list(NAMES),
        **settings,
    )
    return [made.evaluate_claims(source, [summary])[0] for source, summary in pairs]


def ours(pairs, **settings: Any):
    made = Estime(**{**Estime.presets["released"], **settings})
    scores = made.score([Example(source=source, summary=summary) for source, summary in pairs])
    assert [score.problem for score in scores] == [None] * len(pairs)
    return [[score.parts[name] for name in NAMES.values()] for score in scores]


def assert_same(found, expected):
    for mine, peers in zip(found, expected, strict=True):
        assert mine[:3] == peers[:3]
        assert mine[3:] == pytest.approx(peers[3:], abs=1e-5, nan_ok=True)


def test_embedded(pairs):
    expected = theirs(pairs, blanc034.EMBEDDED, 4)
    assert_same(ours(pairs, layer="4"), expected)
    # The measures say something of these pairs: no column is the same everywhere.
    assert all(len({round(row[at], 6) for row in expected}) > 5 for at in range(len(NAMES)))


def test_random_bert(pairs, bert):
    assert_same(ours(pairs, model=bert, layer="2"), theirs(pairs, bert, 2))


def test_a_layer_of_the_sweep(pairs, bert):
    made = Estime(**Estime.presets["released"], model=bert, layers="all")
    scores = made.score([Example(source=source, summary=summary) for source, summary in pairs])
    for score, peers in zip(scores, theirs(pairs, bert, 1), strict=True):
        assert score.parts["alarms_l1"] == peers[0]
        assert score.parts["soft_l1"] == pytest.approx(peers[3], abs=1e-5)
        assert score.parts["coherence_l1"] == pytest.approx(peers[4], abs=1e-9)


def test_another_model_for_raw_embeddings(pairs, bert, raw):
    expected = theirs(pairs, bert, 2, raw=raw)
    assert_same(ours(pairs, model=bert, raw_model=raw, layer="2"), expected)
    assert expected[0][3] != pytest.approx(theirs(pairs[:1], bert, 2)[0][3], abs=1e-3)


@pytest.mark.parametrize(
    ("window", "margin", "distance"), [(40, 6, 8), (30, 10, 3), (25, 1, 16), (450, 50, 1)]
)
def test_windows(cnndm555, bert, window, margin, distance):
    """Texts of several windows."""
    pairs = [(row["source"][:700], row["summary"][:250]) for row in cnndm555[24:27]]
    chosen = {"window": window, "margin": margin, "distance": distance}
    expected = theirs(
        pairs, bert, 2, input_size_max=window, margin=margin, distance_word_min=distance
    )
    assert_same(ours(pairs, model=bert, layer="2", **chosen), expected)


@pytest.mark.parametrize(
    ("check", "exclude"), [(["NN", "NNS", "NNP"], None), (None, ["DT", "IN"]), (["VBD"], ["NN"])]
)
def test_parts_of_speech(pairs, bert, monkeypatch, check, exclude):
    from tricolore.text.pos import tags

    # The same tagger on both sides.
    monkeypatch.setattr(
        blanc034, "pos_tag", lambda words: list(zip(words, tags(*words), strict=True))
    )
    some = [pair for pair in pairs if " was " in pair[0] or " said " in pair[0]][:6]
    expected = theirs(some, bert, 2, tags_check=check, tags_exclude=exclude)
    found = ours(
        some, model=bert, layer="2", pos="+".join(check or ()), pos_exclude="+".join(exclude or ())
    )
    assert_same(found, expected)


def test_nothing_overlaps(bert):
    pairs = [("The dog slept.", "cats eat mice")]
    assert_same(ours(pairs, model=bert, layer="2"), theirs(pairs, bert, 2))


def test_quotes_accents_and_signs(bert):
    """What their word tokenizer rewrites, and what NFKD takes apart."""
    source = 'The ﬁrst café said: "We can\'t pay $3.5 million" -- or so [MASK] told us… (twice)!'
    pairs = [(source, 'The café can\'t pay "million" to [MASK]… or ﬁrst?'), (source, source)]
    assert_same(ours(pairs, model=bert, layer="2"), theirs(pairs, bert, 2))


@pytest.mark.filterwarnings("ignore:One or more sample arguments is too small")
def test_one_word(bert):
    [peers] = theirs([("cats sleep", "cats")], bert, 2)
    [mine] = ours([("cats sleep", "cats")], model=bert, layer="2")
    assert_same([mine], [peers])
    assert math.isnan(mine[4])
