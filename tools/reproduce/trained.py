"""The trained estimators on encoders: SBERT regression, SUM-QE, and the mixes of table 4.1.

The thesis had BERT-NLI encoders and SUM-QE trained on DUC; here are all-MiniLM-L6-v2, and SUM-QE
trained on SummEval. Texts are encoded once and the vectors kept in out/reproduce. The encoder of
SUM-QE stays frozen, except in the table `sum-qe-tuned`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.reproduce.claims import CACHE, load, scores
from tricolore.data.grid import Grid
from tricolore.measures.scaling import out_of_fold as scaled_out_of_fold
from tricolore.meta.choices import Statistic
from tricolore.meta.levels import Agreement, agreement
from tricolore.train.estimator import TrainingSet
from tricolore.train.fitting import fit_restarts, out_of_fold, predict
from tricolore.train.folds import train_and_test
from tricolore.train.mix import MixEstimator
from tricolore.train.sbert_regression import SbertRegressionEstimator
from tricolore.train.sum_qe import SumQeEstimator
from tricolore.train.targets import labelled_examples

Values = NDArray[np.float64]
CONTENT = ("informativeness", "relevance")
QUALITY = ("coherence", "fluency")
SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")
STATISTICS: tuple[Statistic, ...] = ("spearman", "kendall-b", "pearson")
ENCODERS = ("all-MiniLM-L6-v2", "embedded")
SEED, FOLDS, RESTARTS = 1, 5, 6
_BOUNDS = (1.0, 5.0)

# Tables A.5 and A.6, BERT-BASE-NLI-MEAN-TOKENS: MAE and ρ of informativeness, then of relevance.
_SBERT = {
    ("single", "mult", True): (0.379, 0.447, 0.327, 0.469),
    ("single", "mult", False): (0.189, 0.346, 0.186, 0.303),
    ("single", "diff", True): (0.363, 0.179, 0.359, -0.140),
    ("single", "diff", False): (0.231, 0.275, 0.255, 0.001),
    ("multi", "mult", True): (0.357, 0.579, 0.333, 0.367),
    ("multi", "mult", False): (0.185, 0.439, 0.179, 0.382),
    ("multi", "diff", True): (0.382, 0.078, 0.365, -0.166),
    ("multi", "diff", False): (0.223, 0.253, 0.247, 0.154),
}
# Table 4.1: MAE and ρ of coherence, then of fluency.
_QUALITY = {
    "coverage": (0.300, 0.379, 0.299, 0.334),
    "density": (0.155, 0.675, 0.166, 0.636),
    "SUM-QE (ST)": (0.163, 0.519, 0.161, 0.587),
    "SUM-QE (MT)": (0.175, 0.398, 0.168, 0.544),
    "AVG (SUM-QE, density, coverage)": (0.139, 0.692, 0.151, 0.665),
    "AVG (all SUM-QE, density, coverage)": (0.145, 0.610, 0.152, 0.624),
    "LR (all SUM-QE, density, coverage)": (0.126, 0.514, 0.121, 0.572),
}


def sbert_regression() -> str:
    """Newsroom: tables 5.1, A.5 and A.6."""
    lines = _head("task", "combine", "NORM")
    for task, combine, normalised in product(("single", "multi"), ("mult", "diff"), (True, False)):
        estimator = SbertRegressionEstimator(
            task=task,  # type: ignore[arg-type]
            combine=combine,  # type: ignore[arg-type]
            normalised=normalised,
        )
        features = estimator.combined(*_encoded_pairs())
        training_set = _training_set("newsroom", CONTENT, features)
        found, _ = out_of_fold(estimator, training_set, folds=FOLDS, restarts=RESTARTS, seed=SEED)
        published = _SBERT[task, combine, normalised]
        for at, quality in enumerate(CONTENT):
            row = _row(
                found[:, at], training_set.targets[:, at], "newsroom", published[2 * at :][:2]
            )
            lines.append(f"| {quality} | {task} | {combine} | {'yes' if normalised else ''} {row}")
    lines += _of_the_mean("newsroom", CONTENT, "| | ")
    return "\n".join(lines)


def sum_qe(
    datasets: Sequence[str] = ("newsroom", "summeval"), encoders: Sequence[str] = ENCODERS
) -> str:
    """Trained on documents of the same set: SummEval and Newsroom, each 5-fold by document."""
    lines = _head("data", "encoder", "[CLS] or mean", "task", published=False)
    for dataset, encoder, pooling, task in product(
        datasets, encoders, ("cls", "mean"), ("single", "multi")
    ):
        estimator = SumQeEstimator(model=encoder, task=task, pooling=pooling)  # type: ignore[arg-type]
        training_set = _training_set(
            dataset, QUALITY, _encoded_summaries(dataset, encoder, pooling)
        )
        found, _ = out_of_fold(estimator, training_set, folds=FOLDS, restarts=1, seed=SEED)
        for at, quality in enumerate(QUALITY):
            row = _row(found[:, at], training_set.targets[:, at], dataset)
            lines.append(f"| {quality} | {dataset} | {encoder} | {pooling} | {task} {row}")
    for dataset in datasets:
        lines += _of_the_mean(dataset, QUALITY, "| | | ", f"| {dataset} ", published=False)
    return "\n".join(lines)


def sum_qe_tuned() -> str:
    """Newsroom, one fifth of the documents held out, the encoder fine-tuned (preset `tuned`)."""
    estimator = SumQeEstimator(
        model=ENCODERS[0],
        task="multi",
        **SumQeEstimator.presets["tuned"],  # type: ignore[arg-type]
    )
    known = labelled_examples(load("newsroom"), QUALITY, _BOUNDS)
    training_set = _training_set("newsroom", QUALITY, estimator.features(known.examples))
    others, fold = next(iter(train_and_test(training_set.documents, FOLDS, seed=SEED)))
    tensors = fit_restarts(estimator, training_set[others], restarts=1, seed=SEED)
    found = predict(estimator, tensors, training_set[fold].features, 1, len(QUALITY))
    frozen = SumQeEstimator(model=ENCODERS[0], task="multi")
    shown = _training_set("newsroom", QUALITY, _encoded_summaries("newsroom", ENCODERS[0], "cls"))
    head = fit_restarts(frozen, shown[others], restarts=1, seed=SEED)
    still = predict(frozen, head, shown[fold].features, 1, len(QUALITY))
    mean = np.tile(training_set.targets[others].mean(axis=0), (len(fold), 1))
    lines = _head("encoder", published=False)
    for at, quality in enumerate(QUALITY):
        for name, values in (("tuned", found), ("frozen", still), ("the mean", mean)):
            row = _row(values[:, at], training_set.targets[fold, at], "newsroom", rows=fold)
            lines.append(f"| {quality} | {name} {row}")
    return "\n".join(lines)


def quality_mixes(encoder: str = "embedded") -> str:
    """Table 4.1 on Newsroom; SUM-QE's predictors are those of SummEval's four qualities."""
    documents = [example.doc_id for example in load("newsroom")]
    density, coverage = (np.array(scores("newsroom", name)) for name in ("density", "coverage"))
    printed = scaled_out_of_fold(density, documents, "z", folds=FOLDS, seed=SEED)
    unit_density = _halved_z(density, documents)
    single, multi = (_from_summeval(encoder, task, SUMMEVAL) for task in ("single", "multi"))
    pair = _from_summeval(encoder, "multi", QUALITY)
    columns = [*single.T, density, coverage]
    # The thesis does not say by which optimiser; this is the mix's own gradient descent.
    mix = MixEstimator(of="length,bleu,rouge-1,rouge-2,density,coverage", solver="gradient")
    training_set = _training_set("newsroom", QUALITY, np.stack(columns, axis=1))
    fitted, _ = out_of_fold(mix, training_set, folds=FOLDS, restarts=RESTARTS, seed=SEED)
    lines = _head("method")
    for at, quality in enumerate(QUALITY):
        own = single[:, SUMMEVAL.index(quality)]
        found = {
            "coverage": (coverage, coverage),
            "density, eq. (4.1) as printed": (printed, density),
            "density": (unit_density, density),
            "SUM-QE (ST)": (own, own),
            "SUM-QE (MT)": (pair[:, at], pair[:, at]),
            "SUM-QE (MT, four qualities)": (multi[:, SUMMEVAL.index(quality)],) * 2,
            "AVG (SUM-QE, density, coverage)": ((own + unit_density + coverage) / 3,) * 2,
            "AVG (all SUM-QE, density, coverage)": (
                np.mean([*single.T, unit_density, coverage], axis=0),
            )
            * 2,
            "LR (all SUM-QE, density, coverage)": (fitted[:, at],) * 2,
        }
        for name, (unit, raw) in found.items():
            published = _QUALITY.get(name, (np.nan,) * 4)[2 * at :][:2]
            row = _row(unit, training_set.targets[:, at], "newsroom", published, ranked=raw)
            lines.append(f"| {quality} | {name} {row}")
    lines += _of_the_mean("newsroom", QUALITY)
    return "\n".join(lines)


def _halved_z(values: Values, documents: Sequence[str]) -> Values:
    """(1 + z) / 2 with eq. (4.1)'s z, clipped to [-1, 1]: what gives the thesis's errors.

    Clipped to [0, 1], as printed, all that is below the mean becomes 0.
    """
    scaled = np.empty_like(values)
    for others, fold in train_and_test(documents, FOLDS, seed=SEED):
        z = (values[fold] - values[others].mean()) / (3 * values[others].std())
        scaled[fold] = (1 + np.clip(z, -1, 1)) / 2
    return scaled


def _from_summeval(encoder: str, task: Any, targets: Sequence[str]) -> Values:
    """What SUM-QE, trained on all of SummEval, says of Newsroom's summaries."""
    estimator = SumQeEstimator(model=encoder, task=task)
    training_set = _training_set(
        "summeval", targets, _encoded_summaries("summeval", encoder, "mean")
    )
    tensors = fit_restarts(estimator, training_set, restarts=1, seed=SEED)
    shown = list(_encoded_summaries("newsroom", encoder, "mean"))
    return predict(estimator, tensors, shown, 1, len(targets))


