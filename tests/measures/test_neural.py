"""What all measures that ask a model share."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import pytest

from tricolore import Example, Score
from tricolore.errors import SpecError
from tricolore.measures.blanc_help import BlancHelp
from tricolore.measures.estime import Estime
from tricolore.measures.neural import NeuralMeasure, layer_text
from tricolore.models import Model, loading

EXAMPLES = [
    Example(source="the dog slept in Paris . the cat ate the fish .", summary=summary)
    for summary in ("the dog slept .", "the cat ate .", "the bird saw London .", "Rome .")
]


class Letters(Model):
    """A remote model without weights."""

    kind: ClassVar[str] = "letter counter"
    default: ClassVar[str] = "counter-1"

    def __init__(self, name: str) -> None:
        self.name, self.revision = name, f"{name}@7"

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: str = "fp32") -> Self:
        """Nothing is loaded."""
        return cls(name)

    def count(self, texts: Sequence[str]) -> list[int]:
        """The number of letters of each text."""
        return [len(text) for text in texts]


@dataclass(frozen=True, kw_only=True)
class Length(NeuralMeasure[Letters]):
    """The number of letters, by a service."""

    name = "letters"
    needs = frozenset()
    model_class: ClassVar[type[Model]] = Letters

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        counts = self.loaded.count([example.summary for example in examples])
        return [Score(value=float(count)) for count in counts]


def test_a_measure_of_a_remote_model_has_no_settings_of_local_nets() -> None:
    measure = Length()
    assert measure.settings == {"model": ""}
    assert [score.value for score in measure.score(EXAMPLES)] == [15, 13, 21, 6]
    assert measure.signature()["weights"] == "counter-1@7"
    assert Length(model="counter-2").signature()["weights"] == "counter-2@7"


def test_every_setting_of_a_local_net_has_help() -> None:
    for name in ("model", "model_revision", "dtype"):
        assert BlancHelp.help_of(name)
    assert BlancHelp.defaults()["model"] == "embedded"


@pytest.mark.parametrize(
    ("layer", "number"), [("0", 0), ("3", 3), ("-1", 3), ("-4", 0), ("default", 2)]
)
def test_layers_count_from_either_end(tiny: str, layer: str, number: int) -> None:
    assert Estime(model=tiny).layer_number(layer, 2) == number


@pytest.mark.parametrize("layer", ["4", "-5"])
def test_a_layer_that_is_not_there(tiny: str, layer: str) -> None:
    with pytest.raises(SpecError, match=f"has layers 0 to 3, not {layer}"):
        Estime(model=tiny).layer_number(layer, 2)


def test_a_layer_is_a_whole_number() -> None:
    assert (layer_text("layer", 3), layer_text("layer", "default")) == ("3", "default")
    with pytest.raises(ValueError, match=r"layer must be of whole numbers, not '1\.5'"):
        layer_text("layer", "1.5")


def test_four_threads_score_with_one_model(
    tiny: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    import shutil

    model = str(shutil.copytree(tiny, tmp_path / "model"))
    alone = [Estime(model=tiny).score(EXAMPLES), BlancHelp(model=tiny, gap=2).score(EXAMPLES)]
    loads: list[str] = []
    load = loading.load

    def counted(name: str, *args: Any, **settings: Any) -> Any:
        loads.append(name)
        return load(name, *args, **settings)

    monkeypatch.setattr(loading, "load", counted)
    barrier = threading.Barrier(4)

    def work(number: int) -> list[list[Score]]:
        barrier.wait()
        # In turns, so that guesses, vectors and fp64 passes of several threads meet.
        measures = [Estime(model=model), BlancHelp(model=model, gap=2)]
        for _ in range(3):
            for measure in measures[:: 1 if number % 2 else -1]:
                measure.score(EXAMPLES)
        return [measure.score(EXAMPLES) for measure in measures]

    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(work, range(4)):
            assert scores == alone
    assert loads == [model]
