from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.train.trained_mixes import keep, lessons_of
from tricolore import Example, get_measure
from tricolore.errors import ModelDirectoryError, TrainingError, TricoloreError
from tricolore.train.directory import with_digest
from tricolore.train.estimator import TrainingSet
from tricolore.train.fitting import out_of_fold
from tricolore.train.mix import MixEstimator


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
    place.write_text(json.dumps(with_digest(card)))
    words = r"'weights' has the shape \[2, 2\], but .* \[3, 2\]"
    with pytest.raises(ModelDirectoryError, match=words):
        get_measure(f"mix:directory={tmp_path}/m").prepare()
    card["settings"]["of"] = "lenght"
    place.write_text(json.dumps(with_digest(card)))
    with pytest.raises(ModelDirectoryError, match="does not fit: there is no measure 'lenght'"):
        get_measure(f"mix:directory={tmp_path}/m").prepare()
    card["settings"] = {"layers": 3}
    place.write_text(json.dumps(with_digest(card)))
    with pytest.raises(ModelDirectoryError, match="does not fit"):
        get_measure(f"mix:directory={tmp_path}/m").prepare()


def change_card(place: Path, **entries: Any) -> None:
    card = json.loads((place / "card.json").read_text())
    (place / "card.json").write_text(json.dumps(with_digest({**card, **entries})))


def test_measures_that_are_swapped_in_the_card(judged: list[Example], tmp_path: Path) -> None:
    """The weights would be those of other measures, and nobody would know."""
    keep(tmp_path / "m", judged)
    place = tmp_path / "m" / "card.json"
    place.write_text(place.read_text().replace('"length,coverage"', '"coverage,length"'))
    with pytest.raises(ModelDirectoryError, match="is not as it was written"):
        get_measure(f"mix:directory={tmp_path}/m").prepare()


def test_a_mix_of_itself(judged: list[Example], tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for place in (one, two):
        keep(place, judged)
    for of, through in ((one, one), (two, one), (tmp_path / "one" / ".." / "one", one)):
        change_card(one, settings={"of": f"mix:directory={of}"})
        change_card(two, settings={"of": f"sum:mix:directory={through}"})
        for ask in (lambda m: m.prepare(), lambda m: m.needs, lambda m: m.signature()):
            with pytest.raises(
                ModelDirectoryError, match="one is a trained estimator that is made"
            ):
                ask(get_measure(f"mix:directory={one}"))


def test_too_many_mixes_inside_each_other(judged: list[Example], tmp_path: Path) -> None:
    keep(tmp_path / "0", judged)
    for number in range(1, 25):
        shutil.copytree(tmp_path / "0", tmp_path / str(number))
        change_card(
            tmp_path / str(number), settings={"of": f"mix:directory={tmp_path}/{number - 1}"}
        )
    with pytest.raises(ModelDirectoryError, match="more than 20 estimators inside each other"):
        get_measure(f"mix:directory={tmp_path}/24").prepare()


@pytest.mark.parametrize(
    "entries",
    [
        {"settings": {"of": 5}},
        {"settings": {"of": ["length"]}},
        {"settings": {"_terms": ["length"]}},
        {"settings": {"of": "length,coverage", "epochs": "many"}},
        {"made_with": {"terms": ["length"]}},
        {"made_with": {"terms": {"length": 7}}},
    ],
)
def test_a_card_with_entries_of_wrong_types(
    judged: list[Example], tmp_path: Path, entries: dict[str, Any]
) -> None:
    keep(tmp_path / "m", judged)
    change_card(tmp_path / "m", **entries)
    with pytest.raises(ModelDirectoryError) as error:
        get_measure(f"mix:directory={tmp_path}/m").prepare()
    assert "\n" not in str(error.value)
