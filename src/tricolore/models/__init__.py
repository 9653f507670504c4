"""Everything that works with neural nets: loading, batching, the embedded default.

Importing this package loads neither torch, transformers nor numpy, since the command line imports
an error class from it. They are loaded with the first model.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tricolore.models.errors import ModelNotFoundError

if TYPE_CHECKING:
    from tricolore.models.entailment import Entailment
    from tricolore.models.masked_lm import MaskedLM
    from tricolore.models.model import Model, shared
    from tricolore.models.placement import Placement, placed
    from tricolore.models.queries import Query
    from tricolore.models.question_answerer import Answer, Question, QuestionAnswerer
    from tricolore.models.sentence_encoder import SentenceEncoder
    from tricolore.models.tokens import Tokens

__all__ = [
    "Answer",
    "Entailment",
    "MaskedLM",
    "Model",
    "ModelNotFoundError",
    "Placement",
    "Query",
    "Question",
    "QuestionAnswerer",
    "SentenceEncoder",
    "Tokens",
    "placed",
    "shared",
]

_HOMES = {
    "Answer": "question_answerer",
    "Question": "question_answerer",
    "QuestionAnswerer": "question_answerer",
    "Entailment": "entailment",
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
