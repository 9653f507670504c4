from dataclasses import replace

import pytest
from hypothesis import strategies as st
from noting_measures import Fragile, Slow
from odd_measures import Fragile as FragileForNow
from odd_measures import Sizes

import tricolore
from tricolore import Example, Run
from tricolore.errors import TricoloreError
from tricolore.example import ContentUnit, Unreadable
from tricolore.run.cache import Cache


def rows(*summaries):
    return [Example(source="s", summary=text) for text in summaries]


def test_one_bad_row_does_not_take_the_others_down():
    results = list(Run([Fragile()]).score(rows("a", "break", "bcd")))
    found = [result.scores["fragile"] for result in results]
    assert [found[0].value, found[2].value] == [1.0, 3.0]
    assert found[1].problem == "fragile failed: RuntimeError: as told"


def test_unreadable_rows_stay_in_their_place():
    mixed = [rows("a")[0], Unreadable("line 2 is not JSON"), rows("bc")[0]]
    results = list(Run([Fragile()]).score(mixed))
    assert [result.example for result in results] == mixed
    assert results[1].scores["fragile"].problem == "line 2 is not JSON"
    assert results[2].scores["fragile"].value == 2.0


def test_nothing_known_is_computed_again(tmp_path):
    with Cache(tmp_path) as cache:
        list(Run([Fragile()], cache=cache).score(rows("a", "b")))
    Fragile.asked.clear()
    with Cache(tmp_path) as cache:
        again = Run([Fragile()], cache=cache)
        results = list(again.score(rows("b", "c", "a")))
    assert Fragile.asked == ["c"]
    assert (again.scored, again.reused) == (1, 2)
    assert [result.scores["fragile"].value for result in results] == [1.0, 1.0, 1.0]


def test_a_run_that_is_stopped_loses_nothing_that_was_finished(tmp_path):
    Slow.asked.clear()
    measures = [Slow(), Fragile()]
    got = []
    with Cache(tmp_path) as cache, pytest.raises(KeyboardInterrupt):
        for result in Run(measures, cache=cache).score(rows("a", "bc", "def", "ghij", "stop")):
            got.append(result.scores["slow"].value)
    assert got == [1.0, 2.0, 3.0, 4.0]
    Slow.asked.clear()
    Fragile.asked.clear()
    with Cache(tmp_path) as cache:
        again = Run(measures, cache=cache)
        list(again.score(rows("a", "bc", "def", "ghij", "klmno")))
    assert Slow.asked == [["klmno"]]
    assert Fragile.asked == ["klmno"]
    assert (again.scored, again.reused) == (2, 8)


texts = st.text("ab c.", max_size=12)


def test_scoring_one_pair():
    scores = tricolore.score(
        source="a b c d", summary="a b x", measures=["coverage", "jensen-shannon"]
    )
    assert scores["coverage"].value == pytest.approx(2 / 3)
    assert set(scores) == {"coverage", "jensen-shannon"}
    assert tricolore.score(summary="a b", measures="coverage")["coverage"].problem == (
        "the source is empty"
    )


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["", "embedded"])
def test_every_measure_gives_the_parts_it_names(summeval_examples, extra):
    entries = tricolore.registry.entries()
    run = Run([name for name in entries if entries[name].load().extra == extra], evidence=True)
    some = [
        replace(
            row,
            units=[ContentUnit("A fact.", 2, True), ContentUnit("Another.", 1, False)],
            highlights=[{"start": 0, "end": 40}],
        )
        for row in summeval_examples[:40]
    ]
    if extra:  # a net takes seconds to read an article
        some = [Example(source=row.source[0][:150], summary=row.summary[:60]) for row in some[:1]]
    run.fit([row.source[0] for row in some])
    for result in run.score(some):
        for measure in run.measures:
            score = result.scores[measure.label]
            assert score.problem is None
            assert tuple(score.parts) == measure.part_names
            low, high = measure.bounds
            assert low <= score.value <= high
            for span in score.evidence:
                assert_inside(span, result.example)


