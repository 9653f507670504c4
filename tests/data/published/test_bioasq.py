"""BioASQ in small files of its published form: gold files and submissions."""

import json

import pytest

from tests.data.published_files import read
from tricolore.errors import ReadError

GOLD = {
    "questions": [
        {
            "id": "5e48",
            "body": "Do cats sleep?",
            "type": "yesno",
            "documents": ["http://www.ncbi.nlm.nih.gov/pubmed/1"],
            "snippets": [
                {"text": "Cats sleep.", "document": "http://www.ncbi.nlm.nih.gov/pubmed/1"},
                {"text": "They do.", "document": "http://www.ncbi.nlm.nih.gov/pubmed/1"},
            ],
            "exact_answer": "yes",
            "ideal_answer": ["Yes, cats sleep.", "They sleep."],
        },
        {"id": "5e49", "body": "Why?", "type": "summary", "ideal_answer": "Because."},
    ]
}


def bioasq(folder, answers):
    (folder / "7B1_golden.json").write_text(json.dumps(GOLD))
    (folder / "our-system.json").write_text(json.dumps({"questions": answers}))
    return folder


def test_answers_of_a_system(tmp_path):
    answers = [
        {"id": "5e48", "ideal_answer": "Cats do.", "exact_answer": "yes"},
        {"id": "5e49", "ideal_answer": ["They are tired."]},
        {"id": "5e49", "exact_answer": []},
    ]
    bioasq(tmp_path, answers)
    (tmp_path / "scores.csv").write_text(
        "id,system,information_recall,information_precision,repetition,readability\n"
        "5e48,our-system,4,5,3,\n"
    )
    first, second = (row.example for row in read("bioasq", tmp_path))
    assert first.source == ("Cats sleep.", "They do.")
    assert first.references == ("Yes, cats sleep.", "They sleep.")
    assert (first.summary, first.doc_id, first.system) == ("Cats do.", "5e48", "our-system")
    scores = {"information_recall": 4, "information_precision": 5, "repetition": 3}
    assert first.human == scores, "a score that is not given is left out"
    assert (second.summary, second.references) == ("They are tired.", ("Because.",))
    assert (second.source, second.human) == ((), {})


def test_several_systems_and_gold_files(tmp_path):
    bioasq(tmp_path, [{"id": "5e48", "ideal_answer": ["Cats do.", "They do."]}])
    more = {"id": "5e50", "snippets": [{"text": "Dogs bark."}], "ideal_answer": ["They bark."]}
    (tmp_path / "7B2_golden.json").write_text(json.dumps({"questions": [more]}))
    answers = [{"id": "5e50", "ideal_answer": "Dogs."}, {"id": "5e48", "ideal_answer": "Cats."}]
    (tmp_path / "another.json").write_text(json.dumps({"questions": answers}))
    (tmp_path / "scores.csv").write_text("id,system,readability\n5e48,our-system,4\n")
    found = [row.example for row in read("bioasq", tmp_path)]
    assert [(one.system, one.doc_id, one.summary) for one in found] == [
        ("another", "5e50", "Dogs."),
        ("another", "5e48", "Cats."),
        ("our-system", "5e48", "Cats do."),
    ]
    assert (found[0].source, found[0].references) == (("Dogs bark.",), ("They bark.",))
    # The other system has answered the question, too, but nobody has scored that.
    assert [one.human for one in found] == [{}, {}, {"readability": 4}]


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ([{"id": "7", "ideal_answer": "No."}], "which is no question of the gold files"),
        ([{"ideal_answer": "No."}], "has no 'id'"),
    ],
)
def test_wrong_answers(tmp_path, answers, problem):
    with pytest.raises(ReadError, match=problem):
        read("bioasq", bioasq(tmp_path, answers))


def test_other_files(tmp_path):
    with pytest.raises(ReadError, match=r"has no '\*golden\*.json' of BioASQ"):
        read("bioasq", tmp_path)
    bioasq(tmp_path, [])
    (tmp_path / "our-system.json").write_text("{")
    with pytest.raises(ReadError, match="cannot be read as JSON"):
        read("bioasq", tmp_path)
