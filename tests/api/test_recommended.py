"""The measures that a run uses if none are named."""

import json
import sys

import pytest

from tricolore import evaluate, get_measure
from tricolore.api.recommended import meaning_line, recommended, recommended_for
from tricolore.data.frames import examples_from
from tricolore.errors import ReadError

SOURCE = "The plant in Limerick has 420 jobs. It opened in May 1993. The mayor was glad."
ROW = {"source": SOURCE, "summary": "The plant has 4,200 jobs.", "doc_id": "x"}
WITH_REFERENCE = {**ROW, "references": ["The plant has 420 jobs."]}
CONTEXT = ["novelty", "length"]
ROUGE = ["rouge-1", "rouge-2", "rouge-l"]


def labels(found):
    return [measure.label for measure in found.measures]


def labels_for(rows):
    return labels(recommended_for(examples_from(rows)))


def test_they_depend_on_what_there_is():
    assert labels(recommended()) == ["grounding", "importance", *CONTEXT]
    assert labels(recommended(references=True)) == [
        "grounding",
        "importance",
        *ROUGE,
        "bert-score",
        *CONTEXT,
    ]
    assert labels(recommended(source=False, references=True)) == [*ROUGE, "bert-score", "length"]


def test_rows_are_looked_at():
    assert labels_for([ROW]) == labels(recommended())
    assert labels_for([WITH_REFERENCE]) == labels(recommended(references=True))
    # A column with references in a few rows only would make a problem of all others.
    assert labels_for([WITH_REFERENCE, ROW, ROW]) == labels(recommended())
    assert labels_for([{**ROW, "references": [" "]}]) == labels(recommended())
    no_source = {"summary": "A cat.", "references": ["A dog."]}
    assert labels_for([no_source]) == labels(recommended(source=False, references=True))
    assert labels_for([5, {"summary": "A cat."}]) == labels(recommended())


def test_all_are_cheap_and_need_no_download():
    for measure in recommended(references=True).measures:
        assert measure.extra in ("", "encoder")
        assert "seconds per" not in measure.cost.replace("milliseconds", "")


def test_what_is_not_installed_is_left_out_with_a_note(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    found = recommended(references=True)
    assert labels(found) == ["importance", *ROUGE, *CONTEXT]
    assert found.notes == (
        "grounding is left out: torch is not installed; the extra 'encoder' installs it",
        "bert-score is left out: torch is not installed; the extra 'encoder' installs it",
    )
    result = evaluate([ROW] * 2)
    assert [measure.label for measure in result.measures] == ["importance", *CONTEXT]
    assert result.summary.notes[-1] == found.notes[0]


def test_one_line_for_each():
    assert meaning_line(get_measure("rouge-1")) == (
        "rouge-1 ↑: the share of words that summary and reference have in common"
    )
    assert meaning_line(get_measure("novelty")).endswith("; it tells of copying, not of quality")
    assert meaning_line(get_measure("density")).endswith("; it follows copying more than quality")
    for measure in recommended(references=True).measures:
        assert meaning_line(measure).startswith(measure.label)


def test_evaluate_without_measures(tmp_path):
    result = evaluate([ROW, ROW])
    assert list(result.results[0].scores) == labels(recommended())
    assert result.meanings == [meaning_line(measure) for measure in result.measures]
    assert result.summary.rows_with_problem == 0
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(WITH_REFERENCE) + "\n")
    assert "bert-score" in evaluate(path).results[0].scores
    renamed = [{"body": SOURCE, "out": "The plant has jobs."}] * 2
    columns = {"source": "body", "summary": "out"}
    assert len(evaluate(renamed, columns=columns, limit=1)) == 1


def test_data_without_a_source_or_references():
    with pytest.raises(ReadError, match="source"):
        evaluate([{"summary": "A cat."}])
