"""Every resample is what the same documents and systems, written out, would give."""

import itertools

import numpy as np
import pytest

from tricolore.data.grid import Grid
from tricolore.meta.bootstrap import draw_resamples
from tricolore.meta.choices import LEVELS, OVERS, PARTIAL_COEFFICIENTS
from tricolore.meta.partial import partial_agreement
from tricolore.meta.partial_bootstrap import partial_bootstrap


def written_out(grid, draws, at):
    """The rows of one resample, each drawing of a document or system under its own name."""
    rows, docs, systems = [], [], []
    for i in range(len(grid)):
        d, s = grid.doc[i], grid.system[i]
        often_d = 1 if draws.documents is None else int(draws.documents[d, at])
        often_s = 1 if draws.systems is None else int(draws.systems[s, at])
        for a, b in itertools.product(range(often_d), range(often_s)):
            rows.append(i)
            docs.append(f"{d}.{a}")
            systems.append(f"{s}.{b}")
    return rows, Grid.of(docs, systems)


def table(seed, missing):
    rng = np.random.default_rng(seed)
    cells = [c for c in itertools.product(range(6), range(7)) if rng.random() > missing]
    grid = Grid.of([str(d) for d, _ in cells], [str(s) for _, s in cells])
    n = len(grid)
    columns = [rng.integers(0, 4, n).astype(float), rng.normal(size=n)]
    human = rng.integers(1, 5, n) / 3
    controls = [rng.integers(0, 3, n).astype(float), rng.normal(size=n)]
    if missing:
        for column in (columns[0], human, controls[1]):
            column[rng.random(n) < missing / 2] = np.nan
    # Two summaries may be the same: the same row is one point.
    for column in (*columns, human, *controls):
        column[1] = column[0]
    return columns, human, controls, grid


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("coefficient", PARTIAL_COEFFICIENTS)
def test_resamples_written_out(over, level, coefficient):
    defined = 0
    for seed, missing in [(0, 0.0), (1, 0.15), (2, 0.4)]:
        columns, human, controls, grid = table(seed, missing)
        draws = draw_resamples(grid, over, resamples=6, seed=seed)
        found = partial_bootstrap(columns, human, controls, grid, level, coefficient, draws)
        for at, (place, column) in itertools.product(range(6), enumerate(columns)):
            rows, drawn = written_out(grid, draws, at)
            held = {str(name): control[rows] for name, control in enumerate(controls)}
            wanted = partial_agreement(
                column[rows], human[rows], held, drawn, level, coefficient
            ).value
            assert found[place, at] == pytest.approx(wanted, abs=1e-9, nan_ok=True)
            defined += np.isfinite(wanted)
    assert defined >= 10


def test_pieces_do_not_change_the_figures(monkeypatch):
    columns, human, controls, grid = table(0, 0.0)
    draws = draw_resamples(grid, "both", resamples=100, seed=0)
    whole = partial_bootstrap(columns, human, controls, grid, "summary", "spearman", draws)
    monkeypatch.setattr("tricolore.meta.bootstrap._AT_ONCE", 1)
    again = partial_bootstrap(columns, human, controls, grid, "summary", "spearman", draws)
    assert again == pytest.approx(whole, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("over", OVERS)
def test_nothing_to_resample_is_nan(level, over):
    columns, human, controls, grid = table(0, 0.0)
    draws = draw_resamples(grid, over, resamples=3)
    n = len(grid)
    nothing = [np.full(n, np.nan), columns[1]]
    found = partial_bootstrap(nothing, human, controls, grid, level, "spearman", draws)
    assert np.isnan(found[0]).all()
    constant = [np.ones(n), controls[1]]
    found = partial_bootstrap(nothing, human, constant, grid, level, "spearman", draws)
    assert np.isnan(found).all()
    itself = partial_bootstrap([controls[1]], human, controls, grid, level, "pearson", draws)
    assert np.isnan(itself).all()
