from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tricolore import Example, Run, get_measure
from tricolore.errors import ModelDirectoryError, TrainingError, TricoloreError
from tricolore.run.cache import Cache, signature_digest
from tricolore.train.directory import Card, write
from tricolore.train.estimator import TrainingSet, Unusable
from tricolore.train.fitting import fit_restarts, out_of_fold
from tricolore.train.mix import MixEstimator
from tricolore.train.targets import labelled_examples

TARGETS = ("liked", "plain")


def lessons_of(judged: list[Example], estimator: MixEstimator) -> TrainingSet:
    known = labelled_examples(judged, TARGETS, (1, 5))
    return known.training_set(estimator.features(known.examples))[0]


def keep(path: Path, judged: list[Example], **settings: Any) -> MixEstimator:
    estimator = MixEstimator(**{"of": "length,coverage", **settings})
    card = Card(
        kind="mix",
        settings=estimator.settings,
        targets=TARGETS,
        bounds=(1, 5),
        restarts=1,
        seed=1,
        made_with=estimator.made_with(),
    )
    write(path, card, fit_restarts(estimator, lessons_of(judged, estimator), restarts=1, seed=1))
    return estimator


def test_what_is_linear_is_found(judged: list[Example]) -> None:
    """People's scores are 1.5 + 0.1·length + coverage, and 4.5 - 0.2·length, on 1 to 5."""
    estimator = MixEstimator(of="length,coverage")
    training_set = lessons_of(judged, estimator)
    fitted = estimator.fit(training_set, seed=1)
    # On [0, 1], (score - 1) / 4.
    assert fitted["weights"] == pytest.approx(np.array([[0.025, -0.05], [0.25, 0]]))
    assert fitted["bias"] == pytest.approx([0.125, 0.875])
    predicted, _ = out_of_fold(estimator, training_set, folds=5, restarts=1, seed=1)
    assert predicted == pytest.approx(training_set.targets)


def test_it_is_least_squares(judged: list[Example]) -> None:
    """What is left over has nothing to do with the measures, nor a mean."""
    estimator = MixEstimator(of="density,novelty,redundancy")
    training_set = lessons_of(judged, estimator)
    fitted = estimator.fit(training_set, seed=1)
    left = training_set.targets - estimator.predict(fitted, training_set.features, 2)
    assert np.array(training_set.features).T @ left == pytest.approx(0, abs=1e-9)
    assert left.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert np.abs(left).max() > 0.01


def test_by_gradient_comes_to_the_same(judged: list[Example]) -> None:
    exact = MixEstimator(of="length,coverage")
    thesis = MixEstimator(of="length,coverage", solver="gradient")
    assert (exact.restarts, thesis.restarts) == (1, 6)
    training_set = lessons_of(judged, exact)
    found = thesis.fit(training_set, seed=1)
    assert found["weights"] == pytest.approx(exact.fit(training_set, seed=1)["weights"], abs=1e-3)
    again, other = thesis.fit(training_set, seed=1), thesis.fit(training_set, seed=2)
    assert np.array_equal(found["weights"], again["weights"])
    assert not np.array_equal(found["weights"], other["weights"])


@pytest.mark.parametrize("solver", ["exact", "gradient"])
def test_targets_are_learnt_together_as_alone(judged: list[Example], solver: Any) -> None:
    estimator = MixEstimator(of="density,novelty", solver=solver, epochs=40)
    both = lessons_of(judged, estimator)
    alone = TrainingSet(both.features, both.targets[:, 1:], both.documents)
    together = estimator.fit(both, seed=5)["weights"][:, 1]
    assert estimator.fit(alone, seed=5)["weights"][:, 0] == pytest.approx(together, abs=1e-12)


