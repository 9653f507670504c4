"""Countries with their adjectives and people."""

from importlib.resources import files

import pytest

from tricolore.text.nations import nation, nation_starts


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["Denmark"], "Denmark"),
        (["Danish"], "Denmark"),
        (["Danes"], "Denmark"),
        (["US"], "United States"),
        (["U.S.A."], "United States"),
        (["United", "States", "of", "America"], "United States"),
        (["us"], None),  # the pronoun
        (["Us"], None),
        (["IS"], "Islamic State"),
        (["is"], None),
        (["BRITISH"], "United Kingdom"),
        (["New", "Yorkers"], "New York"),
        (["South", "Koreans"], "South Korea"),
        (["Asian"], "Asia"),
        (["Türkiye"], "Turkey"),
        (["Northfield"], None),
        ([], None),
    ],
)
def test_nation(words: list[str], expected: str | None) -> None:
    assert nation(words) == expected


def test_the_table() -> None:
    text = files("tricolore.text").joinpath("data/nations.txt").read_text("utf-8")
    rows = [line.split(", ") for line in text.splitlines() if not line.startswith("#")]
    assert len(rows) > 200
    assert all(form == form.strip() and form for row in rows for form in row)
    # Every row is found by its name and by each form that no earlier row has.
    assert all(nation(row[0].split()) == row[0] for row in rows)
    assert nation_starts()["united"] == 3  # United States of America
