"""Equality with the authors' package: blanc 0.3.4, where nothing is left to chance."""

from __future__ import annotations

from typing import Any

import blanc034
import pytest
import torch

from tricolore import Example
from tricolore.measures.blanc_tune import BlancTune
from tricolore.text.sentences import sentences

pytestmark = pytest.mark.slow


# It never replaces nor keeps a token here, and the random BERT has no dropout.
EXACT = {"p_token_replace": 0.0, "p_token_original": 0.0, "show_progress_bar": False}
OURS = {"p_replace": 0.0, "p_keep": 0.0}
# Steps large enough that a random net changes its mind.
QUICK = {"finetune_epochs": 2, "learning_rate": 3e-3}
OUR_QUICK = {"epochs": 2, "learning_rate": 3e-3}


@pytest.fixture(scope="module")
def peer() -> Any:
    return blanc034.load()


@pytest.fixture(scope="module")
def random_bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return blanc034.random_bert(tmp_path_factory.mktemp("bert"), width=64)


@pytest.fixture(scope="module")
def pairs(cnndm555: list[dict[str, Any]]) -> list[Example]:
    """The first sentences of real summaries and of their sources, since tuning takes long."""
    return [
        Example(source=" ".join(sentences(row["source"])[:3]), summary=sentences(row["summary"])[0])
        for row in cnndm555[:20]
    ]


@pytest.fixture(scope="module")
def long_pairs(cnndm555: list[dict[str, Any]]) -> list[Example]:
    """Whole summaries, of several chunks."""
    return [
        Example(source=sentences(row["source"])[0], summary=row["summary"]) for row in cnndm555[:2]
    ]


def theirs(peer: Any, pairs: list[Example], model: str, **settings: Any) -> list[Any]:
    measure = peer.BlancTune(model, measure="relative-counts", **{**EXACT, **settings})
    return measure.eval_pairs([pair.source[0] for pair in pairs], [pair.summary for pair in pairs])


def ours(pairs: list[Example], **settings: Any) -> list[Any]:
    found = []
    for score in BlancTune(**{**OURS, **settings}).score(pairs):
        s = score.parts
        if score.problem:  # where nothing could be masked, the package says 0
            found.append((0, [[0, 0], [0, 0]]))
        else:
            found.append((score.value, [[s["s00"], s["s01"]], [s["s10"], s["s11"]]]))
    return found


def test_the_same_counts(peer, pairs, random_bert):
    expected = theirs(peer, pairs, random_bert, **QUICK)
    assert ours(pairs, model=random_bert, **OUR_QUICK) == expected
    assert sum(s[0][1] + s[1][0] for _, s in expected) > 3  # else it would prove little


@pytest.mark.parametrize(
    ("asked", "set_to"),
    [
        ({}, {}),
        (
            {"gap": 6, "gap_tune": 3, "gap_mask_tune": 2, "finetune_batch_size": 3},
            {"gap": 6, "gap_tune": 3, "gap_mask_tune": 2, "batch": 3},
        ),
        (
            {
                "min_token_length_normal_tune": 1,
                "min_token_length_lead_tune": 3,
                "min_token_length_followup_tune": 1,
                "finetune_chunk_size": 20,
                "finetune_chunk_stride": 7,
                "finetune_top_fully": False,
                "warmup_steps": 3,
            },
            {
                "min_word_tune": 1,
                "min_lead_tune": 3,
                "min_followup_tune": 1,
                "chunk": 20,
                "stride": 7,
                "top": False,
                "warmup": 3,
            },
        ),
    ],
    ids=["default", "rows", "pieces"],
)
def test_the_same_guesses_after_long_summaries(peer, long_pairs, random_bert, asked, set_to):
    """Not only who was right: a random net is mostly wrong before and after."""
    other = peer.BlancTune(random_bert, **EXACT, **QUICK, **asked)
    measure = BlancTune(model=random_bert, **OURS, **OUR_QUICK, **set_to)
    different = set()
    for pair in long_pairs:
        net = other.init_model("cpu")
        other.finetune(net, pair.summary)
        [[outputs]], _ = other.mask_and_infer(net, [pair.source[0]], [[None]])
        expected = [token for guesses in outputs for token in guesses.values()]
        queries = [ask.query for ask in measure._asks(measure._read(pair.source[0]))]
        with measure.lm.tuned(list(measure.samples(pair.summary)), measure._tuning()) as tuned:
            got = [token for ids in tuned.predict(queries) for token in tuned.entries(ids)]
        assert got == expected
        different |= set(got)
    assert len(different) > 2


@pytest.mark.parametrize("chunk", [64, 11])
def test_the_same_samples(peer, cnndm555, random_bert, chunk):
    """With pieces of a word at the head and at the end of chunks."""
    lengths = {"min_followup_tune": 2, "min_word_tune": 3}
    measure = BlancTune(model=random_bert, chunk=chunk, stride=5, **OURS, **lengths)
    other = peer.BlancTune(
        random_bert,
        finetune_chunk_size=chunk,
        finetune_chunk_stride=5,
        min_token_length_followup_tune=2,
        min_token_length_normal_tune=3,
        **EXACT,
    )
    for row in cnndm555[:20]:
        expected = [
            (list(data.input_ids), [label for label in data.labels if label != -100])
            for data in other.prepare_finetuning_data(row["summary"])
        ]
        got = [(list(s.query.ids), list(s.targets)) for s in measure.samples(row["summary"])]
        assert got == expected


def test_the_same_weights(peer, pairs, random_bert):
    """With its own learning rate and epochs."""
    measure = BlancTune(model=random_bert, **OURS)
    other = peer.BlancTune(random_bert, **EXACT)
    for pair in pairs[:2]:
        expected = other.init_model("cpu")
        start = {name: p.detach().clone() for name, p in expected.named_parameters()}
        other.finetune(expected, pair.summary)
        with measure.lm.tuned(list(measure.samples(pair.summary)), measure._tuning()) as tuned:
            got = {name: p.detach().clone() for name, p in tuned.net.module.named_parameters()}
        for name, wanted in expected.named_parameters():
            if name.endswith("key.bias"):
                continue  # shifts all scores of a query alike: its gradient is rounding noise
            moved = (wanted.detach() - start[name]).norm()
            assert moved > 0
            assert (got[name] - wanted.detach()).norm() < 1e-3 * moved, name


def test_a_summary_of_short_words(peer, pairs, random_bert):
    """Nothing to learn from: the tuned model is the model."""
    pair = Example(source=pairs[0].source, summary="He is it.")
    assert ours([pair], model=random_bert) == theirs(peer, [pair], random_bert)
    assert ours([pair], model=random_bert)[0][0] == 0


def test_with_the_embedded_model(peer, pairs):
    """A DistilBERT, whose norms have other names: the package lets them decay. No dropout here."""
    short = [
        Example(source=sentences(p.source[0])[0], summary=" ".join(p.summary.split()[:8]))
        for p in pairs[:20]
    ]

    class Still(blanc034.MaskedNet):
        @staticmethod
        def from_pretrained(name: str, **settings: Any) -> Any:
            net = blanc034.MaskedNet.from_pretrained(name, **settings)
            for part in net.modules():
                if isinstance(part, torch.nn.Dropout):
                    part.p = 0.0
            return net

    settings = {"learning_rate": 1e-3, "gap_tune": 1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peer.blanc, "BertForMaskedLM", Still)
        expected = theirs(peer, short, "embedded", finetune_epochs=1, **settings)
    assert ours(short, use_dropout=False, epochs=1, **settings) == expected
    assert sum(s[0][1] + s[1][0] for _, s in expected) > 3
