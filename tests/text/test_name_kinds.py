"""People, places and other names, by how a text uses them."""

from __future__ import annotations

import pytest

from tricolore.text.name_kinds import typed_names


def kinds(text: str) -> dict[str, str]:
    return {" ".join(typed.keys): typed.kind for typed in typed_names(text)}


@pytest.mark.parametrize(
    "text",
    [
        "It was Dr Jorin Vask.",
        "We met the geneticist Jorin Vask.",
        "They heard Jorin Vask, 58, speak.",
        "Critics, said Jorin Vask, were wrong.",
        "We saw Jorin Vask, who left.",
        "Jorin Vask left. Later Vask returned.",
    ],
)
def test_people(text):
    assert kinds(text)["jorin vask"] == "person"


def test_a_surname_alone_is_a_person():
    assert kinds("Mr Jorin Vask left. Later Vask returned.")["vask"] == "person"


@pytest.mark.parametrize(
    "text",
    ["He lives in Port Soler.", "They won at Port Soler.", "The train from Port Soler was late."],
)
def test_places(text):
    assert kinds(text)["port soler"] == "place"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Kestrel Optics grew. Kestrel hired people.", "kestrel optics"),
        ("The former Kestrel Optics plant closed.", "kestrel optics"),
        ("She read Highland Ecology.", "highland ecology"),
        ("The Swedish team won.", "swedish"),
        ("They went to the National Gallery.", "national gallery"),
    ],
)
def test_others(text, name):
    assert kinds(text)[name] == "other"
