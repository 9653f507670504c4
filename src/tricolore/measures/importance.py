"""Importance-weighted n-gram relevance: does the summary have what is special about its source?

After "Mitigating the Impact of Reference Quality on Evaluation of Summarization Systems with
Reference-Free Metrics", section 4 and appendix A.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np

from tricolore.arrays import Floats
from tricolore.example import Example
from tricolore.measure import Direction, Language, Measure
from tricolore.measures.importance_evidence import NgramShares, evidence_of
from tricolore.measures.importance_ranking import earlier_uses, lower_neighbours, rank_order
from tricolore.memo import remembered
from tricolore.score import Score
from tricolore.settings import FilePath, Opens, setting, write_setting
from tricolore.text.corpus import Corpus, CorpusError, background, distinct
from tricolore.text.tokenizer import Ids, Kind, TokenizerError, gpt2, ngram_keys


def importance(
    summary: str,
    document: str,
    corpus: Sequence[str],
    *,
    n: int = 3,
    tokenize: Callable[[str], Sequence[Hashable]] = str.split,
) -> float:
    """m(ŝ, d, D) by its definition (section 4), with tf-idf, tanh and length penalty (A.2).

    The document is one of the corpus, and the corpus has no text twice. `Importance` gives the
    same number for a corpus of 10 sources or more and the same tokenizer; the paper's is trained
    on the corpus (A.2).
    """

    def ngrams(text: str) -> list[tuple[Hashable, ...]]:
        tokens = tokenize(text)
        return [tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1)]

    ngrams_of_corpus = [set(ngrams(text)) for text in corpus]
    tf = Counter(ngrams(document))
    df = {t: sum(t in of_text for of_text in ngrams_of_corpus) for t in tf}
    w = {t: tf[t] * math.log(len(corpus) / df[t]) for t in tf}
    # Of equal importance, but for rounding, the one that comes first in the document ranks higher.
    by_rank = sorted(w, key=lambda t: round(w[t], 9), reverse=True)
    weight = {t: math.tanh(w[t] / r) for r, t in enumerate(by_rank, start=1)}  # W
    total = sum(weight.values())  # N
    alpha = 1 / (1 + math.exp(20 * len(tokenize(summary)) / len(tokenize(document)) - 10))
    return alpha / total * sum(weight.get(t, 0.0) for t in set(ngrams(summary)))


FEWEST_SOURCES = 10
"""With fewer sources in the run, their document frequencies are noise."""
_MOSTLY_UNKNOWN = 0.5  # share of unknown tokens from which a source is not weighed


@dataclass(frozen=True, kw_only=True)
class Importance(Measure):
    """The share of a source's n-gram importance that the summary has, less if it is long."""

    name = "importance"
    needs = frozenset({"source", "corpus"})
    direction = "higher"
    meaning = "How much of what is important in the source the summary has"
    bounds = (0.0, 1.0)
    cost = "about 0.2 ms per summary, and fitting the corpus"
    part_names = ("relevance", "penalty", "matched")
    # The value is relevance times penalty: a penalty of 1 takes nothing away.
    part_directions: ClassVar[Mapping[str, Direction]] = {
        "relevance": "higher",
        "penalty": "higher",
        "matched": "higher",
    }
    presets: ClassVar = {
        "paper": {},
        "released": {
            "lowercase": True,
            "stop_words": "nltk",
            "neighbours": "legacy",
            "repetition": 0.5,
            "length": "n-grams",
            "epsilon": 1e-6,
        },
    }

    tokenizer: Kind = setting(
        "bpe",
        "How texts are cut into tokens: `bpe` (byte-pair encoding, trained on the corpus), "
        "`space`, `characters`, or `gpt2` (if it is on this machine).",
    )
    vocabulary: int = setting(
        100, "Number of tokens of the BPE; all characters of the corpus are kept, even if more."
    )
    tokenizer_file: FilePath = setting(
        "", "The tokenizer.json of GPT-2, if it is not in the model cache."
    )
    n: int = setting(3, "Number of tokens in an n-gram; the paper tries 2, 3 and 4.")
    weighting: Literal["tf-idf", "bm25"] = setting(
        "tf-idf", "How the importance w of an n-gram is computed: by `tf-idf` or `bm25`."
    )
    k: float = setting(1.2, "Parameter k of BM25.")
    b: float = setting(0.75, "Parameter b of BM25.")
    scoring: Literal["importance", "exp-rank", "inv-rank", "constant", "tanh"] = setting(
        "tanh",
        "How the weight W follows from importance w and rank r: `tanh` (tanh(w/r)), `importance` "
        "(w), `exp-rank` (exp(-r)), `inv-rank` (1/r) or `constant` (1).",
    )
    penalty: bool = setting(True, "Whether the values of long summaries are lowered by α.")
    corpus: Annotated[str, Opens("file", ("run", "background"))] = setting(
        "run",
        "The corpus D: the sources of the run (`run`), the one that comes with tricolore "
        "(`background`), or a file written by `tricolore corpus`.",
    )
    lowercase: bool = setting(
        False, "Whether upper and lower case are treated as the same (released code)."
    )
    stop_words: Literal["none", "nltk"] = setting(
        "none", "Which stop words are left out: `none`, or NLTK's English ones (released code)."
    )
    neighbours: Literal["off", "legacy", "fixed"] = setting(
        "off",
        "Whether w is multiplied by 0.1 unless it is the largest from two n-grams before to one "
        "after: `off`, in order of first appearance (`legacy`) or of positions (`fixed`) "
        "(released code).",
    )
    repetition: float = setting(
        0.0,
        "Down the ranks, w is divided by 1 + this times the earlier uses of its tokens, and "
        "ranked again (released code).",
    )
    length: Literal["tokens", "n-grams"] = setting(
        "tokens", "What the length of the summary is counted in (`n-grams`: released code)."
    )
    epsilon: float = setting(
        0.0, "A small number that is added to w, N and the length of the source (released code)."
    )
    _corpus: Corpus | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not 1 <= self.n <= 10:
            raise ValueError(f"n={self.n} was given, but n must be from 1 to 10")
        if not 2 <= self.vocabulary <= 100_000:
            raise ValueError(
                f"vocabulary={self.vocabulary} was given, but it must be from 2 to 100000"
            )
        if not (0 <= self.k < math.inf and 0 <= self.b <= 1):
            raise ValueError(f"k={self.k}, b={self.b} was given, but k ≥ 0 and 0 ≤ b ≤ 1")
        if not (0 <= self.repetition < math.inf and 0 <= self.epsilon <= 1e-3):
            raise ValueError("repetition must not be negative, and epsilon is from 0 to 0.001")

    def prepare(self) -> None:
        if self._saved:
            self._check(_load(self.corpus))

    @property
    def _leaves_out(self) -> bool:
        return self.stop_words != "none"

    # The corpus D.

    @property
    def _saved(self) -> bool:
        return self.corpus not in ("run", "background")

    @property
    def language(self) -> Language:
        """Stop words are English, and so is the background corpus."""
        is_background = self._corpus is None and not self._saved
        return "english" if self.stop_words != "none" or is_background else "any"

    def fit(self, sources: Iterable[str]) -> Self:
        """The measure with the sources of the run as D, or the background if they are too few."""
        if iter(sources) is sources:
            sources = list(sources)
        if self.corpus != "run" or _few(sources):
            return replace(self, _corpus=None)
        try:
            fitted = Corpus.fit(
                sources,
                tokenizer=self.tokenizer,
                vocabulary=self.vocabulary,
                sizes=(self.n,),
                lower=self.lowercase,
                stop=self._leaves_out,
                tokenizer_file=self.tokenizer_file,
                name="run",
            )
        except TokenizerError:
            return replace(self, _corpus=None)  # each score will report what is missing
        return replace(self, _corpus=fitted)

    def _fitted(self) -> Corpus:
        """The corpus in use; an unfitted measure uses the background corpus."""
        if self._corpus is not None:
            return self._corpus
        return _load(self.corpus) if self._saved else self._background()

    def _background(self) -> Corpus:
        if self.tokenizer == "gpt2":
            gpt2(self.tokenizer_file)  # the tokenizer itself may be missing
        fits = self.tokenizer == "bpe" and self.vocabulary == 100
        fits = fits and self._leaves_out <= self.lowercase
        if not fits or self.n not in background(self.lowercase, self._leaves_out).tables:
            raise CorpusError(
                f"the corpus is too small: score {FEWEST_SOURCES} or more sources together or give "
                "a saved corpus (the one that comes with tricolore serves only tokenizer=bpe, "
                "vocabulary=100, n=2 to 4, and stop_words only with lowercase)"
            )
        return background(self.lowercase, self._leaves_out)

    def _check(self, corpus: Corpus) -> None:
        wanted = _as_settings(self.tokenizer, self.lowercase, self._leaves_out)
        cut = corpus.tokenizer
        has = _as_settings(cut.kind, cut.lower, cut.stop)
        if wanted != has or self.n not in corpus.tables:
            raise CorpusError(
                f"the corpus {self.corpus} was made with {has}, n={list(corpus.tables)}; "
                f"the measure has {wanted}, n={self.n}"
            )

    def signature(self) -> dict[str, Any]:
        """Everything that makes a value reproducible, with the corpus by name and digest."""
        try:
            corpus = self._fitted()
        except (CorpusError, TokenizerError):
            return {**super().signature(), "corpus": "none"}
        return {**super().signature(), "corpus": f"{corpus.name} ({corpus.digest})"}

    # m(ŝ, d, D) = α / N · Σ W over the n-grams t of ŝ.

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        try:
            ready = replace(self, _corpus=self._fitted())
        except (CorpusError, TokenizerError) as error:
            return [Score.missing(str(error)) for _ in examples]
        return [ready._score(example, evidence) for example in examples]

    def _score(self, example: Example, evidence: bool) -> Score:
        document = self._shares("\n".join(example.source))
        if isinstance(document, str):
            return Score.missing(document)
        tokenizer = self._fitted().tokenizer
        ids = tokenizer.ids(example.summary)
        grams = ngram_keys(ids, self.n, tokenizer.base)
        if not len(grams):
            return Score.missing(f"the summary has fewer than {self.n} tokens")
        earned = document.find(grams)
        relevance = min(1.0, float(document.share[earned].sum()))
        length = len(ids) if self.length == "tokens" else len(grams)
        alpha = self._alpha(length, document.tokens) if self.penalty else 1.0
        matched = int(np.count_nonzero(earned)) / len(np.unique(grams))
        return Score(
            alpha * relevance,
            parts={"relevance": relevance, "penalty": alpha, "matched": matched},
            evidence=evidence_of(example, document, tokenizer, self.n) if evidence else (),
        )

    def _alpha(self, summary: int, document: int) -> float:
        """The length penalty f, appendix A.2."""
        steep = 20 * summary / (document + self.epsilon) - 10
        return 1 / (1 + math.exp(min(steep, 700.0)))

    def span_weights(self, text: str, spans: Sequence[tuple[int, int]]) -> list[float] | str:
        """The share of a document's importance that each span of it has, or why there is none."""
        document = self._shares(text)
        if isinstance(document, str):
            return document
        tokenizer = self._fitted().tokenizer
        grams = (
            ngram_keys(tokenizer.ids(text[start:end]), self.n, tokenizer.base)
            for start, end in spans
        )
        return [float(document.share[document.find(g)].sum()) if len(g) else 0.0 for g in grams]

    # W / N, which does not depend on the summary.

    @remembered
    def _shares(self, text: str) -> NgramShares | str:
        """The n-grams of a document and their shares, or why there are none."""
        corpus = self._fitted()
        ids = corpus.tokenizer.ids(text)
        grams = ngram_keys(ids, self.n, corpus.tokenizer.base)
        if not len(grams):
            return f"the source has fewer than {self.n} tokens"
        if corpus.tokenizer.unknown(ids) > _MOSTLY_UNKNOWN:
            return f"most characters of the source are unknown to the corpus ({corpus.name})"
        keys, first, places, tf = np.unique(
            grams, return_index=True, return_inverse=True, return_counts=True
        )
        w = self._importance(text, keys, tf, len(ids))
        # n-grams in order of first appearance, which decides between equal importances; the fixed
        # neighbour penalty of the released code lists an n-gram as often as it occurs.
        listed = places if self.neighbours == "fixed" else np.argsort(first)
        w = w[listed]
        if self.neighbours != "off":
            w = lower_neighbours(w)
        order = rank_order(w)
        listed, w = listed[order], w[order]
        if self.repetition:
            unigrams = ids[first[listed][:, None] + np.arange(self.n)]
            w = w / (1 + self.repetition * earlier_uses(unigrams))
            order = rank_order(w)
            listed, w = listed[order], w[order]
        r = np.arange(1, len(w) + 1, dtype=np.float64)
        weight = self._weight(w + self.epsilon, r)  # W
        total = float(weight.sum()) + self.epsilon  # N
        if total <= 0:
            return "every n-gram of the source is in every document of the corpus"
        share = np.bincount(listed, weights=weight / total, minlength=len(keys))
        return NgramShares(keys, share.astype(np.float64), len(ids))

    def place_weights(self, text: str) -> list[tuple[int, int, float]] | str:
        """Where each n-gram of a document begins and ends, and its share W / N; or why not.

        The n-grams are in the order of the text; one that occurs twice is there twice.
        """
        try:
            ready = replace(self, _corpus=self._fitted())
        except (CorpusError, TokenizerError) as error:
            return str(error)
        found = ready._shares(text)
        if isinstance(found, str):
            return found
        tokenizer = ready._fitted().tokenizer
        grams = ngram_keys(tokenizer.ids(text), self.n, tokenizer.base)
        share = found.share[np.searchsorted(found.keys, grams)]
        places = tokenizer.spans(text)
        starts, ends = places[: len(grams), 0], places[self.n - 1 :, 1]
        return list(zip(starts.tolist(), ends.tolist(), share.tolist(), strict=True))

    def _importance(self, text: str, keys: Ids, tf: Ids, length: int) -> Floats:
        """The importance w of each n-gram of the document."""
        corpus = self._fitted()
        df = corpus.tables[self.n].look_up(keys)
        documents, tokens = corpus.documents, corpus.tokens
        if text not in corpus:
            # The paper has d ∈ D: a document from elsewhere is counted as one more.
            df, documents, tokens = df + 1, documents + 1, tokens + length
        if self.weighting == "tf-idf":
            return np.asarray(tf * np.log(documents / df))
        usual = tokens / documents
        damped = tf / (tf + self.k * (1 - self.b + self.b * length / usual))
        return np.asarray(damped * np.log(1 + (documents - df + 0.5) / (df + 0.5)))

    def _weight(self, w: Floats, r: Floats) -> Floats:
        """W, from the importance w and its rank r: the scores of appendix A.2."""
        match self.scoring:
            case "importance":
                return w
            case "exp-rank":
                return np.exp(-r)
            case "inv-rank":
                return 1 / r
            case "constant":
                return np.ones(len(w))
            case "tanh":
                return np.tanh(w / r)


def _as_settings(tokenizer: Kind, lowercase: bool, leaves_out: bool) -> str:
    """The settings of the measure that stand for a corpus's tokenizer."""
    stop_words = "nltk" if leaves_out else "none"
    return f"tokenizer={tokenizer}, lowercase={write_setting(lowercase)}, stop_words={stop_words}"


def _few(sources: Iterable[str]) -> bool:
    return sum(1 for _ in islice(distinct(sources), FEWEST_SOURCES)) < FEWEST_SOURCES


def _load(path: str) -> Corpus:
    try:
        about = Path(path).stat()
    except OSError:
        raise CorpusError(
            f"corpus={path} was given, but it is neither `run` nor `background` nor a file"
        ) from None
    return _load_version(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=4)
def _load_version(path: str, changed: int, size: int) -> Corpus:
    return Corpus.load(path)
