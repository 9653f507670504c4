"""The checks for measures: all of ours pass, and each wrong one fails."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tricolore import Example, Measure, Score, get_measure
from tricolore.registry import entries
from tricolore.score import Span
from tricolore.settings import setting
from tricolore.testing import EXAMPLES, check_measure

SPECS = [
    # judge, nli, summaqa and regressor have no model on this machine: their tests in
    # tests/measures check them.
    *(
        name
        for name in entries()
        if name not in ("blanc-tune", "judge", "nli", "summaqa", "regressor")
    ),
    "blanc-tune:epochs=1,min_word=9",
    "density+coverage",
    "avg:(rouge-1-length)+jensen-shannon,scaling=none/1..0",
    "rouge-w:preset=released",
    "coverage:preset=released",
    "importance:preset=released",
    "bleu:level=corpus",
    "chrf:word_order=2",
    "estime:value=soft",
    "bert-score:value=recall,against=source",
]


@pytest.mark.parametrize("spec", SPECS)
def test_ours_keep_what_every_measure_must(spec: str) -> None:
    made = get_measure(spec)
    # A net takes long: two summaries of half a sentence. An encoder's last digits vary.
    short = [replace(e, source=tuple(t[:60] for t in e.source)) for e in EXAMPLES[:2]]
    tolerance = 1e-5 if made.extra in ("encoder", "grammar") else 0.0
    check_measure(made, short if made.extra else EXAMPLES, tolerance=tolerance)


@dataclass(frozen=True, kw_only=True)
class Words(Measure):
    """The number of words, with a mistake."""

    name = "words"
    needs = frozenset[Any]({"source"})
    cost = "none"
    bounds = (0.0, 100.0)
    part_names = ("letters",)

    mistake: str = setting("", "What is wrong.")
    _seen: list[str] = field(default_factory=list, compare=False)

    def compute(self, examples: Any, *, evidence: bool) -> list[Score]:
        scores = [self._one(at, example, evidence) for at, example in enumerate(examples)]
        return scores[:-1] if self.mistake == "count" and len(scores) > 1 else scores

    def _one(self, at: int, example: Example, evidence: bool) -> Score:
        text, mistake = example.summary, self.mistake
        self._seen.append(text)
        value: float = len(text.split())
        value += {"order": at, "memory": len(self._seen), "bounds": 1000}.get(mistake, 0)
        if mistake == "evidence changes" and evidence:
            value += 1
        parts: dict[str, float] = {"letters": len(text)}
        if mistake == "parts":
            parts["more"] = 1.0
        end = len(text) + (mistake == "span")
        span = Span("summary", 0, end)
        if mistake == "match":
            span = replace(span, match=Span("source", 0, 5, document=7))
        if mistake == "item":
            span = replace(span, kind="fault", item="name")
        wanted = evidence or mistake == "unasked"
        return Score(value, parts, (span,) if wanted else ())

    def problem_of(self, example: Example) -> str | None:
        return None if self.mistake == "empty" else super().problem_of(example)

    def signature(self) -> dict[str, Any]:
        extra = {"seen": self} if self.mistake == "signature" else {}
        return {**super().signature(), **extra}


def test_a_measure_without_mistake_passes() -> None:
    check_measure(Words())


@dataclass(frozen=True, kw_only=True)
class Rough(Words):
    """Last digits depend on the place."""

    def _one(self, at: int, example: Example, evidence: bool) -> Score:
        score = super()._one(at, example, evidence)
        return replace(score, value=score.value + at * 1e-7)


def test_last_digits_may_be_tolerated() -> None:
    check_measure(Rough(), tolerance=1e-6)
    with pytest.raises(AssertionError, match="order of the examples changes"):
        check_measure(Rough(), tolerance=1e-8)


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("count", "returned 3 scores for 4 examples"),
        ("order", "order of the examples changes scores"),
        ("memory", "order of the examples changes scores"),
        ("bounds", "beyond the bounds"),
        ("evidence changes", "asking for evidence changes scores"),
        ("parts", "parts that are not in part_names: {'more'}"),
        ("span", "is not within the summary"),
        ("match", "is in source 7, which does not exist"),
        ("item", "has the fault 'name', which is not in finds"),
        ("unasked", "evidence comes without being asked"),
        ("empty", "without summary there is no problem"),
        ("signature", "the signature is not JSON"),
    ],
)
def test_a_measure_with_a_mistake_fails(mistake: str, words: str) -> None:
    with pytest.raises((AssertionError, ValueError)) as error:
        check_measure(Words(mistake=mistake))
    assert words in str(error.value)


def test_declarations_are_checked() -> None:
    class Undeclared(Words):
        part_directions = {"other": "higher"}  # noqa: RUF012

    class Turned(Words):
        bounds = (1.0, 0.0)

    class Free(Words):
        cost = ""

    class Local(Words):
        pass

    @dataclass(frozen=True, kw_only=True)
    class Helpless(Words):
        n: int = 1

    for wrong, words in {
        Undeclared(): "directions of parts that there are not",
        Turned(): "not in order",
        Free(): "does not say what it costs",
        Local(): "other processes cannot get it",
        Helpless(): "the setting n has no help",
    }.items():
        with pytest.raises(AssertionError, match=words):
            check_measure(wrong)
