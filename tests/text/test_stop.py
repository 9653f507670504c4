"""Stop lists: as many words as their sources have."""

from tricolore.text.stop import function_words, stop_words


def test_sizes_and_differences():
    assert len(stop_words("smart")) == 596
    assert len(stop_words("nltk")) == 179
    assert "reuters" in stop_words("smart") - stop_words("nltk")
    assert "don't" in stop_words("nltk")
    for words in (stop_words("smart"), stop_words("nltk")):
        assert words == {word.lower() for word in words}


def test_function_words_are_frequent_words_and_marks():
    found = function_words()
    assert 80 < len(found) < 120
    assert {"the", "of", "would", ".", ","} <= found
    assert not {"bridge", "minister", "closed"} & found
    assert found == {word.lower() for word in found}
