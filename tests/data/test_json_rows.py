import io
import json

import pytest

from tricolore.data.json_rows import json_rows
from tricolore.data.unusable import REPEATED, TOO_MANY_DIGITS, UnusableFileError


def rows(content, max_size=1_000_000):
    content = content if isinstance(content, bytes) else content.encode()
    return list(json_rows(io.BufferedReader(io.BytesIO(content)), max_size))


def test_a_key_that_is_given_twice_is_unusable_at_any_depth():
    assert rows('{"a": 1, "b": 2, "a": 1}\n') == [{"a": REPEATED, "b": 2}]
    assert rows('{"x": [{"a": 1, "a": 2}], "b": 3}\n') == [{"x": [{"a": REPEATED}], "b": 3}]
    assert rows('[{"a": 1, "a": 2}]') == [{"a": REPEATED}]


@pytest.mark.parametrize("form", ["{}\n", "[{}]", "[\n{},\n{}\n]"])
def test_a_number_with_too_many_digits_is_unusable(form):
    row = '{"a": ' + "9" * 5000 + ', "b": 12}'
    found = rows(form.replace("{}", row))
    assert found == [{"a": TOO_MANY_DIGITS, "b": 12}] * form.count("{}")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"a \ud800 b", "a \ufffd b"),
        (r"\uD83D\uDE00", "😀"),
        (r"\ude00\ud83d\ude00\uD83d", "\ufffd😀\ufffd"),
        (r"\\ud800", r"\ud800"),
        (r"\\\ud800", "\\\ufffd"),
        (r"\ud83d\n\ude00", "\ufffd\n\ufffd"),
    ],
)
def test_half_a_surrogate_pair_is_replaced(written, read):
    row = f'{{"{written}": ["{written}"]}}'
    assert rows(f"{row}\n") == rows(f"[{row}]") == [{read: [read]}]


def test_keys_that_differ_in_a_half_only_are_the_same():
    assert rows(r'{"a\ud800": 1, "a\ud801": 2}') == [{"a\ufffd": REPEATED}]


@pytest.mark.parametrize("depth", [99, 101, 900, 990, 5000, 100_000])
def test_a_row_that_is_nested_too_deeply(depth):
    inner = "[" * (depth - 1) + "]" * (depth - 1)
    found = rows(f'{{"a": {inner}}}\n{{"a": 1}}\n')
    assert found[1] == {"a": 1}
    assert (found[0] == "line 1 is nested too deeply") == (depth > 100)
    if depth > 100:
        with pytest.raises(UnusableFileError, match="item 2 is nested too deeply"):
            rows(f'[{{"a": 1}}, {{"a": {inner}}}]')


def test_brackets_in_text_are_not_nested():
    assert rows(json.dumps({"a": "[{" * 500})) == [{"a": "[{" * 500}]


def test_a_line_that_is_too_long():
    long = '{"a": "' + "x" * 200 + '"}'
    words = "is longer than 0.0001 MB, the limit of a row (max_row_mb)"
    assert rows(f'{long}\n{{"a": 1}}\n{long}', max_size=100) == [
        f"line 1 {words}",
        {"a": 1},
        f"line 3 {words}",
    ]
    assert rows(f"{long}\n", max_size=len(long)) == [json.loads(long)]


def test_a_first_line_that_is_longer_than_what_is_read_at_once():
    row = {"a": "x" * 1_000_000}
    assert rows(json.dumps(row) + '\n{"b": 1}\n', 2_000_000) == [row, {"b": 1}]
    assert rows(json.dumps([row, {"b": 1}]), 2_000_000) == [row, {"b": 1}]
    words = "line 1 is longer than 0.5 MB, the limit of a row (max_row_mb)"
    assert rows(json.dumps(row) + '\n{"b": 1}\n', 500_000) == [words, {"b": 1}]


def test_an_array_that_is_read_in_pieces():
    items = [{"n": n, "text": "ü😀" * (n % 1000)} for n in range(1000)]
    for indent in (None, 1):
        text = json.dumps(items, indent=indent, ensure_ascii=False)
        assert len(text.encode()) > 3 * 2**18
        assert rows(text) == items
    with pytest.raises(UnusableFileError, match="item 137 is longer than") as error:
        rows(text, max_size=300)  # with n = 136 it has 301 characters
    assert error.value.argument == "max_row_mb"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"a": 1}', "is not a whole JSON array: it ends after item 1"),
        ('[{"a": 1},', "item 2 is not JSON: Expecting value"),
        ('[{"a": 1}, {"b": ', "item 2 is not JSON: Expecting value"),
        ('[{"a": 1}, {"b": "', "item 2 is not JSON: Unterminated string"),
        ('[{"a": 1} {"b": 1}]', "no comma follows item 1"),
        ('[{"a": 1},]', "item 2 is not JSON"),
        ('[{"a": 1}, {"b": x}]', "item 2 is not JSON: Expecting value"),
        ('[{"a": 1}]\n{"a": 1}', "is not one JSON array: it goes on after item 1"),
        ("[\n\n", "is not a whole JSON array: it ends after item 0"),
    ],
)
def test_an_array_that_is_broken(text, words):
    with pytest.raises(UnusableFileError, match=words):
        rows(text)


def test_what_is_no_array_of_objects():
    assert rows("[\n]") == rows("\n\n") == rows("") == []
    assert rows("[]\n") == ["line 1 is not a JSON object"]
    assert rows('[\n3, {"a": 1}]') == ["item 1 is not a JSON object", {"a": 1}]
