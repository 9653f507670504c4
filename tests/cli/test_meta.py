"""`tricolore meta` as people run it."""

import json

import pytest

from tricolore.data.score_table import ScoreTable
from tricolore.meta.levels import agreement
from tricolore.meta.partial import partial_agreement


def test_all_levels(tricolore, scores):
    out, err = tricolore("meta", scores, "--human", "relevance", "--resamples", 50)
    assert not err
    assert "relevance: ρ" in out
    assert "summary ρ" in out
    assert "document ρ" in out
    assert "system ρ" in out
    assert out.index(" rouge-1 ") < out.index(" redundancy ")  # the best first
    assert "Negated, as lower is better: redundancy." in out
    assert "±" in out
    assert "interval over documents and systems]" in out
    assert "recall" not in out


def test_figures_as_json_are_those_of_the_library(tricolore, scores):
    out, _ = tricolore("meta", scores, "--format", "json", "--resamples", 50)
    rows = json.loads(out)
    assert len(rows) == 2 * 3 * 4 * 2  # qualities, levels, coefficients, measures
    table = ScoreTable.read(scores)
    for row in rows:
        wanted = agreement(
            table.signed(row["measure"]),
            table.human[row["human"]],
            table.grid,
            row["level"],
            row["statistic"],
        )
        if row["human"] == "fluency":  # all alike: undefined, said as null
            assert row["value"] is None
        else:
            assert row["value"] == pytest.approx(wanted.value)
        assert row["negated"] == (row["measure"] == "redundancy")
        assert (row["low"] is not None) == (
            row["statistic"] == "spearman" and row["human"] == "relevance"
        )


def test_controls(tricolore, scores, tmp_path):
    command = ("meta", scores, "--human", "relevance", "-m", "rouge-1", "--control", "redundancy")
    out, err = tricolore(*command, "--resamples", 50)
    assert not err
    assert "relevance: partial ρ, controlled for redundancy" in out
    out, _ = tricolore(*command, "--resamples", 50, "--format", "json")
    rows = json.loads(out)
    assert {row["statistic"] for row in rows} == {"spearman", "pearson"}
    table = ScoreTable.read(scores)
    for row in rows:
        wanted = partial_agreement(
            table.signed("rouge-1"),
            table.human["relevance"],
            {"redundancy": table.values["redundancy"]},
            table.grid,
            row["level"],
            row["statistic"],
        )
        assert row["control"] == "redundancy"
        assert row["reason"] == wanted.reason
        if row["level"] == "summary":
            assert row["value"] == pytest.approx(wanted.value)
            assert row["p"] == pytest.approx(wanted.p)
            assert (row["low"] is not None) == (row["statistic"] == "spearman")
        else:  # three systems, and four points are needed
            assert row["value"] is None
            assert "4 are needed with 1 control" in row["reason"]
    for name in ("table.md", "table.tex", "table.html", "table.csv"):
        tricolore(*command, "--resamples", 9, "-o", name)
        assert "controlled for redundancy" in (tmp_path / name).read_text() or name == "table.csv"
    header, first, *_ = (tmp_path / "table.csv").read_text().splitlines()
    assert header.endswith("left_out,control,reason")
    assert first.endswith(",redundancy,")


def test_one_level_shows_all_statistics(tricolore, scores):
    out, _ = tricolore(
        "meta", scores, "--human", "rel", "--level", "document", "--statistics", "pearson,mae"
    )
    for word in ("relevance, document level", "r ", "MAE", "τ-b", "τ-c", "ρ"):
        assert word in out


def test_pairs_of_measures(tricolore, scores):
    out, _ = tricolore(
        "meta",
        scores,
        "--human",
        "relevance",
        "--level",
        "summary",
        "--pairs",
        "--permutations",
        99,
    )
    assert "better than" in out
    assert "99 permutations of both; Holm's correction for 1 tests." in out
    out, _ = tricolore(
        *("meta", scores, "--human", "relevance", "--level", "summary", "--format", "json"),
        *("--better-than", "redundancy", "--test", "williams"),
    )
    [row] = json.loads(out)
    assert (row["measure"], row["than"]) == ("rouge-1", "redundancy")
    assert row["better by"] > 0


