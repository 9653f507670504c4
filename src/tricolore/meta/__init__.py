"""Evaluation of the measures themselves, with intervals and significance tests."""
