"""GRUEN: grammaticality, non-redundancy, focus, structure and coherence of a text by itself.

Wanzheng Zhu and Suma Bhat (2020), "GRUEN for Evaluating Linguistic Quality of Generated Text", and
the authors' code, whose constants are used. It leaves coherence out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from tricolore.example import Example
from tricolore.measure import Direction, ValueChoice
from tricolore.measures.gruen_focus import (
    LEAST,
    PENALTY,
    Unfocused,
    adjacent_distances,
    focus_score,
)
from tricolore.measures.gruen_redundancy import redundant_pairs
from tricolore.measures.gruen_text import Cleaning, GruenSentence, gruen_sentences
from tricolore.measures.neural import LocalNetMeasure
from tricolore.measures.pair_limit import TooManyPairsError, check_max_pairs, check_pairs
from tricolore.models.acceptability import Acceptability
from tricolore.models.edit_tagger import EditTagger, TaggedSentence
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.model import Model, shared, shared_revision
from tricolore.models.queries import TargetQuery
from tricolore.models.sentence_order import SentenceOrder
from tricolore.score import Score, Span
from tricolore.settings import ModelName, Opens, Setting, setting

TAGGER = "tagger"
FLAG = 0.1
"""What each feature of a redundant pair of sentences costs."""
ORDER_LOSS = math.log(2)
"""The mean loss of sentence order above which a summary is penalised (ours): a coin's."""


def gruen(
    perplexities: Sequence[float],
    acceptabilities: Sequence[float],
    flags: int,
    focus: Sequence[float],
    order_losses: Sequence[float] = (),
) -> float:
    """GRUEN by its definition, from what the models say of each sentence or adjacent pair.

    Arguments:
        perplexities: Of the sentences, by a masked language model.
        acceptabilities: Of the sentences: the logit of the class `acceptable`.
        flags: The number of features by which sentences repeat each other.
        focus: The scores of adjacent sentences; empty for a single sentence.
        order_losses: The losses of sentence order; empty if coherence is left out.
    """
    grammar = math.exp(-0.5 * float(np.mean(perplexities))) + float(np.mean(acceptabilities))
    y_g = max(0.0, grammar / 8 + 0.5)
    y_r = 0.0 - FLAG * flags
    y_f = -PENALTY if min(focus, default=1.0) < LEAST else 0.0
    y_c = -PENALTY if len(order_losses) and np.mean(order_losses) > ORDER_LOSS else 0.0
    return min(1.0, max(0.0, y_g + y_r + y_f + y_c))


GruenValue = Literal["gruen", "grammaticality", "redundancy", "focus", "coherence"]
_PARTS = (
    *("gruen", "grammaticality", "redundancy", "focus", "coherence"),
    *("likelihood", "acceptability", "sentences"),
)
_BOUNDS: Mapping[GruenValue, tuple[float, float]] = {
    "gruen": (0.0, 1.0),
    "grammaticality": (0.0, math.inf),
    "redundancy": (-math.inf, 0.0),
    "focus": (-PENALTY, 0.0),
    "coherence": (-PENALTY, 0.0),
}
MAX_PAIRS = 100_000_000
_LM_TOKENS = 510


