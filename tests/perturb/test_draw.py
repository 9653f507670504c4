"""The random draw of a summary."""

from tricolore import Example
from tricolore.perturb.draw import Draw


def example(**more):
    return Example(
        source="The vote is today.",
        summary="The vote is today. It was close.",
        references=["A vote."],
        doc_id="d1",
        system="lead",
        human={"fluency": 4},
        **more,
    )


def test_orders_are_all_as_likely():
    """Six orders of three; 6000 draws: each 1000 times, give or take four deviations of 29."""
    found = {}
    for number in range(6000):
        order = tuple(Draw(example(), number).order(3))
        found[order] = found.get(order, 0) + 1
    assert len(found) == 6
    assert all(abs(count - 1000) < 116 for count in found.values())


def test_a_draw_depends_on_seed_and_texts_only():
    def order(example, *key):
        return Draw(example, *key).order(20)

    given = example()
    assert order(given, 1) == order(Example(source=given.source, summary=given.summary), 1)
    assert order(given, 1) != order(given, 2)
    assert order(given, 1) != order(Example(source=given.source, summary="Other."), 1)
    assert order(Example(source="x", summary="half \ud83d"), 1)
