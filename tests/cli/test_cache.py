"""`tricolore cache` as people run it."""

import json

import pytest


@pytest.fixture
def filled(run, judged):
    run("tricolore score judged.jsonl -m coverage,length --cache kept")
    return judged / "kept"


def test_info(run, filled):
    [info] = json.loads(run("tricolore cache info --cache kept --format json"))
    assert info["cache"] == "kept/scores.sqlite"
    assert (info["scores"], info["set aside"]) == (9 + 3, 0), "systems repeat themselves"
    assert 0 < info["MB"] < 1
    out = run("tricolore cache info --cache kept")
    assert "last use" in out
    assert "set aside beside" not in out
    (filled / "scores.sqlite.bad-1").write_text("x")
    assert "`tricolore cache clear` removes them" in run("tricolore cache info --cache kept")


def test_prune_and_clear(run, filled):
    [removed] = json.loads(run("tricolore cache prune --cache kept --older-than 30 --format json"))
    assert removed["scores removed"] == 0
    [removed] = json.loads(run("tricolore cache prune --cache kept --max-size 0 --format json"))
    assert removed["scores removed"] == 12
    run("tricolore score judged.jsonl -m coverage --cache kept")
    (filled / "scores.sqlite.bad-1").write_text("x")
    [removed] = json.loads(run("tricolore cache clear --cache kept --format json"))
    assert (removed["scores removed"], removed["damaged files removed"]) == (9, 1)
    assert list(filled.iterdir()) == []


def test_the_user_cache_is_the_default(run, judged):
    run("tricolore score judged.jsonl -m length")
    [info] = json.loads(run("tricolore cache info --format json"))
    assert info["scores"] == 3
    assert "tricolore" in info["cache"]


def test_what_a_user_can_mend(tricolore, tmp_path):
    _, err = tricolore("cache", "prune", check=2)
    assert err == (
        "tricolore: nothing says which scores to remove; give --older-than DAYS or --max-size MB\n"
    )
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "scores.sqlite").write_text("damaged " * 100)
    _, err = tricolore("cache", "info", "--cache", "kept", check=2)
    assert "clearing the cache removes it" in err


def test_faults_of_the_cache_are_one_line(tricolore, judged):
    """The exit code is 0 and the scores are there; a cache that cannot be created is an error."""
    (judged / "kept").mkdir()
    (judged / "kept" / "scores.sqlite").write_text("damaged " * 100)
    score = ("score", "judged.jsonl", "-m", "coverage")
    out, err = tricolore(*score, "--cache", "kept")
    assert "poor" in out
    [line] = [line for line in err.splitlines() if "cache" in line]
    assert line.endswith("it is set aside as scores.sqlite.bad-1, and a new one is begun")
    _, err = tricolore(*score, "--cache", "judged.jsonl", check=2)
    assert "name another directory with --cache DIR, or score without with --cache off" in err


def test_a_user_cache_that_cannot_be_created_stops_nothing(tricolore, judged):
    (judged / "cache").write_text("a file where the directory of caches should be")
    out, err = tricolore("score", "judged.jsonl", "-m", "coverage")
    assert "poor" in out
    assert "cannot be created" in err
    assert "this run goes on without" in err
