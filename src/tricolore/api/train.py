"""Learn to predict human scores, and report how well that works on unseen documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tricolore.api.inputs import inputs_of
from tricolore.api.running import (
    CacheChoice,
    ProgressChoice,
    names_of,
    opened_cache,
    placed_on,
    progress_mode,
    read_examples,
    watched,
)
from tricolore.arguments import check_arguments
from tricolore.data.columns import Columns
from tricolore.data.examples import Examples
from tricolore.data.outputs import reserved
from tricolore.errors import TrainingError
from tricolore.example import Example
from tricolore.meta.cross_validation import prediction_quality
from tricolore.report.result_table import ResultTable
from tricolore.report.training import training_sheet
from tricolore.run.cache import Cache
from tricolore.run.engine import Engine
from tricolore.run.processes import local_engine
from tricolore.run.run import Run
from tricolore.settings import write_setting
from tricolore.spec import NoNames, Spec
from tricolore.train.directory import Card, ModelDirectory, check_replaceable, write
from tricolore.train.estimator import Estimator, TrainingSet
from tricolore.train.fitting import fit_restarts as train_restarts
from tricolore.train.fitting import out_of_fold
from tricolore.train.folds import folds as cut
from tricolore.train.kinds import get_estimator
from tricolore.train.targets import LabelledExamples, digest, labelled_examples


@dataclass(frozen=True)
class TrainingReport:
    """A trained estimator, how good it is on unseen documents, and what it was not trained on."""

    trained: ModelDirectory
    """The directory that was written."""
    left_out: Sequence[tuple[int, str]]
    """Numbers of rows that could not be used, and why."""

    @property
    def spec(self) -> str:
        """The measure that scores with the trained estimator."""
        return f"{self.trained.card.kind}:directory={self.trained.path}"

    @property
    def error(self) -> Mapping[str, Any]:
        """Cross-validated statistics, by human score, predictor and statistic."""
        targets: Mapping[str, Any] = self.trained.card.error["targets"]
        return targets

    @property
    def table(self) -> ResultTable:
        """The table of cross-validated statistics, with explanations."""
        card = self.trained.card
        sheet = training_sheet(self.error)
        trainings = "one training" if card.restarts == 1 else f"{card.restarts} trainings averaged"
        low, high = card.bounds
        sheet.notes = [
            f"{card.error['folds']}-fold cross-validation by document, {trainings} per fold, seed "
            f"{card.seed}: {card.data['rows']} rows of {card.data['documents']} documents.",
            f"Human scores from {low:g} to {high:g} are scaled to 0 to 1. MAE over all summaries; "
            "correlations by document, mean ± standard error.",
        ]
        return sheet

    def _repr_html_(self) -> str:
        return self.table.html()


@dataclass(frozen=True, kw_only=True)
class _Plan:
    human: list[str]
    bounds: tuple[float, float]
    folds: int
    restarts: int
    seed: int


def train(
    data: Any,
    estimator: str | Estimator,
    human: str | Sequence[str],
    output: str | Path,
    *,
    of: str = "",
    settings: Mapping[str, str] | None = None,
    bounds: tuple[float, float] = (1, 5),
    folds: int = 5,
    restarts: int | None = None,
    seed: int = 0,
    columns: Columns | None = None,
    limit: int | None = None,
    cache: CacheChoice = None,
    jobs: int = 1,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
) -> TrainingReport:
    """Train an estimator of human scores, cross-validate it by document, and save it.

    Args:
        data: Examples with human scores: anything that `evaluate` takes.
        estimator: An estimator, or a spec of one: "mix", "sum-qe:epochs=5", "sbert-regression".
        human: The human scores to predict.
        output: The directory to write.
        of: The measures of a mix: "density,coverage".
        settings: Further settings of the estimator, as they are written in a spec.
        bounds: The ends of the human scale, which become 0 and 1.
        folds: Number of folds of the cross-validation.
        restarts: Number of trainings whose predictions are averaged; the estimator's own number
            if not given.
        seed: Seed of the folds and of the trainings.
        columns: The names of the columns, if they are not the usual ones.
        limit: Read at most this many rows.
        cache: Where scores of measures are looked up and kept, as in `evaluate`.
        jobs: Number of processes that score measures.
        engine: Where measures are scored, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress, as in `evaluate`, or a function that is called with the
            number of scored rows.
    """
    check_arguments(train, locals())
    names = names_of(human)
    made = _estimator(estimator, of, settings or {})
    plan = _Plan(
        human=names,
        bounds=_checked(bounds),
        folds=folds,
        restarts=restarts or made.restarts,
        seed=seed,
    )
    spec = str(Spec(made.kind, {k: write_setting(v) for k, v in made.settings.items()}))
    inputs = inputs_of(data, [spec, *made.terms], cache)
    with (
        reserved([(output, "output")], inputs),
        placed_on(device, offline),
        opened_cache(cache) as opened,
    ):
        check_replaceable(output)
        rows = read_examples(data, columns, needs=made.needs, human=names, limit=limit)
        examples, unreadable = _read(rows)
        known = labelled_examples(examples, plan.human, plan.bounds)
        # Too few documents are reported before anything is scored.
        cut([example.doc_id for example in known.examples], plan.folds, seed=seed)
        sources = ["\n".join(example.source) for example in examples]
        ready = made.with_corpus(sources)
        features = _Features(opened, engine or local_engine(jobs), progress)
        lessons, used, unusable = known.training_set(features.of(ready, known, sources))
        left_out = [
            (unreadable, "not readable"),
            (known.left_out, "no value of a human score to predict"),
            (len(unusable), unusable[0].problem if unusable else ""),
        ]
        about = {
            "made_with": made.made_with(),
            "data": {
                "digest": digest(used, lessons.targets),
                "rows": len(used),
                "documents": len(set(lessons.documents)),
                "left_out": sum(count for count, _ in left_out),
            },
        }
        trained = _trained(ready, lessons, plan, about, output, progress=progress)
    return TrainingReport(trained, [(count, why) for count, why in left_out if count])


def _estimator(given: str | Estimator, of: str, settings: Mapping[str, str]) -> Estimator:
    if isinstance(given, Estimator):
        if of or settings:
            raise TrainingError("an estimator has its settings already: give them with a spec only")
        return given
    spec = Spec.parse(given, NoNames())
    for key, value in {**({"of": of} if of else {}), **settings}.items():
        spec = spec.with_setting(key, value)
    return get_estimator(spec)


def _checked(bounds: tuple[float, float]) -> tuple[float, float]:
    low, high = (float(end) for end in bounds)
    if not low < high:
        raise TrainingError(
            f"the human scale cannot go from {low:g} to {high:g}: the low end must be below the "
            "high one",
            argument="bounds",
        )
    return low, high


def _read(rows: Examples) -> tuple[list[Example], int]:
    found = list(rows)
    examples = [row for row in found if isinstance(row, Example)]
    if not examples:
        why = found[0].problem if found and not isinstance(found[0], Example) else "it has no rows"
        raise TrainingError(f"{rows.name} has nothing to learn from: {why}")
    return examples, len(found) - len(examples)


@dataclass(frozen=True)
class _Features:
    """Finds the features of examples; scores of measures are looked up in the cache."""

    cache: Cache | None
    engine: Engine
    progress: ProgressChoice

    def of(
        self, estimator: Estimator, known: LabelledExamples, sources: Sequence[str]
    ) -> list[Any]:
        if not estimator.terms:
            return estimator.features(known.examples)
        run = Run(list(estimator.terms), cache=self.cache, engine=self.engine)
        run.fit(sources)
        total = len(known.examples)
        return [
            estimator.features_of(list(result.scores.values()))
            for result in watched(run.score(known.examples), self.progress, lambda: total)
        ]


def _trained(
    estimator: Estimator,
    lessons: TrainingSet,
    plan: _Plan,
    about: Mapping[str, Any],
    output: str | Path,
    *,
    progress: ProgressChoice,
) -> ModelDirectory:
    """Cross-validate, train on all rows, and write the directory."""
    with _bar(plan.restarts * (plan.folds + 1), progress) as step:
        predicted, mean = out_of_fold(
            estimator,
            lessons,
            folds=plan.folds,
            restarts=plan.restarts,
            seed=plan.seed,
            on_step=step,
        )
        tensors = train_restarts(
            estimator, lessons, restarts=plan.restarts, seed=plan.seed, on_step=step
        )
    both = {estimator.kind: predicted, "the mean": mean}
    quality = prediction_quality(plan.human, lessons.targets, both, lessons.documents)
    card = Card(
        kind=estimator.kind,
        settings=estimator.settings,
        targets=tuple(plan.human),
        bounds=plan.bounds,
        restarts=plan.restarts,
        seed=plan.seed,
        error={"folds": plan.folds, "targets": quality},
        **about,
    )
    return write(output, card, tensors, estimator.files())


def _bar(steps: int, progress: ProgressChoice) -> AbstractContextManager[Callable[[], None]]:
    if callable(progress):
        return nullcontext(lambda: None)
    from tricolore.report.progress import counted

    return counted("training", steps, progress_mode(progress))
