"""What the endpoints do: from a request to measures, from measures to the queue, and back."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tricolore.data.examples import Sources
from tricolore.errors import SpecError, TricoloreError
from tricolore.example import Example
from tricolore.measure import Measure, flatten
from tricolore.perturb.damage import Damaged, Undamaged
from tricolore.perturb.kinds import get_perturbation
from tricolore.report.painting import painted
from tricolore.run.engine import Work
from tricolore.run.run import MeasurePlan, Run, Scores
from tricolore.score import Score
from tricolore.web.catalogue import Catalogue
from tricolore.web.config import ServerConfig
from tricolore.web.messages import ExampleIn, PerturbRequest
from tricolore.web.metrics import Meters
from tricolore.web.permalinks import Permalinks
from tricolore.web.problems import ApiError
from tricolore.web.scheduler import Answers, Order, Scheduler, length_of
from tricolore.web.tasks import Damaging, Measuring

_log = logging.getLogger(__name__)

_LONGEST_SPECS = 10_000
"""Characters of all specs of a request."""


@dataclass(frozen=True)
class ScorePlan:
    """What a request asks for, checked and ready to be queued."""

    examples: Sequence[Example]
    measures: Sequence[Measure]
    evidence: bool
    plan: MeasurePlan
    kinds: Sequence[Measuring]
    """What is done in batches: one per computed measure."""
    measures_json: Sequence[dict[str, Any]]

    @property
    def characters(self) -> int:
        """The characters of all texts."""
        return sum(map(length_of, self.examples))


@dataclass(frozen=True)
class ShownScore:
    """A score of a request that is ready: its row, the index of its measure, and the score."""

    row: int
    measure: int
    score: Score


class Service:
    """Everything that outlives a request."""

    def __init__(self, config: ServerConfig) -> None:
        self.config, self.limits = config, config.limits
        self.meters = Meters()
        self.catalogue = Catalogue(config.models)
        self._warm = self.catalogue.to_warm(config.warm)
        work = Work((), placement=config.placement, warm=self._warm)
        self.scheduler = Scheduler(work, config.workers, config.limits, self.meters)
        self.is_draining = False
        self._is_warm = False
        self.comparing = asyncio.Semaphore(1)
        """Comparisons and reports are made one at a time: each may take seconds of a core."""
        self.permalinks: Permalinks | None = None
        if config.permalinks:
            most, most_bytes = self.limits.permalinks, self.limits.permalink_bytes
            self.permalinks = Permalinks(config.permalinks, most=most, most_bytes=most_bytes)

    def start(self) -> None:
        """Start the workers, and find out meanwhile what the first requests would wait for."""
        self.scheduler.start()
        threading.Thread(target=self._warm_up, name="warm-up", daemon=True).start()

    def _warm_up(self) -> None:
        """Import modules, read word lists, and take digests of models for signatures."""
        found = self.catalogue.recommended(source=True, references=True)
        try:
            self.catalogue.measures_json()
            for measure in (*found, *self._warm):
                self.catalogue.measure_json(measure, is_fitted=False)
        except TricoloreError as error:  # a damaged model: requests that name it are told
            _log.warning("%s", error.problem)
        self._is_warm = True

    def stop(self) -> None:
        """End the workers; requests that are under way fail."""
        self.is_draining = True
        self.scheduler.stop()
        if self.permalinks:
            self.permalinks.close()

    @property
    def is_ready(self) -> bool:
        """Whether requests are answered without waiting for models."""
        return self._is_warm and self.scheduler.is_ready and not self.is_draining

    # What is offered.

    def measures_json(self) -> list[dict[str, Any]]:
        """The measures that this server offers."""
        self.catalogue.note_not_warm(self.scheduler.not_warm)
        return self.catalogue.measures_json()

    # Scoring.

    def plan(
        self, given: Sequence[ExampleIn], specs: Sequence[str] | None, *, evidence: bool
    ) -> ScorePlan:
        """Check a request and say what is to be done. Takes time: not for the event loop.

        Measures that need a corpus are fitted as in a run: to the sources of the request, or, where
        these are too few, to the corpus that comes with the library.
        """
        self.catalogue.note_not_warm(self.scheduler.not_warm)
        examples = self.examples(given)
        asked = self._recommended(examples) if specs is None else self.named(specs)
        if len(flatten(asked)) > self.limits.measures:
            raise ApiError(
                413,
                f"there are {len(flatten(asked))} measures; a request may name "
                f"{self.limits.measures}",
                argument="measures",
            )
        run = Run(asked, evidence=evidence, placement=self.config.placement)
        if run.needs_corpus:
            run.fit(Sources(examples))
        plan = MeasurePlan.of(run.measures, evidence=evidence)
        if len(examples) * len(plan.computed) > self.limits.queue:
            raise ApiError(
                413, f"a request may ask for {self.limits.queue} scores", argument="measures"
            )
        unfitted = {measure.label: measure for measure in flatten(asked)}
        own = {place for single, place in plan.singles if single != unfitted[single.label]}
        request = object()
        kinds = [
            Measuring(measure, evidence, (measure.label, evidence, request if at in own else None))
            for at, measure in enumerate(plan.computed)
        ]
        about = [
            self.catalogue.measure_json(measure, is_fitted=bool(plan.inputs(at) & own))
            for at, measure in enumerate(run.measures)
        ]
        return ScorePlan(examples, run.measures, evidence, plan, kinds, about)

    def examples(self, given: Sequence[ExampleIn]) -> list[Example]:
        """The examples of a request, if they are not too many or too long."""
        if len(given) > self.limits.rows:
            raise ApiError(
                413,
                f"there are {len(given)} examples; a request may have {self.limits.rows}",
                "send several requests",
                argument="examples",
            )
        examples = [one.example() for one in given]
        characters = sum(map(length_of, examples))
        if characters > self.limits.characters:
            raise ApiError(
                413,
                f"the texts have {characters:,} characters; a request may have "
                f"{self.limits.characters:,}",
                argument="examples",
            )
        return examples

    def named(self, specs: Sequence[str]) -> list[Measure]:
        """The measures that specs name, if this server offers them."""
        if sum(map(len, specs)) > _LONGEST_SPECS:
            raise ApiError(
                413, f"specs may have {_LONGEST_SPECS:,} characters", argument="measures"
            )
        try:
            return self.catalogue.measures(specs)
        except SpecError as error:
            raise ApiError(422, error.problem, error.hint, argument="measures") from error

    def _recommended(self, examples: Sequence[Example]) -> list[Measure]:
        def most(texts: Sequence[Sequence[str]]) -> bool:
            return 2 * sum(any(map(str.strip, some)) for some in texts) > len(texts)

        references = most([example.references for example in examples])
        source = any(any(map(str.strip, example.source)) for example in examples)
        return self.catalogue.recommended(source=source or not references, references=references)

    def begin(self, plan: ScorePlan) -> UnderWay:
        """Put a request into the queue, or raise an error if it is full."""
        under_way = UnderWay(self)
        for row, example in enumerate(plan.examples):
            for at, kind in enumerate(plan.kinds):
                under_way.order.add(kind, example, (row, at))
        under_way.submit()
        return under_way

    async def shown(self, plan: ScorePlan, under_way: UnderWay) -> AsyncIterator[list[ShownScore]]:
        """The scores of a request as they are ready, in any order."""
        inputs = [plan.plan.inputs(at) for at in range(len(plan.measures))]
        known: list[dict[int, Score]] = [{} for _ in plan.examples]
        left = [len(plan.measures)] * len(plan.examples)
        async for answers in under_way.answers():
            ready = []
            for piece, score in answers:
                row, place = piece.place
                known[row][place] = score
                for at, needed in enumerate(inputs):
                    if place in needed and needed <= known[row].keys():
                        shown = plan.plan.shown_one(at, plan.examples[row], known[row])
                        name = plan.measures[at].name
                        self.meters.score(name, has_problem=shown.problem is not None)
                        ready.append(ShownScore(row, at, shown))
                        left[row] -= 1
                if not left[row]:
                    known[row] = {}
                    self.meters.rows(1)
            if ready:
                yield ready

    async def scores(self, plan: ScorePlan, under_way: UnderWay) -> list[Scores]:
        """All scores of a request, by row."""
        found: list[dict[int, Score]] = [{} for _ in plan.examples]
        async for ready in self.shown(plan, under_way):
            for one in ready:
                found[one.row][one.measure] = one.score
        labels = [measure.label for measure in plan.measures]
        return [Scores({label: row[at] for at, label in enumerate(labels)}) for row in found]

    # Damage.

    def damaging(self, request: PerturbRequest) -> tuple[Example, Damaging]:
        """Check what is to be damaged, and how. Takes time: not for the event loop."""
        self.catalogue.note_not_warm(self.scheduler.not_warm)
        [example] = self.examples([request.clean])
        if len(request.kind) > _LONGEST_SPECS:
            raise ApiError(413, f"specs may have {_LONGEST_SPECS:,} characters", argument="kind")
        try:
            made = get_perturbation(request.kind, seed=request.seed, policy=self.catalogue.policy)
        except (TricoloreError, ValueError) as error:
            words, hint = getattr(error, "problem", str(error)), getattr(error, "hint", "")
            raise ApiError(422, words, hint, argument="kind") from error
        if why_not := self.catalogue.why_not(made):
            words = f"{made.kind} is not available on this server: {why_not}"
            raise ApiError(422, words, argument="kind")
        return example, Damaging(made, request.errors)

    def begin_damage(self, example: Example, kind: Damaging) -> UnderWay:
        """Put a summary that is to be damaged into the queue."""
        under_way = UnderWay(self)
        under_way.order.add(kind, example, (0, 0))
        under_way.submit()
        return under_way

    async def damaged(self, under_way: UnderWay) -> Damaged | Undamaged:
        """The damaged summary."""
        [answers] = [answers async for answers in under_way.answers()]
        [(_, made)] = answers
        found: Damaged | Undamaged = made
        return found


class UnderWay:
    """A request in the queue, as the event loop sees it; `close` must be called at its end."""

    def __init__(self, service: Service) -> None:
        self._loop = asyncio.get_running_loop()
        self._scheduler, self._seconds = service.scheduler, service.limits.seconds
        self._deadline = time.monotonic() + self._seconds
        self._arrived: asyncio.Queue[Answers | TricoloreError] = asyncio.Queue()
        self.order = Order(self._put, self._put)
        self.began = time.monotonic()

    def submit(self) -> None:
        """Put it into the queue."""
        self._scheduler.submit(self.order)

    def close(self) -> None:
        """Forget it: nobody waits for it any more."""
        if self.order.unfinished:
            self._scheduler.cancel(self.order)

    def fail(self, error: TricoloreError) -> None:
        """Let it end with an error."""
        self._arrived.put_nowait(error)

    async def answers(self) -> AsyncIterator[Answers]:
        """What is done, as it comes."""
        left = len(self.order.pieces)
        while left:
            try:
                async with asyncio.timeout(self._deadline - time.monotonic()):
                    arrived = await self._arrived.get()
            except TimeoutError:
                raise ApiError(
                    504,
                    f"the request took longer than {self._seconds:g} s",
                    "ask for fewer rows, shorter texts or faster measures",
                ) from None
            if isinstance(arrived, TricoloreError):
                raise arrived
            left -= len(arrived)
            yield arrived

    def _put(self, arrived: Answers | TricoloreError) -> None:
        """Called from the scheduler's thread."""
        with suppress(RuntimeError):  # the loop has ended, and with it the request
            self._loop.call_soon_threadsafe(self._arrived.put_nowait, arrived)


def score_json(example: Example, label: str, score: Score, *, evidence: bool) -> dict[str, Any]:
    """A score as the API sends it."""
    plain = score.to_json()
    return {
        "value": plain["value"],
        "parts": plain.get("parts", {}),
        "flags": plain.get("flags", []),
        "problem": score.problem,
        "painting": painted(example, label, score).to_json() if evidence else None,
        "evidence": plain.get("evidence", []) if evidence else [],
    }
