"""What MoverScore and YiSi-1 have in common: the vectors and weights of the tokens of two texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from tricolore.arrays import Floats
from tricolore.errors import SpecError
from tricolore.example import Example
from tricolore.measure import Need
from tricolore.measures.bert_score_idf import Against, Idf, digest, read_texts
from tricolore.measures.neural import EncoderMeasure
from tricolore.models.encoder import Vectors
from tricolore.models.queries import Query
from tricolore.models.tokens import Tokens
from tricolore.score import Score, Span, Where
from tricolore.settings import Opens, setting


@dataclass(frozen=True, eq=False)
class FramedText:
    """The framed tokens of a text: their vectors by layer, their weights, and their characters."""

    tokens: Tokens
    entries: tuple[str, ...]
    """The entries of the vocabulary, those of the special tokens at both ends included."""
    vectors: Vectors
    """Of shape (layers, framed tokens, width)."""
    idf: Floats
    """One per framed token."""
    offset: int

    def span(self, at: int) -> tuple[int, int] | None:
        """The characters of a framed token in the text; None for a special token."""
        if not 0 < at <= len(self.tokens):
            return None
        start, end = self.tokens.spans[at - 1]
        return self.offset + start, self.offset + end


@dataclass(frozen=True, kw_only=True)
class TokenMeasure(EncoderMeasure, ABC):
    """A measure that compares the tokens of the summary with those of each reference."""

    against: Against = setting(
        "references",
        "What a summary is compared with; `source` takes each source document for a reference.",
    )
    references: Literal["best", "mean"] = setting(
        "best", "With several references: the `best` value of each part, or the `mean`."
    )
    idf: Annotated[str, Opens("file", ("none",))] = setting(
        "none",
        "Weights of the tokens by how rare they are: `none`, or a file with the texts in which "
        "tokens are counted.",
    )
    max_tokens: int = setting(
        0,
        "Number of tokens that are read of a text, special tokens included; 0: all that the "
        "model can read.",
    )
    max_references: int = setting(
        100,
        "The largest number of references of a summary; with more there is no value, since each "
        "takes a pass through the model.",
    )

    def __post_init__(self) -> None:
        if self.max_references < 1:
            raise ValueError(f"max_references must be 1 or more, not {self.max_references}")
        self.check_max_tokens(self.max_tokens)
        if self.idf != "none" and not Path(self.idf).is_file():
            raise ValueError(f"idf={self.idf} was given, but it is neither `none` nor a file")

    @cached_property
    def needs(self) -> frozenset[Need]:
        """What the summary is compared with."""
        return frozenset({self.against})

    def signature(self) -> dict[str, Any]:
        """The settings, and the weights, layers and counts that they stand for."""
        self.check_room(self.max_tokens)
        signed = {**super().signature(), "layers": list(self.read_layers())}
        if self.idf != "none":
            signed["idf"] = f"{Path(self.idf).name} ({digest(self.idf)})"
        return signed

    @abstractmethod
    def read_layers(self) -> Sequence[int]:
        """The layers whose vectors are read."""

    @abstractmethod
    def match(
        self, here: FramedText, there: FramedText, *, evidence: bool
    ) -> tuple[dict[str, float], list[tuple[int, int, float]]] | str:
        """The parts of a summary and one reference, or why there are none.

        With `evidence`, also tokens of the summary with the most similar ones of the reference
        and how similar they are.
        """

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> list[Score]:
        return [self._score(example, evidence) for example in examples]

    def _score(self, example: Example, evidence: bool) -> Score:
        others = example.source if self.against == "source" else example.references
        if len(others) > self.max_references:
            return Score.missing(
                f"there are {len(others):,} texts to compare with, more than max_references="
                f"{self.max_references}; set max_references higher to compare them"
            )
        read = self._read((example.summary, *others))
        here = read.get(example.summary)
        if here is None:
            return Score.missing("the summary has no word that the model can read")
        found = {
            number: self.match(here, read[text], evidence=evidence)
            for number, text in enumerate(others)
            if text in read
        }
        sound = {number: f for number, f in found.items() if not isinstance(f, str)}
        if not sound:
            where = "source" if self.against == "source" else "reference"
            empty = f"the {where} has no word that the model can read"
            return Score.missing(next((f for f in found.values() if isinstance(f, str)), empty))
        names = next(iter(sound.values()))[0]
        values = {name: [parts[name] for parts, _ in sound.values()] for name in names}
        joined = {
            name: max(some) if self.references == "best" else sum(some) / len(some)
            for name, some in values.items()
        }
        spans: Iterable[Span] = ()
        if evidence:
            main = next(iter(joined))
            nearest = max(sound, key=lambda number: sound[number][0][main])
            text = others[nearest]
            spans = self._spans(here, read[text], sound[nearest][1], nearest, text)
        room = self._room
        is_cut = any(self.is_cut(text.strip(), room) for text in (example.summary, *others))
        flags = ("truncated",) if is_cut else ()
        made = Score.of_parts(joined, spans)
        value = next(iter(joined.values())) if self.has_values else made.value
        return replace(made, value=value, flags=flags)

    @property
    def _room(self) -> int:
        return (self.max_tokens or self.encoder.max_tokens) - 2

    def token_ids(self, text: str) -> tuple[int, ...]:
        """The ids that are read of a text, those of the special tokens included."""
        return self.encoder.frame(self.encoder.tokenize(text.strip()).ids[: self._room])

    def _read(self, texts: Iterable[str]) -> Mapping[str, FramedText]:
        idf = Idf() if self.idf == "none" else _counted(self, digest(self.idf))
        cut = {
            text: self.encoder.tokenize(text.strip()).part(0, self._room)
            for text in dict.fromkeys(texts)
        }
        cut = {text: tokens for text, tokens in cut.items() if len(tokens)}
        framed = {text: self.encoder.frame(tokens.ids) for text, tokens in cut.items()}
        queries = [Query(ids, tuple(range(len(ids)))) for ids in framed.values()]
        answers = self.encoder.vectors(queries, list(self.read_layers()))
        return {
            text: FramedText(
                cut[text],
                tuple(self.encoder.entries(ids)),
                vectors,
                idf(ids),
                len(text) - len(text.lstrip()),
            )
            for (text, ids), vectors in zip(framed.items(), answers, strict=True)
        }

    def _spans(
        self,
        here: FramedText,
        there: FramedText,
        matched: Sequence[tuple[int, int, float]],
        document: int,
        text: str,
    ) -> Iterable[Span]:
        where: Where = "source" if self.against == "source" else "reference"
        for mine, theirs, similarity in matched:
            span, other = here.span(mine), there.span(theirs)
            if span is None:
                continue
            weight = round(similarity, 4)
            if other is None:
                yield Span("summary", *span, weight, "most like no word", kind="similar")
                continue
            match = Span(where, *other, document=document)
            label = f"most like “{text[other[0] : other[1]]}”"
            yield Span("summary", *span, weight, label, match=match, kind="similar")


@lru_cache(maxsize=8)
def _counted(measure: TokenMeasure, version: str) -> Idf:
    made = Idf.of(read_texts(measure.idf, measure.against), measure.token_ids)
    if not made.texts:
        raise SpecError(
            f"{measure.name}: the file {measure.idf} has no {measure.against} to count in"
        )
    return made
