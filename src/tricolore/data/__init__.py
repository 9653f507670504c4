"""Reading and writing examples and scores."""
