"""Systems compared: paired by document, by hand and by scipy."""

import math

import numpy as np
import pytest
import sacrebleu
from scipy import stats

from tricolore import Example, get_measure
from tricolore.data.score_table import ScoreTable
from tricolore.meta.holm import holm
from tricolore.meta.system_tests import compare_system_pairs, ranking

NAN = float("nan")


def table(values, column="coverage"):
    """A table from system -> the values of documents 0, 1, ..."""
    cells = [(str(d), s, v) for s, row in values.items() for d, v in enumerate(row)]
    docs, systems, numbers = zip(*cells, strict=True)
    return ScoreTable.of(docs, systems, {column: numbers})


def test_difference_on_the_documents_that_both_have():
    made = table({"a": [1, 2, NAN, 4], "b": [0, 0, 9, 1]})
    [found] = compare_system_pairs(made, "coverage", resamples=99)
    assert found.documents == 3
    assert found.first_value == pytest.approx(7 / 3)
    assert found.second_value == pytest.approx(1 / 3)
    assert found.difference == pytest.approx(2)


def test_p_and_interval_are_scipys():
    rng = np.random.default_rng(0)
    a = rng.normal(size=60)
    b = a + rng.normal(0.15, 0.5, size=60)
    [found] = compare_system_pairs(table({"a": a, "b": b}), "coverage", resamples=20_000, seed=1)

    def mean_difference(x, y, axis):
        return x.mean(axis=axis) - y.mean(axis=axis)

    peer = stats.permutation_test(
        (a, b),
        mean_difference,
        permutation_type="samples",
        n_resamples=20_000,
        vectorized=True,
        rng=np.random.default_rng(2),
    )
    assert found.p == pytest.approx(peer.pvalue, abs=0.02)
    ends = stats.bootstrap(
        (a - b,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(3)
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), abs=0.01)


def test_the_smallest_p_has_the_one():
    # 20 documents, always the same difference: only all or none swapped are as large.
    [found] = compare_system_pairs(
        table({"a": [1.0] * 20, "b": [0.0] * 20}), "coverage", resamples=999
    )
    assert 1 / 1000 <= found.p <= 3 / 1000
    assert (found.low, found.high) == (1, 1)


def test_equal_systems():
    [found] = compare_system_pairs(
        table({"a": [1, 2, 3], "b": [1, 2, 3]}), "coverage", resamples=99
    )
    assert (found.difference, found.p) == (0, 1)
    assert not found.significant()


def test_undefined():
    [none] = compare_system_pairs(table({"a": [1, NAN], "b": [NAN, 2]}), "coverage", resamples=9)
    assert none.documents == 0
    assert all(map(math.isnan, (none.difference, none.low, none.p)))
    [one] = compare_system_pairs(table({"a": [1], "b": [2]}), "coverage", resamples=9)
    assert math.isnan(one.low)  # one document says nothing of others
    assert one.p == 1
    assert compare_system_pairs(table({"a": [1, 2]}), "coverage") == []


def test_several_rows_of_a_system_and_document_go_together():
    made = ScoreTable.of(
        ["1", "1", "1", "2", "2"], ["a", "a", "b", "a", "b"], {"coverage": [1, 3, 0, 4, 1]}
    )
    [found] = compare_system_pairs(made, "coverage", resamples=9)
    assert found.first_value == pytest.approx((1 + 3 + 4) / 3)
    assert found.documents == 2


def test_a_corpus_level_measure_is_compared_by_its_own_value():
    bleu = get_measure("bleu:level=corpus")
    texts = {
        "a": ["the cat sat on the mat today", "a dog ran in the park"],
        "b": ["the cat sat there", "the dog ran through the park quickly"],
    }
    references = ["the cat sat on the mat", "the dog ran through the park"]
    docs, systems, values = [], [], {name: [] for name in ("", *bleu.part_names)}
    for system, summaries in texts.items():
        scores = bleu.score(
            [Example(summary=s, references=r) for s, r in zip(summaries, references, strict=True)]
        )
        for doc, score in enumerate(scores):
            docs.append(str(doc))
            systems.append(system)
            values[""].append(score.value)
            for part in bleu.part_names:
                values[part].append(score.parts[part])
    columns = {f"{bleu.label}.{name}".rstrip("."): v for name, v in values.items()}
    [found] = compare_system_pairs(ScoreTable.of(docs, systems, columns), bleu.label, resamples=9)
    peer = [sacrebleu.corpus_bleu(texts[s], [references]).score for s in "ab"]
    assert [found.first_value, found.second_value] == pytest.approx(peer)


def test_ranking_with_ties_and_direction():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(4, 40)) / 10
    made = table(
        {s: m + noise[i] for i, (s, m) in enumerate([("a", 1.0), ("b", 3), ("c", 3.001), ("d", 2)])}
    )
    pairs = compare_system_pairs(made, "coverage", resamples=2000)
    assert [p.corrected for p in pairs] == pytest.approx(holm([p.p for p in pairs]).tolist())
    places = ranking(made, "coverage", pairs)
    assert {p.system: p.rank for p in places} == {"b": 1, "c": 1, "d": 3, "a": 4}
    assert [p.system for p in places][2:] == ["d", "a"]
    lower = table({"a": [1.0] * 30, "b": [3.0] * 30}, "redundancy")
    first = ranking(lower, "redundancy", compare_system_pairs(lower, "redundancy", resamples=500))
    assert [(p.system, p.rank) for p in first] == [("a", 1), ("b", 2)]