def _training_set(dataset: str, targets: Sequence[str], features: Sequence[Any]) -> TrainingSet:
    return labelled_examples(load(dataset), targets, _BOUNDS).training_set(list(features))[0]


@cache
def _encoded_pairs() -> tuple[Values, Values]:
    estimator = SbertRegressionEstimator()

    def encode() -> Values:
        return np.stack(estimator.encoded(load("newsroom")))

    document, summary = _kept(f"newsroom pairs {estimator.revision}", encode)
    return document, summary


@cache
def _encoded_summaries(dataset: str, encoder: str, pooling: Any) -> Values:
    estimator = SumQeEstimator(model=encoder, pooling=pooling)

    def encode() -> Values:
        return np.stack(estimator.features(load(dataset)))

    return _kept(f"{dataset} summaries {encoder} {estimator.revision} {pooling}", encode)


def _kept(what: str, encode: Any) -> Values:
    """Vectors from the last time, or made now."""
    place = CACHE / f"vectors-{sha256(what.encode()).hexdigest()[:16]}.npy"
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        np.save(place, encode())
    found: Values = np.load(place)
    return found


def _head(*names: str, published: bool = True) -> list[str]:
    figures = ["MAE", "ρ", "τ", "r"] + (["MAE, thesis", "ρ, thesis"] if published else [])
    return [
        f"| quality | {' | '.join([*names, *figures])} |",
        "| --- |" + " --- |" * len(names) + " ---: |" * len(figures),
    ]


