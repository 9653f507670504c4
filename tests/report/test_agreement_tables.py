"""The tables of `meta`, cell by cell."""

import json
import math

import numpy as np
import pytest

from tricolore.data.score_table import ScoreTable
from tricolore.meta.agreements import agreements
from tricolore.report.agreement_tables import level_tables, long_table, statistic_tables

NAN = math.nan


@pytest.fixture(scope="module")
def entries():
    # Document 2 is constant for people; row 5 has no value of "b".
    table = ScoreTable.of(
        ["1", "1", "2", "2", "3", "3"],
        ["x", "y"] * 3,
        {"a": [1, 2, 1, 2, 1, 2], "b": [2, 1, 2, 1, NAN, 1], "none": [NAN] * 6},
        {"people": [1, 3, 2, 2, 1, 2]},
        {"b": "lower"},
    )
    return agreements(table, statistics=["spearman", "kendall-b"], resamples=20)


def test_levels_beside_one_another(entries):
    [(title, sheet)] = level_tables(entries, "spearman")
    assert title == "people: ρ"
    assert sheet.headers == ["measure", "summary ρ", "p", "document ρ", "p", "system ρ", "p"]
    # a: ranks 2 5 2 5 2 5 against 1.5 6 4 4 1.5 4: 10.5 / sqrt(13.5 * 15) = 0.738
    # b, negated, the same without row 5: 5 / sqrt(7.5 * 8) = 0.645
    assert [row[0] for row in sheet.rows] == ["a", "b", "none"]  # no value: last
    assert [row[1].words.split()[0] for row in sheet.rows] == ["0.738", "0.645", "–"]
    assert [row[3].words.split()[0] for row in sheet.rows] == ["1.000", "1.000", "–"]
    notes = "\n".join(sheet.notes)
    assert "Negated, as lower is better: b." in notes
    assert "1 document without a value (document level): a." in notes
    assert "2 documents without a value (document level): b." in notes
    assert "1 row left out, without both values (summary level): b." in notes
    assert "Only 3 documents: the interval says little." in notes
    assert "Only 2 systems: the interval says little." in notes


def test_statistics_beside_one_another(entries):
    sheets = statistic_tables(entries, "spearman")
    assert [title for title, _ in sheets] == [
        f"people, {w} level" for w in ("summary", "document", "system")
    ]
    assert sheets[0][1].headers == ["measure", "ρ", "p", "τ-b", "p", "n"]
    assert [row[-1] for row in sheets[0][1].rows] == [6, 5, 0]


def test_for_a_program(entries):
    _, sheet = long_table(entries)
    rows = json.loads(sheet.json())
    assert len(rows) == 3 * 2 * 3
    assert rows[1]["negated"] is True
    assert rows[2]["value"] is None


def test_intervals_of_one_document_and_of_one_system():
    docs, systems = ["1"] * 4, list("abcd")
    one = ScoreTable.of(docs, systems, {"m": [1, 2, 3, 5]}, {"people": [1, 2, 4, 3]})
    found = agreements(one, levels=["summary"], resamples=20)
    assert math.isnan(found[0].low)
    [over] = agreements(one, levels=["summary"], resamples=20, over="systems")
    assert math.isfinite(over.low)
    assert over.notes == ("only 4 systems: the interval says little",)
    # No system is told: only documents are drawn, and that is said.
    none = ScoreTable.of(list("123456"), [""] * 6, {"m": range(6)}, {"people": [1, 0, 2, 4, 3, 5]})
    [(_, sheet)] = level_tables(agreements(none, levels=["summary"], resamples=20), "spearman")
    assert sheet.notes[0] == "[95 % bootstrap interval over documents]."


def test_few_systems_are_noted_also_where_only_documents_are_resampled():
    rng = np.random.default_rng(0)
    documents, systems = [str(at // 3) for at in range(18)], list("abc") * 6
    table = ScoreTable.of(documents, systems, {"m": rng.random(18)}, {"people": rng.random(18)})

    def notes(level):
        [found] = agreements(table, levels=[level], over="documents", resamples=20)
        return found.notes

    assert notes("summary") == ()
    assert notes("document") == ("only 3 systems: a correlation within a document says little",)
    assert notes("system") == ("only 3 systems: a correlation over systems says little",)


def with_controls(**given):
    """Eight documents of six systems; one row has no length."""
    rng = np.random.default_rng(0)
    length = rng.integers(10, 99, 48).astype(float)
    length[5] = NAN
    return ScoreTable.of(
        [str(d) for d in range(8) for _ in range(6)],
        list("abcdef") * 8,
        {"m": rng.normal(size=48), "length": length, "novelty": rng.random(48), **given},
        {"people": rng.integers(1, 6, 48)},
    )


def test_a_partial_correlation_says_so_everywhere():
    table = with_controls()
    found = agreements(table, ["m"], controls=["novelty", "length"], resamples=50)
    [(title, sheet)] = level_tables(found, "spearman")
    assert title == "people: partial ρ, controlled for novelty and length"
    said = "Partial correlation, controlled for novelty and length: of the residuals of a linear"
    assert sheet.notes[0].startswith(said)
    assert said in sheet.markdown()
    assert said in sheet.latex()
    notes = "\n".join(sheet.notes)
    assert "1 row left out, without value, human score and controls (summary level): m." in notes
    assert "of 50 resamples have no correlation and are left out (document level)" in notes
    [(title, _), *_] = statistic_tables(found, "spearman")
    assert title == "people, summary level, partial correlation, controlled for novelty and length"
    _, rows = long_table(found)
    assert {row["control"] for row in rows.to_json()} == {"novelty,length"}


def test_the_reason_is_below_the_table_and_in_the_rows_for_programs():
    table = with_controls(same=np.ones(48))
    found = agreements(table, ["m", "same"], controls=["length", "same"], resamples=0)
    [(_, sheet)] = level_tables(found, "spearman")
    notes = "\n".join(sheet.notes)
    assert "No partial correlation (summary level): the control same is constant: m, same." in notes
    assert "No partial correlation (document level): in every document, mostly: the" in notes
    _, rows = long_table(found)
    assert rows.to_json()[0]["reason"] == "the control same is constant"
    assert rows.to_json()[0]["value"] is None


def test_p_and_interval_are_told_apart_where_there_are_both():
    table = with_controls()
    said = "p and the interval answer different questions: p tests whether the correlation is 0, "

    def notes(**rules):
        return "\n".join(level_tables(agreements(table, ["m"], **rules), "spearman")[0][1].notes)

    both = notes(levels=["summary"], resamples=20)
    assert (
        f"{said}and treats summaries as independent. The interval shows what other documents"
        in (both)
    )
    every = notes(resamples=20, over="documents")
    assert "treats summaries (summary level), documents (document level) and systems (system" in (
        every
    )
    assert "what other documents could give" in every
    assert said not in notes(resamples=0)
    errors = agreements(table, ["m"], statistics=["mae"], intervals=["mae"], resamples=20)
    assert said not in "\n".join(level_tables(errors, "mae")[0][1].notes)