def assert_inside(span, example):
    texts = {"summary": (example.summary,), "source": example.source}
    texts["unit"] = tuple(unit.text for unit in example.units)
    text = (texts | {"reference": example.references})[span.where][span.document]
    assert 0 <= span.start < span.end <= len(text)
    assert text[span.start : span.end].strip()
    if span.match:
        assert_inside(span.match, example)


def test_any_spec_of_a_measure_finds_its_score():
    scores = tricolore.score(
        source="a b", summary="a", measures=["coverage:preset=released", "rouge-2"]
    )
    assert scores["coverage:preset=released"] == scores["coverage:matching=greedy"]
    assert scores["rouge-2:value=f1"] is scores["rouge-2"]
    for wrong in ("density", "no such measure"):
        with pytest.raises(KeyError, match=f"{wrong}; there are coverage:matching=greedy, rouge-2"):
            scores[wrong]
    assert scores.get("density") is None


def test_rows_that_are_no_examples():
    with pytest.raises(TypeError, match="objects, not dict"):
        list(Run(["coverage"]).score([{"source": "a", "summary": "a"}]))


def test_a_failure_that_may_go_away_is_not_kept(tmp_path):
    cause = tmp_path / "cause"
    cause.write_text("")
    measure = FragileForNow(cause=str(cause))
    with Cache(tmp_path) as cache:
        [result] = Run([measure], cache=cache).score(rows("break"))
        assert result.scores[measure.label].problem is not None
        cause.unlink()
        [result] = Run([measure], cache=cache).score(rows("break"))
        assert result.scores[measure.label].value == 5.0


def test_which_part_is_the_value_does_not_decide_what_is_computed(tmp_path):
    Sizes.asked.clear()
    with Cache(tmp_path) as cache:
        both = Run([Sizes(), Sizes(value="words")], cache=cache)
        [result] = both.score(rows("a bc"))
        again = Run([Sizes(value="words")], cache=cache)
        [later] = again.score(rows("a bc"))
    assert Sizes.asked == ["a bc"], "one computation for both, and none when run again"
    assert [score.value for score in result.scores.values()] == [4.0, 2.0]
    assert later.scores["sizes:value=words"].value == 2.0
    [undefined] = Run([Sizes(value="words")]).score(rows("single"))
    assert undefined.scores["sizes:value=words"].problem == "words is not defined for this summary"


def test_estime_and_its_soft_value_share_one_computation(tmp_path):
    pair = Example(source="The council rejected the plan.", summary="The council passed the plan.")
    with Cache(tmp_path) as cache:
        list(Run(["estime"], cache=cache).score([pair]))
        again = Run(["estime:value=soft", "estime:value=coherence"], cache=cache)
        list(again.score([pair]))
    assert (again.scored, again.reused) == (0, 1)


def importance_rows():
    return [
        Example(source=f"The {word} was seen near the old harbour on {word} day", summary=word * 3)
        for word in "fox cat dog cow owl bee ant elk hen pig rat yak".split()
    ]


def test_a_run_fits_measures_to_the_rows_by_itself():
    examples = importance_rows()
    by_hand = Run(["importance"])
    by_hand.fit(["\n".join(example.source) for example in examples])
    alone = Run(["importance"])
    assert list(alone.score(examples)) == list(by_hand.score(examples))
    assert "run" in alone.measures[0].signature()["corpus"]
    [other] = alone.score(examples[:1])
    assert "background" in alone.measures[0].signature()["corpus"], "fitted again for other rows"
    assert other.scores["importance"].problem is None


def test_rows_that_can_be_read_only_once_are_refused_where_a_corpus_is_needed():
    with pytest.raises(TricoloreError, match="importance must see all sources"):
        Run(["importance"]).score(example for example in importance_rows())
    run = Run(["importance"])
    run.fit(["\n".join(example.source) for example in importance_rows()])
    assert len(list(run.score(example for example in importance_rows()))) == 12