def _row(
    values: Values,
    human: Values,
    dataset: str,
    published: Sequence[float] | None = None,
    *,
    ranked: Values | None = None,
    rows: NDArray[np.intp] | None = None,
) -> str:
    """MAE over all summaries; the correlations by document, mean ± SEM."""
    examples = load(dataset)
    chosen = range(len(examples)) if rows is None else rows
    grid = Grid.of([examples[row].doc_id for row in chosen], [""] * len(values))
    mae = agreement(values, human, grid, "summary", "mae").value
    found = [
        agreement(values if ranked is None else ranked, human, grid, "document", statistic)
        for statistic in STATISTICS
    ]
    cells = [f"{mae:.3f}", *map(_cell, found)]
    if published is not None:
        cells += ["" if np.isnan(figure) else f"{figure:.3f}" for figure in published]
    return f"| {' | '.join(cells)} |"


def _cell(found: Agreement) -> str:
    if np.isnan(found.value):
        return "undefined"
    return f"{found.value:.3f} ± {found.sem:.3f}"


def _of_the_mean(
    dataset: str,
    targets: Sequence[str],
    blanks: str = "",
    before: str = "",
    *,
    published: bool = True,
) -> list[str]:
    """The trivial predictor: the mean of the documents that were learnt from."""
    known = labelled_examples(load(dataset), targets, _BOUNDS)
    documents = [example.doc_id for example in known.examples]
    mean = np.empty_like(known.targets)
    for others, fold in train_and_test(documents, FOLDS, seed=SEED):
        mean[fold] = known.targets[others].mean(axis=0)
    lines = []
    for at, quality in enumerate(targets):
        row = _row(mean[:, at], known.targets[:, at], dataset, (np.nan,) * 2 if published else None)
        lines.append(f"| {quality} {before}| the mean {blanks}{row}")
    return lines


SECTIONS: dict[str, Any] = {}
TABLES = {
    "sbert-regression": sbert_regression,
    "sum-qe": sum_qe,
    "sum-qe-tuned": sum_qe_tuned,
    "quality-mixes": quality_mixes,
}
