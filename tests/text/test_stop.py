"""Stop lists: as many words as their sources have."""

from tricolore.text.stop import stop_words


def test_sizes_and_differences():
    assert len(stop_words("smart")) == 596
    assert len(stop_words("nltk")) == 179
    assert "reuters" in stop_words("smart") - stop_words("nltk")
    assert "don't" in stop_words("nltk")
    for words in (stop_words("smart"), stop_words("nltk")):
        assert words == {word.lower() for word in words}
