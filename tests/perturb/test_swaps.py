"""Swapped names and numbers, and yes for no."""

import pytest

from tricolore import Example
from tricolore.perturb.damage import Undamaged
from tricolore.perturb.swaps import EntitySwap, NegationSwap, NumberSwap

SOURCE = (
    "Police in Rome arrested Anna Bell on Friday. Tom Price of the Bank of England saw 12 men. "
    "In 1984 there were 3.5 million; Rome had nine. On Monday Bell left the U.S. for Oslo."
)


def changes(kind, summary, count=3, source=SOURCE, seed=0):
    [made] = kind(seed=seed).damage([Example(source=source, summary=summary)], count)
    if isinstance(made, Undamaged):
        return made.problem
    return {edit.original: edit.change.replacement for edit in made.edits}


def test_a_name_becomes_another_name_of_the_source():
    others = {
        changes(EntitySwap, "They saw Anna Bell.", seed=seed)["Anna Bell"] for seed in range(60)
    }
    # Not Bell, who is the same person, nor a weekday.
    assert others == {"Rome", "Tom Price", "Bank of England", "U.S.", "Oslo"}
    assert changes(EntitySwap, "They left on Friday.") == {"Friday": "Monday"}


def test_a_number_becomes_one_that_looks_alike():
    assert changes(NumberSwap, "In 2001 it rained.") == {"2001": "1984"}
    assert changes(NumberSwap, "Up 2.5 percent.") == {"2.5": "3.5"}
    assert changes(NumberSwap, "Two dogs.") == {"Two": "Nine"}  # casing kept
    assert changes(NumberSwap, "Some 40 dogs.") == {"40": "12"}
    # No other fraction there: any other number.
    other = changes(NumberSwap, "Up 2.5 percent.", source="There were 7 men in 2001.")
    assert other["2.5"] in {"7", "2001"}


@pytest.mark.parametrize(
    ("clean", "damaged"),
    [
        ("It is late.", "It is not late."),
        ("It is not late.", "It is late."),
        ("It isn't late.", "It is late."),
        ("He won’t go.", "He will go."),
        ("She can't go.", "She can go."),
        ("She cannot go.", "She can go."),
        ("He has died.", "He has not died."),
        ("He didn't go.", "He did go."),
    ],
)
def test_yes_for_no(clean, damaged):
    [made] = NegationSwap().damage([Example(summary=clean)], 3)
    assert made.example.summary == damaged


@pytest.mark.parametrize(
    "text", ["He has three sons.", "In May it rained.", "He's here.", "Will 😀"]
)
def test_what_cannot_be_negated(text):
    [made] = NegationSwap().damage([Example(summary=text)], 1)
    assert made == Undamaged(Example(summary=text), "the summary has no verb that can be negated")


@pytest.mark.parametrize(
    ("kind", "summary", "source", "problem"),
    [
        (EntitySwap, "nobody came.", SOURCE, "the summary has no name"),
        (EntitySwap, "They met Ann.", "we met ann.", "only 0 names of the summary could be"),
        (EntitySwap, "They met Ann.", "", "there is no source"),
        (NumberSwap, "nobody came.", SOURCE, "the summary has no number"),
        (NumberSwap, "12 came.", "12 came.", "only 0 numbers of the summary could be"),
        (NumberSwap, "12 came.", (), "there is no source"),
        (NumberSwap, " ", SOURCE, "the summary is empty"),
    ],
)
def test_what_cannot_be_done_is_said(kind, summary, source, problem):
    assert changes(kind, summary, source=source).startswith(problem)


def test_fewer_than_asked_for_is_said():
    example = Example(source=SOURCE, summary="They saw Tom Bell.")
    [made] = EntitySwap().damage([example], 3)
    assert len(made.edits) == 1
    assert made.problem == "only 1 name of the summary could be exchanged for another of the source"
    [made] = EntitySwap().damage([example], 1)
    assert made.problem == ""
