"""REALSumm in small files of its published format."""

import csv

import pytest

from tests.data.published_files import read
from tricolore.errors import ReadError
from tricolore.measures.pyramid import Pyramid


def answers_csv(folder, name, rows, *, comma=False):
    """The columns of neulab/REALSumm's SCU_rating_results_*/*.csv.

    16 statements, answers in the order of their names as words; some files of the abstractive
    systems have a comma too many at the end of each line.
    """
    folder.mkdir(parents=True, exist_ok=True)
    head = ["Input.eventId", "Input.summaryId", "Input.qIdList", "Input.summary_text"]
    head += [f"Input.statement_{n}" for n in range(1, 17)]
    order = [*range(10, 17), *range(1, 10)]
    head += [f"Answer.S{n}Answer" for n in order]
    with (folder / name).open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*head, *[""] * comma])
        for event, system, units, given in rows:
            units, given = units + ["BLANK"] * (16 - len(units)), given.ljust(16, "n")
            answers = [given[n - 1] for n in order]
            cells = [event, system, "['0', '1']", "Cat sat .", *units, *answers]
            writer.writerow([*cells, *[""] * comma])


def realsumm(root):
    answers = root / "human_annotations/SCUs_and_annotations"
    units = ["A cat.", "It sat.", "BLANK", "On a mat."]
    two = [("cnndm19", "bart_out", units, given) for given in ("ppnp", "pnpn")]
    other = ("cnndm1017", "bart_out", [f"Fact {n}." for n in range(1, 12)], "nnnnnnnnnpp")
    # the rows of a document need not stand together
    answers_csv(answers / "SCU_rating_results_ext_systems", "bart_out.csv", [two[0], other, two[1]])
    folder = answers / "SCU_rating_results_abs_systems"
    row = ("cnndm19", "bart_out", units, "pppp")
    answers_csv(folder, "bart_out_Batch_crowd_3.csv", [row], comma=True)
    three = [("cnndm19", "neusumm_out", units, given) for given in ("pnnn", "pnnp", "nnnp")]
    answers_csv(folder, "neusumm_out_Batch_crowd_3.csv", three, comma=True)
    texts = root / "selected_docs_for_human_eval"
    for sub in ("abs/ptr_generator", "ext/bart"):
        (texts / sub).mkdir(parents=True)
    (texts / "selected_documents.md").write_text("# Aligned\n\n```\n[1017, 19]\n```\n")
    sources = "<t> other </t>\n<t> a cat\u2028sat . </t> <t> on a mat . </t>"
    (texts / "abs/ptr_generator/src.txt").write_text(sources)
    (texts / "abs/ptr_generator/ref.txt").write_text("<t> x .y . </t>\n<t> a cat .it sat . </t>")
    (texts / "ext/bart/ref.txt").write_text(" X .   Y . \n A cat .   It sat . \n")


def test_realsumm(tmp_path):
    realsumm(tmp_path)
    rows = {(row.example.system, row.example.doc_id): row for row in read("realsumm", tmp_path)}
    recall = {key: row.example.human["litepyramid_recall"] for key, row in rows.items()}
    assert recall == {
        # unit 1: 2 of 2 workers; units 2 and 4: 1 of 2, ties, so no; the blank is not asked
        ("bart_out.ext", "cnndm19"): pytest.approx(1 / 3),
        # the tenth and the eleventh of eleven, whose answers stand before the first's
        ("bart_out.ext", "cnndm1017"): pytest.approx(2 / 11),
        ("bart_out.abs", "cnndm19"): 1,
        # 2, 0 and 2 of 3 workers; published among the abstractive systems, but it is none
        ("neusumm_out.ext", "cnndm19"): pytest.approx(2 / 3),
    }
    row = rows["bart_out.ext", "cnndm19"]
    assert [score for _, score in row.annotations["litepyramid_recall"]] == [1, 1 / 3]
    units = [(unit.text, unit.present) for unit in row.example.units]
    assert units == [("A cat.", True), ("It sat.", False), ("On a mat.", False)]
    # The measure gives the published score back.
    examples = [row.example for row in rows.values()]
    found = [score.value for score in Pyramid().score(examples)]
    assert found == pytest.approx(list(recall.values()))
    assert row.example.source == ("a cat sat . on a mat .",)
    assert row.example.references == ("A cat . It sat .",)
    with pytest.raises(ReadError, match="no copy of the REALSumm repository"):
        read("realsumm", tmp_path / "human_annotations")
