"""Rows in batches of one source."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from noting_measures import Fragile, Slow

from tricolore import Example, Run

LEXICAL = ["rouge", "coverage", "density", "novelty", "jensen-shannon", "chrf", "importance"]


def test_examples_of_one_source_are_scored_together_and_given_in_order():
    Slow.asked.clear()
    mixed = [Example(source=source, summary=source * n) for n in (1, 2) for source in "xyz"]
    results = list(Run([Slow(), Fragile()]).score(mixed))
    assert Slow.asked == [["x", "xx"], ["y", "yy"], ["z", "zz"]]
    assert [result.example for result in results] == mixed
    assert [result.scores["slow"].value for result in results] == [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]


texts = st.text("ab c.", max_size=12)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=8),
    st.randoms(),
    st.integers(1, 5),
)
def test_values_depend_neither_on_batches_nor_on_order(monkeypatch, triples, random, size):
    examples = [Example(source=s, summary=y, references=r) for s, y, r in triples]
    run = Run(LEXICAL)
    run.fit([])
    expected = {id(e): repr(r.scores) for e, r in zip(examples, run.score(examples), strict=True)}
    shuffled = random.sample(examples, len(examples))
    monkeypatch.setattr("tricolore.run.run.BATCH", size)
    for example, result in zip(shuffled, run.score(shuffled), strict=True):
        assert repr(result.scores) == expected[id(example)]
