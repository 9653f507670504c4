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
from tricolore.measures.estime_matching import (
    Similarity,
    SourceGroup,
    SummaryComparison,
    TokenMatch,
    compare,
    mean_cosine,
    tau_c,
)
from tricolore.measures.estime_tokens import TokenReader, UnitKind
from tricolore.measures.neural import MaskedMeasure, layer_text
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.masked_vectors import Windows
from tricolore.models.model import shared, shared_revision
from tricolore.models.queries import Query
from tricolore.score import Score, Span
from tricolore.settings import ModelName, Setting, setting
from tricolore.text.normal import UnicodeForm, lower_case
from tricolore.text.pos import TAGS


def estime(lm: MaskedLM, summary: str, source: str, layer: int, *, lowercase: bool = False) -> int:
    """ESTIME by its definition (§2): every token is masked alone, and texts fit into the model.

    `Estime` masks tokens that are 8 apart in one pass (§2, last paragraphs), so its number may
    differ by a few. It is the same where every token is masked alone in the whole text.
    """

    def embeddings(text: str) -> tuple[list[str], npt.NDArray[Any]]:
        """The tokens t_i of a text, and the embedding e_i of each where it is masked."""
        ids = lm.tokenize(lower_case(text) if lowercase else text).ids
        masked = [
            Query(lm.frame(ids[:i], [lm.mask_id], ids[i + 1 :]), (1 + i,)) for i in range(len(ids))
        ]
        return lm.entries(ids), np.concatenate(lm.vectors(masked, [layer]), axis=1)[0]

    t, e = embeddings(summary)
    t_source, e_source = embeddings(source)
    alarms = 0
    for token, products in zip(t, e @ e_source.T, strict=True):
        same = [p for p, other in zip(products, t_source, strict=True) if other == token]
        others = [p for p, other in zip(products, t_source, strict=True) if other != token]
        if same:  # eq. (1) sums over the tokens that occur in the source
            s = max(same)  # eq. (2)
            alarms += bool(max(others, default=-math.inf) > s)
    return alarms


