"""Every resample is what the same documents and systems, written out, would give."""

import itertools

import numpy as np
import pytest

from tricolore.data.grid import Grid
from tricolore.meta.bootstrap import Resamples, bootstrap, draw_resamples, interval
from tricolore.meta.choices import LEVELS, OVERS, STATISTICS
from tricolore.meta.levels import agreement


def written_out(x, y, grid, draws, at):
    """The rows of one resample, each drawing of a document or system under its own name."""
    rows = []
    for i in range(len(grid)):
        d, s = grid.doc[i], grid.system[i]
        docs = 1 if draws.documents is None else int(draws.documents[d, at])
        systems = 1 if draws.systems is None else int(draws.systems[s, at])
        for a, b in itertools.product(range(docs), range(systems)):
            rows.append((x[i], y[i], f"{d}.{a}", f"{s}.{b}"))
    return rows


def table(seed, *, missing=0.0, ties=True):
    rng = np.random.default_rng(seed)
    documents, systems = rng.integers(2, 6, 2)
    cells = [
        c for c in itertools.product(range(documents), range(systems)) if rng.random() > missing
    ]
    grid = Grid.of([str(d) for d, _ in cells], [str(s) for _, s in cells])
    columns = [rng.integers(0, 4, len(grid)).astype(float), rng.normal(size=len(grid))]
    human = rng.integers(1, 5, len(grid)) / 3 if ties else rng.normal(size=len(grid))
    if missing:
        columns[0][rng.random(len(grid)) < missing] = np.nan
        human[rng.random(len(grid)) < missing] = np.nan
    return columns, human, grid


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_resamples_written_out(over, level, statistic):
    for seed, missing in [(0, 0.0), (1, 0.15), (2, 0.3)]:
        columns, human, grid = table(seed, missing=missing)
        draws = draw_resamples(grid, over, resamples=5, seed=seed)
        found = bootstrap(columns, human, grid, level, statistic, draws)
        for at, (place, column) in itertools.product(range(5), enumerate(columns)):
            rows = written_out(column, human, grid, draws, at)
            x, y, docs, systems = zip(*rows, strict=True) if rows else ((), (), (), ())
            wanted = agreement(x, y, Grid.of(docs, systems), level, statistic).value
            assert found[place, at] == pytest.approx(wanted, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("statistic", ["kendall-b", "kendall-c"])
def test_many_rows_a_document_take_the_short_way_and_agree(statistic):
    rng = np.random.default_rng(3)
    grid = Grid.of([str(i % 4) for i in range(60)], [str(i // 4) for i in range(60)])
    x, y = rng.integers(0, 6, (2, 60)).astype(float)
    draws = draw_resamples(grid, "documents", resamples=7, seed=1)
    short = bootstrap([x], y, grid, "summary", statistic, draws)
    both = Resamples(draws.documents, np.ones((len(grid.systems), 7)), 7)
    assert short == pytest.approx(bootstrap([x], y, grid, "summary", statistic, both))


def test_as_many_are_drawn_as_there_are_and_the_seed_decides():
    _, _, grid = table(0)
    one, same = (draw_resamples(grid, "both", resamples=50, seed=4) for _ in range(2))
    other = draw_resamples(grid, "both", resamples=50, seed=5)
    assert (one.documents.sum(axis=0) == len(grid.documents)).all()
    assert (one.systems.sum(axis=0) == len(grid.systems)).all()
    assert (one.documents == same.documents).all()
    assert not (one.documents == other.documents).all()


def test_pieces_do_not_change_the_figures(monkeypatch):
    columns, human, grid = table(0)
    draws = draw_resamples(grid, "both", resamples=100, seed=0)
    whole = bootstrap(columns, human, grid, "summary", "spearman", draws)
    monkeypatch.setattr("tricolore.meta.bootstrap._AT_ONCE", 1)
    assert (bootstrap(columns, human, grid, "summary", "spearman", draws) == whole).all()


def test_the_interval_of_r_is_near_the_one_of_fishers_formula():
    # 400 documents, one summary each, r about 0.6: z = atanh r has deviation 1 / sqrt 397.
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    y = 0.6 * x + 0.8 * rng.normal(size=400)
    grid = Grid.of([str(i) for i in range(400)], ["a"] * 400)
    draws = draw_resamples(grid, "documents", resamples=4000, seed=0)
    low, high = interval(bootstrap([x], y, grid, "summary", "pearson", draws)[0])
    z = np.arctanh(np.corrcoef(x, y)[0, 1])
    assert (low, high) == pytest.approx(
        np.tanh([z - 1.96 / 397**0.5, z + 1.96 / 397**0.5]), abs=0.015
    )


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_to_resample_is_nan(level):
    grid = Grid.of(["1", "2"], ["a", "b"])
    draws = draw_resamples(grid, "both", resamples=3)
    found = bootstrap([[np.nan, np.nan], [1.0, 2.0]], [1, np.nan], grid, level, "spearman", draws)
    assert np.isnan(found).all()
    assert np.isnan(interval(found[0])).all()
