"""Two summaries of one source side by side: which does a language model prefer?

Both orders are asked, because judges prefer a position (Zheng et al. 2023, "Judging LLM-as-a-Judge
with MT-Bench and Chatbot Arena").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from tricolore.errors import TricoloreError
from tricolore.example import Example
from tricolore.measure import Need
from tricolore.measures.chat_measure import ChatMeasure, PromptOutcome
from tricolore.measures.extract import extract
from tricolore.measures.judge import Judge
from tricolore.measures.judge_prompt import PAIR_REQUEST, NamedText, prompt_for, source_texts
from tricolore.measures.judge_reply import ReplyChoices
from tricolore.models.chat_protocol import ChatPrompt
from tricolore.score import Score


@dataclass(frozen=True, kw_only=True)
class PairJudge(ChatMeasure):
    """The preference of a language model for the summary over the reference: 1, 0, or between."""

    name = "judge-pair"
    cost: ClassVar[str] = "two requests per pair"
    part_names: ClassVar[tuple[str, ...]] = (*ChatMeasure.part_names, "if_first", "if_second")
    choices: ClassVar[ReplyChoices] = {"A": 1.0, "B": 0.0, "C": 0.5}
    expected = "A, B or C alone"
    request = PAIR_REQUEST

    @property
    def needs(self) -> frozenset[Need]:
        """Two summaries, and the source unless it is not sent."""
        return frozenset({"source", "references"} if self.has_source else {"references"})

    @staticmethod
    def like(judge: Judge) -> PairJudge:
        """A judge of pairs with the settings of a judge of single summaries."""
        settings = {name: getattr(judge, name) for name in ChatMeasure.setting_fields()}
        return PairJudge(**settings)

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        prompts: list[ChatPrompt] = []
        scores: list[Score | None] = []
        for example in examples:
            try:
                prompts += self._prompts(example)
                scores.append(None)
            except TricoloreError as error:
                scores.append(Score.missing(error.problem))
        asked = iter(self.ask_all(prompts))
        return [score or _score(next(asked), next(asked)) for score in scores]

    def _prompts(self, example: Example) -> list[ChatPrompt]:
        """Both orders: the summary first, then the reference first."""
        texts: list[NamedText] = []
        if self.has_source:
            is_long = bool(self.extract)
            kept = extract(example.source, self.extract).texts if is_long else example.source
            texts = source_texts(kept)
        pair = example.summary, example.references[0]
        return [
            prompt_for(
                self.criterion,
                self.request,
                [*texts, NamedText("SUMMARY A", first), NamedText("SUMMARY B", second)],
            )
            for first, second in (pair, pair[::-1])
        ]


def _score(first: PromptOutcome, second: PromptOutcome) -> Score:
    parts = {name: first.parts[name] + second.parts[name] for name in ChatMeasure.part_names}
    parts["choice_mass"] /= 2
    for asked in (first, second):
        if asked.judgement is None:
            missing = Score.missing(asked.problem, is_final=False)
            return replace(missing, parts=parts)
    assert first.judgement is not None
    assert second.judgement is not None
    if_first, if_second = first.judgement.value, 1 - second.judgement.value
    parts |= {"if_first": if_first, "if_second": if_second}
    return Score((if_first + if_second) / 2, parts)
