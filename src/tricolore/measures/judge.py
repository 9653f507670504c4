"""LLM as a judge: a language model rates the summary by a criterion.

Yang Liu et al. (2023), "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment". The
prompts are our own, in G-Eval's form: criterion, steps, texts, request for a score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from tricolore.errors import TricoloreError
from tricolore.example import Example
from tricolore.measure import Need
from tricolore.measures.chat_measure import ChatMeasure, PromptOutcome
from tricolore.measures.extract import SourceExtract, extract
from tricolore.measures.judge_prompt import (
    SCORE_REQUEST,
    NamedText,
    prompt_for,
    source_texts,
    template_tokens,
)
from tricolore.measures.judge_reply import ReplyChoices
from tricolore.models.chat_protocol import ChatPrompt
from tricolore.score import Score, Span
from tricolore.settings import Setting, setting


@dataclass(frozen=True, kw_only=True)
class Judge(ChatMeasure):
    """The rating of the summary by a language model (LLM as a judge)."""

    name = "judge"
    cost: ClassVar[str] = "one request per summary: about a second, and what the server charges"
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "expectation": {},
        "g-eval-4": {"mode": "samples", "temperature": 1.0, "samples": 20},
    }

    low: int = setting(1, "Lowest score of the scale.")
    high: int = setting(5, "Highest score of the scale.")

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 100:
            raise ValueError(
                f"low and high must be from 0 to 100, and low below high, not {self.low} and "
                f"{self.high}"
            )
        super().__post_init__()

    @property
    def needs(self) -> frozenset[Need]:
        """The source, unless it is not sent."""
        return frozenset({"source"}) if self.has_source else frozenset()

    @property
    def bounds(self) -> tuple[float, float]:
        """The ends of the scale."""
        return float(self.low), float(self.high)

    @property
    def meaning(self) -> str:
        """What a value says."""
        what = "the criterion of a rubric" if self.rubric else _MEANINGS[self.aspect]
        return f"How a language model rates {what}, from {self.low} to {self.high}"

    @property
    def choices(self) -> ReplyChoices:
        """The scores of the scale."""
        return {str(score): float(score) for score in range(self.low, self.high + 1)}

    @property
    def expected(self) -> str:
        """The allowed replies in words."""
        return f"a whole number from {self.low} to {self.high} alone"

    @property
    def request(self) -> str:
        """The end of the prompt."""
        return SCORE_REQUEST.format(low=self.low, high=self.high)

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        read = [self._read(example) for example in examples]
        asked = iter(self.ask_all([one.prompt for one in read if isinstance(one, _ReadExample)]))
        return [
            one if isinstance(one, Score) else self._score(example, one, next(asked), evidence)
            for example, one in zip(examples, read, strict=True)
        ]

    def _read(self, example: Example) -> _ReadExample | Score:
        """The prompt for an example, or why there is none."""
        kept = None
        texts: list[NamedText] = []
        if self.has_source:
            try:
                kept = extract(example.source, self.extract) if self.extract else None
            except TricoloreError as error:
                return Score.missing(error.problem)
            texts = source_texts(kept.texts if kept else example.source)
        texts.append(NamedText("SUMMARY", example.summary))
        return _ReadExample(prompt_for(self.criterion, self.request, texts), kept)

    def _score(
        self, example: Example, read: _ReadExample, asked: PromptOutcome, evidence: bool
    ) -> Score:
        if asked.judgement is None:
            missing = Score.missing(asked.problem, is_final=False)
            return replace(missing, parts=asked.parts)
        is_cut = read.extract is not None and read.extract.is_cut
        return Score(
            asked.judgement.value,
            asked.parts,
            tuple(self._evidence(example, read, asked)) if evidence else (),
            flags=("truncated",) if is_cut else (),
        )

    def _evidence(
        self, example: Example, read: _ReadExample, asked: PromptOutcome
    ) -> Iterator[Span]:
        """How the value was found, fake template tokens, and the sentences that were sent."""
        assert asked.judgement is not None
        summary = example.summary
        share = (asked.judgement.value - self.low) / (self.high - self.low)
        label = f"{asked.judgement.value:.2f}: {asked.judgement.words}"
        yield Span("summary", 0, len(summary), weight=round(share, 4), label=label)
        for start in template_tokens(summary):
            yield Span("summary", start, start + 1, label="sent with a space: a template token")
        if read.extract is not None and read.extract.is_cut:
            for document, start, end in read.extract.spans:
                yield Span("source", start, end, label="sent to the judge", document=document)


_MEANINGS = {
    "consistency": "the consistency of the summary with the source",
    "relevance": "how well the summary covers what is important",
    "coherence": "the coherence of the summary",
    "fluency": "the fluency of the summary",
    "overall": "the summary overall",
}


@dataclass(frozen=True)
class _ReadExample:
    """The prompt for an example, and what was kept of a long source."""

    prompt: ChatPrompt
    extract: SourceExtract | None
