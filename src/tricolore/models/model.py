"""What all models have in common, and the one copy of each that a process keeps.

A new kind of model is one module with a subclass of `Model`; nothing else changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from threading import Lock
from typing import ClassVar, Literal, Self, TypeVar, cast

from tricolore.models.placement import current

Precision = Literal["fp32", "bf16", "fp16", "int8"]


class Model(ABC):
    """Anything with weights, or a remote service, behind a narrow interface.

    A subclass adds methods that take and return plain data: measures never see a net, a batch
    or a connection.
    """

    kind: ClassVar[str]
    """What the model is called in messages: "masked language model"."""
    default: ClassVar[str]
    """The name of the model that is loaded by default."""
    advice: ClassVar[str] = ""
    """How to get a model of this kind, for the error when one is missing."""

    name: str
    revision: str
    """Which weights or which version it is: part of the signature of every score."""

    @classmethod
    @abstractmethod
    def load(cls, name: str = "", *, revision: str = "", precision: Precision = "fp32") -> Self:
        """Load a model by its name. Measures call `shared` instead, which loads it once.

        Arguments:
            name: An installed model, a local directory or a name on a hub; empty: the default.
            revision: The commit or version to load; empty: the one on this machine, if any, or
                the latest.
            precision: The numbers that a local net computes with; remote models ignore it.
        """

    @classmethod
    def known_revision(cls, name: str, revision: str = "") -> str | None:
        """The revision of a model without loading it; None if that needs loading."""
        return revision or None


M = TypeVar("M", bound=Model)
_ModelKey = tuple[type[Model], str, str, str, str]


@dataclass(eq=False)
class _Slot:
    """An entry for one model; its lock is held while the model is loaded."""

    lock: Lock = field(default_factory=Lock)
    model: Model | None = None
    known: str | None = None
    """The revision that was known, without loading, when the model was loaded."""


_slots: dict[_ModelKey, _Slot] = {}
_slots_lock = Lock()


def shared(kind: type[M], name: str = "", revision: str = "", precision: Precision = "fp32") -> M:
    """The one copy of a model that this process uses on the current device.

    Threads that ask for the same model at once wait for the one that loads it.
    """
    name = name or kind.default
    key = (kind, name, revision, precision, current().device)
    slot = _slots.get(key)
    if slot is None:
        with _slots_lock:
            slot = _slots.setdefault(key, _Slot())
    if slot.model is None:
        with slot.lock:
            if slot.model is None:
                slot.known = kind.known_revision(name, revision)
                slot.model = kind.load(name, revision=revision, precision=precision)
    return cast(M, slot.model)


def shared_revision(
    kind: type[Model], name: str = "", revision: str = "", precision: Precision = "fp32"
) -> str:
    """The revision of the model that `shared` gives; the model is loaded only if necessary.

    A model whose files have changed since it was loaded is forgotten, so that the next call of
    `shared` loads the new weights.
    """
    name = name or kind.default
    known = kind.known_revision(name, revision)
    if known is None:
        return shared(kind, name, revision, precision).revision
    with _slots_lock:
        for key, slot in list(_slots.items()):
            if key[:3] == (kind, name, revision) and slot.known not in (None, known):
                del _slots[key]
    return known
