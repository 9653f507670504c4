from __future__ import annotations

import pytest

from tricolore.text.quantities import all_quantities, quantities
from tricolore.text.quantity_index import QuantityContext, QuantityIndex, date_parts, readings

TEXT = "She ran 62 km in 2019. It cost £8.4 million. From April 2015 to August 2021 he lost 3-1."


def test_values_are_found_in_the_base_unit_of_their_dimension() -> None:
    index = QuantityIndex(TEXT)
    [place] = index.equal("length", 62_000)
    assert TEXT[index.found[place].start : index.found[place].end] == "62 km"
    assert list(index.between("length", 0, 61_999)) == []
    assert [index.found[place].unit for place in index.equal("GBP", 8.4e6)] == ["pound sterling"]


def test_the_closest_value() -> None:
    index = QuantityIndex("5 km, 9 km and 20 km")
    for value, expected in [(0, 5), (7.5, 9), (13, 9), (15, 20), (99, 20)]:
        place = index.closest("length", value * 1000)
        assert place is not None
        assert index.found[place].values == (expected,)
    assert index.closest("mass", 1) is None


def test_times_between_two_dates_of_a_sentence() -> None:
    year = 365.25 * 86400
    assert QuantityIndex(TEXT).spans_of_time == [pytest.approx((6 + 4 / 12) * year)]


def test_context_is_of_the_same_sentence() -> None:
    [_, _, cost, *_] = all_quantities(TEXT)
    words = QuantityContext(TEXT).words(cost)
    assert "cost" in words
    assert "april" not in words
    assert "ran" not in words


def test_readings_of_an_age_are_a_time_and_a_plain_number() -> None:
    [age] = quantities("58-year-old")
    assert list(readings(age)) == [
        ("duration", (58 * 365.25 * 86400,)),
        ("count", (58,)),
    ]


def test_dates_that_a_range_means() -> None:
    [days] = quantities("5-7 June")
    assert [parts["day"] for parts in date_parts(days)] == [5, 6, 7]
    [years] = quantities("1898 to 1911")
    assert [parts["year"] for parts in date_parts(years)] == [1898, 1911]
