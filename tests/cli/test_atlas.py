"""`tricolore atlas` as people run it."""


def test_atlas(judged, run, tmp_path):
    line = "tricolore atlas judged.jsonl -m rouge-1,length --kind truncation --resamples 20"
    out = run(f"{line} -o atlas")
    assert "Which system is better?" in out
    page = (tmp_path / "atlas" / "atlas.md").read_text()
    assert page.startswith("# Atlas of measures")
    assert run(f"{line} -o atlas")  # an atlas is replaced
    assert "is the input" in run(f"{line} -o judged.jsonl", exit_code=2)


def test_what_a_user_can_mend(judged, run):
    assert "is not there" in run("tricolore atlas nowhere -m length", exit_code=2)
