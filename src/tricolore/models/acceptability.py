"""A classifier of grammatical acceptability behind a narrow interface.

Any checkpoint with two classes that was trained on CoLA (Warstadt et al. 2019) or the like.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tricolore.models.batching import answers
from tricolore.models.encoder import Encoder
from tricolore.models.errors import BrokenModelError
from tricolore.models.queries import PairQuery

_UNACCEPTABLE = ("un", "not", "non", "in")
_COLA = 1  # the class of acceptable sentences in CoLA and in GRUEN's code
_ADVICE = (
    'name them in its config.json, such as "id2label": {"0": "unacceptable", "1": "acceptable"}'
)


class Acceptability(Encoder):
    """A classifier of acceptable and unacceptable sentences: a directory, or a name on the hub."""

    kind: ClassVar[str] = "classifier of acceptability"
    default: ClassVar[str] = "textattack/bert-base-uncased-CoLA"
    advice: ClassVar[str] = """\
There are three ways to judge whether a sentence is acceptable:
  - `acceptability=tagger`, which needs no download (in a checkout: `pip install '.[grammar]'
    ./packages/embedded`);
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give the name of a classifier on the model hub that was trained on CoLA, where there is a
    network."""
    auto_class: ClassVar[str] = "AutoModelForSequenceClassification"
    _column: int

    def try_out(self) -> None:
        """Read which output means acceptable, and classify a tiny text."""
        self._column = acceptable_class(self.name, self.net.config)
        self.logits(["a"])

    def logits(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """The score of the class `acceptable` for each text, before the softmax."""
        return self._outputs(texts)[:, self._column]

    def margins(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """The score of `acceptable` minus that of the other class: above 0 is acceptable."""
        found = self._outputs(texts)
        return found[:, self._column] - found[:, 1 - self._column]

    def is_cut(self, text: str) -> bool:
        """Whether a text has more tokens than the net reads."""
        return len(self.tokenize(text)) > self.max_tokens - 2

    def _outputs(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        queries = [self._query(text) for text in texts]
        found = dict(answers(queries, len, self.budget, self._batch_outputs))
        return np.array([found[query] for query in queries]).reshape(len(texts), 2)

    def _query(self, text: str) -> PairQuery:
        ids = self.frame(self.tokenize(text).ids[: self.max_tokens - 2])
        return PairQuery(ids, (0,) * len(ids))

    def _batch_outputs(self, batch: Sequence[PairQuery]) -> list[npt.NDArray[np.float64]]:
        return list(self.net.logits(batch).double().cpu().numpy())


def acceptable_class(name: str, config: Any) -> int:
    """The output that stands for acceptable sentences, by a checkpoint's config.json.

    Classes without a name are in CoLA's order: 0 is unacceptable, 1 is acceptable.
    """
    labels = {int(at): str(label).lower() for at, label in (config.id2label or {}).items()}
    if int(config.num_labels) != 2:
        raise BrokenModelError(
            name, f"it has {config.num_labels} classes, not the two of a classifier", _ADVICE
        )
    if all(label.startswith("label_") for label in labels.values()):
        return _COLA
    good = [at for at, label in labels.items() if _is_acceptable(label)]
    if len(good) != 1:
        shown = ", ".join(labels[at] for at in sorted(labels))
        raise BrokenModelError(
            name, f"its labels are {shown}, which do not say what is acceptable", _ADVICE
        )
    return good[0]


def _is_acceptable(label: str) -> bool:
    """Whether a label names the better class.

    >>> _is_acceptable("acceptable"), _is_acceptable("unacceptable")
    (True, False)
    """
    names_it = any(word in label for word in ("acceptable", "grammatical", "correct"))
    return names_it and not label.startswith(_UNACCEPTABLE)
