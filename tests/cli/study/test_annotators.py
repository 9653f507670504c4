"""`tricolore study annotators` as people run it."""

import re


def test_annotators(judged, run):
    out = run("tricolore study annotators judged.jsonl --human quality -m rouge-1 --plot a.svg")
    # all agree but for a step that each always adds
    assert len(re.findall(r"annotator \d", out)) == 4
    assert len(re.findall(r"1\.000", out)) == 5
    assert "100 %" in out
    out = run("tricolore study annotators judged.jsonl --human quality --group 2 --plot b.svg")
    assert "All 6 ways to choose 2 of 4." in out


def test_the_plot_of_groups_says_what_it_leaves_out(judged, run):
    run("tricolore study annotators judged.jsonl --human quality --group 2 -m length --plot c.svg")
    # All agree; two people's means against the other two's are always significant for 9 summaries.
    assert "not significant" not in (judged / "c.svg").read_text()
    rows = (judged / "judged.jsonl").read_text().splitlines()[:3]
    (judged / "three.jsonl").write_text("\n".join(rows) + "\n")
    out = run(
        "tricolore study annotators three.jsonl --human quality --group 2 -m length --plot d.svg"
    )
    # Three summaries: the least p is 1/3, so that nothing is shown.
    drawn = (judged / "d.svg").read_text()
    assert "2 annotators (6 not significant)" in drawn
    assert "length (6 not significant)" in drawn
    assert "leaves its place empty" in out
