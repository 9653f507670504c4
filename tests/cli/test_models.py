"""What the commands say about the models that they load."""

import json

import pytest

pytestmark = pytest.mark.slow


def test_the_model_that_is_loaded_is_named_on_stderr(tricolore, tmp_path):
    row = {"source": "The council voted on Tuesday to close it.", "summary": "They voted."}
    (tmp_path / "x.jsonl").write_text(json.dumps(row) + "\n")
    _, err = tricolore("score", "x.jsonl", "-m", "blanc-help", "--device", "cpu")
    assert err.count("model embedded: from the package tricolore-embedded, revision ") == 1


def test_a_device_that_is_not_there_is_an_error(tricolore, tmp_path):
    (tmp_path / "x.jsonl").write_text(json.dumps({"source": "a b", "summary": "a"}) + "\n")
    for jobs in ("1", "2"):
        options = ("--device", "abacus", "--jobs", jobs, "--cache", "off")
        _, err = tricolore("score", "x.jsonl", "-m", "blanc-help", *options, check=2)
        assert "models cannot run on 'abacus'; there is cpu" in err
