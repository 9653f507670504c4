from __future__ import annotations

import gzip
import importlib.util
import io
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tricolore.text import corpus as corpus_module
from tricolore.text.corpus import BACKGROUND, Corpus, CorpusError, Table, background, distinct
from tricolore.text.tokenizer import ngram_keys

TEXTS = ["a cat sat", "a dog sat", "a cat ran and a cat ran"]
REPO = Path(__file__).parents[2]


def frequency(corpus: Corpus, text: str) -> list[float]:
    n = len(text.split())
    keys = ngram_keys(corpus.tokenizer.ids(text), n, corpus.tokenizer.base)
    return corpus.tables[n].look_up(keys).tolist()


def test_counts_documents_not_occurrences() -> None:
    corpus = Corpus.fit(TEXTS, tokenizer="space")
    assert (corpus.documents, corpus.tokens) == (3, 3 + 3 + 7)
    assert frequency(corpus, "a cat") == [2]  # twice in the third, which counts once
    assert frequency(corpus, "cat sat") == [1]
    assert frequency(corpus, "a cat ran") == [1]
    assert frequency(corpus, "sat down") == [0]


def test_distinct_texts_count_once_and_blank_ones_never() -> None:
    assert list(distinct(["a", "b", "a", " \n", ""])) == ["a", "b"]
    twice = Corpus.fit([*TEXTS, *TEXTS, "  "])
    assert twice == Corpus.fit(TEXTS)


@pytest.mark.parametrize("tokenizer", ["bpe", "space", "characters"])
def test_order_and_kind_of_iterable_do_not_matter(tokenizer) -> None:
    corpus = Corpus.fit(TEXTS, tokenizer=tokenizer)
    assert Corpus.fit(reversed(TEXTS), tokenizer=tokenizer).digest == corpus.digest
    assert Corpus.fit((text for text in TEXTS), tokenizer=tokenizer) == corpus
    assert Corpus.fit([*TEXTS, "more"], tokenizer=tokenizer) != corpus


def test_counting_in_portions_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Corpus.fit(TEXTS)
    monkeypatch.setattr(corpus_module, "_MERGE_AT", 3)
    assert Corpus.fit(TEXTS) == whole


@pytest.mark.parametrize("tokenizer", ["bpe", "space", "characters"])
def test_saved_and_loaded_is_the_same(tokenizer, tmp_path: Path) -> None:
    corpus = Corpus.fit(TEXTS, tokenizer=tokenizer, lower=True, stop=True, name="cats")
    (tmp_path / "cats.corpus").write_bytes(corpus.to_bytes())
    loaded = Corpus.load(tmp_path / "cats.corpus")
    assert loaded == corpus
    assert loaded.name == "cats"
    assert loaded.tokenizer == corpus.tokenizer
    assert (loaded.documents, loaded.tokens) == (corpus.documents, corpus.tokens)
    for n, table in corpus.tables.items():
        assert np.array_equal(loaded.tables[n].keys, table.keys)
        assert np.array_equal(loaded.tables[n].counts, table.counts)
    assert all(text in loaded for text in TEXTS)
    assert "a cat" not in loaded
    assert pickle.loads(pickle.dumps(corpus)) == corpus


def test_the_same_corpus_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(Corpus.fit(TEXTS).to_bytes())
    (tmp_path / "two").write_bytes(Corpus.fit(TEXTS[::-1]).to_bytes())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_what_is_not_a_corpus_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="there is no saved corpus"):
        Corpus.load(tmp_path / "none")
    (tmp_path / "text").write_text("not a corpus")
    with pytest.raises(CorpusError, match="is not a saved corpus"):
        Corpus.load(tmp_path / "text")
    (tmp_path / "cut").write_bytes(Corpus.fit(TEXTS).to_bytes())
    whole = (tmp_path / "cut").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorpusError, match="is not a saved corpus"):
        Corpus.load(tmp_path / "cut")


