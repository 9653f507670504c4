"""SummEval in small files of its published format."""

import pytest

from tests.data.published_files import lines, read
from tricolore.errors import ReadError

# The paired file: Yale-LILY/SummEval's data_processing/pair_data.py adds `text` to the hosted rows,
# which have these keys (3 experts, 5 workers, 11 references).
SUMMEVAL = {
    "id": "dm-test-1",
    "decoded": "a cat sat .",
    "expert_annotations": [
        {"coherence": 2, "consistency": 1, "fluency": 4, "relevance": 2},
        {"coherence": 1, "consistency": 1, "fluency": 2, "relevance": 1},
        {"coherence": 1, "consistency": 1, "fluency": 3, "relevance": 2},
    ],
    "turker_annotations": [{"coherence": 5, "consistency": 5, "fluency": 5, "relevance": 5}],
    "references": ["Cat sits.", "A cat is sitting."],
    "model_id": "M11",
    "filepath": "cnndm/dailymail/stories/1.story",
    "text": "A cat sat on a mat.",
}


def test_summeval(tmp_path):
    [row] = read("summeval", lines(tmp_path / "model_annotations.aligned.paired.jsonl", [SUMMEVAL]))
    # (2 + 1 + 1) / 3 by the experts; the crowd's 5 is not in it
    assert row.example.human == pytest.approx(
        {"coherence": 4 / 3, "consistency": 1, "fluency": 3, "relevance": 5 / 3}
    )
    assert row.annotations["fluency"] == [("1", 4), ("2", 2), ("3", 3)]
    assert row.example.source == ("A cat sat on a mat.",)
    assert (row.example.doc_id, row.example.system) == ("dm-test-1", "M11")
    assert row.example.references == ("Cat sits.", "A cat is sitting.")


def test_summeval_with_story_files(tmp_path):
    hosted = {key: value for key, value in SUMMEVAL.items() if key != "text"}
    lines(tmp_path / "model_annotations.aligned.jsonl", [hosted])
    with pytest.raises(ReadError, match="put the story files"):
        read("summeval", tmp_path)
    story = tmp_path / SUMMEVAL["filepath"]
    story.parent.mkdir(parents=True)
    story.write_text("A cat\u2028sat\n\non a mat.\n\n@highlight\n\nCat sits.\n")
    [row] = read("summeval", tmp_path)
    # pair_data.py cuts at "\n" alone, so that another line separator stays in its sentence
    assert row.example.source == ("A cat\u2028sat on a mat.",)
