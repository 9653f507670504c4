"""Spelling without case, accents and marks."""

import pytest

from tricolore.text.folding import folded


@pytest.mark.parametrize(
    "spellings",
    [
        ["Müller", "Mueller", "Muller", "MÜLLER", "Mu\u0308ller"],
        ["O'Brien", "O’Brien", "OBrien"],
        ["U.S.", "US", "U. S."],
        ["Søren", "Soren"],
        ["Łódź", "Lodz"],
        ["Groß", "Gross"],
        ["Schröder", "Schroeder"],
        ["Al-Qaeda", "AlQaeda"],
    ],
)
def test_one_name(spellings: list[str]) -> None:
    assert len({folded(spelling) for spelling in spellings}) == 1


def test_different_names() -> None:
    assert folded("Michael") != folded("Michal")
    assert folded("Israel") == "israel"
    assert folded("Boeing") == "boeing"
    assert folded("Joel") != folded("Jol")
