import io

import pytest

from tricolore.data.separated_rows import separated_rows
from tricolore.data.unusable import REPEATED, UnusableFileError


def rows(content, delimiter=",", max_size=1_000_000):
    content = content if isinstance(content, bytes) else content.encode()
    stream = io.BufferedReader(io.BytesIO(content))
    return list(separated_rows(stream, delimiter, max_size))


def test_line_separators_of_unicode_are_part_of_a_cell():
    text = "one\u2028two\x85three\x0cfour\x1cfive\x0bsix"
    assert rows(f"a,b\n{text},x\n{text},y\n") == [{"a": text, "b": "x"}, {"a": text, "b": "y"}]


def test_a_carriage_return_in_a_cell_does_not_end_the_row():
    words = "line 2 has a carriage return outside quotes"
    assert rows("a,b\n1\r2,3\n4,5\n") == [words, {"a": "4", "b": "5"}]
    assert rows('a,b\n"1\r2",3\n') == [{"a": "1\r2", "b": "3"}]
    with pytest.raises(UnusableFileError, match="line 1 has a carriage return outside quotes"):
        rows("a\rb,c\n1,2\n")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "\r\r\n"])
def test_the_line_endings_of_all_systems(ending):
    lines = ["a,b", '1,"x y"', "3,4", ""]
    assert rows(ending.join(lines)) == [{"a": "1", "b": "x y"}, {"a": "3", "b": "4"}]


def test_a_column_that_is_given_twice_is_unusable():
    assert rows("a,b,a\n1,2,3\n") == [{"a": REPEATED, "b": "2"}]


def test_blank_lines_before_the_header():
    assert rows("\n \n\na;b\n1;2\n\n3;4\n") == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_a_row_that_is_too_long():
    assert rows("a\n" + "x" * 90 + "\n" + "y" * 90 + "\n", max_size=100)[1] == {"a": "y" * 90}
    for text in ("x" * 200, '"' + "x\n" * 100):
        with pytest.raises(UnusableFileError, match=r"longer than 0\.0001 MB") as error:
            rows("a\n" + text, max_size=100)
        assert error.value.argument == "max_row_mb"
