import io

import pytest

from tricolore.data.encodings import check_not_utf_16, checked_encoding, in_utf_8
from tricolore.data.unusable import UnusableFileError
from tricolore.errors import ReadError


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32-be", "cp1252", "utf-7"])
def test_text_becomes_utf_8(encoding):
    text = "Das Café\r\nline two\n" * 20_000
    stream = in_utf_8(io.BufferedReader(io.BytesIO(text.encode(encoding))), encoding)
    assert stream.read().decode() == text


@pytest.mark.parametrize("name", ["klingon", "base64", "hex", "a\x00b", "\ud800", "utf 8 9"])
def test_what_is_no_encoding_of_text(name):
    with pytest.raises(ReadError, match="there is no encoding"):
        checked_encoding(name)
    assert checked_encoding("") == checked_encoding("UTF8") == "utf-8"


def test_utf_16_is_told_by_its_first_bytes():
    check_not_utf_16("é".encode())
    with pytest.raises(UnusableFileError, match="is UTF-16"):
        check_not_utf_16("é".encode("utf-16"))
