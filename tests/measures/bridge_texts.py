"""A source, a summary of it, and one of another part of it."""

from __future__ import annotations

SOURCE = (
    "The council voted to close the old bridge after engineers warned of danger. "
    "Drivers must take the long road around the valley until the bridge is rebuilt. "
    "A farmer found a gold coin while looking for his lost sheep."
)
SUMMARY = "The old bridge is closed after engineers warned of danger and must be rebuilt."
OTHER = "A farmer looking for lost sheep found a gold coin."
