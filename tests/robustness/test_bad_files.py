"""Bad files: each row has values or a problem, or the file is rejected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.robustness.bad_lines import line_cases
from tests.robustness.bad_tables import encoding_cases, gzip_cases, parquet_cases, separated_cases
from tests.robustness.bad_texts import column_cases, size_cases, text_cases
from tests.robustness.cases import Case
from tests.robustness.running import Outcome, run
from tests.robustness.score_rows import LABELS, check_rows, read_rows

CASES = [
    *line_cases(),
    *separated_cases(),
    *parquet_cases(),
    *gzip_cases(),
    *encoding_cases(),
    *text_cases(),
    *size_cases(),
    *column_cases(),
]


def test_all_cases_have_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case.name)[1:-1])
def test_a_bad_file(case: Case, tmp_path: Path) -> None:
    (tmp_path / f"in{case.ending}").write_bytes(case.content)
    measures = () if "-m" in case.options else ("-m", ",".join(LABELS))
    labels = LABELS if measures else tuple(case.options[1].split(","))
    done = run(
        tmp_path,
        *("score", f"in{case.ending}", *measures, *case.options),
        *("--cache", "off", "-o", case.output),
        outputs=(case.output, f"{case.output}.meta.json"),
    )
    expected = case.expected
    is_rejected = done.code == 2
    if expected.rows is None or (is_rejected and expected.may_be_rejected):
        assert is_rejected, "it was not rejected"
        assert expected.words in done.err
        return
    assert not is_rejected, done.err
    rows = read_rows(tmp_path / case.output)
    check_rows(rows, expected.rows, labels)
    for number, row in enumerate(rows, 1):
        if number in expected.problems:
            assert row["problem"], row
            assert expected.problems[number] in row["problem"]
        elif number not in expected.either:
            assert not row["problem"], row
    _check_words(expected.words, done, rows)


def _check_words(words: str, done: Outcome, rows: list[dict[str, object]]) -> None:
    # Which columns are read is said of every file.
    said = [text for text in done.said.splitlines() if not text.startswith("read: ")]
    said += [str(row["problem"]) for row in rows if row["problem"]]
    assert any(words in text for text in said), "it was passed over in silence"
