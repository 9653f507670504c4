"""`fit_corpus`: document frequencies in a file."""

import pytest

from tricolore.api.corpus import fit_corpus
from tricolore.errors import SpecError, WriteError
from tricolore.text.corpus import Corpus

ROWS = [{"source": f"The {word} stood in town.", "summary": word} for word in ("tower", "bridge")]


def test_saved_as_it_was_fitted(tmp_path):
    made = fit_corpus(ROWS, tmp_path / "town.corpus", "importance:tokenizer=space,n=3")
    assert (made.documents, made.name) == (2, "town")
    assert Corpus.load(tmp_path / "town.corpus").digest == made.digest
    one = fit_corpus(ROWS, tmp_path / "one.corpus", "importance:tokenizer=space,n=3", limit=1)
    assert one.documents == 1


def test_what_cannot_be(tmp_path):
    with pytest.raises(SpecError, match="coverage needs no corpus"):
        fit_corpus(ROWS, tmp_path / "x.corpus", "coverage")
    with pytest.raises(WriteError, match="cannot be written"):
        fit_corpus(ROWS, tmp_path / "no" / "x.corpus")
    assert list(tmp_path.iterdir()) == []
