"""Whether a checkpoint has exactly the weights that its net computes with, all of them finite.

`transformers` fills what is missing with random numbers, and passes over what it does not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from tricolore.models.errors import BrokenModelError

_BUFFERS = frozenset({"position_ids", "token_type_ids"})
"""Constants that old versions of `transformers` saved with the weights."""
_POOLER = "pooler."
"""A layer on top of [CLS]; only nets that classify texts use it."""
_SENTENCE_ORDER = "cls.seq_relationship."
"""BERT's head for the next sentence, beside its masked-LM head; we never run it."""
_HEADS = frozenset(
    """
    classifier cls decoder discriminator_predictions generator_lm_head generator_predictions head
    lm_head lm_predictions mask_predictions pre_classifier predictions qa_outputs score
    sop_classifier splinter_qass vocab_layer_norm vocab_projector vocab_transform
    """.split()
)
"""What `transformers` puts beside an encoder for one task or another. A forward pass runs only the
heads that are part of the loaded net; the weights of others are left aside."""
_MASKED = ("guesses masked words", "masked language model")
_ANSWERS = ("answers questions", "model for extractive question answering")
_CLASSES = ("classifies texts", "model for classification")
_TASKS = {"qa_outputs": _ANSWERS, "splinter_qass": _ANSWERS}
"""What heads are for, by the name of their first part, where it is not to guess masked words."""
_FLOATS = frozenset({"F64", "F32", "F16", "BF16"})
_SHOWN = 3


def check_names(where: str, module: Any, missing: Iterable[str], unexpected: Iterable[str]) -> None:
    """Raise an error if the net lacks weights, or the checkpoint has some that it does not know.

    Arguments:
        where: The model, for the error.
        module: A net of `transformers`.
        missing: Names of weights of the net that the checkpoint lacks.
        unexpected: Names of weights of the checkpoint that the net does not have.
    """
    lacking = sorted(missing)
    if not classifies(module):
        lacking = [name for name in lacking if not _own(module, name).startswith(_POOLER)]
    if lacking:
        encoder = {name for name, _ in module.base_model.named_parameters()}
        encoder = {name for name in encoder if not name.startswith(_POOLER)}
        if not encoder & {_own(module, name) for name in lacking}:
            usual = _CLASSES if classifies(module) else _MASKED
            does, kind = _TASKS.get(_first(lacking[0]), usual)
            raise BrokenModelError(
                where,
                f"it has no head that {does} ({_listed(lacking)})",
                f"name a {kind}, not an encoder alone",
            )
        raise BrokenModelError(where, f"weights are missing: {_listed(lacking)}")
    strange = sorted(name for name in unexpected if not _is_unused(module, name))
    if strange:
        raise BrokenModelError(
            where,
            f"its config.json does not fit its weights, which have more: {_listed(strange)}",
            "save the net again with `save_pretrained`, or name another model",
        )


def classifies(module: Any) -> bool:
    """Whether a net of `transformers` classifies texts."""
    return hasattr(module, "num_labels")


def check_sizes(where: str, mismatched: Iterable[tuple[str, Any, Any]]) -> None:
    """Raise an error if weights do not have the size that config.json gives."""
    found = {name: (list(given), list(wanted)) for name, given, wanted in sorted(mismatched)}
    if found:
        given, wanted = next(iter(found.values()))
        raise BrokenModelError(
            where,
            f"weights are not of the size that its config.json gives: {_listed(found)}; the first "
            f"is {given}, not {wanted}",
        )


def check_kinds(where: str, files: Iterable[Path]) -> None:
    """Raise an error for weights that are whole numbers, which `transformers` takes as they are."""
    from safetensors import safe_open

    whole = []
    for path in sorted(files):
        with safe_open(path, "pt") as stored:
            names = list(stored.keys())
            whole += [n for n in names if stored.get_slice(n).get_dtype() not in _FLOATS]
    whole = [name for name in whole if name.rpartition(".")[2] not in _BUFFERS]
    if whole:
        raise BrokenModelError(where, f"weights are whole numbers: {_listed(sorted(whole))}")


def check_numbers(where: str, module: Any) -> None:
    """Raise an error if a weight is not a finite number."""
    broken = [name for name, weight in module.named_parameters() if not _is_finite(weight)]
    if broken:
        raise BrokenModelError(where, f"weights are NaN or infinite: {_listed(broken)}")


def _is_finite(weight: Any) -> bool:
    # NaN and infinity survive a sum, which is quicker; a sum of large numbers may overflow.
    return bool(weight.sum().isfinite()) or bool(weight.isfinite().all())


def _is_unused(module: Any, name: str) -> bool:
    """Whether no forward pass of ours would use a weight that the net does not have."""
    own = _own(module, name)
    first = _first(own)
    if own.rpartition(".")[2] in _BUFFERS or own.startswith((_POOLER, _SENTENCE_ORDER)):
        return True
    return first in _HEADS and first not in dict(module.named_children())


def _first(name: str) -> str:
    return name.partition(".")[0]


def _own(module: Any, name: str) -> str:
    """The name of a weight within the encoder, however the checkpoint was saved."""
    return name.removeprefix(f"{module.base_model_prefix}.")


def _listed(names: Collection[str]) -> str:
    """The first names and how many more there are."""
    shown = list(names)[:_SHOWN]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
