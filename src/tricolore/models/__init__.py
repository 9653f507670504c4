"""Everything that touches a neural net: loading, batching, the embedded default.

Importing this package loads neither torch nor transformers, nor even numpy: the command line
asks it for an error's name. Loading a model does.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tricolore.models.errors import ModelNotFoundError

if TYPE_CHECKING:
    from tricolore.models.masked_lm import MaskedLM
    from tricolore.models.model import Model, shared
    from tricolore.models.placement import Placement, placed
    from tricolore.models.queries import Query
    from tricolore.models.sentence_encoder import SentenceEncoder
    from tricolore.models.tokens import Tokens

__all__ = [
    "MaskedLM",
    "Model",
    "ModelNotFoundError",
    "Placement",
    "Query",
    "SentenceEncoder",
    "Tokens",
    "placed",
    "shared",
]

_HOMES = {
    "MaskedLM": "masked_lm",
    "Model": "model",
    "Placement": "placement",
    "placed": "placement",
    "shared": "model",
    "Query": "queries",
    "SentenceEncoder": "sentence_encoder",
    "Tokens": "tokens",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