def test_the_average_by_hand() -> None:
    """Density is scaled by eq. (4.1), coverage is in [0, 1] already (section 4.3)."""
    estimator = MixEstimator(of="density,coverage", weights="equal", scaling="z")
    training_set = TrainingSet(
        [np.array([1.0, 0.5]), np.array([5.0, 1.0])], np.ones((2, 1)), ["a", "b"]
    )
    fitted = estimator.fit(training_set, seed=1)
    # μ = 3, σ = 2: density 6 is (6 - 3) / 6 = 0.5; with coverage 0.7 the average is 0.6.
    assert estimator.predict(fitted, [np.array([6.0, 0.7])], 1) == pytest.approx(0.6)
    # Below the mean it is 0: (0 + 0.7) / 2.
    assert estimator.predict(fitted, [np.array([1.0, 0.7])], 1) == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("scaling", "wanted"),
    [
        ("z", 0.5),  # μ = 3, σ = 2: (3 - 0) / 6
        ("z-centred", 0.75),  # from 9 … -3 to 0 … 1
        ("min-max", 1.0),  # 5 goes to 0 and 1 to 1; beyond is clipped
    ],
)
def test_what_is_better_when_lower_is_turned(scaling: Any, wanted: float) -> None:
    estimator = MixEstimator(of="estime", weights="equal", scaling=scaling)
    training_set = TrainingSet([np.array([1.0]), np.array([5.0])], np.ones((2, 1)), ["a", "b"])
    fitted = estimator.fit(training_set, seed=1)
    assert estimator.predict(fitted, [np.array([0.0])], 1) == pytest.approx(wanted)


def test_a_measure_that_never_changes_gets_no_weight(judged: list[Example]) -> None:
    estimator = MixEstimator(of="length,redundancy")
    training_set = lessons_of(judged, estimator)
    flat = [np.array([row[0], 0.1 + 0.2]) for row in training_set.features]
    weights = estimator.fit(
        TrainingSet(flat, training_set.targets, training_set.documents), seed=1
    )["weights"]
    assert weights[1].tolist() == [0, 0]


