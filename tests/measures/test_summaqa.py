"""SummaQA against its definition, by hand, and on bad input."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures import summaqa as module
from tricolore.measures.summaqa import SummaQA, clozes, summaqa, word_f1
from tricolore.models import Answer, QuestionAnswerer
from tricolore.models.model import shared
from tricolore.registry import get_measure
from tricolore.testing import check_measure

from ..models.test_question_answerer import qa_net, qa_tokenizer

SOURCE = (
    "The council voted on Monday to close the old Ouse Bridge. Engineers had warned that 3 of its "
    "12 pillars were cracked. The mayor, Anna Bell, said a new bridge would cost 40 million pounds."
)
SUMMARIES = (
    "Anna Bell will close the Ouse Bridge on Monday.",
    "engineers found cracks in 3 pillars of the bridge, which would cost 40 million.",
    "Nobody knows.",
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny random checkpoint."""
    directory: Path = tmp_path_factory.mktemp("answerer")
    tokenizer = qa_tokenizer("bert")
    tokenizer.save_pretrained(directory)
    qa_net("bert", tokenizer).save_pretrained(directory)
    return str(directory)


def measure(model: str, **settings: object) -> SummaQA:
    return SummaQA(model=model, **settings)  # type: ignore[arg-type]


def asked(text: str) -> list[str]:
    return [text[slice(*cloze.entity)] for cloze in clozes(text, "rules")]


def test_every_name_date_and_number_is_asked_for_in_its_sentence() -> None:
    assert asked(SOURCE) == ["Monday", "Ouse Bridge", "3", "12", "Anna Bell", "40"]
    third = clozes(SOURCE, "rules")[2]
    question = third.question(SOURCE, "a summary")
    assert question.text == "Engineers had warned that 3 of its 12 pillars were cracked."
    assert question.gap is not None
    assert question.text[slice(*question.gap)] == "3"
    assert [cloze.item for cloze in clozes(SOURCE, "rules")] == [
        *("name", "name", "number", "number", "name", "number")
    ]


@pytest.mark.parametrize(
    ("answer", "truth", "value"),
    [
        ("Anna Bell", "Anna Bell", 1.0),
        ("the mayor, Anna Bell", "Anna Bell", 0.8),  # precision 2/3, recall 1
        ("bell", "Anna Bell!", 2 / 3),  # precision 1, recall 1/2
        ("the", "a", 0.0),  # articles do not count
        ("", "Anna", 0.0),
        ("Bell Bell", "Bell", 2 / 3),  # the second is not in the truth
    ],
)
def test_f1_by_hand(answer: str, truth: str, value: float) -> None:
    assert word_f1(answer, truth) == pytest.approx(value)