EstimeValue = Literal[
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
# The parts that are also given for every layer of `layers`.
_SWEPT = ("alarms", "winners", "soft", "coherence")
# The parts that have no value where no token was checked.
_OF_CHECKED = ("alarms", "winners", "alarms_adjusted", "alarms_per_checked")
_RANGES = {"soft": (-1.0, 1.0), "coherence": (-1.0, 1.0), "alarms_per_checked": (0.0, 1.0)}

DEPTH = 21 / 24
"""The layer of large BERT that agreed best with human scores (appendix A), as a share."""
ADVICE = "tricolore_estime_layer"
"""The key of a checkpoint's config.json that names another default layer."""

_UNCHECKED = "nothing of the summary occurs in the source, so there is nothing to check"
_UNDEFINED = {
    "coherence": "the summary's tokens all point to one place: they have no order",
    "alarms_per_checked": _UNCHECKED,
}
_HELD = 1 << 15  # vectors held at a time, unless one source has more


@dataclass(frozen=True, kw_only=True)
class Estime(ValueChoice, MaskedMeasure):
    """How many tokens of a summary look out of place, given the source."""

    name = "estime"
    revision = 2  # `lowercase` changes what the model reads
    needs = frozenset({"source"})
    cost: ClassVar[str] = "seconds per document, a tenth of that for each further summary of it"
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {"unit": "tokens", "unicode": "none", "rules": "paper"},
        "released": {"unit": "words", "unicode": "nfkd", "rules": "released"},
    }

    value: EstimeValue = setting("alarms", "Which part is the value.")
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
    unicode: UnicodeForm = setting(
        "none", "Unicode form of the texts: as they are (`none`) or `nfkd` (released code)."
    )
    rules: Literal["paper", "released"] = setting(
        "paper", "Whether the paper is followed or the authors' code (`released`)."
    )
    raw_model: ModelName = setting(
        "", "Model whose input embeddings `soft` compares (released code); empty: the same model."
    )

    def __post_init__(self) -> None:
        keep = object.__setattr__
        keep(self, "layer", layer_text("layer", self.layer))
        if self.layers not in ("", "all"):
            for layer in self.layers.split("+"):
                layer_text("layers", layer)
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
        """The direction depends on which part is the value."""
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
        """The settings, and the weights and the layer that they stand for."""
        signed = super().signature()
        signed["layer"] = self._layer()
        self._sweep()  # A missing layer is reported before the first row.
        if self.raw_model:
            signed["raw_weights"] = shared_revision(MaskedLM, self.raw_model)
        return signed

    def _layer(self) -> int:
        """21 of 24, or as deep in other models, unless the model's own config says another."""
        default = self.config.get(ADVICE) or max(1, round(DEPTH * self.depth))
        return self.layer_number(self.layer, int(default))

    def _sweep(self) -> list[int]:
        if self.layers == "all":
            return [*range(1, self.depth + 1)]
        given = filter(None, self.layers.split("+"))
        return list(dict.fromkeys(self.layer_number(layer, self._layer()) for layer in given))

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        layers = tuple(dict.fromkeys([self._layer(), *self._sweep()]))
        scores: dict[int, Score] = {}
        for groups in self._packs(examples, scores, _HELD // len(layers)):
            for comparison in compare(
                groups,
                self.lm,
                self._windows,
                layers,
                self.similarity,
                is_exact=self.dtype == "fp32",
                count_exactly=self.value == "winners",
            ):
                scores[comparison.number] = self._score(comparison, layers, evidence)
        return [scores[number] for number in range(len(examples))]

    @property
    def _windows(self) -> Windows:
        edge: Literal["text", "window"] = "window" if self.rules == "released" else "text"
        return Windows(self.distance, self.margin, self.window, edge)

    def _packs(
        self, examples: Sequence[Example], scores: dict[int, Score], most: int
    ) -> Iterator[list[SourceGroup]]:
        """Sources with their summaries, in packs whose vectors fit into memory.

        Examples with nothing to compare get their score here.
        """
        by_source: dict[tuple[str, ...], list[int]] = {}
        for number, example in enumerate(examples):
            by_source.setdefault(example.source, []).append(number)
        pack: list[SourceGroup] = []
        held = 0
        for source, numbers in by_source.items():
            group = self._group(source, {n: examples[n].summary for n in numbers}, scores)
            if not group.summaries:
                continue
            if pack and held + group.size > most:
                yield pack
                pack, held = [], 0
            pack.append(group)
            held += group.size
        if pack:
            yield pack

    def _group(
        self, source: tuple[str, ...], summaries: Mapping[int, str], scores: dict[int, Score]
    ) -> SourceGroup:
        wanted, unwanted = _tags(self.pos), _tags(self.pos_exclude)
        is_filtered = bool(wanted or unwanted)
        read = TokenReader(self.lm, self.unit, self.lowercase, self.unicode, is_tagged=is_filtered)
        documents = [read(text).filtered(wanted, unwanted) for text in source]
        group = SourceGroup(documents, {})
        has_tokens = any(document.tokens for document in documents)
        for number, text in summaries.items():
            summary = read(text)
            if self.rules == "paper":  # the released code filters the source only
                summary = summary.filtered(wanted, unwanted)
            if has_tokens and summary.tokens:
                group.summaries[number] = summary
            else:
                where = "summary" if has_tokens else "source"
                scores[number] = Score.missing(_nothing(where, is_filtered))
        return group

    # Scores.

    def _score(self, comparison: SummaryComparison, layers: Sequence[int], evidence: bool) -> Score:
        matches = {
            layer: of_layer.matches()
            for layer, of_layer in zip(layers, comparison.layers, strict=True)
        }
        parts = self._parts(comparison, matches[layers[0]])
        for layer in self._sweep():
            swept = self._parts(comparison, matches[layer])
            parts |= {f"{part}_l{layer}": swept[part] for part in _SWEPT}
        spans = self._evidence(comparison, matches[layers[0]]) if evidence else ()
        return Score.of_parts(parts, spans)

    def computed(self, *, evidence: bool) -> Measure:
        # The number of winners is exact only on request: see `count_exactly`.
        return self if self.value == "winners" else super().computed(evidence=evidence)

    def shown(self, score: Score) -> Score:
        is_unchecked = score.parts.get("checked") == 0
        if is_unchecked and self.value in _OF_CHECKED and self.rules == "paper":
            return Score.missing(_UNCHECKED)
        return super().shown(score)

    def undefined(self, score: Score) -> str:
        return _UNDEFINED[self.value]

    def _parts(
        self, comparison: SummaryComparison, matches: Sequence[TokenMatch]
    ) -> dict[str, float]:
        tokens = len(matches)
        checked = sum(match.is_checked for match in matches)
        everywhere = sum(not match.is_same for match in matches)
        alarms = sum(match.is_alarm for match in matches)  # eq. (1)
        adjusted = alarms * tokens / checked if checked else math.nan
        if not checked and self.rules == "released":
            alarms, adjusted = everywhere, tokens
        return {
            "alarms": float(alarms),
            "winners": float(sum(match.winners for match in matches)),  # eq. (3)
            "soft": self._soft(comparison, matches),
            "coherence": tau_c([match.best for match in matches]),
            "alarms_adjusted": float(adjusted),
            "alarms_all": float(everywhere),
            "alarms_per_checked": alarms / checked if checked else math.nan,
            "checked": float(checked),
            "tokens": float(tokens),
        }

    def _soft(self, comparison: SummaryComparison, matches: Sequence[TokenMatch]) -> float:
        """The mean similarity of a token and the source token with the most similar context."""
        here = [comparison.summary.first_id(at) for at in range(len(matches))]
        there = [comparison.source_id(match.best) for match in matches]
        return mean_cosine(self._raw_vectors(here), self._raw_vectors(there))

    def _raw_vectors(self, ids: Sequence[int]) -> npt.NDArray[np.float32]:
        if not self.raw_model:
            return self.lm.input_vectors(ids)
        raw = shared(MaskedLM, self.raw_model, "", self.dtype)
        if raw.entries(ids) != self.lm.entries(ids):
            raise ValueError(f"raw_model {self.raw_model} has not the vocabulary of {self.model}")
        return raw.input_vectors(ids)

    def _evidence(
        self, comparison: SummaryComparison, matches: Sequence[TokenMatch]
    ) -> Iterator[Span]:
        """Every alarm, and the position in the source that beat it."""
        unchecked = self.rules == "released" and not any(match.is_checked for match in matches)
        for token, match in zip(comparison.summary.tokens, matches, strict=True):
            if match.is_alarm or (unchecked and not match.is_same):
                document, winner = comparison.source_token(match.best)
                there = Span("source", winner.start, winner.end, document=document)
                yield Span(
                    "summary",
                    token.start,
                    token.end,
                    weight=round(match.lead, 4) if match.is_checked else 1.0,
                    label="alarm: in the most similar place the source has another word",
                    match=there,
                    kind="fault",
                )


def _tags(given: str) -> frozenset[str]:
    return frozenset(filter(None, given.split("+")))


def _nothing(where: str, is_filtered: bool) -> str:
    left = " that the part-of-speech filter leaves" if is_filtered else " that the model can read"
    return f"the {where} has no word{left}"
