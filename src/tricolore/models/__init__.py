"""Everything that touches a neural net: loading, batching, the embedded default.

Importing this package loads neither torch nor transformers; loading a model does.
"""

from tricolore.models.errors import ModelNotFoundError
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.queries import Query
from tricolore.models.tokens import Tokens

__all__ = ["MaskedLM", "ModelNotFoundError", "Query", "Tokens"]
