from __future__ import annotations

import pytest

from tricolore.text.units import is_money, unit_at, unit_readings


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("km", "kilometre"),
        ("kilometers", "kilometre"),
        ("km / h", "km/h"),
        ("kilometres per hour", "km/h"),
        ("miles an hour", "mph"),
        ("square feet", "square metre"),
        ("degrees celsius", "°C"),
        ("° c", "°C"),
        ("kilowatt hours", "kilowatt hour"),
        ("pounds", "pound"),
        ("pounds sterling", "pound sterling"),
        ("canadian dollars", "dollar"),
        ("hong kong dollars", "dollar"),
        ("crowns", "crown"),
    ],
)
def test_forms_of_units(written: str, unit: str) -> None:
    lows = written.split()
    found = unit_at([*lows, "away"], 0)
    assert found is not None
    assert found[1] == len(lows)
    if written == "square feet":  # another unit of the same dimension
        assert unit_readings(found[0])[0].dimension == unit_readings(unit)[0].dimension
    else:
        assert found[0] == unit


@pytest.mark.parametrize("word", ["households", "canadian", "hong", "square", ""])
def test_other_words_are_no_units(word: str) -> None:
    assert unit_at([word], 0) is None
    assert unit_at([word], 1) is None


@pytest.mark.parametrize(
    ("unit", "dimension", "value", "base"),
    [
        ("mile", "length", 1, 1609.344),  # the international mile
        ("stone", "mass", 1, 14 * 0.45359237),
        ("mph", "speed", 60, 26.8224),  # 60 × 1609.344 m / 3600 s
        ("°F", "temperature", 212, 373.15),  # water boils
        ("°C", "temperature", 100, 373.15),
        ("fortnight", "duration", 1, 14 * 86400),
        ("pence", "GBP", 50, 0.5),
    ],
)
def test_conversions(unit: str, dimension: str, value: float, base: float) -> None:
    [reading] = unit_readings(unit)
    assert reading.dimension == dimension
    assert value * reading.factor + reading.offset == pytest.approx(base)


def test_twelve_months_are_a_year() -> None:
    assert 12 * unit_readings("month")[0].factor == unit_readings("year")[0].factor


def test_pounds_may_be_money_or_mass() -> None:
    assert {reading.dimension for reading in unit_readings("pound")} == {"GBP", "mass"}
    assert is_money("pound")
    assert not is_money("kilometre")
