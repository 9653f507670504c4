"""One copy of a model for all threads, and a new kind of model in one class."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from tricolore.models import MaskedLM, Model, Placement, SentenceEncoder, loading, placed, shared
from tricolore.models.model import shared_revision

from .conftest import TEXT, queries_for, tiny_net, tiny_tokenizer


@pytest.fixture
def bert(tmp_path: Path) -> str:
    """A tiny checkpoint of its own for each test."""
    return write_bert(tmp_path / "bert")


def write_bert(directory: Path) -> str:
    tokenizer = tiny_tokenizer("bert")
    tokenizer.save_pretrained(directory)
    tiny_net("bert", len(tokenizer), tokenizer.pad_token_id).save_pretrained(directory)
    return str(directory)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the models that are loaded."""
    names: list[str] = []
    load = loading.load

    def counted(name: str, *args: Any, **settings: Any) -> Any:
        names.append(name)
        return load(name, *args, **settings)

    monkeypatch.setattr(loading, "load", counted)
    return names


def test_four_threads_load_one_model_once_and_get_right_answers(
    bert: str, loads: list[str]
) -> None:
    alone = MaskedLM.load(bert)
    queries = queries_for(alone, gap=2)
    guesses = [answer.tolist() for answer in alone.predict(queries)]
    vectors = alone.vectors(queries, [1])
    loads.clear()
    barrier = threading.Barrier(4)

    def work(number: int) -> tuple[MaskedLM, list[list[int]], list[Any], list[tuple[int, ...]]]:
        barrier.wait()
        lm = shared(MaskedLM, bert)
        for _ in range(5):
            lm.vectors(queries, [2], double=number == 0)  # one thread makes the net fp64
            found = [answer.tolist() for answer in lm.predict(queries)]
        return lm, found, lm.vectors(queries, [1]), [lm.tokenize(text).ids for text in TEXT]

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(4)))
    assert loads == [bert]
    for lm, found, states, tokens in results:
        assert lm is results[0][0]
        assert found == guesses
        assert tokens == [alone.tokenize(text).ids for text in TEXT]
        for one, other in zip(states, vectors, strict=True):
            np.testing.assert_array_equal(one, other)


def test_each_kind_precision_and_device_is_a_copy_of_its_own(bert: str, loads: list[str]) -> None:
    lm = shared(MaskedLM, bert)
    assert shared(MaskedLM, bert, "", "fp32") is lm
    assert shared(MaskedLM, bert, "", "bf16") is not lm
    assert isinstance(shared(SentenceEncoder, bert), SentenceEncoder)
    with placed(Placement(device="cpu")):
        assert shared(MaskedLM, bert) is not lm
    assert loads == [bert] * 4


def test_changed_weights_are_loaded_anew(tmp_path: Path) -> None:
    directory = Path(write_bert(tmp_path))
    before = shared(MaskedLM, str(directory))
    assert shared_revision(MaskedLM, str(directory)) == before.revision
    assert shared(MaskedLM, str(directory)) is before
    tokenizer = tiny_tokenizer("bert")
    net = tiny_net("bert", len(tokenizer), tokenizer.pad_token_id)
    next(net.parameters()).data.add_(1.0)
    net.save_pretrained(directory)
    revision = shared_revision(MaskedLM, str(directory))
    assert revision != before.revision
    assert shared(MaskedLM, str(directory)).revision == revision


class Echo(Model):
    """A remote service: all that a new kind of model has to write."""

    kind: ClassVar[str] = "echo"
    default: ClassVar[str] = "hill"
    loading: ClassVar[threading.Event] = threading.Event()
    ready: ClassVar[threading.Event] = threading.Event()
    loads: ClassVar[list[str]] = []

    def __init__(self, name: str) -> None:
        self.name, self.revision = name, "v1"

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: str = "fp32") -> Self:
        """Slow where the name says so."""
        cls.loads.append(name)
        if name == "slow":
            cls.loading.set()
            assert cls.ready.wait(10)
        if name == "broken" and cls.loads.count(name) == 1:
            raise OSError("no connection")
        return cls(name)


def test_a_new_kind_of_model_is_one_class() -> None:
    echo = shared(Echo)
    assert (echo.name, shared(Echo, "hill")) == ("hill", echo)
    assert Echo.known_revision("hill") is None
    assert shared_revision(Echo, "hill") == "v1"


def test_a_model_loads_while_another_is_loading() -> None:
    with ThreadPoolExecutor(2) as pool:
        slow = [pool.submit(shared, Echo, "slow") for _ in range(2)]
        assert Echo.loading.wait(10)
        assert shared(Echo, "quick").name == "quick"
        assert not slow[0].done()
        Echo.ready.set()
        assert slow[0].result() is slow[1].result()
    assert Echo.loads.count("slow") == 1


def test_what_could_not_be_loaded_is_tried_again() -> None:
    with pytest.raises(OSError, match="no connection"):
        shared(Echo, "broken")
    assert shared(Echo, "broken").name == "broken"


def test_loading_sets_the_number_of_threads(bert: str) -> None:
    import torch

    before = torch.get_num_threads()
    try:
        with placed(Placement(threads=3)):
            MaskedLM.load(bert)
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
