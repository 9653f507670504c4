"""The reader of WordNet's files, on a tiny database written here."""

import zipfile

import pytest

from tricolore.text import wordnet
from tricolore.text.wordnet import BrokenWordNetError, SenseKey, WordNet, installed_wordnet

LICENCE = "  1 This is made up.  \n  2 WordNet 9.9 Copyright 2026 by nobody.  \n"
CAR = "{:08d} 06 n 02 car 0 motor_car 0 002 @ {:08d} n 0000 + {:08d} n 0201 | on wheels  \n"
VEHICLE = "{:08d} 06 n 01 vehicle(p) 0 001 ~ {:08d} n 0000 | moves  \n"


def database() -> dict[str, str]:
    car = len(LICENCE)
    vehicle = car + len(CAR.format(0, 0, 0))
    noun = LICENCE + CAR.format(car, vehicle, vehicle) + VEHICLE.format(vehicle, car)
    index = LICENCE + "".join(
        f"{word} n 1 1 @ 1 0 {at:08d}  \n"
        for word, at in [("auto", vehicle), ("car", car), ("cart", vehicle), ("zebra", car)]
    )
    files = dict.fromkeys(["index.verb", "index.adj", "index.adv", "data.verb"], LICENCE)
    files |= dict.fromkeys(["verb.exc", "adj.exc", "adv.exc"], "")
    return files | {
        "index.noun": index,
        "data.noun": noun,
        "data.adj": LICENCE,
        "noun.exc": "caren car\n",
    }


def reader(files: dict[str, str]) -> WordNet:
    return WordNet(lambda name: files[name].encode())


def test_words_are_found_by_form_and_by_exception():
    found = reader(database())
    assert found.version == "9.9"
    assert found.base_forms("Cars", "n") == ["car"]
    assert found.base_forms("caren", "n") == ["car"]
    assert found.base_forms("carts", "v") == []
    for missing in ("", "aaa", "ca", "carz", "zzz", "two words", "café", "  1"):
        assert found.senses(missing, "n") == []
    assert [len(found.senses(word, "n")) for word in ("auto", "car", "cart", "zebra")] == [1] * 4


def test_a_synset_has_words_and_relations():
    found = reader(database())
    [car] = found.senses("car", "n")
    assert car == SenseKey("n", len(LICENCE))
    words, (wider, derived) = found.synset(car)
    assert words == ("car", "motor_car")
    assert found.synset(wider.synset) == (("vehicle",), ())  # a relation that is not read
    assert (wider.symbol, derived.symbol, derived.source, derived.target) == ("@", "+", 2, 1)


@pytest.mark.parametrize("file", ["index.noun", "data.noun"])
def test_a_damaged_file_is_named(file):
    files = database()
    files[file] = files[file].replace(" n ", " ? ").replace("0", "x")
    found = reader(files)
    with pytest.raises(BrokenWordNetError, match=file):
        found.synset(found.senses("car", "n")[0])


@pytest.mark.parametrize("packed", [False, True])
def test_it_is_found_in_nltks_data(tmp_path, monkeypatch, packed):
    place = tmp_path / "corpora" / "wordnet"
    place.parent.mkdir()
    if packed:
        with zipfile.ZipFile(place.with_suffix(".zip"), "w") as archive:
            for name, text in database().items():
                archive.writestr(f"wordnet/{name}", text)
    else:
        place.mkdir()
        for name, text in database().items():
            (place / name).write_text(text, "utf-8")
    monkeypatch.setattr("nltk.data.path", [str(tmp_path / "none"), str(tmp_path)])
    found = installed_wordnet.__wrapped__()
    assert found is not None
    assert found.version == "9.9"
    assert found.base_forms("cars", "n") == ["car"]


def test_it_is_found_in_a_package_that_carries_it(tmp_path, monkeypatch):
    place = tmp_path / "carrier" / "inside" / "corpora" / "wordnet"
    place.mkdir(parents=True)
    (tmp_path / "carrier" / "__init__.py").touch()
    for name, text in database().items():
        (place / name).write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("nltk.data.path", [])
    monkeypatch.setattr(wordnet, "_CARRIERS", {"missing_carrier": "x", "carrier": "inside"})
    found = installed_wordnet.__wrapped__()
    assert found is not None
    assert found.version == "9.9"


def test_none_is_found_where_none_is(tmp_path, monkeypatch):
    monkeypatch.setattr("nltk.data.path", [str(tmp_path)])
    monkeypatch.setattr(wordnet, "_CARRIERS", {})
    monkeypatch.setattr(wordnet, "_DISTRIBUTIONS", (str(tmp_path),))
    assert installed_wordnet.__wrapped__() is None
