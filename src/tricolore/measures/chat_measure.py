"""What the measures that ask a chat model have in common: settings, requests and replies."""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, ClassVar, Literal, cast

from tricolore.errors import SpecError, TricoloreError, Unavailable
from tricolore.measure import Language, Measure
from tricolore.measures.judge_prompt import CRITERIA, Aspect, prompt_digest
from tricolore.measures.judge_reply import (
    Judgement,
    ReplyChoices,
    from_probabilities,
    from_samples,
    has_prefixes,
    read_choice,
)
from tricolore.measures.neural import NeuralMeasure
from tricolore.models.chat_model import (
    URL_VARIABLE,
    ChatModel,
    RequestAccount,
    RequestLimits,
    check_network,
    checked_url,
)
from tricolore.models.chat_protocol import ChatOptions, ChatPrompt
from tricolore.models.model import Model, shared
from tricolore.models.spending import TokenPrices, current_budget
from tricolore.settings import FilePath, ModelName, ServerAddress, setting

Mode = Literal["auto", "probabilities", "samples"]
_LONGEST_RUBRIC = 100_000
_HOW_TO_RUN = (
    "url", "timeout", "retries", "backoff", "requests_per_minute", "concurrency",
    "input_price", "output_price",
)  # fmt: skip
"""Settings that no value depends on; the signature has the address as `server`."""


@dataclass(frozen=True)
class PromptOutcome:
    """What came of the requests for one prompt: a judgement, or a problem."""

    account: RequestAccount
    judgement: Judgement | None = None
    problem: str = ""
    unavailable: Unavailable | None = None

    @property
    def parts(self) -> dict[str, float]:
        """The parts that every score has."""
        found = self.judgement
        is_sampled = found is not None and not found.probabilities
        return {
            "samples": float(len(found.replies)) if found and is_sampled else 0.0,
            "choice_mass": found.choice_mass if found else math.nan,
            "requests": float(self.account.requests),
            "input_tokens": float(self.account.input_tokens),
            "output_tokens": float(self.account.output_tokens),
        }


