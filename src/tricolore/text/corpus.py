"""The document frequencies of a corpus's n-grams."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tricolore.errors import TricoloreError
from tricolore.text.tokenizer import Ids, Kind, NgramTokenizer, gpt2, ngram_keys, train

FORMAT = 1
_MERGE_AT = 2_000_000


class CorpusError(TricoloreError, ValueError):
    """A corpus that is missing or does not fit, and what to do."""


@dataclass(frozen=True, eq=False)
class Table:
    """The n-grams of one size: sorted keys, and in how many documents each occurs."""

    keys: Ids
    counts: NDArray[np.int32]
    unlisted: float = 0.0
    """The document frequency of an n-gram that is not in the table."""

    def look_up(self, keys: Ids) -> NDArray[np.float64]:
        """In how many documents each of these n-grams occurs."""
        if not len(self.keys):
            return np.full(len(keys), self.unlisted)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.counts[at], self.unlisted)

    def pruned(self, least: int) -> Table:
        """The table without rare n-grams, which then count as the mean of those left out."""
        kept = self.counts >= least
        unlisted = float(self.counts[~kept].mean()) if not kept.all() else 0.0
        return Table(self.keys[kept], self.counts[kept], round(unlisted, 3))


@dataclass(frozen=True, eq=False)
class Corpus:
    """A tokeniser and the document frequencies of n-grams, without the texts themselves.

    >>> corpus = Corpus.fit(["a cat sat", "a dog sat", "a cat ran"], tokenizer="space", sizes=[2])
    >>> corpus.documents, "a cat sat" in corpus, "a cat" in corpus
    (3, True, False)
    """

    name: str
    tokenizer: NgramTokenizer
    documents: int
    tokens: int
    """The length of all documents together."""
    tables: Mapping[int, Table]
    members: NDArray[np.uint64]
    """Digests of the documents, sorted."""

    @classmethod
    def fit(
        cls,
        sources: Iterable[str],
        *,
        tokenizer: Kind = "bpe",
        vocabulary: int = 100,
        sizes: Sequence[int] = (2, 3, 4),
        lower: bool = False,
        stop: bool = False,
        alphabet: int = 0,
        tokenizer_file: str = "",
        name: str = "corpus",
    ) -> Self:
        """Learn a corpus from its documents; each distinct text counts once.

        The sources are read twice if a tokeniser is trained. `sizes` are those of the
        n-grams; see `tokenizer.train` for `alphabet`.
        """
        if iter(sources) is sources:
            sources = list(sources)
        model = ""
        if tokenizer == "bpe":
            model = train(distinct(sources), vocabulary=vocabulary, alphabet=alphabet, lower=lower)
        elif tokenizer == "gpt2":
            model = gpt2(tokenizer_file)
        cutter = NgramTokenizer(tokenizer, model, lower, stop)
        members, tokens = [], 0
        counters = {n: _Counter() for n in sizes}
        for text in distinct(sources):
            ids = cutter.ids(text)
            members.append(_digest(text))
            tokens += len(ids)
            for n, counter in counters.items():
                counter.add(np.unique(ngram_keys(ids, n, cutter.base)))
        tables = {n: counter.table() for n, counter in counters.items()}
        sorted_members = np.sort(np.array(members, dtype=np.uint64))
        return cls(name, cutter, len(members), tokens, tables, sorted_members)

    def __contains__(self, text: str) -> bool:
        at = np.searchsorted(self.members, _digest(text))
        return bool(at < len(self.members) and self.members[at] == _digest(text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Corpus) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """Identifies the content, whatever the name, the file or the order of the documents."""
        digest = blake2b(digest_size=6)
        for name, raw in sorted(self._files().items()):
            if name != "corpus.json":
                digest.update(f"{name} {len(raw)} ".encode() + raw)
        digest.update(json.dumps({**self._about(), "name": ""}, sort_keys=True).encode())
        return digest.hexdigest()

    def to_bytes(self) -> bytes:
        """The content of a file that `load` reads; the same corpus always gives the same bytes."""
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, raw in self._files().items():
                archive.writestr(zipfile.ZipInfo(name), raw, zipfile.ZIP_DEFLATED)
        return whole.getvalue()

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """A corpus that was saved."""
        if Path(path).exists() and not Path(path).is_file():
            raise CorpusError(f"{path} is not a saved corpus (it is not a file)")
        try:
            with zipfile.ZipFile(path) as archive:
                return cls._from_files({name: archive.read(name) for name in archive.namelist()})
        except FileNotFoundError:
            raise CorpusError(f"there is no saved corpus at {path}") from None
        except Exception as error:  # damage shows in zipfile, zlib, json, numpy and tokenizers
            raise CorpusError(f"{path} is not a saved corpus ({error})") from error

    def _about(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "name": self.name,
            "tokenizer": self.tokenizer.kind,
            "lower": self.tokenizer.lower,
            "stop": self.tokenizer.stop,
            "documents": self.documents,
            "tokens": self.tokens,
            "unlisted": {str(n): self.tables[n].unlisted for n in sorted(self.tables)},
        }

    def _files(self) -> dict[str, bytes]:
        found = {
            "corpus.json": json.dumps(self._about(), indent=1).encode(),
            "tokenizer.json": self.tokenizer.model.encode(),
            "members": self.members.astype("<u8").tobytes(),
        }
        for n in sorted(self.tables):
            table = self.tables[n]
            # There are few distinct counts, so a list of them and indices into it are smaller.
            levels, places = np.unique(table.counts, return_inverse=True)
            found[f"{n}-grams/keys"] = _planes(_steps(table.keys.view(np.uint64)))
            found[f"{n}-grams/levels"] = _planes(levels.astype(np.uint64))
            found[f"{n}-grams/places"] = _planes(places.astype(np.uint64))
        return found

    @classmethod
    def _from_files(cls, raw: Mapping[str, bytes]) -> Self:
        about = json.loads(raw["corpus.json"])
        if about["format"] != FORMAT:
            raise ValueError(f"it has format {about['format']}; this version reads {FORMAT}")
        tables = {}
        for n, unlisted in about["unlisted"].items():
            keys = np.cumsum(_unplaned(raw[f"{n}-grams/keys"]), dtype=np.uint64).view(np.int64)
            levels = _unplaned(raw[f"{n}-grams/levels"]).astype(np.int32)
            places = _unplaned(raw[f"{n}-grams/places"]).astype(np.int64)
            if len(keys) != len(places):
                raise ValueError(f"it has {len(keys)} {n}-grams, but {len(places)} counts")
            tables[int(n)] = Table(keys, levels[places], float(unlisted))
        model = raw["tokenizer.json"].decode()
        tokenizer = NgramTokenizer(about["tokenizer"], model, about["lower"], about["stop"])
        tokenizer.ids("")  # one that is damaged must not be found row by row
        members = np.frombuffer(raw["members"], dtype="<u8").astype(np.uint64)
        for count in ("documents", "tokens"):
            if type(about[count]) is not int or about[count] < 0:
                raise ValueError(f"its number of {count} is {about[count]!r}")
        return cls(about["name"], tokenizer, about["documents"], about["tokens"], tables, members)


class _Counter:
    """Counts documents by n-gram, a few million n-grams at a time."""

    def __init__(self) -> None:
        self.whole = Table(np.empty(0, np.int64), np.empty(0, np.int32))
        self.waiting: list[Ids] = []
        self.size = 0

    def add(self, keys: Ids) -> None:
        self.waiting.append(keys)
        self.size += len(keys)
        if self.size > _MERGE_AT:
            self.whole = self.table()

    def table(self) -> Table:
        keys = np.concatenate([self.whole.keys, *self.waiting])
        counts = np.ones(len(keys), np.int32)
        counts[: len(self.whole.keys)] = self.whole.counts
        self.waiting, self.size = [], 0
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], counts[order]
        first = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1)) if len(keys) else order
        return Table(keys[first], np.add.reduceat(counts, first) if len(keys) else counts)


BACKGROUND = {
    (False, False): "background-1.corpus",
    (True, False): "background-1-lower.corpus",
    (True, True): "background-1-lower-stop.corpus",
}
"""The files of the corpus that comes with the package, by whether it is lowered and stopped."""


@cache
def background(lower: bool = False, stop: bool = False) -> Corpus:
    """The corpus that comes with the package: English news and prose.

    >>> background().name
    'background 1'
    """
    if (lower, stop) not in BACKGROUND:
        raise CorpusError("the background corpus has no `stop` without `lower`")
    raw = files("tricolore.text").joinpath("data", BACKGROUND[lower, stop]).read_bytes()
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return Corpus._from_files({name: archive.read(name) for name in archive.namelist()})


def distinct(sources: Iterable[str]) -> Iterator[str]:
    """Each text once, in order of first appearance, without those that are blank."""
    seen: set[int] = set()
    for text in sources:
        digest = int(_digest(text))
        if digest not in seen and text.strip():
            seen.add(digest)
            yield text


def _digest(text: str) -> np.uint64:
    raw = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.uint64(int.from_bytes(raw, "little"))


def _steps(sorted_numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    steps = sorted_numbers.copy()
    steps[1:] -= sorted_numbers[:-1]
    return steps


def _planes(numbers: NDArray[np.uint64]) -> bytes:
    # All first bytes, then all second bytes…: the high ones are mostly zero and compress away.
    return numbers.astype("<u8").view(np.uint8).reshape(-1, 8).T.tobytes()


def _unplaned(raw: bytes) -> NDArray[np.uint64]:
    planes = np.frombuffer(raw, dtype=np.uint8).reshape(8, -1)
    return np.ascontiguousarray(planes.T).view("<u8").ravel().astype(np.uint64)
