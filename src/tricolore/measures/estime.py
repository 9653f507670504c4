"""ESTIME: a summary's tokens whose context the source fills with another token.

Oleg Vasilyev and John Bohannon (2021), "ESTIME: Estimation of Summary-to-Text Inconsistency by
Mismatched Embeddings". Soft ESTIME and coherence are those of the authors' package, blanc 0.3.4.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tricolore.example import Example
from tricolore.measure import Direction, Measure, ValueChoice
from tricolore.measures.estime_contest import Similarity, Verdict, mean_cosine, tau_c
from tricolore.measures.estime_reading import (
    Form,
    Masking,
    Reader,
    Reading,
    Rules,
    Shelf,
    UnitKind,
)
from tricolore.measures.estime_trial import Court, Trial
from tricolore.measures.neural import MaskedMeasure, whole
from tricolore.models.loading import known_revision
from tricolore.models.masked_lm import shared
from tricolore.score import Score, Span
from tricolore.settings import ModelName, Setting, setting
from tricolore.text.pos import TAGS

Value = Literal[
    "alarms", "winners", "soft", "coherence", "alarms_adjusted", "alarms_all", "alarms_per_checked"
]
_PARTS = (
    "alarms",
    "winners",
    "soft",
    "coherence",
    "alarms_adjusted",
    "alarms_all",
    "alarms_per_checked",
    "checked",
    "tokens",
)
_DIRECTIONS: Mapping[str, Direction] = {
    **dict.fromkeys(_PARTS, "lower"),
    **dict.fromkeys(("soft", "coherence"), "higher"),
    **dict.fromkeys(("checked", "tokens"), "neither"),
}
_SWEPT = ("alarms", "winners", "soft", "coherence")
_OF_CHECKED = ("alarms", "winners", "alarms_adjusted", "alarms_per_checked")
_RANGES = {"soft": (-1.0, 1.0), "coherence": (-1.0, 1.0), "alarms_per_checked": (0.0, 1.0)}

DEPTH = 21 / 24
"""The layer that agreed best with people in the large BERT (appendix A), as a share of all."""
ADVICE = "tricolore_estime_layer"
"""The key of a checkpoint's config.json that names another default layer."""

_UNCHECKED = "nothing of the summary occurs in the source, so there is nothing to check"
_UNDEFINED = {
    "coherence": "the summary's tokens all point to one place: they have no order",
    "alarms_per_checked": _UNCHECKED,
}
_HELD = 1 << 14  # vectors of summaries that are held at a time


