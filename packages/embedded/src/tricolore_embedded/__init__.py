"""The embedded masked language model of tricolore: data files and where they lie."""

from pathlib import Path

__all__ = ["path"]


def path() -> Path:
    """The directory with model.safetensors, config.json, tokenizer.json and digests.json."""
    return Path(__file__).resolve().parent / "model"
