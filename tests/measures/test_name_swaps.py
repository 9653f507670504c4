"""Names that the source has elsewhere: which are tested, and what decides."""

from __future__ import annotations

import numpy as np
import pytest

from tricolore.measures.grounding_support import EncodedSource, Support
from tricolore.measures.name_swaps import GAIN, SwapTest, swap_test, swapped_names
from tricolore.measures.passages import Passage
from tricolore.measures.supert_tokens import SentenceReader
from tricolore.models.model import shared
from tricolore.models.sentence_encoder import SentenceEncoder
from tricolore.models.vectors import unit_rows
from tricolore.text.name_match import check_names

FIRST = "Helen Astbury, the chief engineer, said that the pipe was old."
SECOND = "Councillor Dev Marlowe voted against the plan in Northfield."
SOURCE = f"{FIRST} {SECOND}"


def name_test(summary: str, start: int = 0, end: int = len(FIRST)) -> SwapTest | None:
    """The test of the only name of a summary, supported by a passage of the source."""
    [name] = check_names(summary, [SOURCE])
    support = Support(1.0, 1.0, Passage(0, start, end), np.empty(0, np.float32))
    return swap_test(summary, 0, name, support, [SOURCE])


def test_a_person_of_another_passage_is_tested():
    test = name_test("Dev Marlowe, the engineer, said so.")
    assert test is not None
    assert test.written == ("Helen Astbury",)
    assert test.variants[0] == "Dev Marlowe, the engineer, said so."
    assert test.variants[2] == "Helen Astbury, the engineer, said so."


def test_names_are_written_as_in_the_summary():
    short, lower = name_test("Marlowe said so."), name_test("dev marlowe said so .")
    assert short is not None
    assert short.written == ("Astbury",)
    assert lower is not None
    assert lower.written == ("helen astbury",)


@pytest.mark.parametrize(
    "summary",
    [
        "Helen Astbury said so.",  # the passage has it
        "The plan for Northfield failed.",  # a place
    ],
)
def test_other_names_are_not(summary):
    assert name_test(summary) is None


def test_not_if_the_passage_names_nobody_else():
    assert name_test("Helen Astbury said so.", len(SOURCE), len(SOURCE)) is None


def test_the_words_around_the_name_are_tested_too():
    summary = "It was on Monday of last week in the old town hall that Dev Marlowe said so."
    test = name_test(summary)
    assert test is not None
    assert test.variants[1] == "last week in the old town hall that Dev Marlowe said so."


def test_both_must_fit_better():
    test = name_test("Dev Marlowe, the engineer, said so.")
    assert test is not None
    more, less = 1 + GAIN + 0.01, 1 + GAIN - 0.01
    assert test.better([1, 1, more, more]) is test.others[0]
    assert test.better([1, 1, more, less]) is None
    assert test.better([1, 1, less, more]) is None


def test_the_encoder_decides():
    encoder = shared(SentenceEncoder)
    source = EncodedSource((SOURCE,), SentenceReader(encoder, 256))
    wrong = name_test("Dev Marlowe, the chief engineer, said that the pipe was old.")
    right = name_test("Helen Astbury voted against the plan.", len(FIRST) + 1, len(SOURCE))
    assert wrong is not None
    assert right is not None

    def encode(texts):
        return [unit_rows(one.vectors) for one in encoder.token_vectors(texts)]

    found = list(swapped_names([(wrong, source), (right, source)], encode))
    assert [name and name.keys for name in found] == [("helen", "astbury"), ("dev", "marlowe")]
    assert list(swapped_names([], encode)) == []
