import numpy as np
import pytest
from scipy import stats

from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError
from tricolore.meta.spurious import correlate_columns, spurious

NAN = float("nan")


def table():
    draw = np.random.default_rng(0)
    length = draw.random(30)
    human = draw.random(30)
    return ScoreTable.of(
        [f"d{n}" for n in range(30)],
        ["s"] * 30,
        {
            "rouge-1": human + 0.1 * draw.random(30),
            "estime": length + 0.1 * draw.random(30),
            "length": length,
        },
        {"relevance": human},
    )


def test_beside_people():
    made = table()
    rouge, estime, length = spurious(made, list(made.measures), ["relevance"], ["length"])
    # higher is better: alarms are turned round, length is taken as it is
    expected = stats.spearmanr(-made.values["estime"], made.values["length"]).statistic
    assert estime.correlates["length"].value == pytest.approx(expected)
    assert estime.is_higher("length")
    assert not rouge.is_higher("length")
    assert length.correlates == {}


def test_the_strongest_quality_counts_whichever_way_it_goes():
    made = ScoreTable.of(
        list("abcd"),
        ["s"] * 4,
        {"rouge-1": [1, 2, 3, 4], "length": [1, 2, 4, 3]},
        {"good": [4, 3, 2, 1], "none": [1, 1, 1, 1]},
    )
    [found] = spurious(made, ["rouge-1"], ["good", "none"], ["length"])
    assert found.best == 1
    assert not found.is_higher("length")


def test_nobody_to_compare_with():
    made = ScoreTable.of(
        list("abc"), ["s"] * 3, {"m": [1, 2, 3], "length": [1, 2, 3]}, {"q": [NAN] * 3}
    )
    [found] = spurious(made, ["m"], ["q"], ["length"])
    assert np.isnan(found.best)
    assert not found.is_higher("length")


def test_which_columns():
    made = ScoreTable.of(["d"], ["s"], {"rouge-1": [1], "length:unit=words": [1], "novelty": [1]})
    assert correlate_columns(made) == ["length:unit=words", "novelty"]
    assert correlate_columns(made, ["rouge-1"]) == ["rouge-1"]
    with pytest.raises(ReadError, match="score them too"):
        correlate_columns(ScoreTable.of(["d"], ["s"], {"rouge-1": [1]}))