def test_damage_anywhere_in_a_corpus_is_found(tmp_path: Path) -> None:
    whole, path = Corpus.fit(TEXTS).to_bytes(), tmp_path / "corpus"
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            found = Corpus.load(path)
        except CorpusError:
            continue
        assert found == Corpus.fit(TEXTS)  # a byte that says nothing, such as that of a date


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.json", b"[" * 100_000),
        ("corpus.json", b'{"format": 1, "unlisted": 3}'),
        ("corpus.json", None),
        ("tokenizer.json", b"x"),
        ("2-grams/keys", b""),
        ("2-grams/levels", b""),
    ],
)
def test_a_corpus_that_was_edited(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = tmp_path / "corpus"
    with zipfile.ZipFile(io.BytesIO(Corpus.fit(TEXTS).to_bytes())) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    if content is None:
        content = files[name].replace(b'"documents": 3', b'"documents": "three"')
    with zipfile.ZipFile(path, "w") as archive:
        for one, raw in {**files, name: content}.items():
            archive.writestr(one, raw)
    with pytest.raises(CorpusError, match="is not a saved corpus"):
        Corpus.load(path)


def test_a_device_is_no_corpus() -> None:
    with pytest.raises(CorpusError, match="is not a saved corpus"):
        Corpus.load("/dev/zero")


def test_pruned_ngrams_count_as_their_mean() -> None:
    table = Table(np.array([1, 2, 3, 4]), np.array([1, 2, 5, 9], dtype=np.int32)).pruned(3)
    # Left out are those of 1 and 2 documents: 1.5 on average.
    assert table.look_up(np.array([1, 3, 4, 7])).tolist() == [1.5, 5, 9, 1.5]


@pytest.mark.parametrize(("lower", "stop"), BACKGROUND)
def test_the_background_is_small_and_knows_english(lower: bool, stop: bool) -> None:
    corpus = background(lower, stop)
    assert corpus.name == "background 1"
    assert corpus.documents > 5_000
    assert sorted(corpus.tables) == [2, 3, 4]
    assert corpus.tokenizer.base == 100

    def mean(text: str) -> float:
        keys = ngram_keys(corpus.tokenizer.ids(text), 3, 100)
        return float(corpus.tables[3].look_up(keys).mean())

    assert mean("government said yesterday") > 10 * mean("xqzj vvkq jjxw")


def test_the_background_takes_a_few_hundred_kilobytes() -> None:
    data = REPO / "src" / "tricolore" / "text" / "data"
    assert sum((data / name).stat().st_size for name in BACKGROUND.values()) < 700_000


def test_the_background_has_no_stopped_capitals() -> None:
    with pytest.raises(CorpusError, match="no `stop` without `lower`"):
        background(False, True)


def test_the_background_is_made_the_same_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = importlib.util.spec_from_file_location("make", REPO / "tools" / "background" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    (tmp_path / "text").mkdir()
    story = "The cat number {0} sat on mat {0} and looked at the rain. " * 25
    texts = "\n\n\n".join(story.format(i) for i in range(8)) + "\n\n\ntoo short"
    for name in make.SOURCES:
        with gzip.open(tmp_path / "text" / f"{name}.txt.gz", "wt", encoding="utf-8") as file:
            file.write(texts)
    monkeypatch.setattr(make, "DATA", tmp_path)
    made = []
    for out in ("one", "two"):
        (tmp_path / out).mkdir()
        monkeypatch.setattr(make, "OUT", tmp_path / out)
        make.main()
        made.append([(tmp_path / out / file).read_bytes() for file in BACKGROUND.values()])
    assert made[0] == made[1]
    corpus = Corpus.load(tmp_path / "one" / "background-1.corpus")
    assert corpus.documents == 4  # every second of eight stories; the same in every file
    assert len(corpus.members) == 0


def test_long_documents_are_cut_into_stories() -> None:
    spec = importlib.util.spec_from_file_location("make", REPO / "tools" / "background" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    text = "A line of some length that ends here.\n" * 400
    parts = list(make.stories(text))
    assert all(3_000 < len(part) < 3_100 for part in parts[:-1])
    assert "".join(parts).split() == text.split()