@dataclass(frozen=True, kw_only=True)
class Gruen(ValueChoice, LocalNetMeasure[MaskedLM]):
    """How well the summary is written: grammar, repetition, focus and order of its sentences."""

    name = "gruen"
    needs = frozenset()
    extra: ClassVar[str] = "grammar"
    model_class: ClassVar[type[Model]] = MaskedLM
    batch_size = 64
    cost: ClassVar[str] = "tenths of a second per summary"
    part_names = _PARTS
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "released": {},
        "paper": {"coherence": SentenceOrder.default, "unfocused": "distant"},
    }

    model: ModelName = setting(
        MaskedLM.default,
        "Masked language model: an installed one, the path of a local directory, or a name on the "
        "model hub.",
    )
    value: GruenValue = setting("gruen", "Which part is the value.")
    acceptability: Annotated[str, Opens("model", (TAGGER,))] = setting(
        TAGGER,
        "What judges whether a sentence is acceptable: `tagger` (ours; the share of tokens that "
        "the installed edit tagger keeps), or a classifier with two classes, trained on CoLA: the "
        "path of a local directory, or a name on the model hub.",
    )
    likelihood: Literal["unmasked", "masked"] = setting(
        "unmasked",
        "How the perplexity of a sentence is computed: from one pass with no token masked "
        "(`unmasked`, released code), or with each token masked in turn (`masked`, "
        "pseudo-likelihood).",
    )
    unfocused: Unfocused = setting(
        "near",
        "Which adjacent sentences are penalised: those `near` each other (released code, which "
        "takes a distance for a similarity), or those `distant` from each other (the paper).",
    )
    coherence: ModelName = setting(
        "",
        "Model of sentence order, an ALBERT or a BERT: the path of a local directory, or a name "
        "on the model hub; empty: coherence is left out (released code).",
    )
    cleaning: Cleaning = setting(
        "released",
        "What is done before the summary is cut into sentences: `released` puts a space after "
        "every full stop and UNK for decimal fractions, as the authors' code does; or `none`.",
    )
    max_pairs: int = setting(
        MAX_PAIRS,
        "The largest square of the number of characters of the summary; if it is larger, there is "
        "no value, since every sentence is compared with every other.",
    )

    def __post_init__(self) -> None:
        check_max_pairs(self.max_pairs)
        if not self.acceptability:
            raise ValueError("acceptability must be `tagger` or the name of a model, not empty")
        if self.value == "coherence" and not self.coherence:
            raise ValueError("value=coherence needs a model of sentence order: coherence=…")

    @property
    def bounds(self) -> tuple[float, float]:
        """The range of the chosen part."""
        return _BOUNDS[self.value]

    @property
    def part_directions(self) -> Mapping[str, Direction]:
        """All parts but the number of sentences are better if they are higher."""
        return dict.fromkeys(_PARTS[:-1], "higher")

    def undefined(self, score: Score) -> str:
        return "coherence is left out, since no model of sentence order is named"

    def signature(self) -> dict[str, Any]:
        """The settings, and the weights of all models that are asked."""
        judge: type[Model] = EditTagger if self.acceptability == TAGGER else Acceptability
        signed = {
            **super().signature(),
            "acceptability_weights": shared_revision(judge, self.acceptability),
        }
        if self.coherence:
            signed["coherence_weights"] = shared_revision(SentenceOrder, self.coherence)
        return signed

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        read = [self._read(example.summary) for example in examples]
        sound = [some for some in read if not isinstance(some, Score)]
        texts = list(dict.fromkeys(s.text for some in sound for s in some))
        asked = self._asked(texts)
        return [
            found if isinstance(found, Score) else self._score(found, asked, evidence)
            for found in read
        ]

    def _read(self, summary: str) -> list[GruenSentence] | Score:
        try:
            count = len(summary)
            check_pairs(count, count, self.max_pairs, ("characters", "characters"))
        except TooManyPairsError as error:
            return Score.missing(str(error))
        found = gruen_sentences(summary, self.cleaning)
        found = [s for s in found if len(self.loaded.tokenize(s.text))]
        return found or Score.missing("the summary has no sentence of two words or more")

    # What the models say of sentences.

    def _asked(self, texts: Sequence[str]) -> dict[str, _GruenJudgement]:
        perplexities = self.perplexities(texts)
        cut = [len(self.loaded.tokenize(text)) > self._room for text in texts]
        if self.acceptability == TAGGER:
            tagged = shared(EditTagger, TAGGER).tag(texts)
            judged = [
                # The logit that the authors' rescaling (logit / 8 + 0.5) turns into the share.
                _GruenJudgement(p, 8 * (t.kept - 0.5), is_cut or t.is_cut, t)
                for p, t, is_cut in zip(perplexities, tagged, cut, strict=True)
            ]
        else:
            model = shared(Acceptability, self.acceptability)
            judged = [
                _GruenJudgement(p, float(logit), is_cut or model.is_cut(text), None)
                for p, logit, text, is_cut in zip(
                    perplexities, model.logits(texts), texts, cut, strict=True
                )
            ]
        return dict(zip(texts, judged, strict=True))

    @property
    def _room(self) -> int:
        return min(_LM_TOKENS, self.loaded.max_tokens - 2)

    def perplexities(self, texts: Sequence[str]) -> list[float]:
        """The perplexity of each text by the masked language model."""
        queries = [self._queries(self.loaded.tokenize(t).ids[: self._room]) for t in texts]
        flat = iter(self.loaded.log_probabilities([q for some in queries for q in some]))
        logs = [np.concatenate([next(flat) for _ in some]) for some in queries]
        return [math.exp(min(700.0, -float(some.mean()))) for some in logs]

    def _queries(self, ids: Sequence[int]) -> list[TargetQuery]:
        lm, framed = self.loaded, self.loaded.frame(ids)
        if self.likelihood == "unmasked":  # the special tokens count too, as in the authors' code
            return [TargetQuery(framed, tuple(range(len(framed))), framed)]
        return [
            TargetQuery((*framed[:at], lm.mask_id, *framed[at + 1 :]), (at,), (framed[at],))
            for at in range(1, len(framed) - 1)
        ]

    # Scores.

    def _score(
        self,
        sentences: Sequence[GruenSentence],
        asked: Mapping[str, _GruenJudgement],
        evidence: bool,
    ) -> Score:
        texts = [sentence.text for sentence in sentences]
        judged = [asked[text] for text in texts]
        pairs = list(redundant_pairs(texts))
        flags = sum(count for _, _, count in pairs)
        distances = adjacent_distances(self.loaded, texts)
        focus = [focus_score(distance, self.unfocused) for distance in distances]
        losses = self._order_losses(texts)
        perplexities = [one.perplexity for one in judged]
        logits = [one.logit for one in judged]
        likelihood = math.exp(-0.5 * float(np.mean(perplexities)))
        parts = {
            "gruen": gruen(perplexities, logits, flags, focus, losses),
            "grammaticality": max(0.0, (likelihood + float(np.mean(logits))) / 8 + 0.5),
            "redundancy": 0.0 - FLAG * flags,
            "focus": -PENALTY if min(focus, default=1.0) < LEAST else 0.0,
            "coherence": math.nan,
            "likelihood": likelihood,
            "acceptability": float(np.mean([self._shown_acceptability(one) for one in judged])),
            "sentences": float(len(sentences)),
        }
        if self.coherence:
            is_bad = len(losses) and np.mean(losses) > ORDER_LOSS
            parts["coherence"] = -PENALTY if is_bad else 0.0
        spans = self._evidence(sentences, judged, pairs, focus, losses) if evidence else ()
        is_cut = any(one.is_cut for one in judged)
        return replace(Score.of_parts(parts, spans), flags=("truncated",) if is_cut else ())

    def _order_losses(self, texts: Sequence[str]) -> Sequence[float]:
        if not self.coherence or len(texts) < 2:
            return ()
        adjacent = list(pairwise(texts))
        return [float(x) for x in shared(SentenceOrder, self.coherence).losses(adjacent)]

    @staticmethod
    def _shown_acceptability(one: _GruenJudgement) -> float:
        """The share of kept tokens, or the logit of a classifier."""
        return one.logit if one.tagged is None else one.tagged.kept

    def _evidence(
        self,
        sentences: Sequence[GruenSentence],
        judged: Sequence[_GruenJudgement],
        pairs: Sequence[tuple[int, int, int]],
        focus: Sequence[float],
        losses: Sequence[float],
    ) -> Iterator[Span]:
        """Repeated sentences, tokens that the tagger would change, and pairs without focus."""
        for i, j, flags in pairs:
            first, second = sentences[i], sentences[j]
            yield Span(
                *("summary", second.start, second.end),
                weight=flags / 4,
                label=f"repeats another sentence by {flags} of 4 features",
                match=Span("summary", first.start, first.end),
                kind="repeated",
            )
        for sentence, one in zip(sentences, judged, strict=True):
            for edit in one.tagged.edits if one.tagged else ():
                start, end = sentence.span(edit.start, edit.end)
                yield Span("summary", start, end, label=f"grammar: {edit.edit}", kind="fault")
            if one.tagged is None and one.logit < 0:
                label = f"not acceptable: the logit is {one.logit:.2f}"
                yield Span("summary", sentence.start, sentence.end, label=label, kind="fault")
        words = "too near the sentence before" if self.unfocused == "near" else "off the focus"
        for at, score in enumerate(focus):
            if score < LEAST:
                here = sentences[at + 1]
                yield Span("summary", here.start, here.end, label=words, kind="fault")
        for at, loss in enumerate(losses):
            if loss > ORDER_LOSS:
                here = sentences[at + 1]
                label = "in the wrong order with the sentence before"
                yield Span("summary", here.start, here.end, label=label, kind="fault")


@dataclass(frozen=True)
class _GruenJudgement:
    """What the models say of a sentence."""

    perplexity: float
    logit: float
    is_cut: bool
    tagged: TaggedSentence | None
