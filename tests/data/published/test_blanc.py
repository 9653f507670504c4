"""The sets of the BLANC paper in small files of their published formats."""

import json

from tests.data.published_files import read


def test_blanc(tmp_path):
    # PrimerAI/blanc: data/DailyNews_300.json and data/DailyNews_300_aspects.json
    one = {"annotators_ids": [5, 10, 12], "scores": [1, 1, 4], "summary": "Cat.", "text": "A cat."}
    (tmp_path / "DailyNews_300.json").write_text(json.dumps([one]))
    [row] = read("blanc-daily", tmp_path)
    assert row.example.human == {"overall": 2}
    assert row.annotations == {"overall": [("5", 1), ("10", 1), ("12", 4)]}
    aspects = {
        "map_quality_scores": {
            "Fluent": {"annotators_ids": [4, 5], "scores": [2, 3]},
            "Overall": {"annotators_ids": [4, 5, 5], "scores": [0, 1, 2]},
        },
        "summary": "Cat.",
        "text": "A cat.",
    }
    (tmp_path / "DailyNews_300_aspects.json").write_text(json.dumps([aspects]))
    [row] = read("blanc-aspects", tmp_path)
    assert row.example.human == {"fluent": 2.5, "overall": 1}
