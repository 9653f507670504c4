"""SummaQA: cloze questions on the entities of the source, answered from the summary.

Thomas Scialom, Sylvain Lamprier, Benjamin Piwowarski and Jacopo Staiano (2019), "Answers Unite!
Unsupervised Metrics for Reinforced Summarization Models", section 3.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, ClassVar, Literal

from tricolore.example import Example
from tricolore.measure import Direction, ValueChoice
from tricolore.measures.neural import LocalNetMeasure
from tricolore.memo import remembered
from tricolore.models.batching import packed
from tricolore.models.model import Model, shared, shared_revision
from tricolore.models.question_answerer import (
    MASK_TOKEN,
    MASKED,
    Answer,
    Decoding,
    Question,
    QuestionAnswerer,
)
from tricolore.models.spacy_entities import SpacyEntities
from tricolore.perturb.entities import names, numbers
from tricolore.score import Score, Span, SpanItem
from tricolore.settings import ModelName, Setting, setting
from tricolore.text.sentences import sentence_spans

Entities = Literal["rules", "spacy"]


@dataclass(frozen=True)
class Cloze:
    """An entity of a text to ask for, and the sentence that it is hidden in: characters."""

    sentence: tuple[int, int]
    entity: tuple[int, int]
    item: SpanItem

    def question(self, text: str, summary: str, blank: str = "") -> Question:
        """The sentence with the entity hidden, to be answered from the summary."""
        start, end = self.sentence
        gap = (self.entity[0] - start, self.entity[1] - start)
        return Question(text[start:end], summary, gap, blank)


def summaqa(
    answerer: QuestionAnswerer, summary: str, text: str, entities: Entities = "rules"
) -> tuple[float, float]:
    """SummaQA by its definition, one question at a time: F1 and probability of the answers.

    `SummaQA` gives the same numbers, for several documents and many summaries at once.
    """
    f1, probability = [], []
    for cloze in clozes(text, entities):
        start, end = cloze.entity
        [answer] = answerer.answers([cloze.question(text, summary)])
        f1.append(word_f1(answer.text, text[start:end]))
        probability.append(answer.probability)
    return fmean(f1), fmean(probability)


def word_f1(answer: str, truth: str) -> float:
    """The F1 score of SQuAD: words in common, whatever their case, punctuation and articles.

    >>> word_f1("the Bank of England", "Bank")
    0.5
    """
    given, right = _answer_words(answer), _answer_words(truth)
    common = sum((Counter(given) & Counter(right)).values())
    if not common:
        return 0.0
    precision, recall = common / len(given), common / len(right)
    return 2 * precision * recall / (precision + recall)


def _answer_words(answer: str) -> list[str]:
    plain = "".join(c for c in answer.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", plain).split()


@remembered
def clozes(text: str, entities: Entities) -> tuple[Cloze, ...]:
    """The questions on a text, in the order of their entities.

    >>> [c.entity for c in clozes("Leeds won in York. Tom Hill scored 2 goals.", "rules")]
    [(0, 5), (13, 17), (19, 27), (35, 36)]
    """
    return tuple(_by_spacy(text) if entities == "spacy" else _by_rules(text))


def _by_rules(text: str) -> Iterator[Cloze]:
    named = names(text)
    inside = {at for entity in named for at in range(entity.start, entity.end)}
    counted = [number for number in numbers(text) if number.start not in inside]
    found = sorted([*named, *counted], key=lambda entity: entity.start)
    at = 0
    for sentence in sentence_spans(text):
        while at < len(found) and found[at].start < sentence[1]:
            entity = found[at]
            at += 1
            if sentence[0] <= entity.start and entity.end <= sentence[1]:
                item: SpanItem = "number" if entity.kind == "number" else "name"
                yield Cloze(sentence, (entity.start, entity.end), item)


def _by_spacy(text: str) -> Iterator[Cloze]:
    for sentence in shared(SpacyEntities).sentences(text):
        for start, end, label in sentence.entities:
            item: SpanItem = "number" if label in _NUMERIC else "name"
            yield Cloze((sentence.start, sentence.end), (start, end), item)


_NUMERIC = frozenset({"CARDINAL", "MONEY", "ORDINAL", "PERCENT", "QUANTITY"})
"""spaCy's labels of entities that are numbers; dates and times count as names, as in `rules`."""
_CHARACTERS = 2_000_000
"""Characters of questions and summaries that are asked together, so that memory is bounded."""
_SQUAD = "bert-large-uncased-whole-word-masking-finetuned-squad"


@dataclass(frozen=True)
class _AskedCloze:
    """A question on a summary: the number of the example and of the document."""

    example: int
    document: int
    cloze: Cloze
    question: Question


