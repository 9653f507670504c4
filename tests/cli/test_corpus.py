import json

import pytest


def rows(tmp_path, name, topics):
    path = tmp_path / name
    with path.open("w") as stream:
        for topic in topics:
            source = f"The {topic} stood in the old town and many people came to see it every day."
            row = {"source": source, "summary": f"Many people saw the {topic}."}
            stream.write(json.dumps(row) + "\n")
    return path


@pytest.mark.slow
def test_a_saved_corpus_scores_one_new_pair_alone(tricolore, tmp_path):
    topics = "bridge tower castle market church fountain statue museum theatre library".split()
    out, _ = tricolore("corpus", rows(tmp_path, "many.jsonl", topics), "-o", "town.corpus")
    assert "town.corpus: 10 documents" in out
    one = rows(tmp_path, "one.jsonl", topics[:1])
    alone, err = tricolore(
        "score", one, "-m", "importance:corpus=town.corpus", "-o", "-", "--signatures"
    )
    assert "town (" in err
    together, _ = tricolore("score", "many.jsonl", "-m", "importance", "-o", "-")
    # the pair is one of the corpus, so it has the value that it has in the whole run
    value = json.loads(alone)["importance:corpus=town.corpus"]
    assert value == json.loads(together.splitlines()[0])["importance"]


@pytest.mark.slow
def test_what_cannot_be(tricolore, tmp_path):
    path = rows(tmp_path, "x.jsonl", ["bridge"])
    _, err = tricolore("corpus", path, "-o", "no/where.corpus", check=2)
    assert "cannot be written" in err
    absent = "importance:tokenizer=gpt2,tokenizer_file=absent.json"
    _, err = tricolore("corpus", path, "-m", absent, "-o", "x.corpus", check=2)
    assert "absent.json" in err
    _, err = tricolore("corpus", path, "-m", "coverage", "-o", "x.corpus", check=2)
    assert "coverage needs no corpus" in err
    _, err = tricolore("score", path, "-m", "importance:corpus=absent.corpus", check=2)
    assert "absent.corpus" in err
    (tmp_path / "broken.corpus").write_text("no")
    _, err = tricolore("score", path, "-m", "importance:corpus=broken.corpus", check=2)
    assert "is not a saved corpus" in err
