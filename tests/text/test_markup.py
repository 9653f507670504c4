"""Layout of summaries: what is left out, and what is not."""

from __future__ import annotations

import pytest

from tricolore.text.markup import layout_spans


def layout(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in layout_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Summary\nIt rained.", ["# Summary"]),
        ("**Key Takeaways**\nIt rained.", ["**Key Takeaways**"]),
        ("**Key Takeaways:**\nIt rained.", ["**Key Takeaways:**"]),
        ("- It rained.\n- We left.", ["-", "-"]),
        ("1. It rained.\n2) We left.", ["1.", "2)"]),
        ("* **Weather**: it rained.", ["* **Weather**:"]),
        ("**Weather:** it rained.", ["**Weather:**"]),
        ("Sure! Here's a concise summary of the article:\n\nIt rained.", [
            "Sure! Here's a concise summary of the article:"
        ]),
        ("Below is an overview: it rained.", ["Below is an overview:"]),
    ],
)  # fmt: skip
def test_layout(text, expected):
    assert layout(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It rained on **Monday** in Rome.",
        "1987 was wet. 2.5 metres of snow fell.",
        "Here is where the summary of the court was read.",
        "#blessed was his word.",
        "3 - 1 was the score",
    ],
)
def test_content_is_no_layout(text):
    assert layout(text) == []


@pytest.mark.parametrize("piece", ["# ", "**", "1. ", "- **a", "here is a ", "__"])
def test_long_texts_take_linear_time(piece):
    layout_spans(piece * 50_000)
    layout_spans((piece + "\n") * 50_000)
