"""The choices of an atlas follow from its figures by the stated rules."""

from tricolore.meta.atlas_choices import BEYOND, NOTICES, QUESTIONS, choices, chosen_counts
from tricolore.meta.atlas_figures import (
    AtlasAgreement,
    AtlasCost,
    AtlasFigures,
    AtlasSensitivity,
    SetFacts,
)

WORDS = (100.0, 50.0, 200.0)


def figures():
    found = AtlasFigures({"sure": "higher", "few": "higher", "none": "lower", "novel": "neither"})
    found.sets.append(SetFacts("s", ("quality",), 90, 30, 3, 1.0, 1.0, WORDS, WORDS))
    for measure, value, low, high in [
        ("sure", 0.4, 0.3, 0.5),
        ("few", 0.6, 0.1, 0.9),  # the highest, from few rows
        ("none", 0.2, -0.1, 0.5),
        ("novel", 0.9, 0.8, 1.0),  # neither way is better
    ]:
        partial = (0.1, 0.05, 0.2) if measure == "few" else (0.1, -0.05, 0.2)
        found.agreements.append(
            AtlasAgreement("s", measure, "quality", "summary", value, low, high, *partial)
        )
    found.costs.append(AtlasCost("s", "sure", 2.0, 9, 90, 30, 0.0, 0.0))
    found.costs.append(AtlasCost("s", "few", 0.1, 9, 90, 30, 0.0, 0.0))
    for measure, worse, low, high in [("sure", 0.6, 0.45, 0.7), ("few", 0.7, 0.55, 0.8)]:
        found.sensitivities.append(
            AtlasSensitivity("s", measure, "swap", 50, worse, 0.1, 0.6, low, high)
        )
    return found


def test_the_rules():
    found = {choice.question: choice for choice in choices(figures())}
    plain = found[QUESTIONS["summary"]]
    assert plain.best.measure == "sure"  # the highest lower end
    assert [one.measure for one in plain.near] == ["few"]
    assert plain.cheapest.measure == "few"
    assert plain.asked == 3  # not the one that does not judge
    assert found[BEYOND].best.measure == "few"
    assert found[BEYOND].near == []
    assert found[NOTICES].best.measure == "few"  # the interval of the other contains one half
    assert QUESTIONS["system"] not in found  # nothing is known about it


def test_no_answer():
    weak = figures()
    weak.agreements = [a for a in weak.agreements if a.measure == "none"]
    [plain, beyond, _] = choices(weak)
    assert (plain.best, plain.asked, plain.cheapest) == (None, 1, None)
    assert beyond.best is None


def test_counts():
    counts = chosen_counts(choices(figures()))
    assert counts[QUESTIONS["summary"]] == {"sure": 1, "few": 1}
    assert counts[BEYOND] == {"few": 1}
