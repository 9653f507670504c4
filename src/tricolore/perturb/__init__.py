"""Making summaries worse on purpose, with a label for everything that was done to them."""
