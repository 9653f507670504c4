import json

import numpy as np
import pytest

from tricolore.data.annotations import read_annotators
from tricolore.errors import ReadError


def file(tmp_path, *annotations):
    path = tmp_path / "x.jsonl"
    rows = [{"summary": "a", "annotations": said} for said in annotations]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"summary": "b"}\n')
    return str(path)


def by(**said):
    return [{"annotator": int(who[1:]), "score": score} for who, score in said.items()]


def test_people_with_names(tmp_path):
    table = read_annotators(file(tmp_path, {"q": by(a10=1, a9=2)}, {"q": by(a9=3)}), "q")
    assert table.people == ["9", "10"]  # as numbers
    # the last row has no annotations at all
    np.testing.assert_array_equal(table.scores, [[2, 1], [3, np.nan], [np.nan, np.nan]])


def test_people_by_their_place(tmp_path):
    table = read_annotators(file(tmp_path, {"q": [1, None, 3]}, {"q": [4]}), "q")
    # the second person is never heard
    assert table.people == ["1", "3"]
    np.testing.assert_array_equal(table.scores, [[1, 3], [4, np.nan], [np.nan, np.nan]])


def test_somebody_judges_twice(tmp_path):
    said = [{"annotator": 15, "score": 0}, {"annotator": 15, "score": 3}]
    assert read_annotators(file(tmp_path, {"q": said}), "q").scores[0, 0] == 1.5


def test_labels_have_values(tmp_path):
    path = file(tmp_path, {"q": ["bad", "good"]}, {"q": [2, 2.0]})
    table = read_annotators(path, "q", values={"bad": -3, "good": 1, "2": 0.5})
    np.testing.assert_array_equal(table.scores[:2], [[-3, 1], [0.5, 0.5]])
    with pytest.raises(ReadError, match="'good' has no value"):
        read_annotators(path, "q", values={"bad": 0})
    with pytest.raises(ReadError, match="'bad' is not a number"):
        read_annotators(path, "q")


def test_a_quality_that_is_not_there(tmp_path):
    with pytest.raises(ReadError, match="'p'; it has q"):
        read_annotators(file(tmp_path, {"q": [1]}), "p")
    with pytest.raises(ReadError, match="no 'annotations'"):
        read_annotators(file(tmp_path), "q")
    with pytest.raises(ReadError, match="wanted are annotator and score"):
        read_annotators(file(tmp_path, {"q": [{"who": 3}]}), "q")


@pytest.mark.parametrize(
    ("judgements", "words"),
    [
        ("[1e400, 10" + "0" * 400 + "]", "is not a number"),
        ("[1, [2]]", "a judgement of 'q' is a list or an object"),
        ('[{"annotator": 1, "score": {}}]', "a judgement of 'q' is a list or an object"),
        ('[{"annotator": 1, "score": 1, "score": 2}]', "a judgement of 'q' is given more than"),
        ('[{"annotator": 1}]', "wanted are annotator and score"),
        ("[" + "9" * 5000 + "]", "a judgement of 'q' is a number with too many digits"),
        ('[1], "q": [2]', "the judgements of 'q' are given more than once"),
    ],
)
def test_judgements_that_cannot_be_used(tmp_path, judgements, words):
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"annotations": {{"q": {judgements}}}}}\n')
    with pytest.raises(ReadError, match=words):
        read_annotators(str(path), "q")


def test_names_that_only_look_like_numbers(tmp_path):
    said = [{"annotator": who, "score": 1} for who in ("²", "--5", "7", "-1", "ü")]
    assert read_annotators(file(tmp_path, {"q": said}), "q").people == ["-1", "7", "--5", "²", "ü"]
