"""The form of requests and answers, which the OpenAPI document shows."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tricolore.example import Example
from tricolore.settings import LARGEST


class ApiRequest(BaseModel):
    """What all bodies have in common: keys that are not known are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ExampleIn(ApiRequest):
    """One summary to judge."""

    source: str | list[str] = Field("", description="The text that was summarised, or several.")
    summary: str = Field(description="The summary to judge.")
    references: str | list[str] = Field(
        default_factory=list, description="Summaries that people wrote."
    )
    doc_id: str = Field("", description="Identifies the document; summaries of one share it.")
    system: str = Field("", description="What wrote the summary.")

    def example(self) -> Example:
        """The example that the library scores."""
        return Example(
            source=self.source or (),
            summary=self.summary,
            references=self.references or (),
            doc_id=self.doc_id,
            system=self.system,
        )


class ScoreRequest(ApiRequest):
    """Examples, and the measures that score them."""

    examples: list[ExampleIn] = Field(min_length=1, description="The summaries to judge.")
    measures: list[str] | None = Field(
        None,
        description="Specs of measures, such as grounding or rouge-1:stem=true; the recommended "
        "ones if left out.",
    )
    evidence: bool = Field(
        False, description="Whether scores have the spans of text that they rest on."
    )


class CompareRequest(ApiRequest):
    """Examples of several systems, and the measures that compare them."""

    examples: list[ExampleIn] = Field(
        min_length=2, description="Summaries with a system; those of one document share a doc_id."
    )
    measures: list[str] | None = Field(
        None, description="Specs of measures; the recommended ones if left out."
    )
    alpha: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)] = Field(
        0.05, description="Significance level of corrected p-values."
    )
    seed: Annotated[int, Field(ge=0, le=LARGEST)] = Field(
        0, description="Seed of the random resampling."
    )


class PerturbRequest(ApiRequest):
    """A summary to damage."""

    source: str | list[str] = Field("", description="The text that was summarised, or several.")
    summary: str = Field(description="The summary to damage.")
    kind: str = Field("subtle-errors", description="Kind of damage, with its settings.")
    seed: Annotated[int, Field(ge=0, le=LARGEST)] = Field(
        0, description="Seed of the random choices."
    )
    errors: Annotated[int, Field(ge=1, le=100)] = Field(1, description="Number of errors.")

    @property
    def clean(self) -> ExampleIn:
        """The summary with its source."""
        return ExampleIn(source=self.source, summary=self.summary, doc_id="", system="")


class ProblemOut(BaseModel):
    """What is wrong with a request, or why there is no answer."""

    problem: str
    hint: str = Field(description="What to do about it.")
    argument: str = Field(description="The part of the request that could be given differently.")


class MeasureOut(BaseModel):
    """A measure of an answer."""

    label: str = Field(description="The shortest spec that names it.")
    direction: Literal["higher", "lower", "neither"] = Field(description="What is better.")
    bounds: list[float | None] = Field(
        description="The lowest and the highest possible value; null: there is none."
    )
    meaning: str
    follows: str = Field(description="What it follows more than quality: copying or length.")
    signature: dict[str, Any] = Field(description="Everything that makes a value reproducible.")


class ScoreOut(BaseModel):
    """A score, or the problem that there is none."""

    value: float | None
    parts: dict[str, float | None]
    flags: list[str] = Field(description="Warnings about the value, such as `truncated`.")
    problem: str | None
    painting: dict[str, Any] | None = Field(description="What a page paints on the texts.")
    evidence: list[dict[str, Any]] = Field(description="The spans of text that the score rests on.")


class ResultOut(BaseModel):
    """The scores of one example, by the label of the measure."""

    scores: dict[str, ScoreOut]


class ScoresOut(BaseModel):
    """The scores of all examples, in their order."""

    measures: list[MeasureOut]
    results: list[ResultOut]


class SettingOut(BaseModel):
    """A setting of a measure or of a kind of damage."""

    name: str
    type: str
    default: str | int | float | bool
    help: str
    choices: list[str]


class MeasureInfoOut(BaseModel):
    """A measure that the server offers."""

    name: str
    summary: str
    meaning: str
    needs: list[str]
    direction: Literal["higher", "lower", "neither"]
    follows: str
    bounds: list[float | None]
    cost: str
    parts: dict[str, str]
    presets: dict[str, dict[str, str | int | float | bool]]
    settings: list[SettingOut]
    is_available: bool
    is_recommended: bool
    why_not: str = Field(description="What is not installed, if it is not available.")


class PerturbationOut(BaseModel):
    """A kind of damage that the server offers."""

    kind: str
    summary: str
    needs_source: bool
    is_counted: bool = Field(description="Whether the number of errors can be chosen.")
    settings: list[SettingOut]
    is_available: bool
    why_not: str


class ChangeOut(BaseModel):
    """A change that was made to a summary."""

    start: int
    end: int
    label: str
    before: str


class PerturbedOut(BaseModel):
    """A damaged summary and what was done to it."""

    summary: str
    changes: list[ChangeOut]
    problem: str = Field(description="Why there are fewer errors than requested.")


class ComparedPairOut(BaseModel):
    """Two systems by one measure."""

    measure: str
    first: str
    second: str
    documents: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    corrected: float | None = Field(description="The p-value with Holm's correction.")
    is_significant: bool


class SystemRankOut(BaseModel):
    """A system by one measure; systems that do not differ significantly share a rank."""

    measure: str
    system: str
    rank: int | None
    mean: float | None


class ComparedOut(BaseModel):
    """Systems compared by measures."""

    answer: str = Field(description="The result in words.")
    systems: list[str]
    measures: list[MeasureOut]
    pairs: list[ComparedPairOut]
    ranks: list[SystemRankOut]
    table: list[dict[str, Any]] = Field(description="Means of every system and measure.")
    notes: list[str]


class PermalinkOut(BaseModel):
    """Where a request is kept."""

    id: str
    path: str
