"""`tricolore train`: human scores in, a directory with an estimator of them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tricolore.cli.options import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable

    from tricolore.data.examples import ExampleFile
    from tricolore.example import Example
    from tricolore.train.directory import ModelDirectory
    from tricolore.train.estimator import Estimator, TrainingSet
    from tricolore.train.targets import LabelledExamples

_INPUT, _RUN = "What is read", "How it is run"


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """How it is trained."""

    targets: list[str]
    bounds: tuple[float, float]
    folds: int
    restarts: int
    seed: int


def train(
    name: Annotated[
        str,
        typer.Argument(
            help="What to train: mix, sum-qe or sbert-regression; settings may follow, as in "
            "sum-qe:epochs=5."
        ),
    ],
    file: Annotated[str, typer.Argument(help="As for `tricolore score`, with human scores.")],
    target: Annotated[str, typer.Option("--target", help="Human scores to predict, with commas.")],
    out: Annotated[str, typer.Option("-o", "--out", help="The directory to write.")],
    of: Annotated[
        str, typer.Option(help="For a mix: its measures, such as density,coverage.")
    ] = "",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting, such as solver=gradient; may be given often."),
    ] = None,
    bounds: Annotated[
        str, typer.Option(help="The ends of the human scale; they become 0 and 1.")
    ] = "1,5",
    folds: Annotated[int, typer.Option(min=2, help="Of the cross-validation.")] = 5,
    restarts: Annotated[
        int | None, typer.Option(min=1, help="Trainings whose predictions are averaged.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the folds and the restarts.")] = 1,
    source: Annotated[str, typer.Option(help="Column.", rich_help_panel=_INPUT)] = "",
    summary: Annotated[str, typer.Option(help="Column.", rich_help_panel=_INPUT)] = "",
    references: Annotated[str, typer.Option(help="Column.", rich_help_panel=_INPUT)] = "",
    doc_id: Annotated[str, typer.Option(help="Column.", rich_help_panel=_INPUT)] = "",
    human: Annotated[
        str, typer.Option(help="Columns of human scores, with commas.", rich_help_panel=_INPUT)
    ] = "",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first rows.", rich_help_panel=_INPUT)
    ] = None,
    encoding: Encoding = "",
    cache: Annotated[str, typer.Option(help="A directory, or off.", rich_help_panel=_RUN)] = "",
    jobs: Annotated[int, typer.Option(min=1, help="Processes.", rich_help_panel=_RUN)] = 1,
    device: Annotated[
        str,
        typer.Option(help="For models: cpu, cuda, mps; the best there is.", rich_help_panel=_RUN),
    ] = "",
    offline: Annotated[
        bool,
        typer.Option("--offline", help="Never touch the network.", rich_help_panel=_RUN),
    ] = False,
) -> None:
    """Learn to predict human scores, say how well that goes on unseen documents, keep the result.

    Then: tricolore score new.jsonl -m NAME:directory=DIRECTORY
    """
    from tricolore.cli.options import place_models, show_columns
    from tricolore.cli.progress import counted
    from tricolore.data.columns import Columns
    from tricolore.data.examples import ExampleFile
    from tricolore.train.directory import Card, check_free, write
    from tricolore.train.fitting import fit_restarts
    from tricolore.train.folds import folds as cut
    from tricolore.train.targets import digest, labelled_examples

    place_models(device, offline)
    check_free(out)
    estimator = _estimator(name, of, set_ or [])
    plan = _Plan(
        targets=_names(target),
        bounds=_ends(bounds),
        folds=folds,
        restarts=restarts or estimator.restarts,
        seed=seed,
    )
    columns = Columns(
        source=source,
        summary=summary,
        references=references,
        doc_id=doc_id,
        human=tuple(_names(human)),
    )
    with ExampleFile(file, columns, encoding=encoding, needs=estimator.needs, limit=limit) as rows:
        show_columns(rows)
        examples, unreadable = _read(rows)
    known = labelled_examples(examples, plan.targets, plan.bounds)
    # Too few documents are said before anything is scored.
    cut([example.doc_id for example in known.examples], plan.folds, seed=seed)
    sources = ["\n".join(example.source) for example in examples]
    ready = estimator.with_corpus(sources)
    training_set, used, unusable = known.training_set(_features(ready, known, sources, cache, jobs))
    left_out = [
        (unreadable, "not readable"),
        (known.left_out, "no score for a target"),
        (len(unusable), unusable[0].problem if unusable else ""),
    ]
    steps = plan.restarts * (plan.folds + 1)
    with counted("training", steps) as on_step:
        card = _card(ready, training_set, plan, on_step)
        tensors = fit_restarts(
            ready, training_set, restarts=plan.restarts, seed=seed, on_step=on_step
        )
    card |= {
        "made_with": estimator.made_with(),
        "data": {
            "digest": digest(used, training_set.targets),
            "rows": len(used),
            "documents": len(set(training_set.documents)),
            "left_out": sum(count for count, _ in left_out),
        },
    }
    written = write(out, Card(**card), tensors, estimator.files())
    _tell(written, left_out)


def _names(written: str) -> list[str]:
    return list(dict.fromkeys(filter(None, (name.strip() for name in written.split(",")))))


def _ends(written: str) -> tuple[float, float]:
    from tricolore.errors import TrainingError

    try:
        low, high = (float(end) for end in written.split(","))
    except ValueError:
        raise TrainingError(f"--bounds {written} is not two numbers, such as 1,5") from None
    if not low < high:
        raise TrainingError(f"--bounds {written}: the low end must be below the high one")
    return low, high


def _estimator(written: str, of: str, pairs: list[str]) -> Estimator:
    from tricolore.errors import SpecError
    from tricolore.spec import parse_spec
    from tricolore.train.kinds import get_estimator

    spec = parse_spec(written)
    if of:
        spec = spec.with_setting("of", of)
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SpecError(f"--set {pair} is not a setting: write --set name=value")
        spec = spec.with_setting(key.strip().replace("-", "_"), value.strip())
    return get_estimator(spec)


def _read(rows: ExampleFile) -> tuple[list[Example], int]:
    from tricolore.errors import TrainingError
    from tricolore.example import Example

    found = list(rows)
    examples = [row for row in found if isinstance(row, Example)]
    if not examples:
        why = found[0].problem if found and not isinstance(found[0], Example) else "it has no rows"
        raise TrainingError(f"{rows.name} has nothing to learn from: {why}")
    return examples, len(found) - len(examples)


def _features(
    estimator: Estimator, known: LabelledExamples, sources: list[str], cache: str, jobs: int
) -> list[Any]:
    """What is looked at of every row; scores of measures are looked up in the cache."""
    from tricolore.cli.options import open_cache
    from tricolore.cli.progress import watched
    from tricolore.run.processes import local_engine
    from tricolore.run.run import Run
    from tricolore.train.mix import MixEstimator

    if not isinstance(estimator, MixEstimator):
        return estimator.features(known.examples)
    with open_cache(cache) as opened:
        run = Run(list(estimator.terms), cache=opened, engine=local_engine(jobs))
        run.fit(sources)
        return [
            estimator.features_of(list(result.scores.values()))
            for result in watched(run.score(known.examples), total=len(known.examples))
        ]


def _card(
    estimator: Estimator, training_set: TrainingSet, plan: _Plan, on_step: Callable[[], None]
) -> dict[str, Any]:
    """What the card says, but for the data: settings, and the error on unseen documents."""
    from tricolore.report.training import figures
    from tricolore.train.fitting import out_of_fold

    predicted, mean = out_of_fold(
        estimator,
        training_set,
        folds=plan.folds,
        restarts=plan.restarts,
        seed=plan.seed,
        on_step=on_step,
    )
    both = {estimator.kind: predicted, "the mean": mean}
    return {
        "kind": estimator.kind,
        "settings": estimator.settings,
        "targets": tuple(plan.targets),
        "bounds": plan.bounds,
        "restarts": plan.restarts,
        "seed": plan.seed,
        "error": {
            "folds": plan.folds,
            "targets": figures(plan.targets, training_set.targets, both, training_set.documents),
        },
    }


def _tell(written: ModelDirectory, left_out: list[tuple[int, str]]) -> None:
    from tricolore.report.terminal import console
    from tricolore.report.training import table

    card, out = written.card, console()
    out.print(table(card.error["targets"]))
    trainings = "one training" if card.restarts == 1 else f"the mean of {card.restarts} trainings"
    low, high = card.bounds
    out.print(
        f"{card.error['folds']}-fold cross-validation by document, {trainings} a fold, "
        f"seed {card.seed}: {card.data['rows']} rows of {card.data['documents']} documents.\n"
        f"Human scores from {low:g} to {high:g} are taken as 0 to 1. MAE over all summaries; "
        "correlations by document, mean ± SEM.",
        style="dim",
        soft_wrap=True,
    )
    for count, why in left_out:
        if count:
            rows = "1 row was left out" if count == 1 else f"{count} rows were left out"
            out.print(f"{rows}: {why}", style="yellow", soft_wrap=True, markup=False)
    out.print(f"The estimator: {written.path}", style="dim", soft_wrap=True, markup=False)
    use = f"tricolore score FILE -m {card.kind}:directory={written.path}"
    out.print(f"To use it: {use}", style="dim", soft_wrap=True, markup=False)