def test_value_and_parts_by_hand(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six questions: one right answer, one of two words right, one wrong, three without answer."""
    given = {"Monday": ("on Monday", 0.9), "Anna Bell": ("Bell", 0.5), "3": ("12", 0.2)}

    def answers(questions: list[object], **_: object) -> list[Answer]:
        found = []
        for question in questions:
            text, p = given.get(question.text[slice(*question.gap)], ("", 0.1))  # type: ignore[attr-defined]
            at = question.context.find(text) if text else 0  # type: ignore[attr-defined]
            found.append(Answer(text, p, at, at + len(text)))
        return found

    answerer = SimpleNamespace(
        answers=answers,
        tokenize=lambda text: SimpleNamespace(ids=text.split()),
        tokenizer=SimpleNamespace(mask_id=4),
    )
    monkeypatch.setattr(SummaQA, "loaded", answerer)
    summary = "Bell spoke of 12 pillars on Monday."
    example = Example(source=SOURCE, summary=summary)
    [score] = measure(model).score([example], evidence=True)
    # "on Monday" for "Monday": precision 1/2, recall 1; "Bell" for "Anna Bell": 1 and 1/2.
    assert score.value == pytest.approx((2 / 3 + 2 / 3) / 6)
    assert score.parts["probability"] == pytest.approx((0.9 + 0.5 + 0.2 + 3 * 0.1) / 6)
    assert score.parts["questions"] == 6
    [shown] = measure(model, value="probability").score([example])
    assert shown.value == score.parts["probability"]
    kinds = {SOURCE[s.start : s.end]: (s.kind, s.item) for s in score.evidence}
    assert kinds == {
        "Monday": ("match", "name"),
        "Ouse Bridge": ("missing", "name"),
        "3": ("missing", "number"),
        "12": ("missing", "number"),
        "Anna Bell": ("match", "name"),
        "40": ("missing", "number"),
    }
    monday, *_ = score.evidence
    assert monday.match is not None
    assert summary[monday.match.start : monday.match.end] == "on Monday"
    assert monday.label == "answered “on Monday”, probability 0.90"
    labels = [span.label for span in score.evidence]
    assert labels[1] == "no answer"
    assert labels[2] == "answered “12”, probability 0.20"


_WORDS = ("Anna Bell", "York", "Monday", "3", "the old bridge", "warned", "of danger", "gold.")


@settings(max_examples=12)
@given(
    st.lists(st.lists(st.sampled_from(_WORDS), min_size=2, max_size=9), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=9), min_size=1, max_size=3),
)
def test_the_fast_code_gives_the_values_of_the_definition(
    model: str, source: list[list[str]], summaries: list[list[str]]
) -> None:
    text = " ".join("He said " + " ".join(words) + "." for words in source)
    examples = [Example(source=text, summary=" ".join(words)) for words in summaries]
    answerer = shared(QuestionAnswerer, model)
    for example, score in zip(examples, measure(model).score(examples), strict=True):
        if not asked(text):
            assert score.problem == "the source has no name, date or number to ask about"
            continue
        f1, probability = summaqa(answerer, example.summary, text)
        assert score.value == pytest.approx(f1)
        assert score.parts["probability"] == pytest.approx(probability, rel=1e-4)


def test_several_documents_are_asked_about_together(model: str) -> None:
    other = "Leeds won the final in York."
    both = Example(source=(SOURCE, other), summary=SUMMARIES[0])
    alone = [Example(source=text, summary=SUMMARIES[0]) for text in (SOURCE, other)]
    [score, *parts] = measure(model, value="probability").score([both, *alone], evidence=True)
    counts = [part.parts["questions"] for part in parts]
    assert score.parts["questions"] == sum(counts)
    mean = sum(p.value * n for p, n in zip(parts, counts, strict=True)) / sum(counts)
    assert score.value == pytest.approx(mean, rel=1e-4)
    assert {span.document for span in score.evidence} == {0, 1}


def test_order_and_pieces_change_nothing(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = [Example(source=SOURCE, summary=summary) for summary in SUMMARIES]
    first = measure(model).score(examples)
    monkeypatch.setattr(module, "_CHARACTERS", 300)
    order = random.Random(1).sample(range(3), 3)
    again = measure(model).score([examples[at] for at in order])
    for at, score in zip(order, again, strict=True):
        assert score.value == first[at].value
        assert score.parts == pytest.approx(first[at].parts, rel=1e-4)


def test_it_is_a_measure(model: str) -> None:
    check_measure(measure(model), tolerance=1e-4)


@pytest.mark.parametrize(
    ("source", "summary", "problem"),
    [
        ("nothing of note happened here.", "Nothing.", "no name, date or number to ask about"),
        (SOURCE, "", "the summary is empty"),
        ("", "Nothing.", "the source is empty"),
    ],
)
def test_bad_input(model: str, source: str, summary: str, problem: str) -> None:
    [score] = measure(model).score([Example(source=source, summary=summary)])
    assert score.problem is not None
    assert problem in score.problem


def test_a_summary_that_the_model_cannot_read(model: str) -> None:
    [score] = measure(model).score([Example(source=SOURCE, summary="\u200b\u0000")])
    assert score.problem is not None or score.parts["questions"] == 6


def test_a_long_sentence_is_flagged(model: str) -> None:
    long = "He said that " + "the old bridge was in danger and " * 9 + "Anna Bell agreed."
    sound, cut = measure(model).score(
        [Example(source=text, summary=SUMMARIES[0]) for text in ("He met Anna Bell.", long)]
    )
    assert sound.flags == ()
    assert "truncated" in cut.flags


def test_a_setting_of_white_space_is_refused() -> None:
    with pytest.raises(ValueError, match="blank is white space"):
        SummaQA(blank=" ")


def test_presets() -> None:
    released = get_measure("summaqa:preset=released")
    assert isinstance(released, SummaQA)
    assert released.model == "bert-large-uncased-whole-word-masking-finetuned-squad"
    assert (released.blank, released.decoding, released.segments) == ("MASKED", "separate", False)


def test_spacy_is_part_of_the_signature(model: str) -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    assert "pipeline" not in measure(model).signature()
    assert "3.8" in measure(model, entities="spacy").signature()["pipeline"]
