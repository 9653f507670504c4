from __future__ import annotations

import math
import pickle

import pytest

from tricolore import Example, Measure, Run, get_measure, get_measures
from tricolore.errors import SpecError
from tricolore.measures.combination import Average, Sum
from tricolore.run.cache_keys import MeasureKey

ROW = Example(source="a b c d e f", summary="a b c x", references="a b y z")
# All by hand. Fragments: "a b c" of 4 words: coverage 3/4, density 9/4.
# rouge-1: 2 of 4 words shared both ways: 1/2. length: 4.
COVERAGE, DENSITY, ROUGE, LENGTH = 0.75, 2.25, 0.5, 4.0


def value(spec: str, row: Example = ROW) -> float:
    [score] = get_measure(spec).score([row])
    assert score.problem is None
    return score.value


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("coverage+rouge-1", COVERAGE + ROUGE),
        ("coverage-length", COVERAGE - LENGTH),
        ("3*coverage+rouge-1", 3 * COVERAGE + ROUGE),
        ("-length", -LENGTH),
        ("sum:coverage", COVERAGE),
        ("avg:density+coverage+rouge-1", (DENSITY + COVERAGE + ROUGE) / 3),
        ("avg:2*coverage+rouge-1", (2 * COVERAGE + ROUGE) / 3),
        ("avg:coverage-length", (COVERAGE - LENGTH) / 2),
        ("avg:density+coverage,scaling=0..9/none", (DENSITY / 9 + COVERAGE) / 2),
        ("avg:length+coverage,scaling=2..3/bounds", (1 + COVERAGE) / 2),  # clipped
        ("avg:length,scaling=10..0", 0.6),  # lower is better: the best end comes second
        ("avg:(coverage-length)+rouge-1", (COVERAGE - LENGTH + ROUGE) / 2),
        ("coverage+rouge-1,scaling=0..2/bounds", COVERAGE / 2 + ROUGE),
        ("rouge-1:value=recall,references=mean+coverage", ROUGE + COVERAGE),
    ],
)
def test_by_hand(spec: str, wanted: float) -> None:
    assert value(spec) == pytest.approx(wanted, abs=1e-12)


def test_the_parts_are_the_values_of_the_terms() -> None:
    [score] = get_measure("avg:density+rouge-1:stem=true,scaling=0..9/none").score([ROW])
    assert score.parts == {"density": DENSITY, "rouge-1:stem=true": ROUGE}
    assert get_measure("coverage-length").part_names == ("coverage", "length")


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("blanc-help + rouge-lsum", "blanc-help+rouge-lsum"),
        ("importance-estime", "importance-estime"),
        ("sum:density+coverage", "density+coverage"),
        ("sum:density", "sum:density"),
        ("AVG:Density+ROUGE_1", "avg:density+rouge-1"),
        ("rouge-1-stem+density", "rouge-1:stem=true+density"),
        ("1.0*density+0.50*coverage", "density+0.5*coverage"),
        ("avg:density+coverage,scaling=0..1/0..1", "avg:density+coverage,scaling=0..1"),
        ("estime:model=a/b - length", "(estime:model=a/b)-length"),
        ("avg:(importance-estime)+chrf", "avg:(importance-estime)+chrf"),
        ("(density)", "density"),
    ],
)
def test_a_label_makes_the_same_measure(spec: str, label: str) -> None:
    made = get_measure(spec)
    assert made.label == label
    assert get_measure(label) == made
    assert get_measure(label).label == label


def test_commas_still_separate() -> None:
    labels = [
        m.label for m in get_measures("density+coverage,chrf,avg:rouge-1:stop_words=smart+length")
    ]
    assert labels == ["density+coverage", "chrf", "avg:rouge-1:stop_words=smart+length"]


@pytest.mark.parametrize(
    ("spec", "direction", "ends"),
    [
        ("blanc-help+rouge-lsum", "higher", (-1, 2)),
        ("importance-estime", "higher", (-math.inf, 1)),  # ESTIME counts alarms
        ("importance+estime", "neither", (0, math.inf)),  # nothing is turned silently
        ("estime-importance", "lower", (-1, math.inf)),
        ("-estime", "higher", (-math.inf, 0)),
        ("avg:rouge-1+length", "neither", (0, math.inf)),
        ("avg:rouge-1+estime,scaling=bounds/20..0", "higher", (0, 1)),
        ("avg:rouge-1-redundancy", "higher", (-0.5, 0.5)),
    ],
)
def test_direction_and_range(spec: str, direction: str, ends: tuple[float, float]) -> None:
    made = get_measure(spec)
    assert (made.direction, made.bounds) == (direction, ends)


