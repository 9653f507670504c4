"""Scoring many examples with many measures."""