def test_seed_and_chosen_systems(monkeypatch):
    rng = np.random.default_rng(0)
    made = table(dict(zip("abc", rng.normal(size=(3, 12)), strict=True)))
    one, same, other = (
        compare_system_pairs(made, "coverage", resamples=200, seed=s) for s in (1, 1, 2)
    )
    assert one == same
    assert one != other
    [only] = compare_system_pairs(made, "coverage", ["c", "a"], resamples=10)
    assert (only.first, only.second) == ("c", "a")


def test_few_documents_are_swapped_in_all_ways():
    # Differences 1 and 3. Swapped: 4, 2, -2, -4 (over 2); as large as 4: two of four.
    [two] = compare_system_pairs(table({"a": [1, 3], "b": [0, 0]}), "coverage", resamples=99)
    assert two.p == two.least == 0.5
    # 8 documents: scipy looks at all 256 swappings too.
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 8)) + [[1.0], [0.0]]
    [found] = compare_system_pairs(table({"a": a, "b": b}), "coverage", resamples=999)
    peer = stats.permutation_test(
        (a, b),
        lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
    )
    assert found.p == pytest.approx(peer.pvalue, abs=1e-12)
    assert found.least == 2 / 256
    # The same shares where two documents more are missing on either side.
    holes = table({"a": [*a, NAN, 5.0], "b": [*b, 5.0, NAN]})
    assert compare_system_pairs(holes, "coverage", resamples=999)[0].p == found.p


def test_many_pairs_leave_room_for_significance():
    # 34 systems, 561 pairs: 50 swappings a pair, so that the least p is 561 / 28051 = 0.02.
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(34, 40)) + np.where(np.arange(34) == 0, 9.0, 0.0)[:, None]
    made = table({f"s{at}": row for at, row in enumerate(rows)})
    found = compare_system_pairs(made, "coverage", resamples=100)
    assert found[0].least == 1 / (1 + 50 * 561)
    # The first differs from all others by far: 33 pairs have the least p, the last times 529.
    assert [c.significant() for c in found[:33]] == [True] * 33
    assert found[0].corrected == pytest.approx(561 / 28051)


def test_no_rank_without_a_value():
    made = table({"a": [1.0, 2.0], "b": [NAN, NAN], "c": [0.5, 1.0]})
    places = ranking(made, "coverage", compare_system_pairs(made, "coverage", resamples=9))
    assert [(p.system, p.rank) for p in places] == [("a", 1), ("c", 1), ("b", None)]


def of_two(a, c, column="coverage"):
    """A table of systems a and c; None is an empty summary."""
    cells = [(str(d), s, v) for s, row in (("a", a), ("c", c)) for d, v in enumerate(row)]
    docs, systems, values = zip(*cells, strict=True)
    numbers = [NAN if value is None else value for value in values]
    empty = [value is None for value in values]
    return ScoreTable.of(docs, systems, {column: numbers}, is_empty=empty)


def test_a_system_that_says_nothing_half_of_the_time_does_not_win():
    # a has its worst values where c says nothing.
    values = [0.9, 0.9, 0.9, 0.5, 0.5, 0.5]
    made = of_two(values, [*values[:3], None, None, None]).with_empty("worst")
    [found] = compare_system_pairs(made, "coverage", resamples=99)
    assert found.documents == 6
    assert found.second_value == pytest.approx(0.45)  # 3 * 0.9 / 6
    best, last = ranking(made, "coverage", [found])
    assert (best.system, last.system) == ("a", "c")
    assert (best.missing, last.missing) == (0, 0)


def test_without_a_value_for_empty_summaries_systems_are_ranked_on_common_documents():
    values = [0.9, 0.9, 0.9, 0.5, 0.5, 0.5]
    made = of_two(values, [*values[:3], None, None, None]).with_empty("skip")
    [found] = compare_system_pairs(made, "coverage", resamples=99)
    places = ranking(made, "coverage", [found])
    assert {p.system: (p.value, p.missing) for p in places} == {
        "a": (pytest.approx(0.9), 0),
        "c": (pytest.approx(0.9), 3),
    }
    assert (found.documents, found.difference) == (3, 0)


def test_all_systems_are_compared_on_the_same_documents():
    # Only documents 0 and 3 have a value of all three.
    made = table({"a": [1, 2, 3, 4], "b": [0, 9, NAN, 1], "c": [5, NAN, 9, 7]})
    found = {
        (one.first, one.second): one for one in compare_system_pairs(made, "coverage", resamples=9)
    }
    assert {one.documents for one in found.values()} == {2}
    assert found["a", "b"].difference == pytest.approx((1 + 4) / 2 - (0 + 1) / 2)
    values = {p.system: p.value for p in ranking(made, "coverage", list(found.values()))}
    assert values == {"a": 2.5, "b": 0.5, "c": 6}


def test_an_empty_summary_in_a_value_of_many_summaries():
    measure = get_measure("bleu:level=corpus")
    rows = [
        Example(summary=summary, references="the cat sat on the mat", doc_id=str(d), system=system)
        for d, (one, other) in enumerate([("the cat sat on a mat", "the cat sat"), ("a cat", "")])
        for system, summary in (("a", one), ("c", other))
    ]
    scores = measure.score(rows)
    columns = {measure.label: [s.value for s in scores]}
    for part in measure.part_names:
        columns[f"{measure.label}.{part}"] = [s.parts.get(part, NAN) for s in scores]
    made = ScoreTable.of(
        [r.doc_id for r in rows],
        [r.system for r in rows],
        columns,
        is_empty=[not r.summary for r in rows],
    )
    [found] = compare_system_pairs(made.with_empty("worst"), measure.label, resamples=9)
    alone = sacrebleu.corpus_bleu(["the cat sat"], [["the cat sat on the mat"]]).score
    assert found.documents == 2
    assert found.second_value == pytest.approx(alone / 2)
