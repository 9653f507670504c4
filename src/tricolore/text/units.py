"""Units of measurement and money, with what it takes to compare them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class UnitReading(NamedTuple):
    """One meaning of a unit: `value * factor + offset` is in the base unit of its dimension."""

    dimension: str
    factor: float
    offset: float = 0.0


_DAY = 86400.0
_YEAR = 365.25 * _DAY
_MILE, _FOOT, _POUND, _GALLON = 1609.344, 0.3048, 0.45359237, 4.54609

_TABLE: dict[str, tuple[str, float]] = {
    # name and abbreviations: dimension and size in its base unit
    "nanometre nanometer nm": ("length", 1e-9),
    "micron micrometre micrometer": ("length", 1e-6),
    "millimetre millimeter mm": ("length", 1e-3),
    "centimetre centimeter cm": ("length", 1e-2),
    "metre meter": ("length", 1.0),
    "kilometre kilometer km kms": ("length", 1e3),
    "inch inches": ("length", _FOOT / 12),
    "foot feet ft": ("length", _FOOT),
    "yard yd yds": ("length", 3 * _FOOT),
    "mile mi": ("length", _MILE),
    "furlong": ("length", _MILE / 8),
    "fathom": ("length", 6 * _FOOT),
    "nautical_mile": ("length", 1852.0),
    "light_year": ("length", 9.4607e15),
    "milligram milligramme mg": ("mass", 1e-6),
    "microgram microgramme mcg": ("mass", 1e-9),
    "gram gramme": ("mass", 1e-3),
    "kilogram kilogramme kilo kg kgs": ("mass", 1.0),
    "tonne metric_ton": ("mass", 1e3),
    "ton": ("mass", 1e3),
    "lb lbs": ("mass", _POUND),
    "ounce oz": ("mass", _POUND / 16),
    "stone": ("mass", 14 * _POUND),
    "carat": ("mass", 2e-4),
    "millisecond ms": ("duration", 1e-3),
    "second sec secs": ("duration", 1.0),
    "minute min mins": ("duration", 60.0),
    "hour hr hrs": ("duration", 3600.0),
    "day": ("duration", _DAY),
    "week wk wks": ("duration", 7 * _DAY),
    "fortnight": ("duration", 14 * _DAY),
    "month": ("duration", _YEAR / 12),
    "year yr yrs": ("duration", _YEAR),
    "decade": ("duration", 10 * _YEAR),
    "century centuries": ("duration", 100 * _YEAR),
    "millennium millennia": ("duration", 1000 * _YEAR),
    "kelvin": ("temperature", 1.0),
    "km/h km/hr kph kmh kilometre_per_hour kilometer_per_hour kilometre_an_hour "
    "kilometer_an_hour": ("speed", 1e3 / 3600),
    "mph mile_per_hour mile_an_hour": ("speed", _MILE / 3600),
    "m/s metre_per_second meter_per_second": ("speed", 1.0),
    "knot": ("speed", 1852 / 3600),
    "square_metre square_meter sq_m sqm m²": ("area", 1.0),
    "square_kilometre square_kilometer sq_km km²": ("area", 1e6),
    "square_foot square_feet sq_ft": ("area", _FOOT**2),
    "square_mile sq_mi": ("area", _MILE**2),
    "hectare ha": ("area", 1e4),
    "acre": ("area", 4046.8564224),
    "millilitre milliliter ml": ("volume", 1e-3),
    "centilitre centiliter cl": ("volume", 1e-2),
    "litre liter": ("volume", 1.0),
    "cubic_metre cubic_meter m³": ("volume", 1e3),
    "cubic_foot cubic_feet": ("volume", 28.316846592),
    "pint": ("volume", _GALLON / 8),
    "gallon": ("volume", _GALLON),
    "byte": ("data", 1.0),
    "kilobyte kb": ("data", 1e3),
    "megabyte mb": ("data", 1e6),
    "gigabyte gb": ("data", 1e9),
    "terabyte tb": ("data", 1e12),
    "watt": ("power", 1.0),
    "kilowatt kw": ("power", 1e3),
    "megawatt mw": ("power", 1e6),
    "gigawatt gw": ("power", 1e9),
    "horsepower hp bhp": ("power", 745.7),
    "kilowatt_hour kwh": ("energy", 3.6e6),
    "megawatt_hour mwh": ("energy", 3.6e9),
    "calorie kilocalorie kcal": ("energy", 4184.0),
    "volt": ("voltage", 1.0),
    "hertz hz": ("frequency", 1.0),
    "megahertz mhz": ("frequency", 1e6),
    "gigahertz ghz": ("frequency", 1e9),
    "decibel db": ("loudness", 1.0),
    "euro eur": ("EUR", 1.0),
    "pence penny": ("GBP", 0.01),
    "yen jpy": ("JPY", 1.0),
    "yuan renminbi cny rmb": ("CNY", 1.0),
    "rupee inr rs": ("rupee", 1.0),
    "rouble ruble rub": ("RUB", 1.0),
    "franc chf": ("franc", 1.0),
    "crown krona kronor krone kroner sek nok dkk": ("crown", 1.0),
    "peso": ("peso", 1.0),
    "lira try": ("lira", 1.0),
    "zloty pln": ("PLN", 1.0),
    "rand zar": ("ZAR", 1.0),
    "baht thb": ("THB", 1.0),
    "shekel ils": ("ILS", 1.0),
    "dirham aed": ("dirham", 1.0),
    "riyal sar": ("riyal", 1.0),
    "naira ngn": ("NGN", 1.0),
    "shilling kes": ("shilling", 1.0),
    "korean_won krw": ("KRW", 1.0),
    "reais brl": ("BRL", 1.0),
    "bitcoin btc": ("bitcoin", 1.0),
}
_SEVERAL: dict[str, tuple[UnitReading, ...]] = {
    # words and abbreviations that have more than one meaning
    "pound": (UnitReading("GBP", 1.0), UnitReading("mass", _POUND)),
    "dollar": (UnitReading("dollar", 1.0),),
    "cent": (UnitReading("dollar", 0.01), UnitReading("EUR", 0.01), UnitReading("ZAR", 0.01)),
    "°C": (UnitReading("temperature", 1.0, 273.15),),
    "°F": (UnitReading("temperature", 5 / 9, 273.15 - 32 * 5 / 9),),
    "degree": (
        UnitReading("temperature", 1.0, 273.15),
        UnitReading("temperature", 5 / 9, 273.15 - 32 * 5 / 9),
        UnitReading("angle", 1.0),
    ),
    "m": (UnitReading("length", 1.0), UnitReading("count", 1e6)),
    "g": (UnitReading("mass", 1e-3),),
    "l": (UnitReading("volume", 1.0),),
    "h": (UnitReading("duration", 3600.0),),
    "k": (UnitReading("count", 1e3), UnitReading("length", 1e3)),
    "%": (UnitReading("share", 1.0),),
    "#": (UnitReading("GBP", 1.0), UnitReading("count", 1.0)),
    "": (UnitReading("count", 1.0),),
}
_OTHER_FORMS = {
    "bucks": "dollar",
    "celsius": "°C",
    "cents": "cent",
    "degree celsius": "°C",
    "degree fahrenheit": "°F",
    "degrees": "degree",
    "degrees c": "°C",
    "degrees celsius": "°C",
    "degrees centigrade": "°C",
    "degrees f": "°F",
    "degrees fahrenheit": "°F",
    "dollars": "dollar",
    "fahrenheit": "°F",
    "gbp": "pound sterling",
    "pounds": "pound",
    "pounds sterling": "pound sterling",
    "quid": "pound sterling",
    "usd": "dollar",
    "won": "korean won",
    "°": "degree",
    "° c": "°C",
    "° f": "°F",
}
"""Written forms of units that do not follow the rule for plurals."""
SIGNS = {
    "£": "pound sterling",
    "#": "#",  # some corpora write it for the sign of the pound
    "$": "dollar",
    "€": "euro",
    "¥": "yen",
    "₹": "rupee",
    "₽": "rouble",
    "₩": "korean won",
    "₺": "lira",
    "₪": "shekel",
    "₦": "naira",
}
"""Currency signs."""
CURRENCY_CODES = {
    "aud": "dollar",
    "cad": "dollar",
    "chf": "franc",
    "eur": "euro",
    "gbp": "pound sterling",
    "inr": "rupee",
    "rs": "rupee",
    "sek": "crown",
    "usd": "dollar",
}
"""Codes that stand before a sum."""
AFTER_SCALE_ONLY = frozenset({"try", "won", "rs"})
"""Words that are currencies only after "million" and the like."""
ATTACHED_ONLY = {"g": "g", "l": "l", "h": "h", "c": "°C", "f": "°F", "p": "pence", "w": "watt"}
"""Abbreviations of one letter that must follow the digits without a space."""
_MONEY = frozenset(
    "dollar EUR GBP JPY CNY rupee RUB franc crown peso lira PLN ZAR THB ILS dirham riyal NGN "
    "shilling KRW BRL bitcoin".split()
)
_NO_PLURAL = frozenset("foot feet inches stone yen yuan baht rand hertz horsepower pence".split())
_NATIONS = frozenset(
    "us american canadian australian singapore taiwan british irish egyptian swiss french swedish "
    "norwegian danish czech mexican philippine indian pakistani turkish kong zealand".split()
)
"""Words between a number and its currency; the last ones end "Hong Kong" and "New Zealand"."""


def _all_units() -> tuple[dict[str, str], dict[str, tuple[UnitReading, ...]]]:
    """Every written form (tokens joined by spaces) with its unit, and every unit's readings."""
    meanings = _SEVERAL | {"pound sterling": (UnitReading("GBP", 1.0),)}
    forms = _OTHER_FORMS | {unit: unit for unit in ("cent", "degree", "dollar", "m", "pound")}
    for names, (dimension, factor) in _TABLE.items():
        written = [name.replace("_", " ").replace("/", " / ") for name in names.split()]
        unit = names.split()[0].replace("_", " ")
        meanings[unit] = (UnitReading(dimension, factor),)
        for form in written:
            forms[form] = unit
            first, *rest = form.split()
            if rest and rest[0] in {"per", "an"}:  # miles per hour
                forms[" ".join([first + "s", *rest])] = unit
            elif len(form) > 2 and form not in _NO_PLURAL:
                forms[form + "s"] = unit
    return forms, meanings


