"""ROSE in small files of its published formats."""

import pytest

from tests.data.published_files import lines, read
from tricolore.errors import ReadError


def rose_row(annotations):
    """A row as Yale-LILY/ROSE's demo.ipynb prints it: of cnndm_test, and of the protocols."""
    return {
        "source": "A cat.",
        "reference": "The cat.\nIt sat.",
        "reference_acus": ["There is a cat.", "It sat."],
        "count_id": 53,
        "example_id": "012acd39",
        "annotations": annotations,
        "system_outputs": {"bart": "Cat.", "brio-ext": "Cats."},
    }


ACU = {"acu_labels": [1, 0], "acu": 0.5, "normalized_acu": 0.4}


def test_rose(tmp_path):
    row = rose_row({"brio-ext": {**ACU, "acu": 1.0}, "bart": ACU})
    bart, brio = read("rose", lines(tmp_path / "cnndm.test.acus.aggregated.jsonl", [row]))
    assert bart.example.human == {"acu": 0.5, "normalized_acu": 0.4}
    assert brio.example.human["acu"] == 1.0
    units = [(unit.text, unit.weight, unit.present) for unit in bart.example.units]
    assert units == [("There is a cat.", 1, True), ("It sat.", 1, False)]
    assert (brio.example.system, brio.example.summary) == ("brio-ext", "Cats.")
    assert (brio.example.doc_id, brio.example.references) == ("012acd39", ("The cat.\nIt sat.",))
    with pytest.raises(ReadError, match=r"name one file .*cnndm.test.acus"):
        read("rose", tmp_path)
    del row["source"]
    with pytest.raises(ReadError, match=r"has no 'source' .* that Salesforce/rose holds now"):
        read("rose", lines(tmp_path / "early.jsonl", [row]))


def test_rose_with_the_wrong_number_of_labels(tmp_path):
    row = rose_row({"bart": {**ACU, "acu_labels": [1]}, "brio-ext": ACU})
    with pytest.raises(ReadError, match="1 acu_labels for 2 reference_acus"):
        read("rose", lines(tmp_path / "rose.jsonl", [row]))


def test_rose_protocols(tmp_path):
    # docs/_data/protocol-comparison-llm.json of Yale-LILY/ROSE: means of three people, and the
    # reference judged as well, with lists where it was not asked; it has no output
    said = {"prior": 11 / 3, "ref_based": 3.0, "ref_free": 5.0, **ACU}
    reference = {"prior": 8 / 3, "ref_based": [], "acu": [[]], "ref_free": 3.0}
    row = rose_row({"bart": said, "brio-ext": said, "reference": reference})
    rows = read("rose", lines(tmp_path / "cnndm.test.protocols-gpt3.aggregated.jsonl", [row]))
    assert [judged.example.system for judged in rows] == ["bart", "brio-ext"]
    scores = {"prior": 11 / 3, "ref_based": 3, "ref_free": 5, "acu": 0.5, "normalized_acu": 0.4}
    assert rows[0].example.human == scores
    assert rows[0].annotations == {}


def test_rose_as_parquet(tmp_path):
    # As the hub's loader rose.py types it: float32, and -1 where the reference was not judged.
    import pyarrow as pa
    import pyarrow.parquet as pq

    said = {"prior": 3.5, "ref_based": 3.0, "ref_free": 5.0, **ACU}
    reference = {**said, "ref_based": -1, "acu_labels": [], "acu": -1, "normalized_acu": -1}
    number, labels = pa.float32(), pa.list_(pa.int64())
    scores = pa.struct([(name, labels if "labels" in name else number) for name in said])
    systems = ("bart", "brio-ext", "reference")
    outputs = pa.struct([(name, pa.string()) for name in systems[:2]])
    schema = pa.schema(
        [(name, pa.string()) for name in ("source", "reference", "example_id")]
        + [("reference_acus", pa.list_(pa.string())), ("count_id", pa.int64())]
        + [("annotations", pa.struct([(name, scores) for name in systems]))]
        + [("system_outputs", outputs)]
    )
    row = rose_row({"bart": said, "brio-ext": said, "reference": reference})
    pq.write_table(pa.Table.from_pylist([row], schema), tmp_path / "0000.parquet")
    bart, _ = read("rose", tmp_path / "0000.parquet")
    assert bart.example.human == pytest.approx({k: said[k] for k in said if k != "acu_labels"})
