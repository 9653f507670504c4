"""The `released` preset against what the Perl script ROUGE-1.5.5 prints.

The script is not installed with the tests; the values below were printed by it for these texts,
one sentence a line, with the options `-2 4 -U -n 4 -w 1.2` and those named (order: R, P, F).
"""

from __future__ import annotations

import pytest

from tricolore.example import Example
from tricolore.measures.rouge import Rouge

SUMMARY = """The mice were running through the governmental offices on Monday.
A clerk thought that the cats, better hunters, had left the offices.
Nobody has offered to help."""
REFERENCES = (
    """Mice ran through government offices on Monday morning.
The office clerks think the cat has left.""",
    """On Monday the clerks of the government saw mice.
The cats were gone and nobody offered help to the clerks.""",
)

PRINTED = {
    "": {
        "1": (0.61111, 0.40741, 0.48889),
        "2": (0.11765, 0.07692, 0.09302),
        "3": (0.03125, 0.02, 0.02439),
        "4": (0.0, 0.0, 0.0),
        "l": (0.52778, 0.35185, 0.42222),
        "lsum": (0.52778, 0.35185, 0.42222),
        "w": (0.26251, 0.27266, 0.26749),
        "s4": (0.16667, 0.10417, 0.12821),
        "su4": (0.24457, 0.15411, 0.18908),
    },
    "-m": {
        "1": (0.80556, 0.53704, 0.64445),
        "2": (0.26471, 0.17308, 0.20931),
        "3": (0.0625, 0.04, 0.04878),
        "4": (0.03333, 0.02083, 0.02564),
        "l": (0.66667, 0.44444, 0.53333),
        "w": (0.35751, 0.37133, 0.36429),
        "s4": (0.32, 0.2, 0.24615),
        "su4": (0.40761, 0.25685, 0.31513),
    },
    "-s": {
        "1": (0.47059, 0.33333, 0.39024),
        "2": (0.06667, 0.04545, 0.05405),
        "l": (0.41176, 0.29167, 0.34146),
        "w": (0.26457, 0.25335, 0.25884),
        "su4": (0.17143, 0.10714, 0.13187),
    },
    "-m -s": {
        "1": (0.82353, 0.58333, 0.68292),
        "2": (0.2, 0.13636, 0.16216),
        "l": (0.70588, 0.5, 0.58537),
        "w": (0.45637, 0.43702, 0.44649),
        "su4": (0.48571, 0.30357, 0.37362),
    },
    "-f B": {
        "1": (0.65, 0.48148, 0.55319),
        "2": (0.13333, 0.07692, 0.09756),
        "l": (0.55, 0.40741, 0.46809),
        "su4": (0.25, 0.17808, 0.208),
    },
}


@pytest.mark.parametrize(
    ("options", "variant"), [(o, v) for o, values in PRINTED.items() for v in values]
)
def test_printed(options: str, variant: str) -> None:
    best = "-f B" in options  # the script's best reference is the one with the best recall
    measure = Rouge(
        variant=variant,
        stem="-m" in options,
        stop_words="smart" if "-s" in options else "none",
        value="recall" if best else "f1",
        **{**Rouge.presets["released"], **({"references": "max"} if best else {})},
    )
    [found] = measure.score([Example(summary=SUMMARY, references=REFERENCES)])
    recall, precision = (round(found.parts[part], 5) for part in ("recall", "precision"))
    # The script computes F from the rounded recall and precision.
    f1 = round(2 * recall * precision / (recall + precision), 5) if recall else 0.0
    assert (recall, precision, f1) == pytest.approx(PRINTED[options][variant], abs=1e-9)
    assert found.parts["f1"] == pytest.approx(f1, abs=1e-5)
