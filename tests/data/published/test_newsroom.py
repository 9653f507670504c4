"""Newsroom in a small file of its published format."""

from tests.data.published_files import newsroom_csv, read


def test_newsroom(tmp_path):
    texts = ["<p>Bread &amp; butter.</p><p>Tea.</p>", "Bread &amp; tea."]
    path = newsroom_csv(
        tmp_path / "newsroom-human-eval.csv",
        [
            ["7", "Food", "lede3", *texts, 5, 4, 3, 2],
            ["7", "Food", "textrank", *texts, 1, 1, 1, 1],
            ["7", "Food", "lede3", *texts, 2, 4, 4, 3],
        ],
    )
    first, second = read("newsroom", path)
    assert first.example.source == ("Bread & butter.\nTea.",)
    assert first.example.summary == "Bread & tea."
    assert first.example.human == {
        "coherence": 3.5,
        "fluency": 4,
        "informativeness": 3.5,
        "relevance": 2.5,
    }
    assert (second.example.system, second.example.human["fluency"]) == ("textrank", 1)
