"""Words, sentences, n-grams and fragments of text: pure functions."""