@dataclass(frozen=True, kw_only=True)
class Estime(ValueChoice, MaskedMeasure):
    """How many tokens of a summary look out of place, given the source."""

    name = "estime"
    needs = frozenset({"source"})
    cost: ClassVar[str] = "seconds a document, a tenth of that for each further summary of it"
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {"unit": "tokens", "unicode": "none", "rules": "paper"},
        "released": {"unit": "words", "unicode": "nfkd", "rules": "released"},
    }

    value: Value = setting("alarms", "Which part is the value.")
    layer: str = setting(
        "default",
        "The layer whose vectors are compared: a number, 0 for the embeddings, a negative number "
        "from the top, or `default` (21 of 24, or as deep in other models).",
    )
    layers: str = setting(
        "",
        "Further layers, such as `3+4+5` or `all`: alarms, winners, soft and coherence of each "
        "become parts (`alarms_l3`). It still takes one pass (appendix A).",
    )
    distance: int = setting(
        8, "How far apart tokens are that are masked in one pass, in words for `unit=words`."
    )
    margin: int = setting(50, "Number of tokens at the edges of a window that are not masked.")
    window: int = setting(450, "Number of tokens that the model reads in one pass.")
    similarity: Similarity = setting(
        "product", "How vectors are compared: by their `product` or their `cosine` (appendix C)."
    )
    unit: UnitKind = setting(
        "tokens",
        "What is masked and compared: the `tokens` of the model, or NLTK's `words`, masked whole, "
        "with the vector of their first token (released code).",
    )
    pos: str = setting(
        "", "Only these parts of speech are looked at, as Penn tags joined by +: `NN+NNP+VBD`."
    )
    pos_exclude: str = setting(
        "", "These parts of speech are left out, as Penn tags joined by +; `DT` is appendix E."
    )
    lowercase: bool = setting(False, "Whether upper and lower case are treated as the same (ours).")
    unicode: Form = setting(
        "none", "Unicode form of the texts: as they are (`none`) or `nfkd` (released code)."
    )
    rules: Rules = setting(
        "paper", "Whether the paper is followed or the authors' code (`released`)."
    )
    raw_model: ModelName = setting(
        "", "Model whose input embeddings `soft` compares (released code); empty: the same model."
    )

    def __post_init__(self) -> None:
        keep = object.__setattr__
        keep(self, "layer", str(self.layer))
        if self.layer != "default":
            whole("layer", self.layer)
        if self.layers not in ("", "all"):
            for layer in self.layers.split("+"):
                whole("layers", layer)
        if self.distance < 1 or self.margin < 0 or self.window <= 2 * self.margin:
            raise ValueError(
                "distance must be 1 or more, margin 0 or more and window more than two margins, "
                f"not {self.distance}, {self.margin} and {self.window}"
            )
        for given in (self.pos, self.pos_exclude):
            for tag in filter(None, given.split("+")):
                if tag not in TAGS:
                    raise ValueError(f"'{tag}' is not a part of speech; write Penn tags: NN+NNP+VB")

    @property
    def direction(self) -> Direction:
        """Which part is the value decides which way is better."""
        return _DIRECTIONS[self.value]

    @property
    def bounds(self) -> tuple[float, float]:
        """Counts have no upper bound."""
        return _RANGES.get(self.value, (0.0, math.inf))

    @property
    def part_names(self) -> tuple[str, ...]:
        """The parts; with `layers`, those of each layer too."""
        return _PARTS + tuple(f"{part}_l{n}" for n in self._sweep() for part in _SWEPT)

    @property
    def part_directions(self) -> Mapping[str, Direction]:
        """Alarms are bad, agreement is good; how many tokens were checked is neither."""
        return {part: _DIRECTIONS[re.sub(r"_l\d+$", "", part)] for part in self.part_names}

    def signature(self) -> dict[str, Any]:
        """The settings, and which weights and which layer they ended at."""
        signed = super().signature()
        signed["layer"] = self._layer()
        self._sweep()  # so that a layer that is not there is known before the first row
        if self.raw_model:
            signed["raw_weights"] = (
                known_revision(self.raw_model) or shared(self.raw_model).revision
            )
        return signed

    def _layer(self) -> int:
        """21 of 24, or as deep in other models, unless the model's own config says another."""
        if self.layer != "default":
            return self.counted_layer(self.layer)
        return int(self.config.get(ADVICE) or max(1, round(DEPTH * self.depth)))

    def _sweep(self) -> list[int]:
        if self.layers == "all":
            return [*range(1, self.depth + 1)]
        given = filter(None, self.layers.split("+"))
        return list(dict.fromkeys(self.counted_layer(layer) for layer in given))

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        layers = tuple(dict.fromkeys([self._layer(), *self._sweep()]))
        court = Court(
            self.lm,
            layers,
            self.similarity,
            exact=self.dtype == "fp32",
            count_exactly=self.value == "winners",
        )
        scores: dict[int, Score] = {}
        for trials in self._batches(examples, scores, _HELD // len(layers)):
            court.hear(trials)
            for trial in trials:
                for at, number in enumerate(trial.numbers):
                    scores[number] = self._judged(trial, at, layers, evidence)
        return [scores[number] for number in range(len(examples))]

    def _batches(
        self, examples: Sequence[Example], scores: dict[int, Score], most: int
    ) -> Iterator[list[Trial]]:
        """Trials to be heard together; examples that have none get their score here."""
        by_source: dict[tuple[str, ...], list[int]] = {}
        for number, example in enumerate(examples):
            by_source.setdefault(example.source, []).append(number)
        batch: list[Trial] = []
        held = 0
        for source, numbers in by_source.items():
            trial = self._trial(source, numbers, examples, scores)
            if trial is None:
                continue
            size = len(trial.summaries.units)
            if batch and held + size > most:
                yield batch
                batch, held = [], 0
            batch.append(trial)
            held += size
        if batch:
            yield batch

    def _trial(
        self,
        source: tuple[str, ...],
        numbers: Sequence[int],
        examples: Sequence[Example],
        scores: dict[int, Score],
    ) -> Trial | None:
        """The trial of a source; none if there is nothing to compare, and why in the scores."""
        wanted, unwanted = _tags(self.pos), _tags(self.pos_exclude)
        filtered = bool(wanted or unwanted)
        reader = Reader(self.lm, self.unit, self.lowercase, self.unicode, filtered)
        masking = Masking(self.distance, self.margin, self.window, self.rules)
        masking = masking.within(self.lm.max_tokens - 2)
        documents = [reader(text).only(wanted, unwanted) for text in source]
        if not any(document.units for document in documents):
            scores.update((n, Score.missing(_nothing("source", filtered))) for n in numbers)
            return None
        heard: list[int] = []
        summaries: list[Reading] = []
        for number in numbers:
            summary = reader(examples[number].summary)
            if self.rules == "paper":  # the released code leaves out parts of the source only
                summary = summary.only(wanted, unwanted)
            if summary.units:
                heard.append(number)
                summaries.append(summary)
            else:
                scores[number] = Score.missing(_nothing("summary", filtered))
        return Trial(heard, Shelf(summaries, masking), Shelf(documents, masking)) if heard else None

    def _judged(self, trial: Trial, at: int, layers: Sequence[int], evidence: bool) -> Score:
        """The score of one summary of a trial."""
        swept = dict(zip(layers, trial.of_summary(at), strict=True))
        own = self._parts(trial, at, swept[layers[0]])
        parts = dict(own)
        for layer in self._sweep():
            found = self._parts(trial, at, swept[layer])
            parts |= {f"{part}_l{layer}": found[part] for part in _SWEPT}
        spans = self._evidence(trial, at, swept[layers[0]]) if evidence else ()
        return Score.of_parts(parts, spans)

    def computed(self, *, evidence: bool) -> Measure:
        # The number of winners is exact only where it is asked for: see `count_exactly`.
        return self if self.value == "winners" else super().computed(evidence=evidence)

    def shown(self, score: Score) -> Score:
        is_unchecked = score.parts.get("checked") == 0
        if is_unchecked and self.value in _OF_CHECKED and self.rules == "paper":
            return Score.missing(_UNCHECKED)
        return super().shown(score)

    def undefined(self, score: Score) -> str:
        return _UNDEFINED[self.value]

    def _parts(self, trial: Trial, at: int, verdicts: Sequence[Verdict]) -> dict[str, float]:
        tokens = len(verdicts)
        checked = sum(verdict.checked for verdict in verdicts)
        everywhere = sum(not verdict.same for verdict in verdicts)
        alarms = sum(verdict.alarm for verdict in verdicts)  # eq. (1)
        adjusted = alarms * tokens / checked if checked else math.nan
        if not checked and self.rules == "released":
            alarms, adjusted = everywhere, tokens
        return {
            "alarms": float(alarms),
            "winners": float(sum(verdict.winners for verdict in verdicts)),  # eq. (3)
            "soft": self._soft(trial, at, verdicts),
            "coherence": tau_c([verdict.best for verdict in verdicts]),
            "alarms_adjusted": float(adjusted),
            "alarms_all": float(everywhere),
            "alarms_per_checked": alarms / checked if checked else math.nan,
            "checked": float(checked),
            "tokens": float(tokens),
        }

    def _soft(self, trial: Trial, at: int, verdicts: Sequence[Verdict]) -> float:
        """The mean likeness of a token and the one in the most similar place of the source."""
        bounds = trial.summaries.bounds(at)
        here = trial.summaries.first_ids(range(bounds.start, bounds.stop))
        there = trial.source.first_ids(verdict.best for verdict in verdicts)
        return mean_cosine(self._raw_vectors(here), self._raw_vectors(there))

    def _raw_vectors(self, ids: Sequence[int]) -> npt.NDArray[np.float32]:
        if not self.raw_model:
            return self.lm.input_vectors(ids)
        raw = shared(self.raw_model, "", self.dtype)
        if raw.entries(ids) != self.lm.entries(ids):
            raise ValueError(f"raw_model {self.raw_model} has not the vocabulary of {self.model}")
        return raw.input_vectors(ids)

    def _evidence(self, trial: Trial, at: int, verdicts: Sequence[Verdict]) -> Iterator[Span]:
        """Every alarm, and the place of the source that beat it."""
        units = trial.summaries.units[trial.summaries.bounds(at)]
        unchecked = self.rules == "released" and not any(v.checked for v in verdicts)
        for (_, unit), verdict in zip(units, verdicts, strict=True):
            if verdict.alarm or (unchecked and not verdict.same):
                document, winner = trial.source.units[verdict.best]
                there = Span("source", winner.start, winner.stop, document=document)
                yield Span(
                    "summary",
                    unit.start,
                    unit.stop,
                    weight=round(verdict.lead, 4) if verdict.checked else 1.0,
                    label="alarm: in the most similar place the source has another word",
                    match=there,
                )


def _tags(given: str) -> frozenset[str]:
    return frozenset(filter(None, given.split("+")))


def _nothing(where: str, filtered: bool) -> str:
    left = " that the part-of-speech filter leaves" if filtered else " that the model can read"
    return f"the {where} has no word{left}"
