import json

import pytest


@pytest.fixture
def pairs(tmp_path):
    source = "Anna is here. Tom was there. It is late. "
    summaries = ["Anna is here.", "Tom was there.", "It is late.", "😀"]
    rows = [json.dumps({"source": source, "summary": text}) for text in summaries]
    (tmp_path / "x.jsonl").write_text("\n".join(rows))
    return "x.jsonl"


@pytest.mark.slow
def test_a_table_and_figures(tricolore, pairs, tmp_path):
    arguments = ("sensitivity", pairs, "-m", "coverage,length", "--errors-per-summary", "1,2")
    out, err = tricolore(
        *arguments, "--kind", "negation-swap,random-words", "--format", "json", "--plot", "plots"
    )
    rows = {(r["measure"], r["damage"], r["errors"]): r for r in json.loads(out)}
    # "not" is not in the source: every damaged twin of the three is covered worse.
    noticed = rows["coverage", "negation-swap", "1"]
    assert (noticed["pairs"], noticed["AUC"], noticed["worse"], noticed["tied"]) == (3, 1, 1, 0)
    # A longer summary is neither better nor worse, but it is longer: 5 words and marks, not 4.
    assert rows["length", "negation-swap", "1"]["worse"] is None
    assert rows["coverage", "negation-swap", "2"]["pairs"] == 0
    assert rows["coverage", "random-words", "–"]["pairs"] == 4
    assert "13 figures: plots" in err or (tmp_path / "plots").is_dir()
    names = {path.name for path in (tmp_path / "plots").iterdir()}
    assert {"negation-swap-auc.svg", "negation-swap-values-coverage.svg"} <= names
    again, err = tricolore(*arguments, "--kind", "negation-swap")
    assert "0 computed" in again
    assert "Not damaged as asked for: 5" in again  # three with two errors, the emoji twice


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--errors-per-summary", "0"), "--errors-per-summary takes whole numbers from 1"),
        (("--errors-per-summary", "two"), "--errors-per-summary takes whole numbers from 1"),
        (("--kind", "noise"), "there is no kind of damage 'noise'"),
        (("--kind", "number-swap"), "no summary that could be damaged: the summary has no number"),
        (("--kind", "truncation:only=numbers"), "truncation has no setting 'only'"),
        (("-o", "x.doc", "--kind", "truncation"), "known are .md"),
    ],
)
def test_what_a_user_can_mend_is_one_line(tricolore, pairs, arguments, words):
    _, err = tricolore("sensitivity", pairs, "-m", "coverage", *arguments, check=2)
    assert words in err
    assert len([line for line in err.splitlines() if not line.startswith("read: ")]) == 1
