"""Judging the measures, and saying how sure a number is."""
