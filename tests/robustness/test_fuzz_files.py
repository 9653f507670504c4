"""Files that were damaged at random: a sound row, a row with a problem, or one clear error.

`TRICOLORE_FUZZ=20000 pytest tests/robustness/test_fuzz_files.py` tries more files of each format.
"""

import gzip
import io
import json
import math
import os
import random
import string
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tricolore import Example, evaluate
from tricolore.api.compare import compare
from tricolore.api.evaluate import Evaluation
from tricolore.data.score_table import ScoreTable
from tricolore.errors import TricoloreError
from tricolore.score import Score

EXAMPLES = int(os.environ.get("TRICOLORE_FUZZ", "0"))
FUZZ = settings(
    max_examples=EXAMPLES or 200,
    derandomize=not EXAMPLES,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

TEXTS = [
    "The cat sat on the mat. It was grey.",
    'Zoë said: "no, thanks"; then left.',
    "Line one\nline two\ttab",
    "« Été » — 日本語 🐈",
    "",
]
ROWS = [
    {
        "doc_id": f"d{n // 2}",
        "system": "ab"[n % 2],
        "source": TEXTS[n % 4],
        "summary": TEXTS[(3 * n + 1) % 5],
        "references": [TEXTS[n % 3], "A cat."],
        "human": {"quality": n / 2, "fluency": None if n == 3 else 1},
        "note": n,
    }
    for n in range(12)
]
FLAT = [
    {
        "doc_id": row["doc_id"],
        "source": row["source"],
        "summary": row["summary"],
        "references": json.dumps(row["references"]),
        "human.quality": row["human"]["quality"],
    }
    for row in ROWS
]


def separated(delimiter: str) -> bytes:
    import csv

    text = io.StringIO()
    writer = csv.DictWriter(text, list(FLAT[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(FLAT)
    return text.getvalue().encode()


def parquet(**options: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), sink, row_group_size=5, **options)
    return sink.getvalue()


LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()
GOOD = {
    "x.jsonl": LINES,
    "ascii.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS).encode(),
    "x.json": json.dumps(ROWS, indent=1).encode(),
    "x.csv": separated(","),
    "x.tsv": separated("\t"),
    "x.parquet": parquet(),
    "plain.parquet": parquet(compression="none", use_dictionary=False),
    "x.jsonl.gz": gzip.compress(LINES, mtime=0),
    "x.csv.gz": gzip.compress(separated(","), mtime=0),
}
ODD = [
    *(
        b"\n",
        b"\r",
        b"\r\n",
        b"\x00",
        b'"',
        b'""',
        b",",
        b";",
        b"\t",
        b"\\",
        b"[",
        b"]",
        b"{",
        b"}",
    ),
    *(b"[" * 3000, b"9" * 5000, b"1e999", b"NaN", b"-Infinity", b"null", b"true", b":", b"\xff"),
    *(rb"\ud800", rb"\udc00\ud83d", rb"\u0000", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe"),
    *("\u2028\x85\x0c\x1c\u202e\u0301".encode(), b"summary", b'"summary": 1, ', b",summary"),
    *(b"PAR1", b"\x1f\x8b\x08", b"\x00\x00\x00\x80", b"\xff" * 8, b"human.", b"source"),
]


def flip(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.choice([1, 1, 2, 8, 64])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def overwrite(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(len(data))
    data[at : at + rng.choice([1, 2, 4, 30])] = rng.randbytes(rng.choice([1, 2, 4, 30]))


def cut(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(len(data))
    del data[at : at + rng.choice([1, 3, 20, len(data)])]


def insert(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.choice(ODD)


def replace_letter(data: bytearray, rng: random.Random) -> None:
    letters = [at for at, byte in enumerate(data) if chr(byte) in string.punctuation]
    if letters:
        at = rng.choice(letters)
        data[at : at + 1] = rng.choice(ODD)


def repeat(data: bytearray, rng: random.Random) -> None:
    begin = rng.randrange(len(data))
    end = begin + rng.choice([1, 10, 200])
    at = rng.randrange(len(data))
    data[at:at] = data[begin:end]


def splice(data: bytearray, rng: random.Random) -> None:
    other = rng.choice(list(GOOD.values()))
    begin = rng.randrange(len(other))
    data[rng.randrange(len(data)) :] = other[begin:]


MUTATIONS = (flip, overwrite, cut, insert, replace_letter, repeat, splice)


@st.composite
def mutated(draw: st.DrawFn, good: bytes) -> bytes:
    """A good file with one to four changes."""
    rng = random.Random(draw(st.integers(0, 2**64)))
    data = bytearray(good)
    for change in draw(st.lists(st.sampled_from(MUTATIONS), min_size=1, max_size=4)):
        if data:
            change(data, rng)
    return bytes(data)


def is_sound(score: Score) -> bool:
    return math.isfinite(score.value) if score.problem is None else math.isnan(score.value)


def check(path: Path, most: int) -> None:
    """Score a file: an error of ours, or as many rows as it may have, which can be written."""
    try:
        found = evaluate(path, "coverage")
    except TricoloreError as error:
        problem = str(error)
    else:
        check_rows(found, most)
        return
    problem.encode()
    assert "\n" not in problem


def check_rows(found: Evaluation, most: int) -> None:
    assert 0 < len(found) <= most
    for result in found:
        score = result.scores["coverage"]
        assert is_sound(score)
        if isinstance(result.example, Example):
            assert all(math.isfinite(value) for value in result.example.human.values())
            json.dumps(result.example.to_json(), ensure_ascii=False).encode()
        else:
            result.example.problem.encode()
            assert score.problem
    assert found.to_arrow().num_rows == len(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", GOOD)
def test_a_damaged_file(tmp_path_factory, name):
    path = tmp_path_factory.mktemp("fuzz") / name

    @FUZZ
    @given(mutated(GOOD[name]))
    def damaged(data: bytes) -> None:
        path.write_bytes(data)
        # A cell can be split by any byte; a mutation adds at most a few copies of the rows.
        check(path, most=100_000 if name.endswith(".gz") else max(1, len(data)) + 100)

    damaged()


@pytest.mark.slow
@pytest.mark.parametrize("name", GOOD)
def test_a_good_file(tmp_path, name):
    (tmp_path / name).write_bytes(GOOD[name])
    found = evaluate(tmp_path / name, "coverage")
    assert len(found) == 12
    assert all(isinstance(result.example, Example) for result in found)


SCORES = [
    {"row": n + 1, "doc_id": f"d{n // 2}", "system": "ab"[n % 2], "status": "ok"}
    | {"human.quality": n, "coverage": n / 12, "length": 3 * n, "problem": None, "flags": None}
    for n in range(12)
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s.jsonl", "s.csv", "s.parquet"])
def test_a_damaged_file_of_scores(tmp_path_factory, name):
    path = tmp_path_factory.mktemp("fuzz") / name
    if name == "s.parquet":
        pq.write_table(pa.Table.from_pylist(SCORES), path)
    elif name == "s.csv":
        lines = [",".join(SCORES[0]), *(",".join(map(str, row.values())) for row in SCORES)]
        path.write_text("\n".join(lines))
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in SCORES))

    @FUZZ
    @given(mutated(path.read_bytes()))
    def damaged(data: bytes) -> None:
        path.write_bytes(data)
        try:
            table = ScoreTable.read(path)
            compare(table, resamples=10, permutations=10)
        except TricoloreError as error:
            str(error).encode()

    damaged()