@pytest.mark.slow
def test_the_seed_decides(tricolore, scores):
    def low(seed):
        out, _ = tricolore(
            "meta", scores, "--human", "rel", "--format", "json", "--seed", seed, "--resamples", 50
        )
        return [row["low"] for row in json.loads(out)]

    assert low(1) == low(1)
    assert low(1) != low(2)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("meta", "none.parquet"), "cannot be read"),
        (("meta", "scores.jsonl", "--human", "style"), "no human score 'style'; it has: relevance"),
        (("meta", "scores.jsonl", "-m", "blanc"), "no measure 'blanc'; it has: rouge-1"),
        (("meta", "scores.jsonl", "--statistics", "rho"), "is not one of"),
        (("meta", "scores.jsonl", "-m", "rouge-1", "--pairs"), "two measures are needed"),
        (
            ("meta", "scores.jsonl", "--pairs", "--test", "williams", "--statistics", "mae"),
            "not errors",
        ),
        (
            ("meta", "scores.jsonl", "--control", "novelty:n=3,length"),
            "no column 'novelty:n=3'; score it too: tricolore score … -m novelty:n=3,length",
        ),
        (("meta", "scores.jsonl", "--control", "redundency"), "did you mean 'redundancy'?"),
        (("meta", "scores.jsonl", "--control", "novelti"), "did you mean 'novelty'?"),
        (
            ("meta", "scores.jsonl", "--control", "redundancy", "--statistics", "kendall-b"),
            "no test of Kendall's partial τ is known for tied scores",
        ),
        (
            ("meta", "scores.jsonl", "--control", "redundancy", "--statistics", "mae"),
            "is an error, not a correlation",
        ),
        (("meta", "scores.jsonl", "--control", "redundancy", "--pairs"), "without controls"),
        (
            ("meta", "scores.jsonl", "--control", "redundancy,rouge-1"),
            "no measure but the controls: redundancy, rouge-1",
        ),
        (("meta", "scores.jsonl", "-o", "x.doc"), "names no known form"),
        (("meta", "scores.jsonl", "-o", "none/x.md"), "cannot be written"),
        (("compare", "scores.jsonl", "--systems", "lead"), "two systems are needed"),
        (("compare", "scores.jsonl", "--systems", "lead,best"), "no system 'best'"),
    ],
)
def test_what_a_user_can_mend(tricolore, scores, command, said):
    _, err = tricolore(*command, check=2)
    assert said in err


def test_p_of_three_systems(tricolore, few):
    out, _ = tricolore("meta", few, "-m", "length", "--level", "system", "--format", "json")
    found = {row["statistic"]: round(row["p"], 3) for row in json.loads(out)}
    # The order of three is right: 2 of 6 orders are as good. As the systems are not evenly spaced,
    # Pearson's r of the reverse is weaker: 1 of 6.
    assert found.pop("pearson") == 0.167
    assert set(found.values()) == {0.333}


@pytest.mark.slow
def test_empty_summaries_in_meta_and_study(tricolore, half_empty, tmp_path):
    scores = tmp_path / "scores.parquet"
    tricolore("score", half_empty, "-m", "coverage", "-o", scores)
    note = "10 empty summaries, which count as the worst possible value: C 10."
    for command in (["meta", scores, "--resamples", "9"], ["study", "ranges", scores]):
        assert note in tricolore(*command)[0]
        assert "10 empty summaries, left out" in tricolore(*command, "--empty", "skip")[0]
    rows = json.loads(tricolore("study", "ranges", scores, "--format", "json")[0])
    assert [row["mean"] for row in rows] == pytest.approx([0.6, 0.2, 0.45])
