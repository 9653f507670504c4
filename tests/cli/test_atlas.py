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


def test_columns_are_named(run, tmp_path):
    rows = ["article,written,who,grade"]
    for number in range(6):
        text = " ".join(f"w{number}{letter}" for letter in "abcdef")
        rows += [f"{text},{text[:9]},A,{number % 3}", f"{text},other words,B,{(number + 1) % 3}"]
    (tmp_path / "own.csv").write_text("\n".join(rows) + "\n")
    line = "tricolore atlas own.csv -m coverage --kind truncation --resamples 20 -o atlas"
    assert "human scores" in run(f"{line} --summary written", exit_code=2)
    run(f"{line} --human grade --summary written --system who")
    table = (tmp_path / "atlas" / "atlas.csv").read_text()
    assert "grade" in table


def test_a_file_in_another_encoding(run, tmp_path):
    rows = ["source,summary,system,grade"]
    rows += [f"Der Bär {n} schläft,Bär {n},{system},{n}" for n in range(5) for system in "AB"]
    (tmp_path / "own.csv").write_text("\n".join(rows) + "\n", encoding="cp1252")
    line = "tricolore atlas own.csv -m length --human grade --kind truncation --resamples 20"
    assert "name its encoding" in run(line, exit_code=2)
    run(f"{line} --encoding cp1252 -o atlas")
