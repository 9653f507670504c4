"""Turning text into the ids of its tokens, and packing n-grams of ids into single numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tricolore.errors import TricoloreError
from tricolore.memo import remembered
from tricolore.text.sentences import sentence_spans
from tricolore.text.stop import stop_words

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

Kind = Literal["bpe", "space", "characters", "gpt2"]
"""How a text is cut.

bpe         byte-pair encoding with a small vocabulary, learnt from a corpus
space       runs of characters between white space
characters  every character, spaces too
gpt2        the tokeniser of GPT-2, where it is on this machine
"""

Ids = NDArray[np.int64]
UNKNOWN = "[UNK]"
_UNICODE = 0x110000
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# White space as the tokenizers library sees it, which is not quite as Python does.
_BLANK = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# Longer words are cut, since the training of a tokeniser would take too long.
_LONGEST_WORD = 1000
_WORD = re.compile(f"[^{_BLANK}]{{1,{_LONGEST_WORD}}}")
_LONG_WORD = re.compile(f"[^{_BLANK}]{{{_LONGEST_WORD}}}")
_PIECE = 10_000
_REMEMBERED = 10_000_000
_CUT = re.compile(r"(?<=\S)(?= \S)")


class TokenizerError(TricoloreError, ValueError):
    """A tokeniser that is not available, and what to do."""


@dataclass(frozen=True)
class NgramTokenizer:
    """Turns texts into token ids; `model` is the JSON of a trained tokeniser.

    >>> NgramTokenizer("space").ids("to be or not to be").size
    6
    """

    kind: Kind
    model: str = ""
    lower: bool = False
    stop: bool = False

    def ids(self, text: str) -> Ids:
        """The ids of the tokens of a text."""
        plain = self._plain(text)
        if self.kind == "characters":
            return np.frombuffer(plain.encode("utf-32-le"), dtype="<u4").astype(np.int64)
        if self.kind == "space":
            words = plain.split()
            return np.fromiter(map(_word_id, words), dtype=np.int64, count=len(words))
        if self.kind == "bpe":
            return _words(self.model).ids(_WORD.findall(plain))
        found = [np.array(piece.ids, dtype=np.int64) for _, piece in self._pieces(plain)]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def spans(self, text: str) -> Ids:
        """The span of each token in the text as given: one row (start, end) per token."""
        plain = self._plain(text)
        if self.kind == "characters":
            starts = np.arange(len(plain))
            found = np.stack([starts, starts + 1], axis=1)
        elif self.kind == "space":
            found = _rows([match.span() for match in re.finditer(r"\S+", plain)])
        elif self.kind == "bpe":
            found = _words(self.model).spans(list(_WORD.finditer(plain)))
        else:
            pieces = [_rows(piece.offsets) + at for at, piece in self._pieces(plain)]
            found = np.concatenate(pieces) if pieces else _rows([])
        if not (self.lower or self.stop) or not len(found):
            return found
        origin = self._origin(text)
        return np.stack([origin[found[:, 0]], origin[found[:, 1] - 1] + 1], axis=1)

    @property
    def base(self) -> int:
        """All ids are below this number."""
        if self.model:
            return int(_load(self.model).get_vocab_size())
        return _UNICODE if self.kind == "characters" else 2**63

    def unknown(self, ids: Ids) -> float:
        """The share of tokens for characters that the tokeniser does not know."""
        if self.kind != "bpe" or not len(ids):
            return 0.0
        return float(np.mean(ids == _load(self.model).token_to_id(UNKNOWN)))

    def _plain(self, text: str) -> str:
        text = _LONE_SURROGATE.sub("\ufffd", text)
        if self.stop:
            text = " ".join(word for word, _, _ in content_words(text))
        return text.lower() if self.lower else text

    def _origin(self, text: str) -> Ids:
        """For each character of the plain text, the character of the given one it comes from."""
        text = _LONE_SURROGATE.sub("\ufffd", text)
        words = content_words(text) if self.stop else [(text, 0, len(text))]
        origin: list[int] = []
        for word, start, end in words:
            for at, letter in enumerate(word, start):
                # Some capitals become two characters when lowered.
                origin += [min(at, end - 1)] * (len(letter.lower()) if self.lower else 1)
            origin.append(end - 1)  # the space that joins it to the next
        return np.array(origin, dtype=np.int64)

    def _pieces(self, plain: str) -> Iterator[tuple[int, Encoding]]:
        # The library's result takes a hundred times the size of a text: cut long ones at spaces.
        tokenizer, start = _load(self.model), 0
        while start < len(plain):
            cut = _CUT.search(plain, start + _PIECE) if len(plain) - start > _PIECE else None
            end = cut.start() if cut else len(plain)
            yield start, tokenizer.encode(plain[start:end], add_special_tokens=False)
            start = end


class _WordTokens:
    """The tokens of words, each word encoded once: no token of a BPE goes across white space."""

    def __init__(self, model: str) -> None:
        self.tokenizer = _load(model)
        self.known: dict[str, tuple[bytes, bytes]] = {}
        self.size = 0

    def ids(self, words: list[str]) -> Ids:
        known = self._learn(words)
        return np.frombuffer(b"".join([known[w][0] for w in words]), np.int32).astype(np.int64)

    def spans(self, matches: list[re.Match[str]]) -> Ids:
        known = self._learn([match.group() for match in matches])
        joined = [known[match.group()][1] for match in matches]
        lengths = np.frombuffer(b"".join(joined), np.int32).astype(np.int64)
        ends = np.cumsum(lengths)
        # That counts characters of words only: add the white space before each word.
        blank, seen = [], 0
        for match in matches:
            blank.append(match.start() - seen)
            seen += match.end() - match.start()
        ends += np.repeat(np.array(blank, np.int64), [len(raw) // 4 for raw in joined])
        return np.stack([ends - lengths, ends], axis=1)

    def _learn(self, words: list[str]) -> dict[str, tuple[bytes, bytes]]:
        if self.size > _REMEMBERED:
            self.known, self.size = {}, 0
        for word in set(words).difference(self.known):
            found = self.tokenizer.encode(word, add_special_tokens=False)
            lengths = [end - start for start, end in found.offsets]
            as_bytes = np.array([found.ids, lengths], dtype=np.int32)
            self.known[word] = as_bytes[0].tobytes(), as_bytes[1].tobytes()
            self.size += len(word) + 100
        return self.known


def train(texts: Iterable[str], *, vocabulary: int, alphabet: int, lower: bool) -> str:
    """The JSON of a byte-pair encoding with a vocabulary of this size.

    All characters of the texts belong to the vocabulary, whatever its size, unless `alphabet`
    limits them to the most frequent ones. The order of the texts does not matter.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[UNKNOWN],
        show_progress=False,
        limit_alphabet=alphabet or _UNICODE,
    )
    sound = (_LONE_SURROGATE.sub("\ufffd", _LONG_WORD.sub(r"\g<0> ", text)) for text in texts)
    with _one_thread():
        tokenizer.train_from_iterator((t.lower() if lower else t for t in sound), trainer)
    return str(tokenizer.to_str())


