"""Damaging summaries on purpose, with a label for every change."""
