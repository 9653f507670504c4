"""Random scores of every system for every document."""

import numpy as np

from tricolore.data.grid import Grid

SYSTEMS, DOCUMENTS = 6, 15


def made(seed, systems=SYSTEMS, documents=DOCUMENTS, shuffled=True):
    """Rows of a full grid in any order; their matrices are the answer to hand computations."""
    draw = np.random.default_rng(seed)
    rows = [(s, d) for s in range(systems) for d in range(documents)]
    if shuffled:
        draw.shuffle(rows)
    grid = Grid.of([f"d{d}" for _, d in rows], [f"s{s}" for s, _ in rows])
    quality = draw.normal(size=systems)
    human = np.array([quality[s] for s, _ in rows]) + draw.normal(size=len(rows))
    values = np.array([quality[s] for s, _ in rows]) + draw.normal(size=len(rows)) * 2
    return grid, values, human, draw
