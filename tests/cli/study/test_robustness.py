"""`tricolore study robustness` as people run it."""


def test_robustness(judged, run):
    out = run(
        "tricolore study robustness judged.jsonl -m rouge-1 --with length --resamples 20 "
        "--shares 0,1 --format csv --plot r.png"
    )
    head, clean, spoiled = out.splitlines()
    assert head.split(",")[::3] == [
        "replaced",
        "rouge-1 high",
        "length high",
        "rouge-1 + length high",
    ]
    # the first three sentences of the source also are nearer to the better summaries
    assert clean.startswith("0 %,1.0")
    assert spoiled.startswith("100 %,1.0")
    assert (judged / "r.png").is_file()
