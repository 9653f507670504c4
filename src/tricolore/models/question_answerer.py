"""A model that answers questions by a span of a text, behind a narrow interface.

Any checkpoint for extractive question answering does. Long texts are read in overlapping windows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tricolore.models import embedded_answerer
from tricolore.models.batching import Budget, answers
from tricolore.models.encoder import Encoder
from tricolore.models.loading import EMBEDDED
from tricolore.models.queries import PairQuery
from tricolore.models.tokens import PairFrame, Tokens

Decoding = Literal["span", "separate"]
_TokenScores = npt.NDArray[np.float64]

MASKED = "MASKED"
MASK_TOKEN = "[MASK]"
_OVERLAP = 128  # tokens that two windows of a long text share, as in the scripts for SQuAD
_LONGEST = 30  # tokens of an answer, as in the scripts for SQuAD
# Padding, batch size and threads move a score by about 1e-5. Where the two best answers are closer
# than this, the sequence is run again in fp64, so that the answer does not depend on the batch.
_NEAR_TIE = 2e-4


@dataclass(frozen=True)
class Question:
    """A question on a text; a cloze question has a gap, some characters that are hidden.

    `blank` is written into the gap: a word, or `[MASK]` for the mask token of the model. Empty:
    the token that the model was trained with, or the word MASKED.
    """

    text: str
    context: str
    gap: tuple[int, int] | None = None
    blank: str = ""


@dataclass(frozen=True)
class Answer:
    """The best answer, the characters of the context that it covers, and its probability.

    The text is empty, and the span too, if the model finds "no answer" likelier than any answer;
    the probability is that of the best answer also then. `is_cut`: the question did not fit.
    """

    text: str
    probability: float
    start: int = 0
    end: int = 0
    is_cut: bool = False


@dataclass(frozen=True)
class _ContextWindow:
    """A question with a part of its context: the query, and where the context stands in it."""

    query: PairQuery
    first: int
    """Position in the query of the first token of the context."""
    tokens: Tokens


class QuestionAnswerer(Encoder):
    """A model for extractive question answering: the embedded one, a directory, or a hub's name."""

    kind: ClassVar[str] = "question answerer"
    default: ClassVar[str] = EMBEDDED
    advice: ClassVar[str] = """\
There are two ways to get a model that answers questions:
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "deepset/roberta-base-squad2", where there is a network.
The package tricolore-embedded has none yet."""
    auto_class: ClassVar[str] = "AutoModelForQuestionAnswering"

    def try_out(self) -> None:
        """Answer a question, so that files that do not fit each other are found at once."""
        self.answers([Question("who?", "nobody")])

    @classmethod
    def known_revision(cls, name: str, revision: str = "") -> str | None:
        """As for any encoder; the embedded answerer has weights of its own."""
        if (name or cls.default) == EMBEDDED:
            return embedded_answerer.revision()
        return super().known_revision(name, revision)

    @cached_property
    def pair_frame(self) -> PairFrame:
        """How the tokenizer joins two texts; as BERT does it if it does not say."""
        tokens = self.tokenizer
        bert = PairFrame((tokens.cls_id,), (tokens.sep_id,), (tokens.sep_id,), (0, 0, 0, 1, 1))
        return tokens.pair_frame or bert

    def answers(
        self,
        questions: Sequence[Question],
        *,
        decoding: Decoding = "span",
        segments: bool = True,
    ) -> list[Answer]:
        """The answers, in order. Equal questions are asked once, in batches of similar length.

        Arguments:
            questions: Questions with the texts that they are about.
            decoding: `span` takes the likeliest pair of a start and an end that follows it, or no
                answer. `separate` takes the likeliest start and the likeliest end, each by itself,
                as summa-qa does: the answer may end before it starts, and is then empty; it is
                given as vocabulary entries with spaces between them.
            segments: Tell the net which tokens are the question's and which the context's.
        """
        windows: dict[Question, list[_ContextWindow]] = {}
        cut: set[Question] = set()
        for question in dict.fromkeys(questions):
            ids, is_cut = self._question_ids(question)
            windows[question] = list(self._windows(ids, question.context))
            if is_cut:
                cut.add(question)
        decode = _best_span if decoding == "span" else self._separate
        found: dict[Question, Answer] = {}
        unsure = self._decode(windows, decode, found, segments=segments)
        if unsure and self.precision == "fp32":
            again = {question: windows[question] for question in unsure}
            self._decode(again, decode, found, segments=segments, double=True)
        return [replace(found[q], is_cut=True) if q in cut else found[q] for q in questions]

    # Inputs.

    def _question_ids(self, question: Question) -> tuple[tuple[int, ...], bool]:
        """The tokens of a question, and whether some had to be left out.

        At most half of the model's length; around the gap, if there is one.
        """
        ids, centre = self._blanked(question)
        most = max(1, (self.max_tokens - len(self.pair_frame)) // 2)
        if len(ids) <= most:
            return ids, False
        start = max(0, min(centre - most // 2, len(ids) - most))
        return ids[start : start + most], True

    def _blanked(self, question: Question) -> tuple[tuple[int, ...], int]:
        """The tokens with the gap filled, and the position of the gap."""
        start, end = question.gap or (len(question.text), len(question.text))
        before, after = question.text[:start], question.text[end:]
        token = self._blank_token(question)
        if token is not None:
            front = self.tokenize(before).ids
            return (*front, token, *self.tokenize(after).ids), len(front)
        blank = (question.blank or MASKED) if question.gap else ""
        centre = len(self.tokenize(before)) if question.gap else 0
        return self.tokenize(before + blank + after).ids, centre

    def _blank_token(self, question: Question) -> int | None:
        """The id that stands in the gap; None if it is a word, or if there is no gap."""
        if question.blank == MASK_TOKEN and question.gap:
            return self.tokenizer.mask_id
        if question.blank:
            return None
        # Splinter looks from this token, so every question must have it.
        own = getattr(self.net.config, "question_token_id", None)
        return None if own is None else int(own)

    def _windows(self, question: tuple[int, ...], context: str) -> Iterable[_ContextWindow]:
        """The context in parts that fit, which overlap."""
        tokens = self.tokenize(context)
        frame = self.pair_frame
        room = self.max_tokens - len(frame) - len(question)
        step = max(1, room - min(_OVERLAP, room // 2))
        first = len(frame.before) + len(question) + len(frame.between)
        start = 0
        while True:
            part = tokens.part(start, start + room)
            yield _ContextWindow(frame(question, part.ids), first, part)
            start += step
            if start + room - step >= len(tokens):
                return

    # Answers.

    def _decode(
        self,
        windows: dict[Question, list[_ContextWindow]],
        decode: Callable[[Question, _ContextWindow, _TokenScores], tuple[Answer, float]],
        found: dict[Question, Answer],
        *,
        segments: bool,
        double: bool = False,
    ) -> list[Question]:
        """Put the answers into `found`; return the questions whose best answers nearly tie."""

        def ask(batch: Sequence[PairQuery]) -> list[Any]:
            return self.net.span_scores(batch, types=segments)

        queries = [window.query for some in windows.values() for window in some]
        # Splinter masks padding by a number that is infinite once it is rounded to fp32.
        budget = Budget(1) if double else self.budget
        with self.net.in_fp64() if double else nullcontext():
            scores = {
                query: _log_probabilities(scores.double().cpu().numpy())
                for query, scores in answers(queries, len, budget, ask)
            }
        unsure = []
        for question, some in windows.items():
            each = [decode(question, window, scores[window.query]) for window in some]
            best = max(range(len(each)), key=lambda at: each[at][0].probability)
            found[question] = each[best][0]
            rivals = [a.probability for at, (a, _) in enumerate(each) if at != best]
            close = any(abs(found[question].probability - p) < _NEAR_TIE for p in rivals)
            if close or min(lead for _, lead in each) < _NEAR_TIE:
                unsure.append(question)
        return unsure

    def _separate(
        self, question: Question, window: _ContextWindow, scores: _TokenScores
    ) -> tuple[Answer, float]:
        """The likeliest start and the likeliest end in the context, or at the token after it."""
        inside = scores[:, window.first :]
        start, end = (int(at) for at in inside.argmax(axis=1))
        probability = float(np.exp(inside[0, start] + inside[1, end]))
        two = np.sort(inside, axis=1)[:, -2:]
        lead = float(np.ptp(two, axis=1).min()) if inside.shape[1] > 1 else np.inf
        if end < start:
            return Answer("", probability), lead
        ids = window.query.ids[window.first + start : window.first + end + 1]
        covered = window.tokens.spans[start : end + 1]
        places = (covered[0][0], covered[-1][1]) if covered else (0, 0)
        return Answer(" ".join(self.entries(ids)), probability, *places), lead


def _log_probabilities(scores: _TokenScores) -> _TokenScores:
    """The log-softmax over the tokens."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    found: _TokenScores = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found


def _best_span(
    question: Question, window: _ContextWindow, scores: _TokenScores
) -> tuple[Answer, float]:
    """The likeliest span of the context, or no answer, which is a span of the first token."""
    count = len(window.tokens)
    if not count:
        return Answer("", 0.0), np.inf
    starts, ends = scores[:, window.first : window.first + count]
    spans = starts[:, None] + ends[None, :]
    spans[~_ordered(count)] = -np.inf
    best, second = _top_two(spans.ravel())
    start, end = divmod(best, count)
    log_probability = float(spans[start, end])
    null = float(scores[0, 0] + scores[1, 0])
    lead = min(log_probability - second, abs(log_probability - null))
    probability = float(np.exp(log_probability))
    if null > log_probability:
        return Answer("", probability), lead
    first, last = window.tokens.spans[start][0], window.tokens.spans[end][1]
    return Answer(question.context[first:last], probability, first, last), lead


def _ordered(count: int) -> npt.NDArray[np.bool_]:
    """Which pairs of a start and an end make an answer."""
    length = np.arange(count)[None, :] - np.arange(count)[:, None]
    return (length >= 0) & (length < _LONGEST)


def _top_two(values: _TokenScores) -> tuple[int, float]:
    """The position of the largest value, the first if several are equal; and the next value."""
    best = int(values.argmax())
    rest = np.delete(values, best)
    return best, float(rest.max()) if len(rest) else -np.inf
