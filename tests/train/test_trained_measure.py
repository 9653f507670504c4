"""A trained estimator as a measure."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tests.train.trained_mixes import TARGETS, keep
from tricolore import Example, Run, get_measure
from tricolore.errors import ModelDirectoryError
from tricolore.run.cache import Cache
from tricolore.run.cache_keys import MeasureKey
from tricolore.train.estimator import Unusable
from tricolore.train.mix import MixEstimator


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
            signed.append(MeasureKey.of(run.measures[0], evidence=False))
    assert run.scored == 0
    assert values[0] == values[2] != values[1]
    assert signed[0] == signed[2] != signed[1]
    # The same model in another place is the same.
    (tmp_path / "m").rename(tmp_path / "n")
    moved = get_measure(f"mix:directory={tmp_path}/n")
    assert MeasureKey.of(moved, evidence=False) == signed[0]


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