def test_needs_and_pieces_are_those_of_the_terms() -> None:
    made = get_measure("importance+rouge-1-estime")
    assert made.needs == {"source", "references", "corpus"}
    sizes = {name: get_measure(name).batch_size for name in ("estime", "importance")}
    assert made.batch_size == sizes["estime"] < sizes["importance"]


def test_a_row_that_a_term_cannot_score_says_which_and_why() -> None:
    no_reference = Example(source="a b", summary="a")
    assert (
        get_measure("density+rouge-1").score([no_reference])[0].problem == "there is no reference"
    )
    no_words = Example(source="a b", summary="a", references="!!")
    [score] = get_measure("density+rouge-1").score([no_words])
    [alone] = get_measure("rouge-1").score([no_words])
    assert math.isnan(score.value)
    assert alone.problem
    assert score.problem == f"rouge-1: {alone.problem}"


def test_a_value_does_not_depend_on_the_rows_beside_it() -> None:
    other = Example(source="q r s t u v w", summary="q r s t u v w", references="q r s")
    made = get_measure("avg:density+coverage+rouge-1,scaling=0..9/bounds/bounds")
    together = made.score([other, ROW, other])
    assert together[1] == made.score([ROW])[0]


def test_the_evidence_is_that_of_the_terms() -> None:
    made = get_measure("coverage+rouge-1")
    [score] = made.score([ROW], evidence=True)
    [one], [two] = (get_measure(m).score([ROW], evidence=True) for m in ("coverage", "rouge-1"))
    assert score.evidence == one.evidence + two.evidence != ()
    assert made.score([ROW])[0].evidence == ()


def test_a_run_fits_the_terms_to_its_corpus() -> None:
    rows = [
        Example(source=f"The {w} ran. A {w} slept by the old {w} house.", summary=f"The {w} slept.")
        for w in ["cat", "dog", "horse", "cow", "goat", "owl", "hen", "pig", "fox", "bat"] * 3
    ]
    scores = {}
    for spec in ("importance", "importance-length"):
        run = Run([spec])
        run.fit([row.source[0] for row in rows])
        scores[spec] = [result.scores[spec] for result in run.score(rows[:3])]
    alone, mixed = scores.values()
    assert [s.parts["importance"] for s in mixed] == [s.value for s in alone]
    unfitted = get_measure("importance").score(rows[:3])
    assert [s.value for s in alone] != [s.value for s in unfitted]


def test_the_cache_key_knows_the_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    def signed(spec: str) -> bytes:
        return MeasureKey.of(get_measure(spec), evidence=False)

    specs = ["density+coverage", "density-coverage", "2*density+coverage", "avg:density+coverage"]
    specs += ["density:matching=greedy+coverage", "density+coverage,scaling=0..9"]
    assert len({signed(spec) for spec in specs}) == len(specs)
    before = signed("density+coverage")
    monkeypatch.setattr(type(get_measure("coverage")), "revision", 99)
    assert signed("density+coverage") != before


def test_other_processes_get_the_same() -> None:
    made = get_measure("avg:density+coverage,scaling=0..9/bounds")
    sent: Measure = pickle.loads(pickle.dumps(made))
    assert sent == made
    assert sent.score([ROW]) == made.score([ROW])


def test_in_python() -> None:
    assert Sum(of="density+coverage") == get_measure("density+coverage")
    assert Average(of="density+coverage", scaling="none").label == "avg:density+coverage"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("density+foo", "there is no measure 'foo'"),
        ("importance-estimee", "no measure 'estimee'; did you mean 'estime'"),
        ("rouge-lsmu", "did you mean 'rouge-lsum'"),
        ("rouge+density", r"'rouge' names 3 measures; .* name each: rouge-1\+rouge-2\+rouge-l"),
        ("density+density", r"density is named twice .* write 2\*density"),
        ("0*density+coverage", "density is multiplied by 0"),
        ("density+coverage:stem=true", "coverage has no setting 'stem'"),
        ("avg", "avg: no measures are named"),
        ("sum:", "sum: no measures are named"),
        ("avg:density+coverage,scaling=bounds", "density has no bounds of its own"),
        ("avg:density+coverage,scaling=z", "must be none, bounds, or two ends such as"),
        ("avg:density+coverage,scaling=1..a", "must be none, bounds, or two ends such as"),
        ("avg:density+coverage,scaling=3..3", "the bounds 3 and 3 are the same"),
        ("avg:density+coverage,scaling=0..1/0..1/0..2", "has 3 entries for 2 terms"),
        ("density,scaling=bounds", "density has no setting 'scaling'"),
    ],
)
def test_what_is_wrong_is_said(spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        get_measures(spec)
