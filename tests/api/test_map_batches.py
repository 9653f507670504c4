"""Scores of batches, in this process and in real sessions of Spark and Dask."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import tricolore
from tricolore import Example, batch_schema, evaluate, map_batches
from tricolore.api import map_batches as module
from tricolore.errors import ReadError, TricoloreError

MEASURES = "coverage,rouge-1"
ROWS = [
    {
        "doc_id": f"d{at // 2}",
        "system": "ab"[at % 2],
        "source": f"The cat number {at // 2} sat on mat {at // 2} and saw {at % 7} dogs.",
        "summary": f"Cat {at // 2} sat on {'a rug' if at % 2 else 'mat'} {at}."
        if at != 5
        else None,
        "references": f"A cat sat on mat {at // 2}.",
    }
    for at in range(12)
]


@pytest.fixture(autouse=True)
def nothing_prepared() -> None:
    module._prepared.cache_clear()


def wanted() -> pd.DataFrame:
    """What `evaluate` gives for the same rows."""
    return evaluate(pd.DataFrame(ROWS), MEASURES).to_pandas().drop(columns="row")


def check(found: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(found, wanted(), check_dtype=False)
    assert "summary" in found["problem"][5], "the row that is no example has a problem"
    assert found["coverage"].isna().tolist() == [at == 5 for at in range(12)]


def test_a_data_frame() -> None:
    frame = pd.DataFrame(ROWS, index=list(range(100, 112)))
    found = map_batches(frame, MEASURES)
    assert found.index.tolist() == list(range(100, 112))
    check(found.reset_index(drop=True))


def test_a_table_and_a_record_batch_of_arrow() -> None:
    table = pa.Table.from_pylist(ROWS)
    found = map_batches(table, MEASURES)
    assert found.schema == batch_schema(MEASURES)
    check(found.to_pandas())
    [batch] = table.to_batches()
    scored = map_batches(batch, MEASURES)
    assert isinstance(scored, pa.RecordBatch)
    assert scored.to_pylist() == found.to_pylist()


def test_an_iterator_is_read_as_it_is_needed() -> None:
    read = []

    def batches() -> Any:
        for at in range(0, 12, 4):
            read.append(at)
            yield pd.DataFrame(ROWS[at : at + 4])

    found = map_batches(batches(), MEASURES)
    assert read == []
    first = next(found)
    assert read == [0]
    check(pd.concat([first, *found], ignore_index=True))


def test_an_empty_table() -> None:
    empty = pa.Table.from_pylist(ROWS).slice(0, 0)
    assert map_batches(empty, MEASURES).schema == batch_schema(MEASURES)
    assert map_batches(empty.to_pandas(), MEASURES).shape == (0, len(batch_schema(MEASURES)))


def test_columns_and_evidence() -> None:
    frame = pd.DataFrame([{"body": "A cat sat on a mat.", "tldr": "A dog sat."}])
    names = {"source": "body", "summary": "tldr"}
    found = map_batches(frame, "coverage", columns=names, evidence=True)
    assert found["coverage"].tolist() == [0.75]  # of "A dog sat .", all but "dog"
    spans = json.loads(found["coverage.evidence"][0])
    assert [(span["start"], span["end"]) for span in spans] == [(0, 1), (6, 9), (9, 10)]


def test_measures_are_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = []
    kind = type(tricolore.get_measure("coverage"))
    before = kind.prepare
    monkeypatch.setattr(kind, "prepare", lambda self: (prepared.append(1), before(self)))
    frame = pd.DataFrame(ROWS)
    for _ in range(3):
        map_batches(frame, "coverage")
    assert prepared == [1]


def test_a_measure_that_must_see_all_sources(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS)
    with pytest.raises(TricoloreError, match="importance must see all sources"):
        map_batches(frame, "importance")
    tricolore.fit_corpus(frame.drop(index=5), tmp_path / "corpus.bin")
    spec = f"importance:corpus={tmp_path / 'corpus.bin'}"
    found = map_batches(frame, spec).iloc[:, 3].tolist()
    whole = [each.scores for each in evaluate(frame, spec)]
    values = [next(iter(scores.values())).value for scores in whole]
    assert found == pytest.approx(values, nan_ok=True)


@pytest.mark.parametrize("data", ["rows.jsonl", 5, {"source": ["a"]}, Example(summary="a")])
def test_what_is_no_table(data: Any) -> None:
    with pytest.raises(ReadError, match="is not a table"):
        map_batches(data, "coverage")


def test_an_iterable_of_something_else() -> None:
    with pytest.raises(ReadError, match="dict is not a table"):
        list(map_batches([{"source": "a"}], "coverage"))


def test_a_column_that_is_missing() -> None:
    with pytest.raises(ReadError, match="source"):
        map_batches(pd.DataFrame({"summary": ["A cat."]}), "coverage")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # Spark and Dask have warnings of their own
def test_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real session of Spark, with the two lines of the docs."""
    pytest.importorskip("pyspark", reason="the package pyspark is not installed")
    if not shutil.which("java"):
        pytest.skip("there is no Java on this machine, which Spark needs")
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    settings = SparkSession.builder.master("local[2]").appName("tricolore")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
    }.items():
        settings = settings.config(name, value)
    session = settings.getOrCreate()
    try:
        frame = (
            session.createDataFrame(pd.DataFrame(ROWS))
            .repartition(2)
            .sortWithinPartitions("doc_id", "system")
        )
        schema = from_arrow_schema(batch_schema(MEASURES))
        for kind in ("mapInPandas", "mapInArrow"):
            scored = getattr(frame, kind)(lambda each: map_batches(each, MEASURES), schema)
            found = scored.toPandas().sort_values(["doc_id", "system"]).reset_index(drop=True)
            expected = wanted()
            assert len(found) == len(expected)
            for name in ("doc_id", "system", "coverage", "rouge-1"):
                pd.testing.assert_series_equal(found[name], expected[name], check_dtype=False)
    finally:
        session.stop()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_dask() -> None:
    """A real cluster of Dask with two processes, with the two lines of the docs."""
    pytest.importorskip("distributed", reason="the package distributed is not installed")
    dataframe = pytest.importorskip("dask.dataframe", reason="dask.dataframe is not installed")
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster),
    ):
        frame = dataframe.from_pandas(pd.DataFrame(ROWS), npartitions=3)
        meta = batch_schema(MEASURES).empty_table().to_pandas()
        found = frame.map_partitions(map_batches, MEASURES, meta=meta).compute()
    check(found)
