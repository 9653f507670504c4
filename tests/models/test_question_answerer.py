"""QuestionAnswerer against what transformers computes by itself, on several families."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tricolore.models import MaskedLM, ModelNotFoundError, Question, QuestionAnswerer
from tricolore.models.errors import BrokenModelError
from tricolore.models.queries import PairQuery
from tricolore.models.question_answerer import _best_span, _ContextWindow
from tricolore.models.tokens import Tokens

from .conftest import TEXT, tiny_net, tiny_tokenizer

FAMILIES = ("bert", "distilbert", "roberta", "splinter")


def qa_tokenizer(family: str, most: int = 40) -> Any:
    """A tokenizer that frames two texts as its family does."""
    from tokenizers.processors import TemplateProcessing

    tokenizer = tiny_tokenizer("bert" if family == "splinter" else family)
    tokenizer.model_max_length = most
    if family in ("bert", "splinter"):
        names = ["input_ids", "token_type_ids", "attention_mask"]
        tokenizer.model_input_names = tokenizer.init_kwargs["model_input_names"] = names
    cls, sep = tokenizer.cls_token, tokenizer.sep_token
    pair = f"{cls} $A {sep} $B:1 {sep}:1"
    if family == "roberta":
        pair = f"{cls} $A {sep} {sep} $B {sep}"
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"{cls} $A {sep}",
        pair=pair,
        special_tokens=[(cls, tokenizer.cls_token_id), (sep, tokenizer.sep_token_id)],
    )
    return tokenizer


def qa_net(family: str, tokenizer: Any) -> Any:
    import transformers

    size, pad = len(tokenizer), tokenizer.pad_token_id
    if family == "splinter":
        config = transformers.SplinterConfig(
            vocab_size=size,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=40,
            pad_token_id=pad,
            question_token_id=tokenizer.mask_token_id,
            initializer_range=0.5,
        )
    else:
        config = tiny_net(family, size, pad).config
        if tokenizer.model_max_length > 40:
            config.max_position_embeddings = tokenizer.model_max_length
    torch.manual_seed(7)
    return transformers.AutoModelForQuestionAnswering.from_config(config).eval()


@pytest.fixture(scope="module", params=FAMILIES)
def answering(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a tiny checkpoint that answers questions."""
    directory = tmp_path_factory.mktemp(request.param)
    tokenizer = qa_tokenizer(request.param)
    tokenizer.save_pretrained(directory)
    qa_net(request.param, tokenizer).save_pretrained(directory)
    return directory


