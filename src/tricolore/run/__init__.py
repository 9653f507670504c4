"""Many examples through many measures."""
