import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.normal import lower_case, nfkd

# Letters with marks in any order, ligatures, Hangul, and what else there is.
odd = st.sampled_from("aé\u0301\u0323\u0327ﬁﬃ각ｱ²…\u1e69\u00a0")
texts = st.text(odd | st.characters(), max_size=30)


@given(texts)
def test_it_is_the_normal_form(text):
    assert nfkd(text).text == unicodedata.normalize("NFKD", text)


@given(texts)
def test_the_way_back(text):
    normal = nfkd(text)
    places = [normal.back(at, at + 1) for at in range(len(normal.text))]
    for part, (start, end) in zip(normal.text, places, strict=True):
        assert end - start == 1
        assert part in unicodedata.normalize("NFKD", text[start:end])
    # Every character of the text made something.
    assert {start for start, _ in places} == set(range(len(text)))
    if text:
        assert normal.back(0, len(normal.text)) == (0, len(text))


def test_an_empty_stretch_stays_empty():
    assert nfkd("aﬁb").back(0, 0) == (0, 0)
    assert nfkd("aﬁb").back(3, 3) == (2, 2)
    assert nfkd("aﬁb").back(4, 4) == (3, 3)


letters = st.lists(st.sampled_from("aAéÉßẞİıΣςǅ.") | st.characters(), max_size=20)


@given(letters.map("".join), st.integers(0, 20))
def test_lower_case_moves_no_character(text, at):
    """İ would be two characters, and Σ depends on what follows: each letter is taken by itself."""
    small = lower_case(text)
    assert len(small) == len(text)
    assert lower_case(text[:at]) + lower_case(text[at:]) == small
    assert lower_case(small) == small


@given(st.text(st.characters(max_codepoint=127)))
def test_lower_case_of_plain_letters(text):
    assert lower_case(text) == text.lower()
