from __future__ import annotations

import random

import pytest

from tricolore import Example

WORDS = "the old boat left its port at dawn and no one saw where it went that day".split()


def drawn(document: int, system: int) -> Example:
    """A summary that copies some words of its source; people like long ones."""
    draw = random.Random(document * 100 + system)
    source = [f"{word}{document}" for word in WORDS]
    copied = draw.sample(source, draw.randint(1, 9))
    own = [f"new{at}" for at in range(draw.randint(0, 5))]
    # Exactly linear in length and coverage, on a scale of 1 to 5.
    length, coverage = len(copied) + len(own), len(copied) / (len(copied) + len(own))
    human = {"liked": 1.5 + 0.1 * length + coverage, "plain": 4.5 - 0.2 * length}
    return Example(
        source=" ".join(source),
        summary=" ".join(copied + own),
        doc_id=f"d{document}",
        system=f"s{system}",
        human={name: min(5.0, max(1.0, score)) for name, score in human.items()},
    )


@pytest.fixture
def judged() -> list[Example]:
    return [drawn(document, system) for document in range(12) for system in range(4)]


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The directory of a tiny random encoder."""
    from .encoders import tiny_encoder

    return tiny_encoder(tmp_path_factory.mktemp("encoder"))