def test_too_few_rows() -> None:
    estimator = MixEstimator(of="length,coverage")
    with pytest.raises(TrainingError, match="2 rows are too few to learn 2 weights from"):
        estimator.fit(TrainingSet([np.ones(2)] * 2, np.ones((2, 1)), ["a", "b"]), seed=1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"of": ""}, "no measures are named"),
        ({"of": "lenght"}, "did you mean 'length'"),
        ({"of": "length,coverage", "weights": "equal"}, r"length is not in \[0, 1\]"),
        ({"of": "length", "epochs": 0}, "must be more than 0"),
    ],
)
def test_settings_that_do_not_fit(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        MixEstimator(**settings)


def test_as_a_measure(judged: list[Example], tmp_path: Path) -> None:
    estimator = keep(tmp_path / "m", judged, of="length,coverage,density+compression")
    made = get_measure(f"mix:directory={tmp_path}/m")
    scores = made.score(judged)
    wanted = [[(score - 1) / 4 for score in row.human.values()] for row in judged]
    assert [list(score.parts.values()) for score in scores] == [pytest.approx(w) for w in wanted]
    assert [score.value for score in scores] == [score.parts["liked"] for score in scores]
    assert made.part_names == TARGETS
    assert made.needs == {"source"}
    assert (made.direction, made.bounds) == ("higher", (0, 1))
    assert get_measure(made.label) == made
    other = get_measure(f"mix:directory={tmp_path}/m,target=plain")
    assert other.label == f"mix:directory={tmp_path}/m,target=plain"
    assert other.score(judged)[0].value == scores[0].parts["plain"]
    assert get_measure(f"mix:directory={tmp_path}/m,target=liked").label == made.label
    assert estimator.of == "length,coverage,density+compression"
    sent = pickle.loads(pickle.dumps(made))
    assert sent == made
    assert sent.score(judged) == scores
    # Alone or in a batch, in any order: the same to the last bit.
    assert [made.score([row])[0] for row in judged[::-1]] == scores[::-1]


def test_a_mix_can_be_a_term(judged: list[Example], tmp_path: Path) -> None:
    keep(tmp_path / "my-length", judged)  # a path that looks like a difference
    spec = f"mix:directory={tmp_path}/my-length"
    [alone], [summed] = (
        get_measure(s).score(judged[:1]) for s in (spec, f"{spec}+coverage - length")
    )
    assert summed.parts[spec] == alone.value
    assert get_measure(f"avg:{spec}+coverage").label == f"avg:({spec})+coverage"


def test_rows_that_its_terms_cannot_score(judged: list[Example], tmp_path: Path) -> None:
    whole = [row for row in judged if " " in row.summary]
    keep(tmp_path / "m", whole, of="length,novelty")
    made = get_measure(f"mix:directory={tmp_path}/m")
    rows = [whole[0], Example(summary="x"), Example(source="a b", summary="a"), whole[1]]
    scores = made.score(rows)
    assert [score.problem is None for score in scores] == [True, False, False, True]
    assert scores[1].problem == "the source is empty"
    assert scores[2].problem == f"novelty: {get_measure('novelty').score(rows[2:3])[0].problem}"
    assert isinstance(MixEstimator(of="novelty").features(rows[2:3])[0], Unusable)


def test_the_cache_never_mixes_two_models_of_one_place(
    judged: list[Example], tmp_path: Path
) -> None:
    spec = f"mix:directory={tmp_path}/m"
    values, signed = [], []
    for settings in ({}, {"scaling": "z"}, {}):
        keep(tmp_path / "m", judged, **settings)
        with Cache(tmp_path / "cache") as cache:
            run = Run([spec], cache=cache)
            values.append([result.scores[spec].value for result in run.score(judged)])
            signed.append(signature_digest(run.measures[0], evidence=False))
    assert run.scored == 0
    assert values[0] == values[2] != values[1]
    assert signed[0] == signed[2] != signed[1]
    # The same model in another place is the same.
    (tmp_path / "m").rename(tmp_path / "n")
    moved = get_measure(f"mix:directory={tmp_path}/n")
    assert signature_digest(moved, evidence=False) == signed[0]


def test_a_run_fits_what_needs_its_corpus(judged: list[Example], tmp_path: Path) -> None:
    sources = [row.source[0] for row in judged]
    keep(tmp_path / "m", judged, of="length,importance")
    made = get_measure(f"mix:directory={tmp_path}/m")
    assert "corpus" in made.needs
    fitted = made.fit(sources)
    assert fitted.label == made.label
    assert fitted.score(judged[:2]) != made.score(judged[:2])
    assert pickle.loads(pickle.dumps(fitted)).score(judged[:2]) == fitted.score(judged[:2])
    assert fitted.signature() != made.signature()


def test_a_measure_that_is_no_longer_the_same(
    judged: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path / "m", judged)
    monkeypatch.setattr(type(get_measure("coverage")), "revision", 2)
    words = "another coverage than is here now .revision was 1 and is 2.: train it again"
    with pytest.raises(ModelDirectoryError, match=words):
        get_measure(f"mix:directory={tmp_path}/m").prepare()


def test_a_mix_of_a_mix_that_was_trained_anew(judged: list[Example], tmp_path: Path) -> None:
    keep(tmp_path / "inner", judged)
    keep(tmp_path / "outer", judged, of=f"length,mix:directory={tmp_path}/inner")
    assert get_measure(f"mix:directory={tmp_path}/outer").score(judged[:1])[0].problem is None
    keep(tmp_path / "inner", judged, scaling="min-max")
    with pytest.raises(ModelDirectoryError, match="was trained with another mix"):
        get_measure(f"mix:directory={tmp_path}/outer").prepare()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mix", "mix: it must be told which trained model: write mix:directory=DIRECTORY"),
        (
            "mix:directory=/nowhere",
            "/nowhere is not there; a trained estimator is a directory",
        ),
        ("mix:directory={m},target=x", "predicts no 'x'; it predicts: liked, plain"),
        ("mix:directry={m}", "mix has no setting 'directry'; did you mean 'directory'"),
    ],
)
def test_what_is_wrong_is_said(
    judged: list[Example], tmp_path: Path, spec: str, words: str
) -> None:
    keep(tmp_path / "m", judged)
    with pytest.raises(TricoloreError, match=words):
        get_measure(spec.format(m=tmp_path / "m")).prepare()


def test_weights_that_do_not_fit_the_card(judged: list[Example], tmp_path: Path) -> None:
    keep(tmp_path / "m", judged)
    place = tmp_path / "m" / "card.json"
    card = json.loads(place.read_text())
    card["settings"]["of"] = "length,coverage,density"
    place.write_text(json.dumps(card))
    words = r"'weights' has the shape \[2, 2\], but .* \[3, 2\]"
    with pytest.raises(ModelDirectoryError, match=words):
        get_measure(f"mix:directory={tmp_path}/m").prepare()
    card["settings"]["of"] = "lenght"
    place.write_text(json.dumps(card))
    with pytest.raises(ModelDirectoryError, match="does not fit: there is no measure 'lenght'"):
        get_measure(f"mix:directory={tmp_path}/m").prepare()
    card["settings"] = {"layers": 3}
    place.write_text(json.dumps(card))
    with pytest.raises(ModelDirectoryError, match="does not fit"):
        get_measure(f"mix:directory={tmp_path}/m").prepare()