def gpt2(path: str = "") -> str:
    """The JSON of GPT-2's tokeniser, from a file or the local model cache; never the network."""
    if path:
        if not Path(path).is_file():
            raise TokenizerError(f"there is no tokenizer.json at {path}")
        model = Path(path).read_text("utf-8", errors="replace")
        try:
            _load(model)
        except Exception as error:  # the library raises nothing more precise
            raise TokenizerError(f"{path} is not a tokenizer.json ({error})") from error
        return model
    from huggingface_hub import try_to_load_from_cache

    for name in ("openai-community/gpt2", "gpt2"):
        found = try_to_load_from_cache(name, "tokenizer.json")
        if isinstance(found, str):
            return Path(found).read_text("utf-8")
    raise TokenizerError(
        "GPT-2's tokeniser is not on this machine: give its tokenizer.json with tokenizer_file, "
        "or choose tokenizer=bpe, space or characters"
    )


def ngram_keys(ids: Ids, n: int, base: int) -> Ids:
    """One number for each n-gram of ids, in order.

    >>> ngram_keys(np.array([1, 2, 3, 4]), 2, 10)
    array([12, 23, 34])
    """
    count = len(ids) - n + 1
    if count <= 0:
        return np.empty(0, np.int64)
    if base**n <= 2**63:
        keys = ids[:count].copy()
        for j in range(1, n):
            keys *= base
            keys += ids[j : count + j]
        return keys
    # Too many ids to pack: hash to 64 bits, where ten million n-grams collide once in 10^5 runs.
    hashed = np.zeros(count, np.uint64)
    for j in range(n):
        hashed = _mix(hashed + ids[j : count + j].astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15))
    return hashed.view(np.int64)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    # The finaliser of SplitMix64: every bit of the input reaches every bit of the output.
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@remembered
def content_words(text: str) -> tuple[tuple[str, int, int], ...]:
    """The words that are not stop words, as NLTK splits and lists them, with their positions.

    >>> [word for word, _, _ in content_words("It can't be the end.")]
    ['ca', "n't", 'end', '.']
    """
    from nltk.tokenize.destructive import NLTKWordTokenizer

    tokenizer, left_out = NLTKWordTokenizer(), stop_words("nltk")
    found: list[tuple[str, int, int]] = []
    for first, last in sentence_spans(text):
        at = first
        for word in tokenizer.tokenize(text[first:last]):
            # NLTK turns quotation marks into `` and '', which are not in the text.
            places = ((text.find(form, at, last), len(form)) for form in (word, '"'))
            start, length = next((place for place in places if place[0] >= 0), (at, 0))
            at = start + length
            if word.lower() not in left_out:
                found.append((word, start, max(at, start + 1)))
    return tuple(found)


@lru_cache(maxsize=100_000)
def _word_id(word: str) -> int:
    digest = blake2b(word.encode("utf-8"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


@lru_cache(maxsize=4)
def _words(model: str) -> _WordTokens:
    return _WordTokens(model)


@lru_cache(maxsize=4)
def _load(model: str) -> Tokenizer:
    from tokenizers import Tokenizer

    return Tokenizer.from_str(model)


def _rows(pairs: Any) -> Ids:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@contextmanager
def _one_thread() -> Iterator[None]:
    # With threads, the library warns whenever the process forks later on.
    name = "TOKENIZERS_PARALLELISM"
    before = os.environ.get(name)
    os.environ[name] = "false"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
