"""One file a measure, named after it."""
