"""An entailment model behind a narrow interface: does a premise entail a hypothesis?

Any cross-encoder for natural language inference (NLI). What its classes mean is read from its
config.json and never assumed: checkpoints have them in every order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from tricolore.models.batching import answers
from tricolore.models.errors import BrokenModelError
from tricolore.models.model import Precision
from tricolore.models.pair_encoder import PairEncoder, TextPair
from tricolore.models.queries import PairQuery

NliLabel = Literal["entailment", "neutral", "contradiction", "not_entailment"]
Probabilities = npt.NDArray[np.float64]

_ORDER: tuple[NliLabel, ...] = ("entailment", "neutral", "contradiction", "not_entailment")
_NAMES: Mapping[NliLabel, str] = {
    "entailment": "entailment entail entails entailed support supports supported consistent "
    "correct faithful grounded factual",
    "neutral": "neutral not_enough_info nei",
    "contradiction": "contradiction contradict contradicts contradicted contradictory refute "
    "refutes refuted",
    "not_entailment": "not_entailment non_entailment not_entailed unsupported not_supported "
    "inconsistent incorrect unfaithful ungrounded hallucination hallucinated",
}
_MEANING = {name: label for label, names in _NAMES.items() for name in names.split()}
_UNNAMED = re.compile(r"label_\d+")
_ADVICE = (
    'name them in its config.json in the order of its outputs, such as "id2label": '
    '{"0": "entailment", "1": "neutral", "2": "contradiction"} or {"0": "unsupported", '
    '"1": "supported"}; the description of the model says which is which'
)
# As in `masked_lm`: where two classes are closer than this, the pair is run again in fp64, so that
# the likeliest class never depends on the rest of the batch.
_NEAR_TIE = 2e-4


class Entailment(PairEncoder):
    """A model for natural language inference: a local directory, or a name on the hub."""

    kind: ClassVar[str] = "entailment model"
    default: ClassVar[str] = "cross-encoder/nli-deberta-v3-base"
    advice: ClassVar[str] = """\
There are two ways to get an entailment model:
  - give the path of a local directory with config.json, model.safetensors and a tokenizer;
  - give a name on the model hub, such as "cross-encoder/nli-deberta-v3-base", where there is a
    network."""
    auto_class: ClassVar[str] = "AutoModelForSequenceClassification"
    labels: tuple[NliLabel, ...]
    """The labels of the columns of `probabilities`; the first is `entailment`."""
    _columns: list[int]

    @classmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """Load a local directory, or a checkpoint of the model hub."""
        made = super().load(name, revision=revision, precision=precision)
        made.probabilities([("a", "a")])
        return made

    def try_out(self) -> None:
        """Read what the outputs mean and how two texts are joined."""
        found = read_labels(self.name, self.net.config)
        self.labels = tuple(label for label in _ORDER if label in found)
        self._columns = [found[label] for label in self.labels]
        super().try_out()

    def probabilities(self, pairs: Sequence[TextPair], *, max_tokens: int = 0) -> Probabilities:
        """How likely each label is for pairs of a premise and a hypothesis.

        Equal pairs are run once. In fp32 the likeliest label does not depend on order or batches.

        Arguments:
            pairs: A premise and a hypothesis each.
            max_tokens: The longest sequence, special tokens included; 0: all that the net reads. A
                premise that is too long is cut at its end (`cut` says which), and so is a
                hypothesis that would leave it less than half of that.

        Returns:
            An array (pairs, labels), whose columns are those of `labels`.
        """
        queries = [framed.query for framed in self.framed(pairs, max_tokens)]
        found: dict[PairQuery, npt.NDArray[np.float64]] = {}
        unsure: list[PairQuery] = []
        for query, logits in answers(queries, len, self.budget, self.pair_logits):
            found[query] = logits
            best = np.sort(logits)
            if best[-1] - best[-2] < _NEAR_TIE:
                unsure.append(query)
        if unsure and self.precision == "fp32":
            with self.net.in_fp64():
                found.update(answers(unsure, len, self.budget, self.pair_logits))
        if not queries:
            return np.empty((0, len(self.labels)))
        logits = np.stack([found[query] for query in queries])
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: Probabilities = powers / powers.sum(axis=1, keepdims=True)
        return shares[:, self._columns]


def read_labels(name: str, config: Any) -> dict[NliLabel, int]:
    """The output that stands for each label, by a checkpoint's config.json.

    Arguments:
        name: The model, for the error.
        config: A configuration of `transformers`, with `id2label`, `label2id` or both.
    """
    count = int(config.num_labels)
    by_id = {int(at): str(label) for at, label in (config.id2label or {}).items()}
    by_label = {int(at): str(label) for label, at in (config.label2id or {}).items()}
    named = [names for names in (by_id, by_label) if not all(map(_is_unnamed, names.values()))]
    shown = ", ".join(by_id.get(at, "?") for at in range(count))
    if not named:
        raise BrokenModelError(
            name, f"its labels are {shown}, which does not say what entailment is", _ADVICE
        )
    readings = [{at: _MEANING.get(_plain(label)) for at, label in one.items()} for one in named]
    if readings[0] != readings[-1]:
        raise BrokenModelError(
            name, "id2label and label2id of its config.json contradict each other", _ADVICE
        )
    found = {label: at for at, label in readings[0].items() if label is not None}
    is_complete = sorted(found.values()) == list(range(count)) and len(readings[0]) == count
    if count < 2 or not is_complete or "entailment" not in found:
        shown = ", ".join(named[0].get(at, "?") for at in range(count))
        raise BrokenModelError(
            name, f"its labels are {shown}, which are not those of an entailment model", _ADVICE
        )
    return found


def _plain(label: str) -> str:
    """A label without differences that mean nothing.

    >>> _plain("NOT ENOUGH INFO"), _plain("not-entailment")
    ('not_enough_info', 'not_entailment')
    """
    return re.sub(r"[\W_]+", "_", label.strip().lower()).strip("_")


def _is_unnamed(label: str) -> bool:
    return _UNNAMED.fullmatch(_plain(label)) is not None
