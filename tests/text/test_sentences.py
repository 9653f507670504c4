from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.sentences import sentence_spans, sentences


@pytest.mark.parametrize(
    "expected",
    [
        ["Mr. Smith paid $3.50 for it.", "He left!", "Really?", "Yes."],
        ["merson was brought on in his team 's 0-0 draw .", "townsend scored .", "it ended"],
        ["it was over.", "then they left."],
        ["He said no.", "They sat in the sun.", "Ali left."],
        ["The U.S. Senate met at 5 p.m. on Friday.", "J. K. Rowling was there."],
        ["She lives in the U.S.", "He does not."],
        ["Prof. Dr. A. Bell, of Acme Inc. in St. Louis, agreed, e.g. on No. 5.", "Good."],
        ['"Why?" he asked.', '"Because," she said.'],
        ['He said: "It is over."', "Nobody moved."],
        ["He waited... and waited.", "Then…", "Nothing."],
        ["Am I right?!", "You are."],
        ["It costs 3.5 million.", "It was No. 1 in Feb. 2012."],
        ["He was tired (and late).", "(She was not.)", "They went on."],
        ["私は猫です。", "名前はまだない。"],
        ["one line without an end"],
    ],
)
def test_sentences_of_one_paragraph(expected):
    joiner = "" if expected[0].startswith("私") else " "
    assert sentences(joiner.join(expected)) == expected


def test_an_empty_line_ends_a_sentence_and_a_line_break_does_not():
    text = "Scroll down for video\n\nThe result of\n some recent events. More\n \n\nEnd"
    assert sentences(text) == [
        "Scroll down for video",
        "The result of\n some recent events.",
        "More",
        "End",
    ]


@given(st.text("Ab .!?…\n\"')(", max_size=60))
def test_spans_are_in_order_and_hold_every_letter(text):
    spans = sentence_spans(text)
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


def test_five_megabytes_in_one_paragraph():
    text = "The cat sat on Mr. Smith's mat. " * 160_000
    assert len(sentence_spans(text)) == 160_000