@dataclass(frozen=True, kw_only=True)
class ChatMeasure(NeuralMeasure[ChatModel], ABC):
    """A measure that asks a chat model for one of a few short replies."""

    extra: ClassVar[str] = "judge"
    is_remote: ClassVar[bool] = True
    model_class: ClassVar[type[Model]] = ChatModel
    part_names: ClassVar[tuple[str, ...]] = (
        "samples",
        "choice_mass",
        "requests",
        "input_tokens",
        "output_tokens",
    )

    model: ModelName = setting("", "Name of the model, as the server knows it.")
    url: ServerAddress = setting(
        "",
        "Base URL of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1; empty: that in "
        f"the environment variable {URL_VARIABLE}.",
    )
    aspect: Aspect = setting("overall", "What is judged.")
    rubric: FilePath = setting(
        "", "Text file with a criterion of your own, which replaces that of the aspect."
    )
    mode: Mode = setting(
        "auto",
        "How the value is found: as the expectation over the `probabilities` of the allowed "
        "replies, as the mean of `samples`, or by probabilities if the server gives them (`auto`).",
    )
    temperature: float = setting(0.0, "Temperature of the replies.")
    samples: int = setting(
        1,
        "Number of replies whose mean is the value, where probabilities are not used; more than 1 "
        "needs a temperature above 0.",
    )
    max_reply: int = setting(
        8, "The most tokens in a reply; models that reason before they reply need thousands."
    )
    extract: int = setting(
        0,
        "Number of words of the source that are sent: the sentences with the highest importance "
        "weights; 0: the whole source.",
    )
    timeout: float = setting(60.0, "The most seconds to wait for a reply.")
    retries: int = setting(4, "Number of times that a request is sent again after a failure.")
    backoff: float = setting(
        1.0, "Seconds before the first retry; each further wait is twice as long."
    )
    requests_per_minute: float = setting(0.0, "The most requests per minute; 0: no limit.")
    concurrency: int = setting(4, "Number of requests that are sent at the same time.")
    input_price: float = setting(0.0, "Price of a million input tokens, in any currency.")
    output_price: float = setting(0.0, "Price of a million output tokens.")

    def __post_init__(self) -> None:
        if self.url:
            checked_url(self.url)
        if "@" in self.model:
            raise ValueError("model must not have an @")
        ranges = {
            "temperature": (0, 2),
            "samples": (1, 1000),
            "max_reply": (2, 1_000_000),
            "extract": (0, 10_000_000),
            "retries": (0, 100),
            "backoff": (0, 60),
            "requests_per_minute": (0, 1_000_000),
            "concurrency": (1, 1000),
            "input_price": (0, 1e9),
            "output_price": (0, 1e9),
        }
        for name, (low, high) in ranges.items():
            if not low <= getattr(self, name) <= high:
                given = getattr(self, name)
                raise ValueError(f"{name} must be from {low} to {high:g}, not {given:g}")
        if not 0 < self.timeout <= 86_400:
            raise ValueError(f"timeout must be above 0 and at most 86400, not {self.timeout:g}")
        if self.samples > 1 and self.temperature == 0:
            raise ValueError("samples are all the same at temperature=0: give a higher temperature")
        if self.mode == "probabilities" and has_prefixes(self.choices):
            raise ValueError(
                "mode=probabilities needs a scale on which no score begins with another, "
                "such as 1 to 5"
            )

    @property
    @abstractmethod
    def choices(self) -> ReplyChoices:
        """The allowed replies."""

    @property
    @abstractmethod
    def expected(self) -> str:
        """The allowed replies in words."""

    @property
    @abstractmethod
    def request(self) -> str:
        """The end of the prompt."""

    @property
    def batch_size(self) -> int:
        """Few, since replies of a batch are lost if the run is killed, and are paid for."""
        return 4 * self.concurrency

    @property
    def language(self) -> Language:
        """The background corpus that weighs sentences is English."""
        return "english" if self.extract else "any"

    @property
    def prices(self) -> TokenPrices:
        """The prices of tokens."""
        return TokenPrices(self.input_price, self.output_price)

    @property
    def has_source(self) -> bool:
        """Whether the source is sent: fluency is judged without it."""
        return self.aspect != "fluency" or bool(self.rubric)

    def prepare(self) -> None:
        _ = self.criterion

    @property
    def criterion(self) -> str:
        """The criterion of the prompt."""
        return _read_rubric(self.rubric) if self.rubric else CRITERIA[self.aspect]

    @property
    def server(self) -> str:
        """The address of the server."""
        found = self.url or os.environ.get(URL_VARIABLE, "").strip()
        if not found:
            raise Unavailable(
                f"{self.name} needs the address of an OpenAI-compatible server",
                f"give url=http://…/v1, or set {URL_VARIABLE}",
            )
        try:
            return checked_url(found)
        except ValueError as error:
            raise Unavailable(f"{URL_VARIABLE}: {error}") from None

    @property
    def loaded(self) -> ChatModel:
        """The model, which all measures of this process that name it share."""
        if not self.model:
            raise Unavailable(f"{self.name} needs a model: give model=NAME")
        check_network(self.server)
        return shared(ChatModel, f"{self.model}@{self.server}")

    def signature(self) -> dict[str, Any]:
        """The settings that a value depends on, the prompt's digest and the server."""
        if not self.model:
            raise Unavailable(f"{self.name} needs a model: give model=NAME")
        kept = {k: v for k, v in Measure.signature(self).items() if k not in _HOW_TO_RUN}
        kept["prompt"] = prompt_digest(self.criterion, self.request)
        kept["server"] = self.server
        return kept

    # Requests.

    def ask_all(self, prompts: Sequence[ChatPrompt]) -> list[PromptOutcome]:
        """What came of each prompt; several are under way at the same time.

        `Unavailable` is raised only if there is no reply at all, so that none is lost.
        """
        model, budget, stopped = self.loaded, current_budget(), Event()
        with ThreadPoolExecutor(self.concurrency) as pool:
            accounts = [RequestAccount(self.prices, budget, stopped) for _ in prompts]
            try:
                found = list(pool.map(partial(self._ask, model), prompts, accounts))
            except BaseException:
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        failed = [asked.unavailable for asked in found if asked.unavailable]
        if not failed:
            return found
        if not any(asked.judgement for asked in found):
            raise failed[0]
        return [one if one.judgement else replace(one, problem=str(failed[0])) for one in found]

    def _ask(self, model: ChatModel, prompt: ChatPrompt, account: RequestAccount) -> PromptOutcome:
        try:
            return PromptOutcome(account, self._judged(model, prompt, account))
        except Unavailable as error:
            # The other threads would find the same: they need not try.
            account.stopped.set()
            return PromptOutcome(account, problem=str(error), unavailable=error)
        except TricoloreError as error:
            return PromptOutcome(account, problem=error.problem)

    def _judged(
        self, model: ChatModel, prompt: ChatPrompt, account: RequestAccount
    ) -> Judgement | None:
        limits = RequestLimits(self.timeout, self.retries, self.backoff, self.requests_per_minute)
        with_probabilities = self.mode != "samples" and not has_prefixes(self.choices)
        options = ChatOptions(self.temperature, self.max_reply, with_probabilities)
        reply = model.ask(prompt, options, limits, account)
        found = [read_choice(reply, self.choices, self.expected)]
        if with_probabilities:
            judgement = from_probabilities(reply, found[0], self.choices)
            if judgement is not None:
                return judgement
            if self.mode == "probabilities":
                raise TricoloreError("the server gives no probabilities for the reply")
        options = ChatOptions(self.temperature, self.max_reply)
        while len(found) < self.samples:
            reply = model.ask(prompt, options, limits, account)
            found.append(read_choice(reply, self.choices, self.expected))
        return from_samples(found, self.choices)


def _read_rubric(path: str) -> str:
    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(_LONGEST_RUBRIC + 1).strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = cast(Any, error).strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SpecError(f"rubric={path} cannot be read: {reason}") from None
    if not text or len(text) > _LONGEST_RUBRIC or "\0" in text:
        raise SpecError(f"rubric={path} must be a text of 1 to {_LONGEST_RUBRIC:,} characters")
    return text