def by_transformers(directory: Path, question: str, context: str) -> tuple[str, float]:
    """The best span of a text that fits the model, from the scores that transformers gives."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(directory)
    net = transformers.AutoModelForQuestionAnswering.from_pretrained(directory).eval()
    read = tokenizer(
        question,
        context,
        return_tensors="pt",
        return_offsets_mapping=True,
    )
    offsets = read.pop("offset_mapping")[0].tolist()
    inside = [at for at, text in enumerate(read.sequence_ids()) if text == 1]
    with torch.inference_mode():
        found = net(**read)
    starts, ends = (
        scores[0].double().softmax(-1) for scores in (found.start_logits, found.end_logits)
    )
    spans = {(i, j): float(starts[i] * ends[j]) for i in inside for j in inside if i <= j < i + 30}
    (i, j), best = max(spans.items(), key=lambda item: item[1])
    if float(starts[0] * ends[0]) > best:
        return "", best
    return context[offsets[i][0] : offsets[j][1]].strip(), best


def pairs(directory: Path) -> list[tuple[str, str]]:
    mask = "[MASK]" if "splinter" in directory.name else "who"
    words = [text.split() for text in TEXT]
    made = []
    for number, text in enumerate(words):
        for length in range(2, len(text), 3):
            other = words[number - 1]
            made.append((f"{mask} " + " ".join(other[:3]), " ".join(text[:length])))
    return made


def questions(directory: Path) -> list[Question]:
    found = []
    for text, context in pairs(directory):
        if "splinter" in directory.name:
            found.append(Question("nothing" + text.removeprefix("[MASK]"), context, gap=(0, 7)))
        else:
            found.append(Question(text, context))
    return found


def test_answers_are_those_of_transformers(answering: Path) -> None:
    asked = questions(answering)
    found = QuestionAnswerer.load(str(answering)).answers(asked)
    right = [by_transformers(answering, *pair) for pair in pairs(answering)]
    assert [answer.text for answer in found] == [text for text, _ in right]
    np.testing.assert_allclose(
        [answer.probability for answer in found], [p for _, p in right], rtol=1e-4
    )
    for question, answer in zip(asked, found, strict=True):
        assert question.context[answer.start : answer.end] == answer.text
    assert len({answer.text for answer in found}) > 3


def test_batches_and_order_change_nothing(answering: Path) -> None:
    model = QuestionAnswerer.load(str(answering))
    asked = questions(answering)
    shuffled = random.Random(3).sample(range(len(asked)), len(asked))
    found = {}
    for budget in (1, 100, 10_000):
        model.budget.limit = budget
        answers = model.answers([asked[i] for i in shuffled])
        found[budget] = [a for _, a in sorted(zip(shuffled, answers, strict=True))]
    for budget in (100, 10_000):
        for one, other in zip(found[1], found[budget], strict=True):
            assert (one.text, one.start, one.end) == (other.text, other.start, other.end)
            assert one.probability == pytest.approx(other.probability, rel=1e-4)


def test_a_long_text_is_read_in_windows_that_overlap(answering: Path) -> None:
    """The answer is the likeliest of all windows, each asked as a text of its own."""
    model = QuestionAnswerer.load(str(answering))
    [question, *_] = questions(answering)
    words = [word for text in TEXT for word in text.strip(".").split()]
    # Windows may begin anywhere, so that only words of one token can be asked by themselves.
    whole = [word for word in words if len(model.tokenize(f" {word}")) == 1]
    context = " " + " ".join(random.Random(5).choices(whole, k=90))
    tokens = model.tokenize(context)
    assert len(tokens) == 90 > model.max_tokens
    ids, _ = model._question_ids(question)
    room = model.max_tokens - len(model.pair_frame) - len(ids)
    step = room - room // 2
    starts = [at for at in range(0, 90, step) if at - step + room < 90]
    pieces = [tokens.spans[at : at + room] for at in starts]
    assert pieces[-1][-1] == tokens.spans[-1]
    parts = [context[piece[0][0] - 1 : piece[-1][1]] for piece in pieces]
    each = model.answers([Question(question.text, part, question.gap) for part in parts])
    [answer] = model.answers([Question(question.text, context, question.gap)])
    best = max(each, key=lambda one: one.probability)
    assert answer.probability == pytest.approx(best.probability, rel=1e-3)
    assert answer.text == best.text == context[answer.start : answer.end]
    assert not answer.is_cut


def test_a_long_question_is_cut_around_its_gap_and_says_so(answering: Path) -> None:
    model = QuestionAnswerer.load(str(answering))
    words = " ".join(TEXT)
    at = words.index("lost dog")
    cut = Question(words, TEXT[0], gap=(at, at + len("lost dog")), blank="[MASK]")
    ids, is_cut = model._question_ids(cut)
    assert is_cut
    assert model.tokenizer.mask_id in ids
    assert model.answers([cut])[0].is_cut
    assert not model.answers([Question("who?", TEXT[0])])[0].is_cut


def test_near_ties_are_decided_in_fp64(answering: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = QuestionAnswerer.load(str(answering))
    asked = questions(answering)[:4]
    double: list[int] = []
    own = model.net.span_scores

    def flat(queries: Any, *, types: bool) -> Any:
        found = own(queries, types=types)
        double.extend(len(queries) for part in found[:1] if part.dtype == torch.float64)
        return found

    monkeypatch.setattr(model.net, "span_scores", flat)
    model.answers(asked)
    before = len(double)
    monkeypatch.setattr("tricolore.models.question_answerer._NEAR_TIE", 1e9)
    model.answers(asked)
    assert len(double) > before


def window(count: int) -> _ContextWindow:
    spans = tuple((2 * at, 2 * at + 1) for at in range(count))
    tokens = Tokens(tuple(range(count)), spans, tuple(range(count)))
    return _ContextWindow(PairQuery(tuple(range(count + 2)), (0,) * (count + 2)), 1, tokens)


def test_the_best_span_by_hand() -> None:
    """Of starts a, b, c and ends a, b, c, "b" to "a" would be likeliest, but is no span."""
    starts = np.log([0.1, 0.2, 0.5, 0.1, 0.1])  # the first and the last are special tokens
    ends = np.log([0.1, 0.6, 0.1, 0.2, 1e-9])
    answer, _ = _best_span(Question("", "a b c"), window(3), np.stack([starts, ends]))
    # b to c: 0.5 * 0.2 = 0.10; a to a: 0.2 * 0.6 = 0.12
    assert (answer.text, answer.start, answer.end) == ("a", 0, 1)
    assert answer.probability == pytest.approx(0.12)


def test_no_answer_by_hand() -> None:
    starts = np.log([0.6, 0.2, 0.2])
    ends = np.log([0.7, 0.1, 0.2])
    answer, _ = _best_span(Question("", "a"), window(1), np.stack([starts, ends]))
    assert answer.text == ""
    assert answer.probability == pytest.approx(0.02)


def test_separate_ends_by_hand(answering: Path) -> None:
    """summa-qa: the end may come before the start, or be the token after the text."""
    model = QuestionAnswerer.load(str(answering))
    frame = model.pair_frame
    tokens = model.tokenize("bridge danger coin")
    query = frame((), tokens.ids)
    first = len(frame.before) + len(frame.between)
    given = _ContextWindow(query, first, tokens)
    question = Question("", "bridge danger coin")
    scores = np.full((2, len(query)), -9.0)
    scores[0, 0] = scores[1, 0] = -0.1  # "no answer" is not considered
    scores[0, first + 1], scores[1, first] = -1.0, -2.0
    backwards, _ = model._separate(question, given, scores)
    assert backwards.text == ""
    assert backwards.probability == pytest.approx(np.exp(-3.0))
    scores[1, len(query) - 1] = -1.5
    beyond, _ = model._separate(question, given, scores)
    assert beyond.text.split()[-1] == model.entries(frame.after)[-1]
    assert len(beyond.text.split()) == len(tokens) - 1 + len(frame.after)


def test_words_and_tokens_in_a_gap(answering: Path) -> None:
    model = QuestionAnswerer.load(str(answering))
    gap = (4, 11)
    text = "The council voted"
    plain = model.tokenize("The bridge voted").ids
    assert model._blanked(Question(text, "", gap, "bridge"))[0] == plain
    masked = model._blanked(Question(text, "", gap, "[MASK]"))[0]
    assert masked.count(model.tokenizer.mask_id) == 1
    own = model._blanked(Question(text, "", gap))[0]
    is_splinter = model.net.config.model_type == "splinter"
    assert own == (masked if is_splinter else model.tokenize("The MASKED voted").ids)
    # A mask token that a user writes is text.
    assert model.tokenizer.mask_id not in model.tokenize(model.tokenizer.entry(4)).ids


def test_no_questions_and_empty_texts(answering: Path) -> None:
    model = QuestionAnswerer.load(str(answering))
    assert model.answers([]) == []
    [nothing] = model.answers([Question("who?", "")])
    assert (nothing.text, nothing.probability) == ("", 0.0)


def test_segments_reach_the_net(answering: Path) -> None:
    model = QuestionAnswerer.load(str(answering))
    asked = questions(answering)
    told = [a.probability for a in model.answers(asked)]
    untold = [a.probability for a in model.answers(asked, segments=False)]
    has_segments = model.net.config.model_type in ("bert", "splinter")
    assert np.allclose(told, untold, rtol=1e-3) != has_segments


def test_a_checkpoint_without_the_head_is_refused(whole_bert: Path) -> None:
    MaskedLM.load(str(whole_bert))
    with pytest.raises(BrokenModelError, match="no head that answers questions"):
        QuestionAnswerer.load(str(whole_bert))


def test_a_model_that_is_nowhere_names_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelNotFoundError, match="two ways to get a model that answers"):
        QuestionAnswerer.load("nobody/has-such-a-model")
