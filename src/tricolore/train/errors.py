"""What goes wrong in training, and with what training left behind."""

from __future__ import annotations


class TrainingError(ValueError):
    """Nothing can be learnt from these data with these settings, and why."""


class ModelDirectoryError(ValueError):
    """A directory is not the trained estimator that it should be, and why."""
