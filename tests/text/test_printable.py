import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from tricolore.text.printable import printable

ANY = st.text(st.characters(codec=None, exclude_categories=()))
"""Any text, with control characters and lone surrogates."""


@given(ANY)
@example("\x1b]0;title\x07")
@example("\x9b31m\u202e\u2066\u2028\ud800\udcff\x7f\r\n\t")
def test_nothing_is_left_that_a_terminal_obeys_or_an_encoding_refuses(text):
    shown = printable(text)
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in shown)
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(shown)
    shown.encode("utf-8")
    assert len(shown) == len(text)
    assert printable(shown) == shown


@given(st.text(st.characters(categories=("L", "N", "P", "S", "M"))))
def test_letters_and_signs_stay(text):
    assert printable(text) == text


def test_what_a_layout_understands_is_kept():
    assert printable("a\tb\r\n", keep="\n\t") == "a\tb␍\n"
    # Marks of direction that right-to-left scripts need do not reorder other text.
    assert printable("\u200e\u200f\u061c") == "\u200e\u200f\u061c"