_FORMS, _MEANINGS = _all_units()
UNIT_WORDS = frozenset(form for form in _FORMS if " " not in form)
"""Units that are written as one word."""
_FIRST_WORDS = frozenset(form.split()[0] for form in _FORMS)


def unit_at(lows: list[str], at: int) -> tuple[str, int] | None:
    """The unit that begins at a token, and the token after it.

    >>> unit_at("62 miles per hour".split(), 1)
    ('mph', 4)
    """
    first = lows[at] if at < len(lows) else ""
    if first in _FIRST_WORDS:
        for length in (3, 2, 1):
            unit = _FORMS.get(" ".join(lows[at : at + length]))
            if unit is not None and at + length <= len(lows):
                return unit, at + length
    word = at + 1 if first in {"hong", "new"} else at
    if word + 1 < len(lows) and lows[word] in _NATIONS:
        unit = _FORMS.get(lows[word + 1])
        if unit is not None and is_money(unit):
            return unit, word + 2
    return None


@cache
def unit_readings(unit: str) -> tuple[UnitReading, ...]:
    """The meanings of a unit.

    >>> unit_readings("kilometre")
    (UnitReading(dimension='length', factor=1000.0, offset=0.0),)
    """
    return _MEANINGS[unit]


@cache
def is_money(unit: str) -> bool:
    """Whether a unit is one of money (pounds may be)."""
    return any(reading.dimension in _MONEY for reading in _MEANINGS[unit])