@dataclass(frozen=True, kw_only=True)
class SummaQA(ValueChoice, LocalNetMeasure[QuestionAnswerer]):
    """How well questions on the names and numbers of the source can be answered by the summary."""

    name = "summaqa"
    needs = frozenset({"source"})
    cost: ClassVar[str] = "seconds per summary: one pass over it for every entity of the source"
    extra: ClassVar[str] = "neural"
    model_class: ClassVar[type[Model]] = QuestionAnswerer
    batch_size = 16
    part_names = ("f1", "probability", "questions")
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "embedded": {},
        "paper": {"model": _SQUAD, "entities": "spacy", "blank": MASKED},
        "released": {
            "model": _SQUAD,
            "entities": "spacy",
            "blank": MASKED,
            "decoding": "separate",
            "segments": False,
        },
    }

    model: ModelName = setting(
        QuestionAnswerer.default,
        "Model: an installed one, the path of a local directory, or a name on the model hub.",
    )
    value: Literal["f1", "probability"] = setting("f1", "Which part is the value.")
    entities: Entities = setting(
        "rules",
        "How names and numbers are found: by our `rules`, or by the small English pipeline of "
        "`spacy`, which has to be installed.",
    )
    blank: str = setting(
        "",
        "What replaces the entity in a question: a word, such as MASKED, or [MASK] for the mask "
        "token of the model; empty: the token that the model was trained with, or else MASKED.",
    )
    decoding: Decoding = setting(
        "span",
        "Whether the answer is the likeliest `span` of the summary, or none, or goes from the "
        "likeliest start to the likeliest end, chosen separately (`separate`, released code).",
    )
    segments: bool = setting(
        True,
        "Whether the model is told which tokens are the question's and which the summary's; the "
        "released code does not tell it.",
    )

    def __post_init__(self) -> None:
        if self.blank and not self.blank.strip():
            raise ValueError("blank is white space, but it must be a word or [MASK]")

    @property
    def part_directions(self) -> Mapping[str, Direction]:
        return {"f1": "higher", "probability": "higher", "questions": "neither"}

    def signature(self) -> dict[str, Any]:
        """With the version of spaCy's pipeline, if that finds the entities."""
        more = {"pipeline": shared_revision(SpacyEntities)} if self.entities == "spacy" else {}
        return {**super().signature(), **more}

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        answerer = self.loaded
        if self.blank == MASK_TOKEN and answerer.tokenizer.mask_id is None:
            return [Score.missing("the model has no mask token") for _ in examples]
        answered: list[list[tuple[_AskedCloze, Answer]]] = [[] for _ in examples]
        for asked in packed(self._questions(examples), _size, _CHARACTERS):
            answers = answerer.answers(
                [one.question for one in asked], decoding=self.decoding, segments=self.segments
            )
            for one, answer in zip(asked, answers, strict=True):
                answered[one.example].append((one, answer))
        pairs = zip(examples, answered, strict=True)
        return [self._score(example, found, evidence) for example, found in pairs]

    def _questions(self, examples: Sequence[Example]) -> Iterator[_AskedCloze]:
        for number, example in enumerate(examples):
            if not self.loaded.tokenize(example.summary).ids:
                continue
            for document, text in enumerate(example.source):
                for cloze in clozes(text, self.entities):
                    question = cloze.question(text, example.summary, self.blank)
                    yield _AskedCloze(number, document, cloze, question)

    def _score(
        self, example: Example, answered: list[tuple[_AskedCloze, Answer]], evidence: bool
    ) -> Score:
        if not answered:
            if not self.loaded.tokenize(example.summary).ids:
                return Score.missing("the summary has nothing that the model can read")
            return Score.missing("the source has no name, date or number to ask about")
        f1 = [word_f1(answer.text, _entity(example, asked)) for asked, answer in answered]
        parts = {
            "f1": fmean(f1),
            "probability": fmean(answer.probability for _, answer in answered),
            "questions": float(len(answered)),
        }
        spans = [
            _span(asked, answer, one) for (asked, answer), one in zip(answered, f1, strict=True)
        ]
        is_cut = any(answer.is_cut for _, answer in answered)
        score = Score.of_parts(parts, spans if evidence else ())
        return replace(score, flags=("truncated",) if is_cut else ())


def _size(asked: _AskedCloze) -> int:
    return len(asked.question.text) + len(asked.question.context)


def _entity(example: Example, asked: _AskedCloze) -> str:
    start, end = asked.cloze.entity
    return example.source[asked.document][start:end]


def _span(asked: _AskedCloze, answer: Answer, f1: float) -> Span:
    """An entity of the source, with the place of the summary that answers the question on it."""
    said = " ".join(answer.text.split())
    given = f"answered “{said}”, probability {answer.probability:.2f}" if said else "no answer"
    is_right = f1 > 0 and answer.end > answer.start
    return Span(
        "source",
        *asked.cloze.entity,
        weight=round(f1, 4),
        label=given,
        document=asked.document,
        match=Span("summary", answer.start, answer.end) if is_right else None,
        kind="match" if f1 > 0 else "missing",
        item=asked.cloze.item,
    )
